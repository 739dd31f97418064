/**
 * Use cases: pages of one kind of resource, and what was used.
 *
 * The order is that of first appearance, also when the pages go backward from what a snapshot showed.
 */
import { cursorOf, type StreamRef } from '@turnkeeper/core/protocol/cursors';
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import type { Body, ResourceKind } from '@turnkeeper/core/view/resources';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { noUsage, type UsageBody } from '@turnkeeper/core/view/usage';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { findSession, sessionGone } from './find-session.ts';
import { deltasByResource } from './load-body.ts';
import { listedKinds, placeCursor, placeOf, type ResourceList } from './page-cursors.ts';
import { envelopeOfRow } from './read-snapshot.ts';
import { findTurn } from './read-turn.ts';
import { usageBelow } from './tree-usage.ts';

export type ResourcesPage = {
  readonly data: readonly Envelope<Body>[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
  readonly as_of: string;
};

/** A page of one kind of resource, oldest first. Throws `not_found`, `invalid_cursor`, `page_expired`. */
export const readResources = async (
  app: App,
  caller: Caller,
  sessionId: string,
  list: ResourceList,
  query: { readonly after?: string | undefined; readonly limit: number },
): Promise<ResourcesPage> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const { sid } = session.head;
  const kind: ResourceKind = listedKinds[list];
  const place = placeOf(app, sid, list, query.after);
  const limit = query.limit + 1;
  const page = await app.sessions.store.resources(sid, [place.backward ? { kind, limit, newest: true, beforeN: place.n } : { kind, limit, afterN: place.n }]);
  if (!page) throw sessionGone();
  const rows = page.resources[0] ?? [];
  const more = rows.length > query.limit;
  const shown = !more ? rows : place.backward ? rows.slice(1) : rows.slice(0, query.limit);
  const stream: StreamRef = { kind: 'session', sid };
  const edge = (place.backward ? shown[0]?.n : shown.at(-1)?.n) ?? 0;
  const deltas = deltasByResource(page.deltas);
  return {
    data: shown.map((row) => envelopeOfRow(session, stream, row, deltas)),
    next_cursor: more ? placeCursor(app, sid, list, { backward: place.backward, n: edge }) : null,
    has_more: more,
    as_of: cursorOf(stream, page.asOf),
  };
};

export type UsageAnswer = { readonly data: UsageBody; readonly as_of: string; readonly session_watermarks?: { readonly [sessionId: string]: string } };

/** With `includeChildren` the sum of the session and all below it, and the watermark of each of them. */
export const readUsage = async (app: App, caller: Caller, sessionId: string, includeChildren: boolean): Promise<UsageAnswer> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const { sid } = session.head;
  const page = await app.sessions.store.resources(sid, [{ kind: 'usage', limit: 1 }]);
  if (!page) throw sessionGone();
  const usage = page.resources[0]?.[0];
  const as_of = cursorOf({ kind: 'session', sid }, page.asOf);
  const data = usage ? (JSON.parse(usage.body) as UsageBody) : noUsage;
  return includeChildren ? { as_of, ...(await usageBelow(app, session.row, { id: session.row.id, as_of, usage: data })) } : { data, as_of };
};

export const readTurnUsage = async (app: App, caller: Caller, sessionId: string, turnId: string): Promise<UsageAnswer> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const { id, body } = await findTurn(app, session, turnId);
  const { sid } = session.head;
  const page = await app.sessions.store.resources(sid, [{ kind: 'turn', limit: 1, idPrefix: id }]);
  const row = page?.resources[0]?.[0];
  if (!page || !row) throw sessionGone();
  return { data: (JSON.parse(row.body) as TurnBody).usage, as_of: cursorOf({ kind: 'turn', sid, turn: body.n }, page.asOf) };
};
