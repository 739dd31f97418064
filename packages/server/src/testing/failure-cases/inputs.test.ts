/** Steer and inject while everything else goes on (cases 20, 21, 22), over restarts, and what a busy session makes of a submission. */
import { isSessionId } from '@turnkeeper/core/session/ids';
import type { InputBody } from '@turnkeeper/core/view/input';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { turnCapabilities } from '../../app/capabilities.ts';
import { readQueue, removeFromQueue, reorderQueue } from '../../app/queue.ts';
import { readSnapshot } from '../../app/read-snapshot.ts';
import { readCommand } from '../../app/read-turn.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { ModelError } from '../../ports/model.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, type Client, createClient, external, fresh } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { createRandom, seedOf } from '../harness/random.ts';
import { settle } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
let client: Client;
let session: string;
beforeEach(async () => {
  world = await openWorld();
  client = createClient(world);
  session = await client.session(await client.agent({ tools: [builtin('look'), external('pay')], maxIters: 4 }));
});
afterEach(async () => {
  const { faults } = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
  await world.close();
  expect([...faults, ...world.model.faults()]).toEqual([]);
});

const inputs = async (): Promise<Readonly<Record<string, InputBody>>> => {
  const snapshot = await readSnapshot(world.engine.app, ann, session, 100);
  return Object.fromEntries(snapshot.inputs.map(({ data }) => [data.input_id, data]));
};
const statusOf = async (input: string) => (await inputs())[input]?.status;
/** What users said, as the model was shown it at its n-th call. */
const shown = (n: number): readonly string[] =>
  (world.model.calls.at(n)?.request.messages ?? []).flatMap((message) =>
    message.role === 'user' ? message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : [],
  );
const submit = (message: string, onBusy: 'queue' | 'steer' | 'reject' | 'interrupt', key = fresh('submit')) =>
  submitTurn(world.engine.app, ann, session, { message, onBusy }, key);
const refused = (code: string) => expect.objectContaining({ code });

test('case 20: a steer reaches the turn that runs, between its steps; the queued one runs after it, unchanged', async () => {
  const gate = createGate();
  world.model.when('first', [{ text: 'let me see' }, { gate }, { call: 'look' }]);
  const first = await client.submit(session, 'first');
  await gate.reached;
  const [second, input] = await Promise.all([client.submit(session, 'second'), client.steer(session, first, 'be brief')]);
  expect(await statusOf(input)).toBe('accepted');
  gate.open();
  expect(await client.until(session, first)).toMatchObject({ status: 'completed', outputText: 'echo: be brief' });
  expect(await client.until(session, second)).toMatchObject({ outputText: 'echo: second' });
  expect([0, 1, 2].map(shown)).toEqual([['first'], ['first', 'be brief'], ['first', 'be brief', 'second']]);
  const body = (await inputs())[input];
  expect(body).toMatchObject({ kind: 'steer', status: 'applied', turn_id: first, input: [{ role: 'user', content: [{ type: 'text', text: 'be brief' }] }] });
  const { command } = await readCommand(world.engine.app, ann, session, first, body?.command_id ?? '');
  expect(command).toMatchObject({ kind: 'steer', status: 'completed' });
});

test('case 21: a steer while the last answer is being said is heard in one more step', async () => {
  const gate = createGate();
  world.model.when('go', [{ text: 'almost' }, { gate }, { text: ' done' }]);
  const turn = await client.submit(session, 'go');
  await gate.reached;
  const input = await client.steer(session, turn, 'one more thing');
  gate.open();
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'echo: one more thing' });
  expect(await statusOf(input)).toBe('applied');
  expect(shown(0)).toEqual(['go']);
});

test('case 21: at the step limit it is rejected with its receipt, and the turn ends as it is', async () => {
  const gate = createGate();
  world.model.when('go', [{ call: 'look' }], [{ call: 'look' }], [{ call: 'look' }], [{ text: 'the end' }, { gate }]);
  const turn = await client.submit(session, 'go');
  await gate.reached;
  const input = await client.steer(session, turn, 'too late');
  gate.open();
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'the end' });
  const body = (await inputs())[input];
  expect(body).toMatchObject({ status: 'rejected', reason: 'max_steps' });
  expect((await readCommand(world.engine.app, ann, session, turn, body?.command_id ?? '')).command).toMatchObject({
    status: 'failed',
    error_code: 'turn_closed',
  });
  await expect(client.steer(session, turn, 'later')).rejects.toEqual(refused('turn_closed'));
});

const rounds = Number(process.env['RACES'] ?? 60);
const seed = seedOf('SEED');

test(`case 21: ${rounds} races of steers with the end of a turn (SEED=${seed}): each is used, or rejected with a receipt, or refused`, {
  timeout: 60_000,
}, async () => {
  const random = createRandom(seed);
  const met = new Set<string>();
  for (let n = 0; n < rounds; n += 1) {
    const gate = createGate();
    world.model.when(`race ${n}`, [{ text: 'a' }, { call: 'look' }], [{ text: 'b' }, { gate }, { text: 'c' }]);
    const turn = await client.submit(session, `race ${n}`);
    await gate.reached;
    const said = Array.from({ length: 1 + random.below(3) }, async (_, place) => {
      await settle(random.below(14));
      return client.steer(session, turn, `mind ${n}.${place}`).catch((error: { code?: string }) => {
        expect(error.code).toBe('turn_closed');
        return undefined;
      });
    });
    await settle(random.below(6));
    gate.open();
    if (random.chance(0.2)) await client.cancel(session, turn).catch(() => {});
    const ids = await Promise.all(said);
    const done = await client.until(session, turn);
    const all = await inputs();
    for (const id of ids) {
      const status = id === undefined ? 'refused' : all[id]?.status;
      expect(status, `round ${n}, ${done.status}`).not.toBe('accepted');
      met.add(`${done.status} ${status}`);
    }
  }
  expect([...met]).toContain('completed applied');
});

test('case 22: an open action, a waiting steer, then the answer: the answer is handled first', async () => {
  world.model.when('go', [{ call: 'pay' }]);
  const turn = await client.submit(session, 'go');
  await client.until(session, turn, 'requires_action');
  const input = await client.steer(session, turn, 'and hurry');
  await settle(20);
  expect([await statusOf(input), (await client.turn(session, turn)).status]).toEqual(['accepted', 'requires_action']);
  const [action] = await client.actions(session, turn);
  await client.answer(session, turn, action?.request_id ?? '', { output: 'paid' });
  await client.until(session, turn);
  expect(world.model.calls.at(-1)?.request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(await statusOf(input)).toBe('applied');
});

test('inputs outlive the process: a steer of a queued turn and an inject are used after the restart, in order', async () => {
  const gate = createGate();
  world.model.when('first', [{ gate }]);
  const first = await client.submit(session, 'first');
  await gate.reached;
  const second = await client.submit(session, 'second');
  const [steer, inject] = [await client.steer(session, second, 'mind'), await client.inject(session, 'know')];
  world.model.when('first', [{ text: 'again' }]);
  await world.restart();
  await client.until(session, first);
  await client.until(session, second);
  expect(await inputs()).toMatchObject({ [steer]: { status: 'applied', turn_id: second }, [inject]: { status: 'applied', turn_id: first } });
  expect(shown(-1)).toEqual(['first', 'know', 'second', 'mind']);
});

test('inject starts no turn, and the next one hears it', async () => {
  const input = await client.inject(session, 'the house is blue', 'key');
  expect(await client.inject(session, 'the house is blue', 'key')).toBe(input);
  await expect(client.inject(session, 'red', 'key')).rejects.toEqual(refused('idempotency_conflict'));
  await settle(20);
  expect(world.model.calls).toHaveLength(0);
  const turn = await client.submit(session, 'what colour?');
  await client.until(session, turn);
  expect(shown(0)).toEqual(['what colour?', 'the house is blue']);
  expect((await inputs())[input]).toMatchObject({ kind: 'inject', status: 'applied', turn_id: turn });
});

test('what was not used is closed with the turn: cancelled while it waits, and failed', async () => {
  world.model.when('go', [{ call: 'pay' }]);
  const waiting = await client.submit(session, 'go');
  await client.until(session, waiting, 'requires_action');
  const first = await client.steer(session, waiting, 'a');
  expect((await turnCapabilities(world.engine.app, ann, session, waiting)).available_commands).toEqual(['cancel', 'steer', 'actions']);
  await client.cancel(session, waiting);
  expect((await inputs())[first]).toMatchObject({ status: 'rejected', reason: 'cancelled' });
  const gate = createGate();
  world.model.when('fails', [{ gate }, { fails: () => new ModelError('broken', { retryable: false }) }]);
  const failing = await client.submit(session, 'fails');
  await gate.reached;
  const second = await client.steer(session, failing, 'b');
  gate.open();
  expect(await client.until(session, failing)).toMatchObject({ status: 'failed' });
  expect((await inputs())[second]).toMatchObject({ status: 'rejected', reason: 'failed' });
});

test('a busy session: reject, steer and interrupt; an idle one takes each as a turn (BP2)', async () => {
  const gate = createGate();
  world.model.when('first', [{ text: 'a' }, { gate }]);
  const first = (await submit('first', 'reject')).answer.id;
  await gate.reached;
  await expect(submit('x', 'reject')).rejects.toEqual(refused('session_busy'));
  const steered = await submit('mind', 'steer', 'key');
  expect(steered.answer).toMatchObject({ id: first, status: 'running', inputId: expect.stringMatching(/^inp_/) });
  expect(await submit('mind', 'steer', 'key')).toEqual({ ...steered, replayed: true });
  await expect(submit('mind', 'queue', 'key')).rejects.toEqual(refused('idempotency_conflict'));
  const queued = (await submit('queued', 'queue')).answer.id;
  const next = await submit('next', 'interrupt', 'now');
  expect(next.answer).toMatchObject({ status: 'queued', queuePosition: 1 });
  expect((await submit('next', 'interrupt', 'now')).replayed).toBe(true);
  expect(await client.until(session, first)).toMatchObject({ status: 'cancelled' });
  expect(await client.until(session, next.answer.id)).toMatchObject({ outputText: 'echo: next' });
  expect(await client.until(session, queued)).toMatchObject({ outputText: 'echo: queued' });
  expect(world.model.calls.map(({ text }) => text)).toEqual(['first', 'next', 'queued']);
  const idle = (await submit('idle', 'steer')).answer;
  expect(idle.inputId).toBeUndefined();
  expect(await client.until(session, idle.id)).toMatchObject({ outputText: 'echo: idle' });
});

test('interrupt ends a turn that waits for people at once, and is refused whole when the queue is full (BP1)', async () => {
  world.model.when('go', [{ call: 'pay' }]);
  const waiting = await client.submit(session, 'go');
  await client.until(session, waiting, 'requires_action');
  const others = [];
  for (let n = 1; n < 20; n += 1) others.push(await client.submit(session, `other ${n}`));
  const next = await submit('next', 'interrupt');
  expect((await client.turn(session, waiting)).status).toBe('cancelled');
  await client.until(session, next.answer.id);
  for (const other of others) await client.until(session, other);
  expect(world.model.calls.map(({ text }) => text).slice(1, 3)).toEqual(['next', 'other 1']);
  const gate = createGate();
  world.model.when('runs', [{ gate }]);
  const running = await client.submit(session, 'runs');
  await gate.reached;
  for (let n = 1; n < 20; n += 1) await client.submit(session, `more ${n}`);
  await expect(submit('over', 'interrupt')).rejects.toEqual(refused('queue_full'));
  expect((await client.turn(session, running)).status).toBe('running');
  gate.open();
  await client.until(session, running);
});

test('the queue is listed, reordered and left by turns; an order for another queue is refused (QV1)', async () => {
  const { app } = world.engine;
  const gate = createGate();
  world.model.when('first', [{ gate }]);
  const first = await client.submit(session, 'first');
  await gate.reached;
  const [a, b, c] = [await client.submit(session, 'a'), await client.submit(session, 'b'), await client.submit(session, 'c')];
  const before = await readQueue(app, ann, session);
  expect(before).toMatchObject({ current: { id: first, status: 'running' }, items: [a, b, c].map((id, n) => ({ id, queuePosition: n + 1 })) });
  const after = await reorderQueue(app, ann, session, { order: [c, a, b], version: before.version });
  expect(after.items.map(({ id, queuePosition }) => [id, queuePosition])).toEqual([
    [c, 1],
    [a, 2],
    [b, 3],
  ]);
  expect((await client.turn(session, b)).queuePosition).toBe(3);
  await expect(reorderQueue(app, ann, session, { order: [a, b, c], version: before.version })).rejects.toEqual(refused('version_conflict'));
  await expect(reorderQueue(app, ann, session, { order: [a, b] })).rejects.toEqual(refused('version_conflict'));
  await removeFromQueue(app, ann, { sessionId: session, turnId: a }, 'remove');
  await expect(removeFromQueue(app, ann, { sessionId: session, turnId: first }, 'other')).rejects.toEqual(refused('turn_not_queued'));
  gate.open();
  await client.until(session, b);
  expect(world.model.calls.map(({ text }) => text)).toEqual(['first', 'c', 'b']);
  expect((await client.turn(session, a)).status).toBe('cancelled');
});

test('what the model cannot be shown, and a file that is not there, is refused by its place; nothing is stored (UI1)', async () => {
  const { app } = world.engine;
  const block = (type: 'video' | 'image') => ({ type, source: { type: 'base64', media_type: `${type}/x`, data: 'AAAA' } }) as const;
  const input = [{ role: 'user' as const, content: [block('image'), block('video'), { type: 'file' as const, file_id: 'file_none' }] }];
  await expect(submitTurn(app, ann, session, { input }, fresh('submit'))).rejects.toMatchObject({
    code: 'validation_failed',
    details: { errors: [{ pointer: '/input/0/content/1' }, { pointer: '/input/0/content/2/file_id' }] },
  });
  const loaded = isSessionId(session) ? await world.store.load(session) : undefined;
  expect(loaded?.head.seq).toBe(1);
});

test('a file is given by its id, and read when the model is called', async () => {
  const { app } = world.engine;
  const kept = await app.files.keep(
    session,
    (async function* () {
      yield new TextEncoder().encode('the house is blue');
    })(),
  );
  const file = { id: 'file_1', sessionId: session, name: 'house.txt', mediaType: 'text/plain', path: null, source: 'upload', createdAt: 1, ...kept } as const;
  expect(await app.files.index.add(file, { limits: { files: 10, bytes: 1_000 } })).toBe('added');
  const input = [
    {
      role: 'user' as const,
      content: [
        { type: 'text' as const, text: 'look' },
        { type: 'file' as const, file_id: 'file_1' },
      ],
    },
  ];
  const { answer } = await submitTurn(app, ann, session, { input }, fresh('submit'));
  await client.until(session, answer.id);
  const request = world.model.calls.at(-1)?.request;
  expect(request?.messages[0]).toEqual(input[0]);
  expect(new TextDecoder().decode(request?.files?.get('file_1')?.bytes)).toBe('the house is blue');
});
