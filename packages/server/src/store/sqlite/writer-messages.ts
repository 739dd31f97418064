/** What the writer's and the checkpoint's threads and the main thread tell each other. */
import type { FileIdentity } from './database-file.ts';
import type { BatchResult, Operation } from './operations.ts';

/** `identity`: the files as an earlier thread had them; others are not opened. */
export type WriterStart = { readonly file: string; readonly identity?: FileIdentity };
export type WriterRequest = { readonly kind: 'commit'; readonly batch: readonly Operation[] } | { readonly kind: 'close' };
export type WriterReply =
  /** `migrated`: the migrations that were applied. */
  | { readonly kind: 'ready'; readonly identity: FileIdentity; readonly migrated: readonly string[] }
  | { readonly kind: 'refused'; readonly message: string; readonly details: Readonly<Record<string, unknown>> }
  /** `backlog`: frames of the log that wait to be copied. */
  | { readonly kind: 'done'; readonly result: BatchResult; readonly backlog: number };

export type CheckpointRequest = 'checkpoint' | 'close';
export type CheckpointReply = { readonly fault?: string };
