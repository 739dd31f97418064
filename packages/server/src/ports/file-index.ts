/**
 * Port: which files a session has, and which bytes are theirs. Kept with the sessions, in either store; the bytes
 * themselves are in Blobs.
 *
 * Contract
 * FB5 Bytes that no file names are known as loose: a name is noted before bytes are put under it, and taken from the note
 *     in the transaction that gives it to a file; what a file gives up goes back to the note in the same transaction. So
 *     whatever process dies when, all bytes are either a file's or noted, and what is noted long enough is removed.
 * FB6 A deleted session takes no file. A session's files are counted and summed up under its lock: two uploads at once
 *     cannot pass a limit together.
 * FB7 A file is never changed. In the workspace a path goes from one file to another in one step: who reads it sees all of
 *     the one or all of the other.
 * FB8 A key (scope, key) brings one file, on all nodes alike.
 * FB10 Where other sessions work in a session's workspace, what has a path there is kept, written and counted for as long as one of them
 *     is there, whatever becomes of that session. A receipt of each says that it does (`workspaceUse`): it is there from the write that
 *     makes the session until its last row goes.
 */
export type FileSource = 'upload' | 'workspace' | 'published';

export type FileRow = {
  readonly id: string;
  readonly sessionId: string;
  /** Safe to show and to save under (core/protocol/file-name). */
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  /** Its name in Blobs. */
  readonly blob: string;
  /** Where agents find it; null = nowhere. Unique in its session. */
  readonly path: string | null;
  readonly source: FileSource;
  readonly createdAt: number;
};

/** The scope of receipts of sessions that work in the workspace of another one; the key is the session's id. As one of a creation it is kept while the session is. */
export const workspaceUse = (ownerId: string): string => `workspace|create|${ownerId}`;

export type FileLimits = { readonly files: number; readonly bytes: number };
export type FileKey = { readonly scope: string; readonly key: string; readonly hash: string };

export interface FileIndex {
  /** Notes that bytes may come to be under this name (FB5). */
  note(blob: string, at: number): Promise<void>;
  /**
   * `ahead`: the session is made next, with a message that refers to the file; until it is there, `dropDeleted` forgets the file.
   * `taken`: its key or its path is another file's. `full`: a limit would be passed. `gone`: there is no such session any more.
   */
  add(file: FileRow, terms: { readonly limits: FileLimits; readonly key?: FileKey; readonly ahead?: boolean }): Promise<'added' | 'taken' | 'full' | 'gone'>;
  /**
   * Puts the file at its path, in place of the one that was there; never in place of an upload (`taken`). `over`: the id of the one
   * that it may replace, null for none: where another is there by now, that one stays (`taken`). `by`: the session that writes, where
   * it is another's workspace (FB10): `gone` is said of it alone.
   */
  put(file: FileRow & { readonly path: string }, limits: FileLimits, over?: string | null, by?: string): Promise<'added' | 'taken' | 'full' | 'gone'>;
  /** Forgets one file: its bytes are loose from then on. */
  drop(sessionId: string, id: string, at: number): Promise<void>;
  file(sessionId: string, id: string): Promise<FileRow | undefined>;
  /** Those of these that the session has, in one read and in any order. */
  filesOf(sessionId: string, ids: readonly string[]): Promise<readonly FileRow[]>;
  fileAt(sessionId: string, path: string): Promise<FileRow | undefined>;
  fileByKey(scope: string, key: string): Promise<{ readonly file: FileRow; readonly hash: string } | undefined>;
  /** All but those that are in the workspace alone, in the order in which they came. */
  files(sessionId: string, page: { readonly offset: number; readonly limit: number }): Promise<readonly FileRow[]>;
  /** Those that have a path, in its order. */
  paths(sessionId: string, limit: number): Promise<readonly FileRow[]>;
  /**
   * Forgets the files of sessions that were deleted, they or their root: of this one, or of all; but for what others work on (FB10).
   * Their bytes are loose from then on.
   */
  dropDeleted(at: number, sessionId?: string): Promise<void>;
  /** Bytes that have been loose since before `before`, the longest first. */
  loose(before: number, limit: number): Promise<readonly string[]>;
  /** Their bytes are removed. */
  forget(blobs: readonly string[]): Promise<void>;
}
