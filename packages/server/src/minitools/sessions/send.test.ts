/** `send`, `waitForTurn`, `cancelTurn`, `setPermissionMode`, attachments: the rules of ctx.sessions that need care (MN1, MN2, AT1 to AT3, PM1). */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { afterEach, expect, test, vi } from 'vitest';
import { archiveSession, deleteSession } from '../../app/manage-session.ts';
import { minitoolLimits } from '../../app/minitool-limits.ts';
import { ModelError } from '../../ports/model.ts';
import { builtin, createClient, fresh } from '../../testing/harness/client.ts';
import { createGate, type Gate } from '../../testing/harness/gate.ts';
import { addMinitool, type TestMinitool } from '../../testing/harness/minitool.ts';
import { eventually, settle } from '../../testing/harness/settle.ts';
import { openWorld, type World, type WorldOptions } from '../../testing/harness/world.ts';
import type { Created } from './create.ts';
import type { SendReceipt } from './send.ts';
import { callerOf } from './services.ts';
import type { TurnResult } from './turn-result.ts';

let world: World;
let tool: TestMinitool;
afterEach(async () => {
  await tool.end();
  await world.close();
});
const open = async (sketch: Parameters<ReturnType<typeof createClient>['agent']>[0] = {}, options: WorldOptions = {}): Promise<string> => {
  world = await openWorld(options);
  await createClient(world).agent(sketch);
  tool = await addMinitool(world);
  return (await create({ containerId: 'inbox' })).sessionId;
};
const create = (options: object): Promise<Created> => tool.call('create', options);
const message = (text: string, idempotencyKey = fresh('key')) => ({ text, idempotencyKey });
const send = (session: string, said: object): Promise<SendReceipt> => tool.call('send', session, said);
const wait = (session: string, turn: string, timeoutMs?: unknown): Promise<TurnResult> =>
  tool.call('waitForTurn', session, turn, timeoutMs === undefined ? {} : { timeoutMs });
const turnOf = (receipt: SendReceipt): string => (receipt.state === 'rejected' ? '' : receipt.turnId);
/** A turn that hangs at a gate: what is sent behind it waits. */
const hold = async (session: string): Promise<Gate> => {
  const gate = createGate();
  const text = fresh('hold');
  world.model.when(text, [{ gate }, { text: 'held' }]);
  await send(session, message(text));
  await gate.reached;
  return gate;
};
const caller = () => callerOf(tool.asking);

test('a message is accepted with its place in the queue, and its turn comes to a result', async () => {
  const session = await open();
  const first = await send(session, message('one', 'k1'));
  expect(first).toEqual({
    sessionId: session,
    turnId: turnOf(first),
    clientMessageId: 'k1',
    state: 'accepted',
    queued: false,
    pendingCount: 1,
    queuePosition: 0,
  });
  expect(await wait(session, turnOf(first))).toEqual({
    ...{ state: 'completed', sessionId: session, turnId: turnOf(first), outputText: 'echo: one', messageIds: [expect.any(String)] },
    completedAt: new Date(world.clock.now()).toISOString(),
  });
  const gate = await hold(session);
  expect(await send(session, message('two'))).toMatchObject({ queued: true, pendingCount: 2, queuePosition: 1 });
  gate.open();
});

test('MN1 the same key is the original receipt, also with other content, which is told', async () => {
  const session = await open();
  const first = await send(session, message('one', 'k1'));
  await wait(session, turnOf(first));
  expect(await send(session, message('one', 'k1'))).toEqual({ ...first, state: 'duplicate' });
  expect(tool.said).toEqual([]);
  expect(await send(session, message('one, edited', 'k1'))).toEqual({ ...first, state: 'duplicate', contentDiffers: true });
  expect(tool.said.join()).toContain('other content');
  // The key is of the session, and compared as it is.
  const elsewhere = (await create({ containerId: 'inbox' })).sessionId;
  expect(await send(elsewhere, message('one', 'k1'))).toMatchObject({ state: 'accepted' });
  expect(await send(session, message('one', 'K1'))).toMatchObject({ state: 'accepted' });
  const twins = await Promise.all([1, 2, 3].map(() => send(session, message('at once', 'k2'))));
  expect(new Set(twins.map(turnOf)).size).toBe(1);
  expect(twins.map(({ state }) => state).toSorted()).toEqual(['accepted', 'duplicate', 'duplicate']);
});

test('MN2 a full session rejects as an answer; what is rejected is not remembered', async () => {
  const session = await open();
  const gate = await hold(session);
  const sent = [];
  for (let n = 1; n < minitoolLimits.sessionTurns; n += 1) sent.push(await send(session, message(`m${n}`, `m${n}`)));
  expect(sent.every(({ state }) => state === 'accepted')).toBe(true);
  const rejected = {
    sessionId: session,
    state: 'rejected',
    queued: false,
    code: 'queue_full',
    scope: 'session',
    pendingCount: 20,
    limit: 20,
    retryAfterMs: 1000,
  };
  expect(await send(session, message('too many', 'late'))).toEqual(rejected);
  // A repeat is no new message.
  expect(await send(session, message('m1', 'm1'))).toMatchObject({ state: 'duplicate' });
  expect(await send(session, message('m1, edited', 'm1'))).toMatchObject({ state: 'duplicate', contentDiffers: true });
  gate.open();
  for (const receipt of sent) await wait(session, turnOf(receipt));
  expect(await send(session, message('too many', 'late'))).toMatchObject({ state: 'accepted' });
});

test('a mini-tool has 200 unfinished turns over all its sessions; a create is refused then and leaves nothing', async () => {
  const session = await open({}, { limitsOf: (owner) => (owner.startsWith('minitool:') ? { unfinished: 3 } : undefined) });
  const gate = await hold(session);
  const other = (await create({ containerId: 'inbox' })).sessionId;
  await send(session, message('two'));
  await send(session, message('three'));
  expect(await send(other, message('four', 'k4'))).toMatchObject({ state: 'rejected', scope: 'minitool', pendingCount: 3, limit: 3 });
  expect(await tool.refusal('create', { containerId: 'inbox', initialMessage: message('five') })).toMatchObject({
    code: 'queue_full',
    details: { scope: 'minitool' },
  });
  expect(((await tool.call('list')) as Created[]).length).toBe(2);
  gate.open();
  await eventually('room', async () => (await send(other, message('four', 'k4'))).state === 'accepted', { clock: world.clock });
});

test('the limit of a mini-tool is 200 where nothing else is set', async () => {
  await open();
  expect(world.engine.app.sessions.limits.of(tool.owner)).toEqual({ unfinished: 200 });
  expect(minitoolLimits).toMatchObject({ sessionTurns: 20, turns: 200 });
});

test('MN1 an archived session takes nothing new, and answers a repeat', async () => {
  const session = await open();
  const first = await send(session, message('one', 'k1'));
  await wait(session, turnOf(first));
  await archiveSession(world.engine.app, caller(), session, true);
  expect(await send(session, message('one', 'k1'))).toMatchObject({ state: 'duplicate' });
  expect(await tool.refusal('send', session, message('two'))).toMatchObject({ code: 'session_archived' });
  expect(await tool.call('list')).toEqual([]);
  expect(await tool.call('list', { includeArchived: true })).toMatchObject([{ sessionId: session, state: { archived: true } }]);
});

test('messages that do not fit are refused by their member', async () => {
  const session = await open();
  const refused = async (said: unknown, options?: unknown) => {
    const { code, details } = await tool.refusal('send', session, said, options);
    return [code, details?.['member']];
  };
  expect(await refused({ text: 'hi' })).toEqual(['invalid_argument', 'message.idempotencyKey']);
  expect(await refused(message('hi', ' '))).toEqual(['invalid_argument', 'message.idempotencyKey']);
  expect(await refused(message('hi', 'x'.repeat(513)))).toEqual(['invalid_argument', 'message.idempotencyKey']);
  expect(await refused(message(''))).toEqual(['invalid_argument', 'message.text']);
  expect(await refused(message('x'.repeat(100_001)))).toEqual(['invalid_argument', 'message.text']);
  expect(await refused(message('hi'), { delivery: 'now' })).toEqual(['invalid_argument', 'options.delivery']);
  const eleven = Array.from({ length: 11 }, () => tool.attachment('x'));
  expect(await refused({ ...message('hi'), attachments: eleven })).toEqual(['invalid_argument', 'message.attachments']);
  // Whose session it is comes first.
  expect(await tool.refusal('send', 'ses_other', {})).toMatchObject({ code: 'not_found' });
  expect(await send(session, message('😀'.repeat(100_000)))).toMatchObject({ state: 'accepted' });
});

test('AT4 what many messages attach is not in memory all at once', async () => {
  const session = await open();
  const attachments = [tool.attachment(Buffer.alloc(minitoolLimits.attachmentBytes))];
  const { files } = world.engine.app;
  let [most, under, mostUnder] = [0, 0, 0];
  const keep = vi.spyOn(files, 'keep').mockImplementation(async () => {
    under += 1;
    [most, mostUnder] = [Math.max(most, tool.room.bytesOf(tool.id)), Math.max(mostUnder, under)];
    await settle(8);
    under -= 1;
    throw new TurnkeeperError('storage_unavailable', 'It is full.');
  });
  const refusals = await Promise.all(Array.from({ length: 6 }, () => tool.refusal('send', session, { ...message('hi'), attachments })));
  keep.mockRestore();
  expect(refusals.map(({ code }) => code)).toEqual(Array(6).fill('storage_unavailable'));
  expect(most).toBe(3 * minitoolLimits.attachmentBytes);
  expect(mostUnder).toBeLessThanOrEqual(3);
  expect(tool.room.bytesOf(tool.id)).toBe(0);
});

test('AT1 AT2 attachments: only plain files of the outbox, and no more than they may be', async () => {
  const session = await open();
  const refused = async (...attachments: readonly object[]) => (await tool.refusal('send', session, { ...message('hi'), attachments })).code;
  expect(await refused({ ...tool.attachment('x'), file: '../x' })).toBe('invalid_argument');
  expect(await refused({ ...tool.attachment('x'), file: 'gone' })).toBe('invalid_argument');
  symlinkSync('/etc/hostname', join(tool.asking.outboxPath, 'link'));
  expect(await refused({ ...tool.attachment('x'), file: 'link' })).toBe('invalid_argument');
  expect(await refused({ ...tool.attachment('x'), file: '.' })).toBe('invalid_argument');
  const half = tool.attachment(Buffer.alloc(minitoolLimits.attachmentBytes / 2 + 1));
  expect(await refused(half, half)).toBe('invalid_argument');
  expect((await world.stores.files.files(session, { offset: 0, limit: 10 })).length).toBe(0);
  const one = {
    ...message('', 'k1'),
    attachments: [tool.attachment('hello', { name: 'a.txt' }), tool.attachment('moving', { name: 'b.mp4', mimeType: 'video/mp4' })],
  };
  const receipt = await send(session, one);
  await wait(session, turnOf(receipt));
  const files = await world.stores.files.files(session, { offset: 0, limit: 10 });
  expect(files.map(({ name, size }) => [name, size])).toEqual([
    ['a.txt', 5],
    ['b.mp4', 6],
  ]);
  // AT3 What its model cannot be shown is named.
  expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).toContain('[Attached file: uploads/b.mp4 (video/mp4, 6 bytes)]');
  expect(await send(session, one)).toMatchObject({ state: 'duplicate' });
  expect((await send(session, { ...one, attachments: one.attachments.slice(0, 1) })) as unknown).toMatchObject({ state: 'duplicate', contentDiffers: true });
  expect((await world.stores.files.files(session, { offset: 0, limit: 10 })).length).toBe(2);
});

test('files of a message that was rejected are nobody’s', async () => {
  const session = await open({}, { limitsOf: (owner) => (owner.startsWith('minitool:') ? { unfinished: 1 } : undefined) });
  const gate = await hold(session);
  expect(await send(session, { ...message('hi'), attachments: [tool.attachment('x')] })).toMatchObject({ state: 'rejected' });
  expect(await world.stores.files.files(session, { offset: 0, limit: 10 })).toEqual([]);
  gate.open();
});

test('waiting: a wait is clamped to 1 s … 600 s, its end ends no turn, and what has settled is told at once', async () => {
  const session = await open();
  const gate = await hold(session);
  const { turnId = '' } = (await send(session, message('behind'))) as { turnId?: string };
  const lasts = async (timeoutMs: unknown): Promise<number> => {
    const began = world.clock.now();
    let result: TurnResult | undefined;
    void wait(session, turnId, timeoutMs).then((found) => {
      result = found;
    });
    for (let n = 0; n < 20; n += 1) await settle(4);
    while (!result) {
      await world.clock.advance(500);
      await settle(4);
    }
    expect(result).toEqual({ state: 'timeout', sessionId: session, turnId });
    return world.clock.now() - began;
  };
  for (const timeoutMs of [5, 0, -1]) expect(await lasts(timeoutMs)).toBeLessThanOrEqual(1_500);
  expect(await lasts(undefined)).toBeGreaterThanOrEqual(60_000);
  expect(await lasts(1e9)).toBeGreaterThanOrEqual(600_000);
  for (const timeoutMs of [null, 'soon', Number.NaN])
    expect(await tool.refusal('waitForTurn', session, turnId, { timeoutMs })).toMatchObject({ code: 'invalid_argument' });
  expect(await tool.refusal('waitForTurn', session, 'turn_other')).toMatchObject({ code: 'not_found' });
  gate.open();
  expect(await wait(session, turnId)).toMatchObject({ state: 'completed' });
  expect(await wait(session, turnId, 0)).toMatchObject({ state: 'completed', outputText: 'echo: behind' });
  const elsewhere = (await create({ containerId: 'inbox' })).sessionId;
  expect(await tool.refusal('waitForTurn', elsewhere, turnId)).toMatchObject({ code: 'not_found' });
});

test('waiting goes on while the turn waits for an approval, and after a restart it is simply asked for again', async () => {
  const session = await open({ tools: [builtin('effect', { permission: 'always_ask' } as never)] });
  world.model.when('pay', [{ call: 'effect' }], [{ text: 'paid' }]);
  const turn = turnOf(await send(session, message('pay')));
  const waiting = wait(session, turn);
  let done = false;
  void waiting
    .finally(() => {
      done = true;
    })
    .catch(() => {});
  const [asked] = await eventually(
    'a wait',
    async () =>
      ((await tool.call('listWaits', session)) as { requestId: string }[]).length > 0 && ((await tool.call('listWaits', session)) as { requestId: string }[]),
  );
  await settle(8);
  expect(done).toBe(false);
  expect(await tool.call('respondToWait', session, asked?.requestId, { kind: 'permission', allow: true })).toMatchObject({ state: 'accepted' });
  expect(await waiting).toMatchObject({ state: 'completed', outputText: 'paid' });
});

test('failures: the turn’s code; a cancelled turn, a deleted session', async () => {
  const session = await open();
  world.model.when('fail', [{ fails: () => new ModelError('no', { code: 'model_not_configured', retryable: false }) }]);
  const failed = turnOf(await send(session, message('fail')));
  expect(await wait(session, failed)).toMatchObject({ state: 'failed', code: 'model_not_configured', retryable: false, failedAt: expect.any(String) });
  const gate = await hold(session);
  const queued = turnOf(await send(session, message('queued')));
  expect(await tool.call('cancelTurn', session, queued)).toBe(true);
  expect(await wait(session, queued)).toMatchObject({ state: 'failed', code: 'cancelled', retryable: false });
  expect(await tool.call('cancelTurn', session, queued)).toBe(false);
  expect(await tool.refusal('cancelTurn', session, 'turn_other')).toMatchObject({ code: 'not_found' });
  const behind = turnOf(await send(session, message('behind')));
  const waiting = wait(session, behind);
  await settle(8);
  await deleteSession(world.engine.app, caller(), session);
  expect(await waiting).toMatchObject({ state: 'failed', code: 'session_deleted', retryable: false, turnId: behind });
  gate.open();
});

test('PM1 the mode is set from the next step on; ask asks, acceptCalls does not', async () => {
  const session = await open({ tools: [builtin('effect', { permission: undefined } as never)] });
  world.model.when('act', [{ call: 'effect' }], [{ text: 'done' }]);
  const asked = turnOf(await send(session, message('act')));
  await eventually('a wait', async () => ((await tool.call('listWaits', session)) as unknown[]).length > 0);
  await tool.call('cancelTurn', session, asked);
  await wait(session, asked);
  await tool.call('setPermissionMode', session, 'acceptCalls');
  expect(await wait(session, turnOf(await send(session, message('act'))))).toMatchObject({ state: 'completed' });
  expect(world.tools.count('effect')).toBe(1);
  await tool.call('setPermissionMode', session, 'ask');
  await world.restart();
  await tool.reopened();
  await send(session, message('act'));
  await eventually('a wait again', async () => ((await tool.call('listWaits', session)) as unknown[]).length > 0);
  expect(await tool.refusal('setPermissionMode', session, 'never')).toMatchObject({ code: 'invalid_argument' });
});
