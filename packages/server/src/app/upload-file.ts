/** Use case: upload a file into a session. Its bytes are read as they come, and hashed in passing. */

import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { mediaTypeOf, numberedName, safeFileName } from '@turnkeeper/core/protocol/file-name';
import type { FileResource } from '@turnkeeper/core/protocol/wire/files';
import { uploadsFolder } from '@turnkeeper/core/protocol/workspace-path';
import type { Bytes } from '../ports/blobs.ts';
import type { FileRow } from '../ports/file-index.ts';
import type { App } from './app.ts';
import { type Caller, ownerOf } from './caller.ts';
import { fileResource } from './file-resource.ts';
import { findSession, sessionGone } from './find-session.ts';
import { type Keyed, type KeyedCall, keyedCall, requiredKey } from './idempotency.ts';
import { fileLimits, filesFull, type Kept } from './session-files.ts';

export type Upload = {
  readonly bytes: Bytes;
  readonly contentType: string | undefined;
  /** As a person has it; made safe here. */
  readonly name: string | undefined;
};

type Named = { readonly name: string; readonly mediaType: string };

/** Names in `uploads/` that are tried before one gives up: so many uploads of one name at once. */
const mostTries = 100;

/**
 * Throws `not_found`, `payload_too_large`, `idempotency_conflict`. A repeat is read to its end as well: that it is one is
 * known by its content.
 */
export const uploadFile = async (app: App, caller: Caller, sessionId: string, upload: Upload, key: string | undefined): Promise<Keyed<FileResource>> => {
  const { session } = await findSession(app, caller, sessionId, 'invoke');
  const { id } = session.row;
  const named = { name: safeFileName(upload.name ?? ''), mediaType: mediaTypeOf(upload.contentType) };
  const callOf = (sha256: string): KeyedCall => keyedCall(ownerOf(caller), 'upload', id, requiredKey(key), { ...named, sha256 });
  const { scope, key: checked } = callOf('');
  const before = await app.files.index.fileByKey(scope, checked);
  if (before) return again(before, callOf((await app.files.measure(upload.bytes)).sha256));
  const kept = await app.files.keep(id, upload.bytes);
  const outcome = await add(app, id, { named, kept, call: callOf(kept.sha256) });
  if ('file' in outcome && outcome.added) return { answer: fileResource(outcome.file), replayed: false };
  await app.files.discard(kept);
  if ('file' in outcome) return again(outcome, callOf(kept.sha256));
  throw outcome.refusal;
};

const again = ({ file, hash }: { readonly file: FileRow; readonly hash: string }, call: KeyedCall): Keyed<FileResource> => {
  if (hash !== call.hash)
    throw new TurnkeeperError('idempotency_conflict', 'This Idempotency-Key was used with other content. Use a new key for a new request.');
  return { answer: fileResource(file), replayed: true };
};

type Addition = { readonly named: Named; readonly kept: Kept; readonly call: KeyedCall };
type Added = { readonly added: boolean; readonly file: FileRow; readonly hash: string } | { readonly refusal: TurnkeeperError };

/** A name that is taken in `uploads/` gets a number; a key that is taken meanwhile has its file already. */
const add = async (app: App, sessionId: string, { named, kept, call }: Addition): Promise<Added> => {
  const row = { ...named, ...kept, id: app.ids.next('file'), sessionId, source: 'upload', createdAt: app.clock.now() } as const;
  for (let n = 1; n <= mostTries; n += 1) {
    const file: FileRow = { ...row, path: uploadsFolder + numberedName(named.name, n) };
    switch (await app.files.index.add(file, { limits: fileLimits, key: call })) {
      case 'added':
        return { added: true, file, hash: call.hash };
      case 'gone':
        return { refusal: sessionGone() };
      case 'full':
        return { refusal: filesFull() };
      case 'taken': {
        const twin = await app.files.index.fileByKey(call.scope, call.key);
        if (twin) return { added: false, ...twin };
      }
    }
  }
  // As a file without a path it cannot be taken.
  const file: FileRow = { ...row, path: null };
  const outcome = await app.files.index.add(file, { limits: fileLimits, key: call });
  return outcome === 'added' ? { added: true, file, hash: call.hash } : { refusal: outcome === 'gone' ? sessionGone() : filesFull() };
};
