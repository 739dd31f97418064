/** The workspace of each session: what its agent's file tools do (L7, L8). */

import { createHash } from 'node:crypto';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { mediaTypeByName } from '@turnkeeper/core/protocol/file-name';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { pathFault, plainPath, uploadsFolder } from '@turnkeeper/core/protocol/workspace-path';
import type { FileRow } from '../ports/file-index.ts';
import type { PublishedArtifact, PublishingCall, Workspace, WorkspaceFile } from '../ports/workspace.ts';
import type { App } from './app.ts';
import { existingSession, sessionGone } from './find-session.ts';
import { type KeyedCall, keyedCall } from './idempotency.ts';
import { artifactIdOf, artifactOfFile } from './publish-artifact.ts';
import { runKeyedJob } from './run-job.ts';
import { fileLimits, filesFull, inOnePiece } from './session-files.ts';

type Services = Pick<App, 'sessions' | 'files' | 'clock' | 'ids'>;

const shown = ({ path, size, mediaType, id }: FileRow): WorkspaceFile => ({ path: path ?? '', size, mediaType, fileId: id });

const checkedPath = (given: string): string => {
  const path = plainPath(given);
  const fault = pathFault(path);
  if (fault !== undefined) throw new TurnkeeperError('invalid_request', `${JSON.stringify(given.slice(0, 100))} is no path here: ${fault}.`);
  return path;
};

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

type Writing = { readonly sessionId: string; readonly path: string; readonly bytes: Uint8Array; readonly signal: AbortSignal };

const write = async ({ files, clock, ids }: Services, { sessionId, path: given, bytes, signal }: Writing): Promise<WorkspaceFile> => {
  const path = checkedPath(given);
  if (path.startsWith(uploadsFolder)) throw new TurnkeeperError('invalid_request', `What was uploaded stays as it is: write outside ${uploadsFolder}.`);
  const there = await files.index.fileAt(sessionId, path);
  if (there?.sha256 === hashOf(bytes)) return shown(there);
  const kept = await files.keep(sessionId, inOnePiece(bytes));
  const name = nameOf(path);
  const file = { ...kept, id: ids.next('file'), sessionId, name, mediaType: mediaTypeByName(name), path, source: 'workspace', createdAt: clock.now() } as const;
  // L8
  const outcome = signal.aborted ? 'stopped' : await files.index.put(file, fileLimits, there?.id ?? null);
  if (outcome === 'added') return shown(file);
  await files.discard(kept);
  signal.throwIfAborted();
  if (outcome !== 'taken') throw outcome === 'full' ? filesFull() : sessionGone();
  // Its own, by an earlier try whose answer was lost, or by a call of the same.
  const now = await files.index.fileAt(sessionId, path);
  if (now?.sha256 === kept.sha256) return shown(now);
  throw new TurnkeeperError('invalid_request', `${path} was written by another call at the same time, and was left so: read it before you write it.`);
};

/** An upload is published as it is; of what the agent wrote a copy, which later writing does not touch. One for a call (FB8). */
const toPublish = async ({ files, clock, ids }: Services, file: FileRow, key: KeyedCall, signal: AbortSignal): Promise<FileRow> => {
  if (file.source === 'upload') return file;
  const before = await files.index.fileByKey(key.scope, key.key);
  if (before) return before.file;
  const kept = await files.keep(file.sessionId, await files.bytesOf(file));
  const copy: FileRow = { ...file, ...kept, id: ids.next('file'), path: null, source: 'published', createdAt: clock.now() };
  const outcome = signal.aborted ? 'stopped' : await files.index.add(copy, { limits: fileLimits, key });
  if (outcome === 'added') return copy;
  await files.discard(kept);
  signal.throwIfAborted();
  const twin = outcome === 'taken' ? await files.index.fileByKey(key.scope, key.key) : undefined;
  if (twin) return twin.file;
  throw outcome === 'full' ? filesFull() : sessionGone();
};

const publish = async (services: Services, call: PublishingCall, given: string, name: string | undefined): Promise<PublishedArtifact | undefined> => {
  const { sessionId, turnId, callId, signal } = call;
  const file = await services.files.index.fileAt(sessionId, checkedPath(given));
  if (!file) return undefined;
  const { lane } = await existingSession(services, sessionId);
  const artifactId = artifactIdOf(turnId, callId);
  // A call that is made again after a crash publishes once: the receipt is of the same commit as the event.
  const keyed = keyedCall(`turn:${turnId}`, 'artifacts', sessionId, artifactId, {});
  const before = await services.sessions.store.receipt(keyed.scope, keyed.key);
  if (before) return JSON.parse(before.answer) as PublishedArtifact;
  const published = await toPublish(services, file, keyed, signal);
  let isOver = false;
  try {
    const { answer } = await runKeyedJob(services, lane, keyed, ({ live }) => {
      isOver = live?.id !== turnId;
      // L8
      if (!isOver) signal.throwIfAborted();
      return {
        plan: { asks: [{ type: 'publish_artifact', turnId, artifact: artifactOfFile(artifactId, published, name) }] },
        answer: { artifactId, name: name ?? published.name, size: published.size },
      };
    });
    return answer;
  } catch (error) {
    // A turn that was only interrupted makes the call again, with the same copy; a call that was given up cannot tell, and leaves it.
    if (isOver && published.source === 'published') await dropUnpublished(services, keyed, published).catch(() => {});
    throw error;
  }
};

/** What a call of a turn that has ended copied is published by nobody any more, unless it was before. */
const dropUnpublished = async ({ sessions, files }: Services, { scope, key }: KeyedCall, copy: FileRow): Promise<void> => {
  if (!(await sessions.store.receipt(scope, key))) await files.drop(copy);
};

export const createWorkspace = (services: Services): Workspace => ({
  list: async (sessionId) => (await services.files.index.paths(sessionId, limits.sessionFiles)).map(shown),
  read: async (sessionId, path) => {
    const file = await services.files.index.fileAt(sessionId, checkedPath(path));
    return file && { file: shown(file), bytes: await services.files.readAll(file) };
  },
  write: (sessionId, path, bytes, signal) => write(services, { sessionId, path, bytes, signal }),
  publish: (call, path, name) => publish(services, call, path, name),
});
