/** Use cases: list artifacts, read one, find its bytes. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { ArtifactResource } from '@turnkeeper/core/protocol/wire/files';
import type { ArtifactBody } from '@turnkeeper/core/view/artifact';
import type { FileRow } from '../ports/file-index.ts';
import type { ResourceQuery } from '../ports/session-store.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { artifactResource } from './file-resource.ts';
import { findSession } from './find-session.ts';
import type { Session } from './lane.ts';
import { findTurn } from './read-turn.ts';

export type ArtifactsPage = { readonly items: readonly ArtifactResource[]; readonly next_offset: number | null };
type Page = { readonly offset: number; readonly limit: number };

const noSuchArtifact = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such artifact.');

/** One that was deleted is not there. Throws `not_found`. */
export const findArtifact = async (app: App, session: Session, artifactId: string): Promise<ArtifactBody> => {
  const row = await app.sessions.store.resource(session.head.sid, artifactId);
  const body = row?.kind === 'artifact' ? (JSON.parse(row.body) as ArtifactBody) : undefined;
  if (body?.status !== 'published') throw noSuchArtifact();
  return body;
};

/** Of how many a page is read at once: those that were deleted among them are passed over. */
const readAtOnce = 200;

/** The page's artifacts, oldest first; `offset` counts those that are shown. */
const pageOf = async (app: App, session: Session, query: Pick<ResourceQuery, 'idPrefix'>, { offset, limit }: Page): Promise<ArtifactsPage> => {
  const shown: ArtifactBody[] = [];
  let afterN = 0;
  while (shown.length <= offset + limit) {
    const read = await app.sessions.store.resources(session.head.sid, [{ kind: 'artifact', limit: readAtOnce, afterN, ...query }]);
    const rows = read?.resources[0] ?? [];
    shown.push(...rows.map((row) => JSON.parse(row.body) as ArtifactBody).filter(({ status }) => status === 'published'));
    afterN = rows.at(-1)?.n ?? afterN;
    if (rows.length < readAtOnce) break;
  }
  const items = shown.slice(offset, offset + limit).map((body) => artifactResource(session.row.id, body));
  return { items, next_offset: shown.length > offset + limit ? offset + limit : null };
};

export const listArtifacts = async (app: App, caller: Caller, sessionId: string, page: Page): Promise<ArtifactsPage> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  return pageOf(app, session, {}, page);
};

/** What the turn's own agent published. */
export const listTurnArtifacts = async (app: App, caller: Caller, sessionId: string, turnId: string, page: Page): Promise<ArtifactsPage> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const { id } = await findTurn(app, session, turnId);
  return pageOf(app, session, { idPrefix: `art_${id.slice('turn_'.length)}_` }, page);
};

export const readArtifact = async (app: App, caller: Caller, sessionId: string, artifactId: string): Promise<ArtifactResource> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  return artifactResource(session.row.id, await findArtifact(app, session, artifactId));
};

/** The file behind an artifact of a turn. Throws `not_found`, and `not_supported` for one that is elsewhere. */
export const findTurnArtifactFile = async (app: App, caller: Caller, sessionId: string, turnId: string, artifactId: string): Promise<FileRow> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const { id } = await findTurn(app, session, turnId);
  const { turn_id, file_id, uri, name } = await findArtifact(app, session, artifactId);
  if (turn_id !== id) throw noSuchArtifact();
  const file = file_id === undefined ? undefined : await app.files.fileOf(session.row.id, file_id);
  if (file) return { ...file, name };
  if (uri !== undefined) throw new TurnkeeperError('not_supported', 'The bytes of this artifact are not kept here: see its uri.', { uri });
  throw noSuchArtifact();
};
