/**
 * Files that are to go with the next message: uploaded as soon as they are chosen, so that sending does not wait.
 *
 * Owns: where each of them stands. What is uploaded survives a reload with the draft; what was under way then does not.
 *
 * UP1 A file is uploaded under one key, however often it is tried: it is stored once.
 * UP2 At most so many files, and none that the server would refuse for its size: said before anything is sent.
 */
import type { FileCalls } from '@turnkeeper/client/calls/files';
import { freshKey } from '@turnkeeper/client/fresh-key';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { SentFile } from '@turnkeeper/react/outbox';
import { readStored, writeStored } from '../preferences/stored-value.ts';

export type AttachmentState =
  /** Of a session that is still to be made. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'uploading'; readonly part: number }
  | { readonly kind: 'ready'; readonly fileId: string }
  | { readonly kind: 'failed'; readonly reason: 'too_large' | { readonly message: string } };
export type Attachment = { readonly key: string; readonly name: string; readonly file?: File; readonly state: AttachmentState };

export type AttachmentStore = {
  readonly get: () => readonly Attachment[];
  readonly subscribe: (listener: () => void) => () => void;
  /** False when some were left out, since there are too many. */
  readonly add: (files: readonly File[], upload: Upload | undefined) => boolean;
  readonly put: (files: readonly SentFile[]) => void;
  readonly retry: (key: string, upload: Upload) => void;
  readonly remove: (key: string) => void;
  /** What can be sent now. */
  readonly ready: () => readonly SentFile[];
  readonly clear: () => void;
};
export type Upload = (file: File, options: Parameters<FileCalls['upload']>[2]) => Promise<{ readonly id: string }>;

export const mostFiles = limits.attachments;
export const largestFile = limits.fileBytes;

const parseStored = (text: string | undefined): readonly Attachment[] => {
  try {
    return (JSON.parse(text ?? '[]') as SentFile[]).map(({ fileId, name }) => ({ key: fileId, name, state: { kind: 'ready', fileId } }));
  } catch {
    return [];
  }
};

const readyOnes = (list: readonly Attachment[]): readonly SentFile[] =>
  list.flatMap(({ name, state }) => (state.kind === 'ready' ? [{ fileId: state.fileId, name }] : []));

export const createAttachments = (place: string): AttachmentStore => {
  const storageKey = `turnkeeper.attached.${place}`;
  let list = parseStored(readStored(storageKey));
  const under = new Map<string, AbortController>();
  const listeners = new Set<() => void>();
  const replace = (next: readonly Attachment[]): void => {
    list = next;
    const ready = readyOnes(list);
    writeStored(storageKey, ready.length === 0 ? undefined : JSON.stringify(ready));
    for (const listener of [...listeners]) listener();
  };
  const mark = (key: string, state: AttachmentState): void => replace(list.map((entry) => (entry.key === key ? { ...entry, state } : entry)));

  const send = async ({ key, file }: Attachment, upload: Upload): Promise<void> => {
    if (!file) return;
    const stop = new AbortController();
    under.set(key, stop);
    try {
      // [UP1]
      const stored = await upload(file, {
        idempotencyKey: key,
        name: file.name,
        signal: stop.signal,
        onSent: (part) => mark(key, { kind: 'uploading', part }),
      });
      mark(key, { kind: 'ready', fileId: stored.id });
    } catch (error) {
      if (!stop.signal.aborted) mark(key, { kind: 'failed', reason: { message: (error as Error).message } });
    } finally {
      under.delete(key);
    }
  };
  const begun = (file: File, upload: Upload | undefined): Attachment => {
    const state: AttachmentState =
      file.size > largestFile ? { kind: 'failed', reason: 'too_large' } : upload ? { kind: 'uploading', part: 0 } : { kind: 'waiting' };
    return { key: freshKey('file'), name: file.name || 'file', file, state };
  };

  return {
    get: () => list,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add: (files, upload) => {
      const taken = files.slice(0, mostFiles - list.length).map((file) => begun(file, upload));
      replace([...list, ...taken]);
      if (upload) for (const entry of taken) if (entry.state.kind === 'uploading') void send(entry, upload);
      return taken.length === files.length;
    },
    put: (files) => replace(files.map(({ fileId, name }) => ({ key: fileId, name, state: { kind: 'ready', fileId } }))),
    retry: (key, upload) => {
      const entry = list.find((known) => known.key === key);
      if (entry?.state.kind !== 'failed' || entry.state.reason === 'too_large') return;
      mark(key, { kind: 'uploading', part: 0 });
      void send(entry, upload);
    },
    remove: (key) => {
      under.get(key)?.abort();
      replace(list.filter((entry) => entry.key !== key));
    },
    ready: () => readyOnes(list),
    clear: () => replace([]),
  };
};

const stores = new Map<string, AttachmentStore>();

/** Of a session, or of the chat that is about to begin. */
export const attachmentsOf = (place: string): AttachmentStore => {
  const known = stores.get(place) ?? createAttachments(place);
  stores.set(place, known);
  return known;
};
