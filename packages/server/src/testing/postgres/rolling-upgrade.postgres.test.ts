/** FM1 to FM3, FG1, FG2: nodes of two releases side by side on one database, readers of a new format first, then writers. */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { checkedFormats, type Formats, formatOfState } from '@turnkeeper/core/session/formats';
import { emptyState } from '@turnkeeper/core/session/state';
import { expect, it } from 'vitest';
import type { FeedRow } from '../../app/feed.ts';
import { readEvents } from '../../app/read-events.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import { ann, builtin } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { command, waitMs } from '../store-contract/samples.ts';
import { type Node, useNodes } from './nodes.ts';

/** What went through it can be seen: `up` and `down` leave a mark. */
const marked = {
  up: (data: JsonObject): JsonObject => ({ ...data, upcast: true }),
  down: ({ upcast: _, ...data }: JsonObject): JsonObject => ({ ...data, downcast: true }),
};
const changed = ['item.completed', 'turn.completed'];
const second = { v: 2, events: Object.fromEntries(changed.map((type) => [type, marked])), state: marked };
const oldRelease: Formats = { changes: [], writes: 1 };
const readsSecond = checkedFormats({ changes: [second], writes: 1 });
const writesSecond = checkedFormats({ changes: [second], writes: 2 });

type Release = Node & { readonly claims: () => number };

const nodes = useNodes();
const { stop } = nodes;

/** `careless`: it is given what it does not read, as if that had become newer in the moment of its claim. */
const start = async (formats: Formats, careless = { now: false }): Promise<Release> => {
  let claims = 0;
  const sessions = (store: SessionStore): SessionStore => ({
    ...store,
    claim: (query) => {
      claims += 1;
      return store.claim(careless.now ? { ...query, reads: 99 } : query);
    },
  });
  return { ...(await nodes.open({ formats, sessions })), claims: () => claims };
};
const until = async (what: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await condition()); tries += 1) {
    if (tries > 3_000) expect.fail(`not within 30 s: ${what}`);
    await waitMs(10);
  }
};
const writesNow = ({ engine }: Node): number => engine.app.sessions.formats.next(emptyState, true);

/** What is stored, as it is stored. */
const stored = async ({ store }: Node, session: string) => {
  const loaded = await store.sessions.load(session as never);
  if (!loaded) return expect.fail(`there is no ${session}`);
  const rows = await store.sessions.events({ sid: loaded.head.sid, after: 0, limit: 1_000 });
  return { head: loaded.head, v: formatOfState(loaded.state), rows, types: rows.map(({ type }) => type) };
};
/** What a client reads of a session's log. */
const read = async ({ engine }: Node, session: string): Promise<readonly Envelope[]> =>
  (await readEvents(engine.app, ann, session, undefined, { limit: 500 })).data;
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code,
  );

/** A stream of the session: what it handed out, and whether it has ended. */
const watch = async ({ engine }: Node, session: string) => {
  const { sessions } = engine.app;
  const found = await sessions.find(session as never);
  if (!found) return expect.fail(`there is no ${session}`);
  const { head, row } = found.session;
  const rows: FeedRow[] = [];
  let ended = false;
  const take = (more: readonly FeedRow[]): void => void rows.push(...more);
  await sessions.feeds.watch({ sid: head.sid, id: row.id, head }, 0, {
    push: take,
    page: async (more) => {
      take(more);
      return true;
    },
    gone: () => {
      ended = true;
    },
  });
  return { rows, ended: () => ended };
};

it('old and new side by side: each serves what either did, in the first format', async () => {
  const [old, next] = [await start(oldRelease), await start(writesSecond)];
  nodes.model.when('work', [{ text: 'first ' }, { call: 'effect' }], [{ text: 'done' }]);
  const agent = await next.client.agent({ tools: [builtin('effect', { permission: 'always_ask' })] });
  const session = await next.client.session(agent);
  const [seenByOld, seenByNext] = [await watch(old, session), await watch(next, session)];
  for (const [here, there] of [
    [old, next],
    [next, old],
  ] as const) {
    const turn = await here.client.submit(session, 'work');
    await there.client.until(session, turn, 'requires_action');
    const [action] = await there.client.actions(session, turn);
    await there.client.answer(session, turn, action?.request_id ?? '', { allow: true });
    expect(await here.client.until(session, turn)).toMatchObject({ status: 'completed' });
  }
  expect(writesNow(next)).toBe(1);
  const { v, types, rows } = await stored(next, session);
  expect(v).toBe(1);
  expect(types.filter((type) => type.includes('@'))).toEqual([]);
  for (const seen of [seenByOld, seenByNext]) {
    await until('everything is streamed', () => seen.rows.length === rows.length);
    expect(seen.rows.map(({ row }) => [row.seq, row.type])).toEqual(rows.map(({ seq, type }) => [seq, type]));
  }
  const [byOld, byNext] = [await read(old, session), await read(next, session)];
  for (const type of changed) {
    const upcast = (events: readonly Envelope[]) => events.filter((event) => event.type === type).map(({ data }) => data['upcast']);
    expect(new Set(upcast(byOld))).toEqual(new Set([undefined]));
    expect(new Set(upcast(byNext))).toEqual(new Set([true]));
    expect(seenByNext.rows.filter(({ row }) => row.type === type).every(({ row }) => row.data.includes('"upcast":true'))).toBe(true);
  }
});

it('readers first: a release that reads the second format and writes the first stays with the first when it is alone', async () => {
  const reader = await start(readsSecond);
  const session = await reader.client.session(await reader.client.agent());
  await reader.client.until(session, await reader.client.submit(session, 'x'));
  await waitMs(150);
  expect((await stored(reader, session)).v).toBe(1);
  const writer = await start(writesSecond);
  await until('the writer writes the second format', () => writesNow(writer) === 2);
  const newer = await writer.client.session(await writer.client.agent());
  expect(await reader.client.until(newer, await reader.client.submit(newer, 'y'))).toMatchObject({ status: 'completed' });
  expect(await stored(reader, newer)).toMatchObject({ v: 2 });
});

it('then writers: the new one reads old logs, and an old one that comes late leaves new sessions alone', async () => {
  const [old, next] = [await start(oldRelease), await start(writesSecond)];
  const agent = await old.client.agent();
  const session = await old.client.session(agent);
  await old.client.until(session, await old.client.submit(session, 'before'));
  const oldest = await old.client.session(agent);
  await stop(old);
  await until('the new one writes the second format', () => writesNow(next) === 2);

  await next.client.until(session, await next.client.submit(session, 'after'));
  const { v, types } = await stored(next, session);
  expect(v).toBe(2);
  expect(types.filter((type) => type.startsWith('turn.completed'))).toEqual(['turn.completed', 'turn.completed@2']);
  const ends = (await read(next, session)).filter(({ type }) => type === 'turn.completed');
  expect(ends.map(({ data }) => data['upcast'])).toEqual([true, undefined]);

  const late = await start(oldRelease);
  expect(await codeOf(late.client.submit(session, 'x'))).toBe('newer_release');
  expect(await codeOf(read(late, session))).toBe('newer_release');
  expect(await codeOf(watch(late, session))).toBe('newer_release');
  await until('the new one goes back to the first format', () => writesNow(next) === 1);
  expect(await late.client.until(oldest, await late.client.submit(oldest, 'x'))).toMatchObject({ status: 'completed' });

  // The only one that can run it goes; many sweeps of the other later it still waits, and older ones do not.
  const gate = createGate();
  nodes.model.when('hold', [{ gate }, { text: 'done' }]);
  const held = await next.client.submit(session, 'hold');
  await next.client.until(session, held, 'running');
  await stop(next);
  const claims = late.claims();
  await until('the old one has looked for work', () => late.claims() > claims + 5);
  expect((await stored(late, session)).head).toMatchObject({ node: null, due: 0 });
  expect(await late.client.until(oldest, await late.client.submit(oldest, 'y'))).toMatchObject({ status: 'completed' });
  gate.open();
  const back = await start(writesSecond);
  expect(await back.client.until(session, held)).toMatchObject({ status: 'completed' });
});

it('FG2 what an older node holds keeps its format; if it became newer all the same, it is let go', async () => {
  const next = await start(writesSecond);
  await until('the new one writes the second format', () => writesNow(next) === 2);
  const old = await start(oldRelease);
  const gate = createGate();
  nodes.model.when('hold', [{ gate }, { text: 'done' }]);
  await until('the new one is back at the first format', () => writesNow(next) === 1);
  const session = await old.client.session(await old.client.agent());
  const turn = await old.client.submit(session, 'hold');
  await old.client.until(session, turn, 'running');
  const seen = await watch(old, session);
  await next.client.submit(session, 'behind it');
  const before = await stored(next, session);
  expect(before).toMatchObject({ v: 1, head: { node: expect.any(String) } });

  const state = { body: (await next.store.sessions.load(session as never))?.state.replace('{"v":1', '{"v":2') ?? '', due: 0 };
  const newer = { turn: 0, type: 'turn.completed@2', at: 1, data: '{"turn_id":"turn_none"}' };
  expect(await next.store.sessions.write(command(before.head, { events: [newer], state }))).toMatchObject({ ok: true });
  expect(await codeOf(old.client.submit(session, 'x'))).toBe('newer_release');
  gate.open();
  expect(await next.client.until(session, turn)).toMatchObject({ status: 'completed' });
  await until('the old one has dropped it', () => old.engine.runner.held === 0);
  await until('the stream at the old one has ended', () => seen.ended());
});

it('a session that became newer while an older node claimed it is let go, and its claims go on', async () => {
  const next = await start(writesSecond);
  const agent = await next.client.agent();
  await until('the new one writes the second format', () => writesNow(next) === 2);
  const session = await next.client.session(agent);
  const gate = createGate();
  nodes.model.when('hold', [{ gate }, { text: 'done' }]);
  const turn = await next.client.submit(session, 'hold');
  await next.client.until(session, turn, 'running');
  await stop(next);

  const careless = { now: true };
  const late = await start(oldRelease, careless);
  const { fence } = (await stored(late, session)).head;
  await until('it was claimed and let go', async () => (await stored(late, session)).head.fence > fence + 2);
  careless.now = false;
  await until('nobody holds it', async () => (await stored(late, session)).head.node === null && late.engine.runner.held === 0);
  const oldest = await late.client.session(agent);
  expect(await late.client.until(oldest, await late.client.submit(oldest, 'x'))).toMatchObject({ status: 'completed' });
  gate.open();
  const back = await start(writesSecond);
  expect(await back.client.until(session, turn)).toMatchObject({ status: 'completed' });
});
