/** Limits on the wire (semantics, section 4). Characters are Unicode code points. */
export const limits = {
  textCharacters: 100_000,
  idempotencyKeyCharacters: 512,
  inputMessages: 100,
  answersPerRequest: 100,
  titleCharacters: 200,
  metadataBytes: 16_384,
  /** Request bodies other than files. */
  bodyBytes: 8 * 1024 * 1024,
  jsonDepth: 64,
  pageSize: 200,
  offset: 1_000_000,
  eventsPage: 1_000,
  waitSeconds: 600,
  toolOutputCharacters: 100_000,
} as const;
