/** The merged stream (TE1–TE4, session-api "Subagents"): children that write while it is open, cuts anywhere, its bound and its ends. */
import { readTreeCursor } from '@turnkeeper/core/protocol/cursors';
import { childSessionId, type SessionId, type TurnId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteSession } from '../../app/manage-session.ts';
import { openStream } from '../../app/read-events.ts';
import { type TreeEvent, TreeLog } from '../../app/tree-log.ts';
import { ann, type Client, createClient } from '../harness/client.ts';
import { createGate, type Gate } from '../harness/gate.ts';
import { eventually, settle } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
let client: Client;
let gate: Gate;
const open: TreeLog[] = [];
beforeEach(async () => {
  world = await openWorld({ slots: 128 });
  client = createClient(world, ann);
  gate = createGate();
});
afterEach(async () => {
  for (const log of open.splice(0)) log.stop();
  // Nothing of them is left (B5).
  expect(world.engine.app.sessions.feeds.size).toBe(0);
  await world.close();
});

type Reading = { readonly log: TreeLog; readonly seen: readonly TreeEvent[]; readonly ended: () => boolean };

const openTree = async (session: string, after?: string): Promise<Reading> => {
  const { app } = world.engine;
  const { session: found, head } = await openStream(app, ann, session, undefined);
  const log = new TreeLog(app, found.row);
  await log.open(head, after);
  open.push(log);
  const seen: TreeEvent[] = [];
  let ended = false;
  void (async () => {
    for await (const event of log.events()) seen.push(event);
    ended = true;
  })();
  return { log, seen, ended: () => ended };
};

const delegate = (message: string, more: Record<string, unknown> = {}) => ({ call: 'delegate', input: { name: 'helper', message, ...more } });
const helperOf = (agentId: string) => ({ agentId, name: 'helper', description: 'helps' });
/** A session whose agent may delegate, and so may its helper. */
const team = async (): Promise<string> => {
  const leaf = await client.agent();
  return client.session(await client.agent({ subagents: [helperOf(await client.agent({ subagents: [helperOf(leaf)] }))] }));
};
const childOf = (turn: string, n = 1): SessionId => childSessionId(turn as TurnId, n);
const sidOf = async (session: string): Promise<number> => (await world.store.load(session as SessionId))?.head.sid ?? 0;
const eventIds = (events: readonly TreeEvent[], session?: string): readonly string[] =>
  events.filter(({ envelope }) => session === undefined || envelope.session_id === session).map(({ envelope }) => envelope.id);
/** What the stream shows of a session's log. */
const logOf = async (session: string) => {
  const rows = await world.store.events({ sid: await sidOf(session), after: 0, limit: 10_000 });
  return rows.filter(({ type }) => type !== 'session.parent_told');
};
const until = (what: string, look: () => boolean) => eventually(what, look, { clock: world.clock, mostMs: 1_000 });
const settledAt = ({ seen }: Reading, session: string): boolean =>
  seen.some(({ type, envelope }) => type === 'session.status_idle' && envelope.session_id === session);

/** One child that stops half way, with a child of its own, and one in the background; how far the stream goes by then. */
const family = async () => {
  world.model.when('plan', [delegate('deep'), delegate('quick', { background: true })], [{ text: 'planned' }]);
  world.model.when('deep', [delegate('leaf')], [{ text: 'a' }, { text: 'b' }]);
  world.model.when('leaf', [{ text: 'x' }, { gate }, { text: 'y' }]);
  world.model.when('quick', [{ text: 'here' }]);
  const session = await team();
  const all = await openTree(session);
  const turn = await client.submit(session, 'plan');
  await until('the leaf is half way', () => all.seen.some(({ type, envelope }) => type === 'item.delta' && envelope.path === 'helper:1/helper:1'));
  await until('the other one is done', () => all.seen.some(({ type }) => type === 'subagent.completed'));
  const halfWay = all.seen.length;
  return { session, turn, all, halfWay };
};

test('TE1 children that write while it is open: each in its order, whole, and nothing of it after its end was told', async () => {
  const { session, turn, all, halfWay } = await family();
  expect(halfWay).toBeGreaterThan(0);
  gate.open();
  await client.until(session, turn);
  await until('all is told', () => settledAt(all, session));
  const rows = await world.store.descendants({ root: session as SessionId, under: '', limit: 9 });
  expect(rows.map(({ path }) => path).toSorted()).toEqual(['helper:1', 'helper:1/helper:1', 'helper:2']);
  for (const { id, path } of rows) {
    expect(eventIds(all.seen, id)).toHaveLength((await logOf(id)).length);
    expect(all.seen.filter(({ envelope }) => envelope.session_id === id).every(({ envelope }) => envelope.path === path)).toBe(true);
    const end = all.seen.findIndex(
      ({ type, envelope }) => type === 'subagent.completed' && (envelope.data as { child_session_id?: unknown }).child_session_id === id,
    );
    expect(all.seen.findLastIndex(({ envelope }) => envelope.session_id === id)).toBeLessThan(end);
  }
  const own = all.seen.filter(({ envelope }) => envelope.session_id === session);
  expect(own.map(({ type }) => type)).toEqual((await logOf(session)).map(({ type }) => type));
  expect(own.every(({ envelope }) => envelope.path === undefined)).toBe(true);
  expect(new Set(eventIds(all.seen)).size).toBe(all.seen.length);
  // Only the session itself is followed now.
  expect(readTreeCursor(await sidOf(session), all.log.cursor)).toHaveLength(1);
});

test('TE2 whoever was cut off anywhere, in the middle of a child too, goes on without a gap or a repeat', async () => {
  const { session, turn, all, halfWay } = await family();
  const inMidChild = await openTree(session, all.seen[halfWay - 1]?.cursor);
  gate.open();
  await client.until(session, turn);
  await until('all is told', () => settledAt(all, session) && settledAt(inMidChild, session));
  const sessions = [...new Set(all.seen.map(({ envelope }) => envelope.session_id))];
  const same = (rest: Reading, after: number): void => {
    for (const each of sessions) expect(eventIds(rest.seen, each)).toEqual(eventIds(all.seen.slice(after), each));
  };
  same(inMidChild, halfWay);
  for (const [at, { cursor }] of all.seen.slice(0, -1).entries()) {
    const again = await openTree(session, cursor);
    await until(`the rest after ${at}`, () => again.seen.length >= all.seen.length - at - 1);
    await settle(8);
    same(again, at + 1);
    again.log.stop();
  }
});

test('TE2 from `latest` on: its first place is one to go on from, before anything has come', async () => {
  const { session, turn, all, halfWay } = await family();
  const latest = await openTree(session, 'latest');
  await settle(8);
  const { cursor } = latest.log;
  expect(latest.seen).toEqual([]);
  latest.log.stop();
  gate.open();
  await client.until(session, turn);
  const later = await openTree(session, cursor);
  await until('all is told', () => settledAt(all, session) && settledAt(later, session));
  expect(eventIds(later.seen).toSorted()).toEqual(eventIds(all.seen.slice(halfWay)).toSorted());
  expect(later.seen.some(({ envelope }) => envelope.path === 'helper:1/helper:1')).toBe(true);
});

test('TE2 what was forgotten of a child since is no gap: the cursor has expired', async () => {
  const { session, turn, all } = await family();
  const early = all.seen.find(({ envelope }) => envelope.path === 'helper:1')?.cursor ?? '';
  await openTree(session, early);
  expect(await world.stores.retention.raise(await sidOf(childOf(turn)), 3)).toBe(true);
  await expect(openTree(session, early)).rejects.toMatchObject({ code: 'cursor_expired' });
  gate.open();
  await client.until(session, turn);
});

test('a cursor of another session’s stream, of its plain stream, or beyond its end is none', async () => {
  const { session, turn, all } = await family();
  const other = await openTree(await team());
  await until('it begins', () => other.seen.length > 0);
  await expect(openTree(session, other.seen[0]?.cursor)).rejects.toMatchObject({ code: 'invalid_cursor' });
  const plain = all.seen[0]?.cursor.replace(/^m/, 's');
  await expect(openTree(session, plain)).rejects.toMatchObject({ code: 'invalid_cursor' });
  gate.open();
  await client.until(session, turn);
});

test('TE3 at most 64 children are followed at once, live and from `latest`; another one takes the place of one that ended', async () => {
  const many = (count: number) => Array.from({ length: count }, () => delegate('hang', { background: true }));
  world.model.when('plan', [...many(3), delegate('short', { background: true }), ...many(60)], many(3), [{ gate }, ...many(1)], [{ text: 'planned' }]);
  world.model.when('hang', [{ hang: true }]);
  world.model.when('short', [{ gate }, { text: 'done' }]);
  const session = await team();
  const live = await openTree(session);
  const turn = await client.submit(session, 'plan');
  await until('all have begun', () => world.model.calls.filter(({ text }) => text === 'hang').length === 66);
  await until('all are told of', () => live.seen.filter(({ type }) => type === 'subagent.started').length === 67);
  const sid = await sidOf(session);
  const latest = await openTree(session, 'latest');
  for (const { log } of [live, latest]) expect(readTreeCursor(sid, log.cursor)).toHaveLength(65);
  const paths = () => new Set(live.seen.flatMap(({ envelope: { path } }) => (path === undefined ? [] : [path])));
  expect(paths()).toEqual(new Set(Array.from({ length: 64 }, (_, n) => `helper:${n + 1}`)));
  gate.open();
  await until('one has ended', () => live.seen.some(({ type }) => type === 'subagent.completed'));
  await until('another one is told of', () => live.seen.some(({ envelope }) => envelope.path === 'helper:68'));
  for (const { log } of [live, latest]) await until('it is followed', () => readTreeCursor(sid, log.cursor)?.length === 65);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
}, 60_000);

test('ends when the session is deleted, with what it had to say', async () => {
  const { session, all } = await family();
  await deleteSession(world.engine.app, ann, session);
  await until('it is over', all.ended);
  expect(all.seen.findLast(({ envelope }) => envelope.session_id === session)?.type).toBe('session.status_terminated');
  expect(world.engine.app.sessions.feeds.size).toBe(0);
});

test('a log that cannot be read ends it, and leaves nobody watching', async () => {
  const session = await team();
  const { app } = world.engine;
  const { session: found, head } = await openStream(app, ann, session, undefined);
  const log = new TreeLog(app, found.row);
  await log.open(head, undefined);
  world.faulty.inject({ method: 'events', call: 1, effect: { kind: 'lost_before' } });
  await expect(log.events().next()).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(app.sessions.feeds.size).toBe(0);
});
