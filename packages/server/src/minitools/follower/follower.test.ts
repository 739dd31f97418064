/** What a mini-tool hears of its sessions: durable events in order, each once, whatever ends in between (FW1 to FW4, MS3). */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { afterEach, expect, test, vi } from 'vitest';
import { minitoolLimits } from '../../app/minitool-limits.ts';
import { builtin, createClient, fresh } from '../../testing/harness/client.ts';
import { createGate } from '../../testing/harness/gate.ts';
import { addMinitool, type TestMinitool } from '../../testing/harness/minitool.ts';
import { eventually, settle } from '../../testing/harness/settle.ts';
import { openWorld, type World } from '../../testing/harness/world.ts';

let world: World;
let tool: TestMinitool;
afterEach(async () => {
  await tool.end();
  await world.close();
});
const open = async (tools: readonly ReturnType<typeof builtin>[] = []): Promise<string> => {
  world = await openWorld();
  await createClient(world).agent({ tools });
  tool = await addMinitool(world);
  return create();
};
const create = async (options: object = {}): Promise<string> =>
  ((await tool.call('create', { containerId: 'inbox', ...options })) as { sessionId: string }).sessionId;
const send = async (session: string, text: string, more: object = {}): Promise<string> =>
  ((await tool.call('send', session, { text, idempotencyKey: fresh('key'), ...more })) as { turnId: string }).turnId;
type Event = { readonly type: string; readonly sequence?: number; readonly sessionId: string; readonly turnId: string; readonly [member: string]: unknown };
type Page = { readonly events: readonly Event[]; readonly nextCursor?: number };
const list = (query: object): Promise<Page> => tool.call('listEvents', query);
const settled = async (session: string, turn: string): Promise<unknown> => tool.call('waitForTurn', session, turn);
const durable = (): readonly Event[] => (tool.events as unknown as readonly Event[]).filter(({ sequence }) => sequence !== undefined);

test('a turn comes to its messages and its end, with what its message brought along', async () => {
  const session = await open();
  const metadata = { chat: 42, reply: { to: 'x' } };
  const turn = await send(session, 'hello', { metadata });
  const result = (await settled(session, turn)) as { messageIds: readonly string[] };
  const { events, nextCursor } = await list({ sessionId: session });
  const base = { sessionId: session, turnId: turn, createdAt: expect.any(String), metadata };
  const [messageId] = result.messageIds;
  expect(events).toEqual([
    { sequence: 1, type: 'assistant.message', ...base, messageId, text: 'echo: hello' },
    { sequence: 2, type: 'turn.completed', ...base, outputText: 'echo: hello', messageIds: [messageId] },
  ]);
  expect(nextCursor).toBe(2);
  expect(await list({ sessionId: session, after: 1, limit: 1 })).toMatchObject({ events: [{ sequence: 2 }] });
  expect(await list({ sessionId: session, after: 2 })).toEqual({ events: [] });
  // The host was told the same.
  expect(durable()).toEqual(events);
});

test('failed and cancelled turns fail with their code', async () => {
  const session = await open();
  const gate = createGate();
  world.model.when('hold', [{ gate }, { text: 'x' }]);
  await send(session, 'hold');
  const queued = await send(session, 'queued');
  await tool.call('cancelTurn', session, queued);
  expect((await list({ sessionId: session })).events).toMatchObject([{ type: 'turn.failed', turnId: queued, code: 'cancelled', retryable: false }]);
  gate.open();
});

test('waits are told with all that they ask, and who ended them', async () => {
  const session = await open([builtin('effect', { permission: 'always_ask' } as never)]);
  world.model.when('pay', [{ call: 'effect', input: { amount: 3 } }], [{ text: 'paid' }]);
  const turn = await send(session, 'pay', { metadata: { chat: 1 } });
  const wait = (await tool.call('waitForWait', session)) as { requestId: string };
  await tool.call('respondToWait', session, wait.requestId, { kind: 'permission', allow: true });
  await settled(session, turn);
  const { events } = await list({ sessionId: session });
  expect(events.map(({ type }) => type)).toEqual(['turn.waiting', 'turn.wait_resolved', 'assistant.message', 'turn.completed']);
  expect(events[0]).toMatchObject({ reason: 'permission', requestId: wait.requestId, wait, metadata: { chat: 1 } });
  expect(events[1]).toMatchObject({ requestId: wait.requestId, resolvedBy: 'minitool' });
});

test('FW1 nothing is told twice or left out over restarts, and numbers have no gap', async () => {
  const session = await open();
  const other = await create();
  const gate = createGate();
  world.model.when('long', [{ text: 'beginning ' }, { gate }, { text: 'end' }]);
  await settled(other, await send(other, 'before'));
  const turn = await send(session, 'long');
  await gate.reached;
  await world.restart();
  gate.open();
  // Nobody follows yet: the turn ends all the same.
  await createClient(world, { type: 'minitool', id: tool.id, name: '', credentialId: null }).until(session, turn);
  await tool.reopened();
  await eventually('the events', async () => durable().some((event) => event.turnId === turn && event.type === 'turn.completed'), { clock: world.clock });
  await settled(other, await send(other, 'after'));
  const all = await world.stores.minitools.events(tool.id, { after: 0, limit: 100 });
  await eventually('all of them', async () => (await list({ sessionId: other })).events.length === 4, { clock: world.clock });
  const { events } = await list({ sessionId: session });
  expect(events.map(({ type }) => type)).toEqual(['assistant.message', 'turn.completed']);
  expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, n) => n + 1));
});

test('FW1 two that follow at once write each event once', async () => {
  const session = await open();
  await tool.reopened();
  const turns = await Promise.all(Array.from({ length: 5 }, (_, n) => send(session, `m${n}`)));
  for (const turn of turns) await settled(session, turn);
  const { events } = await list({ sessionId: session });
  expect(events.map(({ type, turnId }) => [type, turnId])).toEqual(
    turns.flatMap((turn) => [
      ['assistant.message', turn],
      ['turn.completed', turn],
    ]),
  );
});

test('FW2 a listener that throws hurts nobody else', async () => {
  world = await openWorld();
  await createClient(world).agent();
  tool = await addMinitool(world);
  const session = await create();
  const errors: unknown[] = [];
  const { Follower } = await import('./follower.ts');
  const follower = new Follower({ app: world.engine.app, report: (error) => errors.push(error) });
  const heard: string[] = [];
  follower.onEvent(() => {
    throw new Error('it broke');
  });
  follower.onEvent((_id, event) => heard.push(String(event['type'])));
  await tool.follower.stop();
  follower.start();
  const turn = await send(session, 'hi');
  await settled(session, turn);
  await eventually('both', async () => heard.includes('turn.completed'), { clock: world.clock });
  expect(errors.length).toBeGreaterThan(0);
  await follower.stop();
});

test('FW3 what streams is told live, before the event that says it whole, and is not kept', async () => {
  const session = await open();
  const [gate, second] = [createGate(), createGate()];
  world.model.when('stream', [{ gate }, { text: 'one ' }, { gate: second }, { text: 'two' }]);
  const turn = await send(session, 'stream');
  await gate.reached;
  // The run is known to the follower by now.
  await eventually('a reading', async () => (await world.stores.minitools.behind(tool.id, { after: 0, most: 10 })).sessions.length === 0, {
    clock: world.clock,
  });
  gate.open();
  await second.reached;
  await eventually('a delta', async () => (tool.events as unknown as readonly Event[]).some(({ type }) => type === 'assistant.delta'), { clock: world.clock });
  second.open();
  await settled(session, turn);
  await tool.follower.catchUp(1);
  await eventually('the end', async () => durable().some(({ type }) => type === 'turn.completed'), { clock: world.clock });
  const types = (tool.events as unknown as readonly Event[]).map(({ type }) => type);
  expect(types.lastIndexOf('assistant.delta')).toBeLessThan(types.indexOf('assistant.message'));
  expect(types.slice(-2)).toEqual(['assistant.message', 'turn.completed']);
  const deltas = (tool.events as unknown as readonly Event[]).filter(({ type }) => type === 'assistant.delta');
  expect('one two'.startsWith(deltas.map(({ delta }) => delta).join(''))).toBe(true);
  expect((await list({ sessionId: session })).events.map(({ type }) => type)).toEqual(['assistant.message', 'turn.completed']);
});

test('a cursor that is older than what is kept: expired, with the oldest one', async () => {
  const session = await open();
  for (let n = 0; n < 3; n += 1) await settled(session, await send(session, `m${n}`));
  expect((await list({ sessionId: session })).events).toHaveLength(6);
  await world.stores.minitools.pruneEvents(2, 0);
  expect(await tool.refusal('listEvents', { sessionId: session, after: 3 })).toMatchObject({ code: 'cursor_expired', details: { oldestCursor: 4 } });
  expect((await list({ sessionId: session, after: 4 })).events.map(({ sequence }) => sequence)).toEqual([5, 6]);
  expect((await list({ sessionId: session })).events.map(({ sequence }) => sequence)).toEqual([5, 6]);
  for (const query of [{ sessionId: session, after: -1 }, { sessionId: session, after: 'x' }, { sessionId: session, limit: 0 }, {}])
    expect(await tool.refusal('listEvents', query)).toMatchObject({ code: 'invalid_argument' });
  expect(minitoolLimits).toMatchObject({ events: 10_000, eventsMs: 7 * 24 * 3_600_000 });
});

test('events older than a week go by themselves', async () => {
  const session = await open();
  const { minitools } = world.stores;
  await settled(session, await send(session, 'hi'));
  expect((await list({ sessionId: session })).events).toHaveLength(2);
  await tool.follower.stop();
  const other = await create();
  const [behind] = (await minitools.behind(tool.id, { after: 0, most: 10 })).sessions.filter(({ sessionId }) => sessionId === other);
  if (!behind) throw new Error('its beginning was not read');
  const old = { sessionId: behind.sessionId, type: 'turn.failed', body: '{}', at: world.clock.now() - minitoolLimits.eventsMs - 1 };
  // Older than those in front of it: nothing goes from the middle.
  await minitools.addEvents(behind, behind.after, [old]);
  await tool.reopened();
  await settle(8);
  expect(await minitools.events(tool.id, { after: 0, limit: 10 })).toHaveLength(3);
  await minitools.pruneEvents(1, 0);
  await world.clock.advance(11 * 60_000);
  await eventually('nothing', async () => (await minitools.events(tool.id, { after: 0, limit: 10 })).length === 0, { clock: world.clock });
  await settled(session, await send(session, 'again'));
  expect((await list({ sessionId: session })).events[0]?.sequence).toBe(4);
});

test('FW4 sessions that cannot be read, however many, hold up no other', async () => {
  await open();
  await create();
  const last = await create();
  await tool.follower.stop();
  const { minitools } = world.engine.app;
  const followed = minitools.followed.bind(minitools);
  const broken = vi.spyOn(minitools, 'followed').mockImplementation(async (sid) => {
    if (sid < 3) throw new TurnkeeperError('newer_release', 'It cannot be read.');
    return followed(sid);
  });
  const { Follower } = await import('./follower.ts');
  const follower = new Follower({ app: world.engine.app, report: () => {}, sessionsAtOnce: 1 });
  // Nobody hints at anything: the looks alone find it.
  vi.spyOn(world.engine.app.sessions, 'onMoved').mockReturnValue(() => {});
  follower.start();
  for (const text of ['one', 'two']) {
    const turn = await send(last, text);
    await createClient(world, { type: 'minitool', id: tool.id, name: '', credentialId: null }).until(last, turn);
    const isTold = async () =>
      (await minitools.events(tool.id, { after: 0, limit: 10 })).some(({ type, body }) => type === 'turn.completed' && body.includes(turn));
    await eventually(text, isTold, { clock: world.clock });
  }
  await follower.stop();
  broken.mockRestore();
});

test('a container shows that there is something new, whatever the activity; a session in a space has no mark', async () => {
  const session = await open();
  const background = await create({ activity: 'background' });
  const space = ((await tool.call('create', { space: { spaceId: 'default' } })) as { sessionId: string }).sessionId;
  for (const each of [session, background, space]) await settled(each, await send(each, 'hi'));
  for (const each of [session, background, space]) await list({ sessionId: each });
  await settle(4);
  expect((await world.stores.minitools.marks(tool.id)).map(({ sessionId, container }) => [sessionId, container]).toSorted()).toEqual(
    [session, background].map((id) => [id, 'inbox']).toSorted(),
  );
});

test('FW1 the mark is there whenever the events are, also where their answer was lost', async () => {
  const session = await open();
  await tool.follower.stop();
  await settled(session, await send(session, 'hi'));
  const { minitools } = world.stores;
  const addEvents = minitools.addEvents.bind(minitools);
  const died = vi.spyOn(minitools, 'addEvents').mockImplementation(async (...given) => {
    await addEvents(...given);
    throw new TurnkeeperError('storage_unavailable', 'The answer is lost.');
  });
  await tool.follower.catchUp(1);
  died.mockRestore();
  await tool.follower.catchUp(1);
  expect((await minitools.marks(tool.id)).map(({ sessionId }) => sessionId)).toEqual([session]);
});

test('FW2 who asks what there is has it, however fast the log goes on', async () => {
  const session = await open();
  await tool.follower.stop();
  await settled(session, await send(session, 'hi'));
  const { sessions } = world.engine.app;
  const newest = sessions.newest.bind(sessions);
  let asked = 0;
  const growing = vi.spyOn(sessions, 'newest').mockImplementation(async (sid) => {
    asked += 1;
    if (asked > 1_000) throw new Error('it ran after the log');
    const there = await newest(sid);
    return there && { ...there, head: { ...there.head, seq: there.head.seq + asked } };
  });
  await tool.follower.catchUp(1);
  growing.mockRestore();
  expect(asked).toBeLessThan(5);
  expect((await world.stores.minitools.events(tool.id, { after: 0, limit: 10 })).map(({ type }) => type)).toEqual(['assistant.message', 'turn.completed']);
});
