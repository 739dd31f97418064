/** Limits on the wire (semantics, section 4). Characters are Unicode code points. */
export const limits = {
  textCharacters: 100_000,
  /** All that one submission says, as JSON. */
  submissionBytes: 4 * 1024 * 1024,
  idempotencyKeyCharacters: 512,
  inputMessages: 100,
  /** Media and file blocks of one message. */
  attachments: 10,
  answersPerRequest: 100,
  titleCharacters: 200,
  metadataBytes: 16_384,
  /** Request bodies other than files. */
  bodyBytes: 8 * 1024 * 1024,
  jsonDepth: 64,
  /** Values in one body, of any depth: each costs time to check, however short it is. */
  jsonNodes: 20_000,
  /** Bodies that come without a credential, or hold nothing but one. */
  authBodyBytes: 4_096,
  contentBlocks: 100,
  /** A year: what is due later could as well wait for ever. */
  expirySeconds: 31_536_000,
  pageSize: 200,
  offset: 1_000_000,
  /** Stored as a 32-bit number. */
  version: 2_147_483_647,
  eventsPage: 1_000,
  waitSeconds: 600,
  toolOutputCharacters: 100_000,
  /** One block of a tool's output that is no text, as JSON. */
  toolOutputBlockBytes: 256 * 1024,
} as const;
