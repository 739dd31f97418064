/** How much mini-tools may have at once. The numbers are the seed's; an installation may be given others here. */
export const minitoolLimits = {
  /** Unfinished turns of one session. */
  sessionTurns: 20,
  /** Unfinished turns of all sessions of one mini-tool. */
  turns: 200,
  /** What of its sessions' events is kept. */
  events: 10_000,
  eventsMs: 7 * 24 * 3_600_000,
  /** Of one value that it keeps, and of all together. */
  valueBytes: 1_048_576,
  valuesBytes: 50 * 1_048_576,
  /** Of one attachment, and of all of a message. */
  attachmentBytes: 20 * 1_048_576,
  /** Of a message, as JSON. */
  metadataBytes: 4_096,
} as const;
