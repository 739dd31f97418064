/** The workspace in which a session works: what its agent's file tools do (L7, L8, L9). */

import { createHash } from 'node:crypto';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { mediaTypeByName } from '@turnkeeper/core/protocol/file-name';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { pathFault, plainPath, uploadsFolder } from '@turnkeeper/core/protocol/workspace-path';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { FileRow } from '../ports/file-index.ts';
import type { PublishedArtifact, PublishingCall, Workspace, WorkspaceFile } from '../ports/workspace.ts';
import type { App } from './app.ts';
import { existingSession, sessionGone } from './find-session.ts';
import { type KeyedCall, keyedCall } from './idempotency.ts';
import { artifactIdOf, artifactOfFile } from './publish-artifact.ts';
import { runKeyedJob } from './run-job.ts';
import { fileLimits, filesFull, inOnePiece } from './session-files.ts';
import { workspaceOf } from './workspace-of.ts';

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

/** In whose workspace it works. One that is gone works nowhere: its own has nothing. */
const ownerOf = async ({ sessions }: Services, sessionId: SessionId): Promise<SessionId> => {
  const found = await sessions.find(sessionId);
  return found ? workspaceOf(found.session) : sessionId;
};

/** What was uploaded to the session itself stands before what the workspace has there. */
const fileAt = async (services: Services, sessionId: SessionId, path: string): Promise<FileRow | undefined> => {
  const { index } = services.files;
  const owner = await ownerOf(services, sessionId);
  const own = owner !== sessionId && path.startsWith(uploadsFolder) ? await index.fileAt(sessionId, path) : undefined;
  return own ?? index.fileAt(owner, path);
};

const list = async (services: Services, sessionId: SessionId): Promise<readonly WorkspaceFile[]> => {
  const { index } = services.files;
  const owner = await ownerOf(services, sessionId);
  const files = await index.paths(owner, limits.sessionFiles);
  if (owner === sessionId) return files.map(shown);
  const own = await index.paths(sessionId, limits.sessionFiles);
  const byPath = new Map([...files, ...own].map((file) => [file.path ?? '', file]));
  return [...byPath].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => shown(file));
};

type Writing = { readonly sessionId: SessionId; readonly path: string; readonly bytes: Uint8Array; readonly signal: AbortSignal };

const write = async (services: Services, { sessionId: by, path: given, bytes, signal }: Writing): Promise<WorkspaceFile> => {
  const { files, clock, ids } = services;
  const path = checkedPath(given);
  if (path.startsWith(uploadsFolder)) throw new TurnkeeperError('invalid_request', `What was uploaded stays as it is: write outside ${uploadsFolder}.`);
  const sessionId = await ownerOf(services, by);
  const there = await files.index.fileAt(sessionId, path);
  if (there?.sha256 === hashOf(bytes)) return shown(there);
  const kept = await files.keep(sessionId, inOnePiece(bytes));
  const name = nameOf(path);
  const file = { ...kept, id: ids.next('file'), sessionId, name, mediaType: mediaTypeByName(name), path, source: 'workspace', createdAt: clock.now() } as const;
  // L8
  const outcome = signal.aborted ? 'stopped' : await files.index.put(file, fileLimits, there?.id ?? null, by);
  if (outcome === 'added') return shown(file);
  await files.discard(kept);
  signal.throwIfAborted();
  if (outcome !== 'taken') throw outcome === 'full' ? filesFull() : sessionGone();
  // Its own, by an earlier try whose answer was lost, or by a call of the same.
  const now = await files.index.fileAt(sessionId, path);
  if (now?.sha256 === kept.sha256) return shown(now);
  throw new TurnkeeperError('invalid_request', `${path} was written by another call at the same time, and was left so: read it before you write it.`);
};

type Publishing = { readonly sessionId: SessionId; readonly key: KeyedCall; readonly signal: AbortSignal };

/** The session's own upload is published as it is; of anything else a copy, which later writing does not touch. One for a call (FB8). */
const toPublish = async ({ files, clock, ids }: Services, file: FileRow, { sessionId, key, signal }: Publishing): Promise<FileRow> => {
  if (file.source === 'upload' && file.sessionId === sessionId) return file;
  const before = await files.index.fileByKey(key.scope, key.key);
  if (before) return before.file;
  const kept = await files.keep(sessionId, await files.bytesOf(file));
  const copy: FileRow = { ...file, ...kept, sessionId, id: ids.next('file'), path: null, source: 'published', createdAt: clock.now() };
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
  const file = await fileAt(services, sessionId, checkedPath(given));
  if (!file) return undefined;
  const { lane } = await existingSession(services, sessionId);
  const artifactId = artifactIdOf(turnId, callId);
  // A call that is made again after a crash publishes once: the receipt is of the same commit as the event.
  const keyed = keyedCall(`turn:${turnId}`, 'artifacts', sessionId, artifactId, {});
  const before = await services.sessions.store.receipt(keyed.scope, keyed.key);
  if (before) return JSON.parse(before.answer) as PublishedArtifact;
  const published = await toPublish(services, file, { sessionId, key: keyed, signal });
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
  list: (sessionId) => list(services, sessionId),
  read: async (sessionId, path) => {
    const file = await fileAt(services, sessionId, checkedPath(path));
    return file && { file: shown(file), bytes: await services.files.readAll(file) };
  },
  write: (sessionId, path, bytes, signal) => write(services, { sessionId, path, bytes, signal }),
  publish: (call, path, name) => publish(services, call, path, name),
});
