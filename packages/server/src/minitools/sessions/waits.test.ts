/** `listWaits`, `waitForWait`, `respondToWait`: what a mini-tool may answer, and who was first (WA1, WA2). */
import { afterEach, expect, test } from 'vitest';
import { builtin, createClient, external, fresh, userCaller } from '../../testing/harness/client.ts';
import { addMinitool, type MinitoolSketch, type TestMinitool } from '../../testing/harness/minitool.ts';
import { eventually, settle } from '../../testing/harness/settle.ts';
import { openWorld, type World } from '../../testing/harness/world.ts';
import { auditRow } from '../../testing/store-contract/samples.ts';
import type { Wait } from './wait-shape.ts';
import type { RespondResult } from './waits.ts';

let world: World;
let tool: TestMinitool;
afterEach(async () => {
  await tool.end();
  await world.close();
});
type ToolMore = Parameters<typeof builtin>[1];
const ask = { permission: 'always_ask' } as ToolMore;

const open = async (tools: readonly ReturnType<typeof builtin>[], sketch: MinitoolSketch = {}): Promise<string> => {
  world = await openWorld();
  const zoe = { id: 'zoe', username: 'zoe', displayName: 'Zoe', roles: ['user'], status: 'active', passwordHash: null, createdAt: 1 } as const;
  await world.engine.app.catalog.createUser(zoe, auditRow());
  await createClient(world).agent({ tools, mode: 'ask' });
  tool = await addMinitool(world, sketch);
  return ((await tool.call('create', { containerId: 'workers' })) as { sessionId: string }).sessionId;
};
const say = async (session: string, ...calls: readonly { readonly call: string; readonly input?: Readonly<Record<string, unknown>> }[]): Promise<string> => {
  const text = fresh('x');
  world.model.when(text, calls, [{ text: 'well' }]);
  const { turnId } = (await tool.call('send', session, { text, idempotencyKey: fresh('key') })) as { turnId: string };
  return turnId;
};
const waits = (session: string): Promise<readonly Wait[]> => tool.call('listWaits', session);
const first = (session: string): Promise<Wait> => eventually('a wait', async () => (await waits(session))[0], { clock: world.clock });
const respond = (session: string, requestId: string, response: unknown): Promise<RespondResult> => tool.call('respondToWait', session, requestId, response);
const outcome = (session: string, turn: string): Promise<{ readonly state: string }> => tool.call('waitForTurn', session, turn);

test('a permission is shown with its call, and allowed or denied', async () => {
  const session = await open([builtin('effect', ask), builtin('look', ask)]);
  const turn = await say(session, { call: 'effect', input: { amount: 3 } }, { call: 'look' });
  const wait = await first(session);
  expect(wait).toEqual({
    ...{ sessionId: session, turnId: turn, requestId: wait.requestId, createdAt: expect.any(String), kind: 'permission' },
    ...{ toolName: 'effect', toolInput: { amount: 3 }, dangerous: true },
  });
  const second = (await waits(session))[1];
  expect(await respond(session, wait.requestId, { kind: 'permission', allow: true })).toEqual({ state: 'accepted', requestId: wait.requestId });
  expect(await respond(session, second?.requestId ?? '', { kind: 'permission', allow: false })).toMatchObject({ state: 'accepted' });
  expect(await outcome(session, turn)).toMatchObject({ state: 'completed' });
  expect([world.tools.count('effect'), world.tools.count('look')]).toEqual([1, 0]);
});

test('WA1 a call that cannot be undone: allowed by people only, denied by a mini-tool too', async () => {
  const session = await open([builtin('effect', { permission: undefined, destructive: true } as unknown as ToolMore)]);
  const turn = await say(session, { call: 'effect' });
  const wait = await first(session);
  expect(wait).toMatchObject({ kind: 'permission', destructive: true });
  expect(await respond(session, wait.requestId, { kind: 'permission', allow: true })).toMatchObject({ state: 'forbidden', reason: expect.any(String) });
  expect(await waits(session)).toHaveLength(1);
  expect(await respond(session, wait.requestId, { kind: 'permission', allow: false })).toMatchObject({ state: 'accepted' });
  expect(await outcome(session, turn)).toMatchObject({ state: 'completed' });
  expect(world.tools.count('effect')).toBe(0);
});

test('WA1 a destructive call asks in acceptCalls, too: it parks the turn', async () => {
  const session = await open([
    builtin('effect', { permission: undefined, destructive: true } as unknown as ToolMore),
    builtin('look', { permission: undefined } as unknown as ToolMore),
  ]);
  await tool.call('setPermissionMode', session, 'acceptCalls');
  await say(session, { call: 'look' }, { call: 'effect' });
  await first(session);
  expect((await waits(session)).map((wait) => wait.kind === 'permission' && wait.toolName)).toEqual(['effect']);
});

test('WA1 what waits for somebody whom it names is denied, and not allowed', async () => {
  const session = await open([builtin('effect', { ...ask, approver: ['zoe'] } as unknown as ToolMore)]);
  await say(session, { call: 'effect' });
  const wait = await first(session);
  expect(await respond(session, wait.requestId, { kind: 'permission', allow: true })).toMatchObject({ state: 'forbidden' });
  expect(await respond(session, wait.requestId, { kind: 'permission', allow: false })).toMatchObject({ state: 'accepted' });
});

test('WA2 what somebody else ended is stale with who that was', async () => {
  const session = await open([builtin('effect', ask)]);
  const people = createClient(world, userCaller('ann', { minitools: new Set([tool.id]) }));
  const turn = await say(session, { call: 'effect' });
  const { requestId } = await first(session);
  await people.answer(session, turn, requestId, { allow: false });
  expect(await respond(session, requestId, { kind: 'permission', allow: true })).toEqual({ state: 'stale', requestId, resolvedBy: 'user' });
  const again = await say(session, { call: 'effect' });
  const wait = await first(session);
  const both = await Promise.all([1, 2].map(() => respond(session, wait.requestId, { kind: 'permission', allow: false })));
  expect(both.map(({ state }) => state).toSorted()).toEqual(['accepted', 'stale']);
  expect(both.find(({ state }) => state === 'stale')).toMatchObject({ resolvedBy: 'minitool' });
  await outcome(session, again);
  await say(session, { call: 'effect' });
  const last = await first(session);
  await tool.call('cancelTurn', session, last.turnId);
  expect(await respond(session, last.requestId, { kind: 'permission', allow: true })).toMatchObject({ state: 'stale', resolvedBy: 'system' });
});

test('WA2 what time ended is stale by timeout', async () => {
  const session = await open([builtin('effect', { ...ask, expiresSeconds: 60 } as unknown as ToolMore)]);
  const turn = await say(session, { call: 'effect' });
  const { requestId, expiresAt } = await first(session);
  expect(expiresAt).toBe(new Date(world.clock.now() + 60_000).toISOString());
  await eventually('the end of the time', async () => (await waits(session)).length === 0, { clock: world.clock });
  expect(await respond(session, requestId, { kind: 'permission', allow: true })).toEqual({ state: 'stale', requestId, resolvedBy: 'timeout' });
  expect(await outcome(session, turn)).toMatchObject({ state: 'completed' });
  const { events } = (await tool.call('listEvents', { sessionId: session })) as { events: readonly { type: string; resolvedBy?: string }[] };
  expect(events.find(({ type }) => type === 'turn.wait_resolved')).toMatchObject({ resolvedBy: 'timeout' });
});

test('questions are answered by their headers', async () => {
  const session = await open([builtin('ask_user')]);
  const turn = await say(session, { call: 'ask_user', input: { question: 'Really?', options: [{ label: 'yes', description: 'go' }] } });
  const wait = await first(session);
  expect(wait).toMatchObject({
    kind: 'question',
    questions: [{ question: 'Really?', header: expect.any(String), multiSelect: false, options: [{ label: 'yes' }] }],
  });
  const header = wait.kind === 'question' ? String(wait.questions[0]?.['header']) : '';
  expect(await tool.refusal('respondToWait', session, wait.requestId, { kind: 'question', answers: {} })).toMatchObject({ code: 'invalid_argument' });
  expect(await tool.refusal('respondToWait', session, wait.requestId, { kind: 'permission', allow: true })).toMatchObject({
    code: 'invalid_argument',
    details: { member: 'response.kind' },
  });
  expect(await respond(session, wait.requestId, { kind: 'question', answers: { [header]: 'yes' } })).toMatchObject({ state: 'accepted' });
  expect(await outcome(session, turn)).toMatchObject({ state: 'completed' });
});

test('forms are shown with their fields, and submitted or declined', async () => {
  const session = await open([builtin('ask_form')]);
  const schema = { type: 'object', required: ['city'], properties: { city: { type: 'string', title: 'City' }, nights: { type: 'integer' } } };
  const turn = await say(session, { call: 'ask_form', input: { title: 'Where?', schema } });
  const wait = await first(session);
  expect(wait).toMatchObject({
    kind: 'form',
    form: {
      title: 'Where?',
      fields: [
        { key: 'city', label: 'City', type: 'text', required: true },
        { key: 'nights', label: 'nights', type: 'number' },
      ],
    },
  });
  expect(await tool.refusal('respondToWait', session, wait.requestId, { kind: 'form', submitted: true, values: {} })).toMatchObject({
    code: 'invalid_argument',
  });
  expect(await respond(session, wait.requestId, { kind: 'form', submitted: true, values: { city: 'Rome', nights: 2 } })).toMatchObject({ state: 'accepted' });
  expect(await outcome(session, turn)).toMatchObject({ state: 'completed' });
});

test('waitForWait resolves with the wait as soon as there is one; undefined when the time has passed', async () => {
  const session = await open([builtin('effect', ask)]);
  const coming: Promise<Wait | undefined> = tool.call('waitForWait', session);
  await say(session, { call: 'effect' });
  const wait = await coming;
  expect(wait).toMatchObject({ kind: 'permission' });
  expect(await tool.call('waitForWait', session)).toEqual(wait);
  await tool.call('cancelTurn', session, wait?.turnId);
  let ended: unknown = 'not yet';
  void tool.call('waitForWait', session, { timeoutMs: 1 }).then((found) => {
    ended = found;
  });
  await eventually('the end of the time', async () => ended !== 'not yet', { clock: world.clock });
  expect(ended).toBeUndefined();
});

test('an answer to nothing is not_found; without the permission it is refused', async () => {
  const session = await open([], { manifest: { permissions: { sessions: true } } });
  expect(await tool.refusal('respondToWait', session, 'act_1', { kind: 'permission', allow: true })).toMatchObject({
    code: 'permission_denied',
    details: { field: 'permissions.sessionInteractions' },
  });
  await tool.end();
  tool = await addMinitool(world);
  const own = ((await tool.call('create', { containerId: 'workers' })) as { sessionId: string }).sessionId;
  expect(await respond(own, 'act_1', { kind: 'permission', allow: true })).toEqual({ state: 'not_found', requestId: 'act_1' });
});

test('WA3 what only a person or a program answers does not end a waiting: the next wait does, or the time', async () => {
  const session = await open([external('fetch_it'), builtin('effect', ask)]);
  let found: Wait | 'none' | undefined;
  const waiting = (tool.call('waitForWait', session, { timeoutMs: 600_000 }) as Promise<Wait | undefined>).then((wait) => {
    found = wait ?? 'none';
  });
  await settle(8);
  const turn = await say(session, { call: 'fetch_it' });
  const people = createClient(world, userCaller('ann', { minitools: new Set([tool.id]) }));
  await eventually('a request to a program', async () => (await people.turn(session, turn)).status === 'requires_action');
  await settle(16);
  expect(found).toBeUndefined();
  await tool.call('cancelTurn', session, turn);
  await say(session, { call: 'effect' });
  await waiting;
  expect(found).toMatchObject({ kind: 'permission', toolName: 'effect' });
});
