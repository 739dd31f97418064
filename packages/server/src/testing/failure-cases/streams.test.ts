/** Readers: whatever is committed while they join, drop and return, each sees the log, once and in order (cases 1 to 4, 6). */

import { cursorOf } from '@turnkeeper/core/protocol/cursors';
import { envelopeOf } from '@turnkeeper/core/protocol/envelope';
import { canonicalJson } from '@turnkeeper/core/protocol/json';
import { isSessionId } from '@turnkeeper/core/session/ids';
import { applyEvent, emptyView, type SessionView } from '@turnkeeper/core/view/session-view';
import { afterEach, expect, test } from 'vitest';
import { readEvents } from '../../app/read-events.ts';
import { readSnapshot } from '../../app/read-snapshot.ts';
import { ann, builtin, createClient } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { createRandom, seedOf } from '../harness/random.ts';
import { eventually, settle } from '../harness/settle.ts';
import { watchSession } from '../harness/watch-session.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
afterEach(() => world.close());
const seed = seedOf('SEED');
const sidOf = async (session: string): Promise<number> => (isSessionId(session) ? await world.store.load(session) : undefined)?.head.sid ?? 0;

test('case 1: reload in mid-answer: the prefix is there, the rest follows, two answers share nothing', async () => {
  world = await openWorld();
  const client = createClient(world);
  const gate = createGate();
  world.model.when('two', [{ text: 'sec' }, { gate }, { text: 'ond' }]);
  const session = await client.session(await client.agent());
  await client.until(session, await client.submit(session, 'one'));
  const turn = await client.submit(session, 'two');
  await gate.reached;
  await settle();
  const { items } = await readSnapshot(world.engine.app, ann, session, 100);
  expect(items.at(-1)?.data.item).toMatchObject({ status: 'in_progress', content: [{ type: 'text', text: 'sec' }] });
  gate.open();
  await client.until(session, turn);
  const after = (await readSnapshot(world.engine.app, ann, session, 100)).items;
  expect(after.map((item) => item.data.item.content)).toEqual(['one', 'echo: one', 'two', 'second'].map((text) => [{ type: 'text', text }]));
  expect(new Set(after.map((item) => item.data.item_id)).size).toBe(4);
});

test('case 2: cut at every event and resumed by cursor: nothing lost, nothing twice', async () => {
  world = await openWorld();
  const client = createClient(world);
  world.model.when('x', [{ text: 'a' }, { text: 'b' }, { call: 'look' }], [{ text: 'c' }]);
  const session = await client.session(await client.agent({ tools: [builtin('look')] }));
  await client.until(session, await client.submit(session, 'x'));
  const { app } = world.engine;
  const whole = (await readEvents(app, ann, session, undefined, { limit: 1_000 })).data;
  for (const [at, event] of whole.entries()) {
    const rest = await readEvents(app, ann, session, undefined, { after: event.cursor, limit: 1_000 });
    expect(rest.data).toEqual(whole.slice(at + 1));
  }
});

/** Fifty writers' worth of turns on a few sessions, readers that come and go, snapshots in between. */
test(`cases 3 and 4: readers that drop and return, and snapshots under way, equal the log (SEED=${seed})`, async () => {
  world = await openWorld();
  const random = createRandom(seed);
  const client = createClient(world);
  world.model.when('x', ...[1, 2].map(() => [{ text: 'some ' }, { text: 'text' }, { call: 'look' }]), [{ text: 'and ' }, { text: 'done' }]);
  const session = await client.session(await client.agent({ tools: [builtin('look')] }));
  const sid = await sidOf(session);
  const stream = { kind: 'session', sid } as const;
  let writing = true;
  const write = async (): Promise<void> => {
    for (let n = 0; n < 50; n += 1) {
      const turn = await client.submit(session, 'x');
      if (random.chance(0.2)) await client.cancel(session, turn).catch(() => {});
      await settle(random.below(6));
      if (n % 10 === 9) await client.until(session, turn);
    }
    writing = false;
  };
  const read = async (seenBy: number): Promise<readonly number[]> => {
    const own = createRandom(seed + seenBy);
    const seen: number[] = [];
    for (let last = false; !last; ) {
      last = !writing;
      const watch = await watchSession(world, session, ann, () => {}, seen.at(-1) ?? 0);
      await settle(last ? 40 : own.below(12));
      watch.stop();
      seen.push(...watch.rows.map((row) => row.seq));
      if (own.chance(0.3)) await settle(own.below(20));
    }
    return seen;
  };
  const snapshots: SessionView[] = [];
  const snap = async (): Promise<void> => {
    while (writing) {
      snapshots.push(await readSnapshot(world.engine.app, ann, session, 100_000));
      await settle(random.below(8));
    }
  };
  const [, , ...readers] = await Promise.all([write(), snap(), ...Array.from({ length: 12 }, (_, n) => read(n + 1))]);
  await eventually('all turns have ended', async () => (await readSnapshot(world.engine.app, ann, session, 1)).session.status === 'idle');
  const rows = await world.store.events({ sid, after: 0, limit: 1_000_000 });
  const seqs = rows.map((row) => row.seq);
  for (const seen of readers) expect(seen).toEqual(seqs.slice(0, seen.length));
  const bodies = (view: SessionView): string =>
    canonicalJson(
      [view.items, view.turns, view.runs, view.tools, view.required_actions, view.usage].map((list) =>
        Array.isArray(list) ? list.map((entry) => entry.data) : list,
      ),
    );
  const moments = new Map<string, string>();
  let view = emptyView({ id: session, status: 'idle', archived: false }, cursorOf(stream, 0));
  const wanted = new Set(snapshots.map((snapshot) => snapshot.as_of));
  for (const row of rows) {
    view = applyEvent(view, envelopeOf(session, stream, row));
    if (wanted.has(view.as_of)) moments.set(view.as_of, bodies(view));
  }
  expect(snapshots.length).toBeGreaterThan(5);
  for (const snapshot of snapshots) expect(bodies(snapshot)).toBe(moments.get(snapshot.as_of));
}, 120_000);

test('case 6: a consumer that stopped reads all it missed once, also over a restart of the service', async () => {
  world = await openWorld();
  const client = createClient(world);
  world.model.when(
    'x',
    Array.from({ length: 40 }, (_, n) => ({ text: `${n} ` })),
  );
  const session = await client.session(await client.agent());
  const watch = await watchSession(world, session);
  watch.stop();
  const seen = watch.rows.length;
  for (let n = 0; n < 15; n += 1) {
    await client.until(session, await client.submit(session, 'x'));
    if (n === 7) await world.restart();
  }
  const again = await watchSession(world, session, ann, () => {}, seen);
  await settle();
  again.stop();
  const rows = await world.store.events({ sid: await sidOf(session), after: 0, limit: 1_000_000 });
  expect([...watch.rows, ...again.rows].map((row) => row.seq)).toEqual(rows.map((row) => row.seq));
  expect(world.engine.app.sessions.feeds.size).toBe(0);
});

test('a reader that read ahead of the feed is not told again what it has read', async () => {
  world = await openWorld();
  const client = createClient(world);
  const session = await client.session(await client.agent());
  await client.until(session, await client.submit(session, 'one'));
  const first = await watchSession(world, session);
  // The commit of this turn is durable, its answer is held: a reader of the log is ahead of the feed.
  world.faulty.inject({ method: 'write', call: 1, effect: { kind: 'held_after' } });
  const turn = client.submit(session, 'two');
  await settle();
  const second = await watchSession(world, session);
  world.faulty.release();
  await client.until(session, await turn);
  await settle();
  const seqs = (await world.store.events({ sid: await sidOf(session), after: 0, limit: 1_000_000 })).map((row) => row.seq);
  expect(second.rows.map((row) => row.seq)).toEqual(seqs);
  expect(first.rows.map((row) => row.seq)).toEqual(seqs);
  first.stop();
  second.stop();
});

test('B6 a page of large events is cut by its bytes, and still says whether more follows', async () => {
  world = await openWorld();
  const client = createClient(world);
  const session = await client.session(await client.agent());
  const head = (isSessionId(session) ? await world.store.load(session) : undefined)?.head;
  if (!head) throw new Error('the session is missing');
  const large = { turn: 0, type: 'session.error', at: 1, data: JSON.stringify({ text: 'x'.repeat(3 * 1024 * 1024) }) };
  await world.store.write({ sid: head.sid, guard: { kind: 'command', stateSeq: head.stateSeq }, events: [large, large, large, large] });
  // Written past the engine: the next one has not seen the session yet.
  await world.restart();
  const first = await readEvents(world.engine.app, ann, session, undefined, { limit: 100 });
  expect([first.data.length, first.has_more]).toEqual([3, true]);
  const second = await readEvents(world.engine.app, ann, session, undefined, { limit: 100, after: first.next_cursor });
  expect([second.data.length, second.has_more]).toEqual([2, false]);
  expect((await watchSession(world, session)).rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
});
