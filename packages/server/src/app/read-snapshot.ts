/**
 * Use cases: snapshots of a session and of a turn.
 *
 * V6 A snapshot is of one moment: its `as_of` is the position that all of it was read at (the session's own members
 *    that events do not carry are current values).
 */
import { cursorOf, eventIdOf, type StreamRef } from '@turnkeeper/core/protocol/cursors';
import type { ResourceKind } from '@turnkeeper/core/view/resources';
import { isShown, resourceEnvelope, type SessionView } from '@turnkeeper/core/view/session-view';
import type { TurnView } from '@turnkeeper/core/view/turn-view';
import { noUsage, type UsageBody } from '@turnkeeper/core/view/usage';
import { mapsOf, type ViewMaps } from '@turnkeeper/core/view/view-maps';
import type { ResourceQuery, ResourceRow } from '../ports/session-store.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { findSession, sessionGone } from './find-session.ts';
import { isChild } from './is-child.ts';
import type { Session } from './lane.ts';
import { current, type Deltas, deltasByResource } from './load-body.ts';
import { olderCursor } from './page-cursors.ts';
import { findTurn } from './read-turn.ts';
import { sessionResource } from './session-resource.ts';

const listed = [
  ['items', 'item'],
  ['turns', 'turn'],
  ['runs', 'run'],
  ['tools', 'tool'],
  ['required_actions', 'required_action'],
  ['action_commands', 'command'],
  ['inputs', 'input'],
  ['artifacts', 'artifact'],
  ['subagents', 'subagent'],
  ['steps', 'step'],
] as const satisfies readonly (readonly [keyof SessionView, ResourceKind])[];

export type SessionSnapshot = SessionView & {
  readonly has_more: { readonly [list: string]: boolean };
  /** By list that has more: the page cursor that goes on with the older ones. */
  readonly page_cursors: { readonly [list: string]: string };
};

/** A stored resource as it stands in a snapshot or a page. */
export const envelopeOfRow = (session: Session, stream: StreamRef, row: ResourceRow, deltas: Deltas) => {
  const { body, seq, at } = current(row, deltas);
  return resourceEnvelope(row.kind, { id: eventIdOf(session.head.sid, seq), session_id: session.row.id, created_at: at, cursor: cursorOf(stream, seq) }, body);
};

/** The newest `limit` of each list of a session, and where the older ones are (V6). Throws `not_found`. */
export const readSnapshot = async (app: App, caller: Caller, sessionId: string, limit: number): Promise<SessionSnapshot> =>
  snapshotOf(app, (await findSession(app, caller, sessionId, 'read')).session, limit);

/** The same as it is answered: of teams and workflows by id, of agents as lists. */
export const readShownSnapshot = async (
  app: App,
  caller: Caller,
  sessionId: string,
  limit: number,
): Promise<SessionSnapshot | (Omit<SessionSnapshot, keyof ViewMaps> & ViewMaps)> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const lists = await snapshotOf(app, session, limit);
  return session.config.target.type === 'agent' ? lists : mapsOf(lists);
};

const snapshotOf = async (app: App, session: Session, limit: number): Promise<SessionSnapshot> => {
  const { sid } = session.head;
  const queries: ResourceQuery[] = [...listed.map(([, kind]) => ({ kind, limit: limit + 1, newest: true })), { kind: 'usage', limit: 1 }];
  const page = await app.sessions.store.resources(sid, queries);
  if (!page) throw sessionGone();
  const stream: StreamRef = { kind: 'session', sid };
  const deltas = deltasByResource(page.deltas);
  const lists = listed.map(([member], index) => [member, listOf(session, stream, { rows: page.resources[index] ?? [], deltas, limit })] as const);
  const older = lists.flatMap(([member, { oldest }]) => (oldest === undefined ? [] : [[member, olderCursor(app, sid, member, oldest)] as const]));
  const usage = page.resources[listed.length]?.[0];
  return {
    session: sessionResource(isChild(page.row) ? { ...page.row, archivedAt: session.row.archivedAt } : page.row, session.config),
    as_of: cursorOf(stream, page.asOf),
    ...(Object.fromEntries(lists.map(([member, list]) => [member, list.shown])) as unknown as Pick<SessionView, (typeof listed)[number][0]>),
    usage: usage ? (JSON.parse(usage.body) as UsageBody) : noUsage,
    has_more: Object.fromEntries(lists.map(([member, list]) => [member, list.oldest !== undefined])),
    page_cursors: Object.fromEntries(older),
  };
};

type List = { readonly rows: readonly ResourceRow[]; readonly deltas: Deltas; readonly limit: number };

const listOf = (session: Session, stream: StreamRef, { rows, deltas, limit }: List) => {
  const newest = rows.slice(-limit);
  const shown = newest.map((row) => envelopeOfRow(session, stream, row, deltas)).filter((envelope) => isShown(kindOf(envelope.type), envelope.data));
  /** Where the list begins, when there are older ones. */
  const oldest = rows.length > limit ? newest[0]?.n : undefined;
  return { shown, oldest };
};

const kindOf = (type: string): ResourceKind => type.slice(0, -'.updated'.length) as ResourceKind;

/** Most parts of one kind that a turn's snapshot gives. */
const turnParts = 10_000;

/** All parts of one turn (V6). Throws `not_found`. */
export const readTurnSnapshot = async (app: App, caller: Caller, sessionId: string, turnId: string): Promise<TurnView> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const { id, body } = await findTurn(app, session, turnId);
  const { sid } = session.head;
  const tail = id.slice('turn_'.length);
  const page = await app.sessions.store.resources(sid, [
    { kind: 'turn', limit: 1, idPrefix: id },
    { kind: 'item', limit: turnParts, idPrefix: `item_${tail}_` },
    { kind: 'tool', limit: turnParts, idPrefix: `${id}:` },
    { kind: 'required_action', limit: turnParts, idPrefix: `act_${tail}_` },
    { kind: 'artifact', limit: turnParts, idPrefix: `art_${tail}_` },
    { kind: 'step', limit: turnParts, idPrefix: `step_${tail}_` },
  ]);
  if (!page) throw sessionGone();
  const [turns = [], items = [], tools = [], actions = [], artifacts = [], steps = []] = page.resources;
  const turn = turns[0] ? (JSON.parse(turns[0].body) as TurnView['turn']) : body;
  const deltas = deltasByResource(page.deltas);
  const byId = <Of>(rows: readonly ResourceRow[]): { readonly [id: string]: Of } =>
    Object.fromEntries(
      rows.flatMap((row) => {
        const { body: shown } = current(row, deltas);
        return isShown(row.kind, shown) ? [[row.id, shown] as const] : [];
      }),
    ) as { readonly [id: string]: Of };
  return {
    as_of: cursorOf({ kind: 'turn', sid, turn: body.n }, page.asOf),
    turn,
    items: byId(items),
    tools: byId(tools),
    required_actions: byId(actions),
    steps: byId(steps),
    artifacts: byId(artifacts),
    usage: turn?.usage ?? noUsage,
  };
};
