/** Use cases: publish an artifact, and take it back. */
import { createHash } from 'node:crypto';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { safeFileName } from '@turnkeeper/core/protocol/file-name';
import type { ArtifactResource, PublishArtifactRequest } from '@turnkeeper/core/protocol/wire/files';
import type { Artifact } from '@turnkeeper/core/session/events';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { ArtifactBody } from '@turnkeeper/core/view/artifact';
import type { FileRow } from '../ports/file-index.ts';
import type { App } from './app.ts';
import { type Caller, ownerOf } from './caller.ts';
import { artifactResource } from './file-resource.ts';
import { findSession } from './find-session.ts';
import { type Keyed, keyedCall, requiredKey } from './idempotency.ts';
import { findArtifact } from './read-artifacts.ts';
import { runJob, runKeyedJob } from './run-job.ts';

/** Of a file as it is: files never change (FB7). */
export const artifactOfFile = (artifactId: string, file: FileRow, name: string | undefined): Artifact => ({
  artifact_id: artifactId,
  name: name === undefined ? file.name : safeFileName(name),
  media_type: file.mediaType,
  size: file.size,
  sha256: file.sha256,
  file_id: file.id,
});

/** By which the parts of a turn are found: all begin with the turn's own id. */
export const artifactIdOf = (turnId: TurnId, callId: string): string =>
  `art_${turnId.slice('turn_'.length)}_${createHash('sha256').update(callId).digest('hex').slice(0, 16)}`;

const artifactFrom = async (app: App, sessionId: string, body: PublishArtifactRequest): Promise<Artifact> => {
  const artifact_id = app.ids.next('art');
  if (!('file_id' in body)) {
    const { name, uri, media_type, sha256 } = body;
    return { artifact_id, name: safeFileName(name), uri, ...(media_type === undefined ? {} : { media_type }), ...(sha256 === undefined ? {} : { sha256 }) };
  }
  const file = await app.files.fileOf(sessionId, body.file_id);
  if (!file || file.source === 'workspace') throw new TurnkeeperError('not_found', 'There is no such file.');
  return artifactOfFile(artifact_id, file, body.name);
};

/** Throws `not_found`, `idempotency_conflict`. */
export const publishArtifact = async (
  app: App,
  caller: Caller,
  sessionId: string,
  body: PublishArtifactRequest,
  key: string | undefined,
): Promise<Keyed<ArtifactResource>> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'invoke');
  const { id } = session.row;
  const call = keyedCall(ownerOf(caller), 'artifacts', id, requiredKey(key), body);
  const artifact = await artifactFrom(app, id, body);
  return runKeyedJob(app, lane, call, () => ({
    plan: { asks: [{ type: 'publish_artifact', artifact }] },
    answer: artifactResource(id, { ...artifact, status: 'published', created_at: app.clock.now() }),
  }));
};

/** Takes it out of lists and views; its file stays with the session. */
export const deleteArtifact = async (app: App, caller: Caller, sessionId: string, artifactId: string): Promise<void> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'invoke');
  const { turn_id }: ArtifactBody = await findArtifact(app, session, artifactId);
  const turn = turn_id === undefined ? {} : { turnId: turn_id as TurnId };
  await runJob(lane, () => ({ asks: [{ type: 'delete_artifact', artifactId, ...turn }] }));
};
