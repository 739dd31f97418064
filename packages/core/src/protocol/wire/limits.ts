/** Limits on the wire (semantics, section 4). Characters are Unicode code points. */
export const limits = {
  textCharacters: 100_000,
  /** All that one submission says, as JSON. */
  submissionBytes: 4 * 1024 * 1024,
  idempotencyKeyCharacters: 512,
  inputMessages: 100,
  /** In one order of a queue: more than any session may have. */
  queuedTurns: 1_000,
  /** Media and file blocks of one message. */
  attachments: 10,
  /** All attachments of one submission: the files that it refers to, and the bytes that come with it, decoded. */
  attachedFileBytes: 20 * 1024 * 1024,
  /** All files that a model is shown in one call: the newest that fit. */
  promptFileBytes: 32 * 1024 * 1024,
  answersPerRequest: 100,
  /** Why a call is denied, or how a result was found out. */
  reasonCharacters: 10_000,
  /** Arguments that a person edited, as JSON: as many as a model may write. */
  toolInputCharacters: 1_000_000,
  /** Of an output that a session's schema judges, and so of a turn's result. */
  outputCharacters: 100_000,
  mappedNames: 100,
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
  /** Members of metadata that one list of sessions asks for. */
  metadataFilters: 8,
  /** What is looked for in messages. */
  searchCharacters: 200,
  /** Stored as a 32-bit number. */
  version: 2_147_483_647,
  eventsPage: 1_000,
  waitSeconds: 600,
  toolOutputCharacters: 100_000,
  /** One block of a tool's output that is no text, as JSON. */
  toolOutputBlockBytes: 256 * 1024,
  /** One file. */
  fileBytes: 16 * 1024 * 1024,
  /** An exported session that is brought back. */
  archiveBytes: 256 * 1024 * 1024,
  /** One event of it: what a submission may say, as it is written out, several times over. */
  archiveLineBytes: 32 * 1024 * 1024,
  /** All files of one session: what was uploaded, published, and what its agent wrote. */
  sessionFiles: 1_000,
  sessionFileBytes: 256 * 1024 * 1024,
  fileNameCharacters: 200,
  /** A path in a session's workspace. */
  pathCharacters: 400,
  pathParts: 16,
  /** Text that an agent writes into a file at once: what a model can say in a tool call. */
  writtenCharacters: 1_000_000,
  /** Text of a file that an agent reads at once. */
  readCharacters: 50_000,
  webhookEventTypes: 100,
  /** Of one session with its turns, or of one application. */
  webhooks: 50,
  /** Of one session. */
  schedules: 50,
} as const;
