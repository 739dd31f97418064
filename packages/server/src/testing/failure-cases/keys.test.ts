/** Keys, quotas, ownership and limits of requests (cases 8, 18, 19, 36, 39). */
import { afterEach, expect, test } from 'vitest';
import { answerActions } from '../../app/answer-actions.ts';
import { sessionCapabilities, turnCapabilities } from '../../app/capabilities.ts';
import { cancelTurn, resumeTurn } from '../../app/control-turn.ts';
import { createSession } from '../../app/create-session.ts';
import { listActions } from '../../app/list-actions.ts';
import { archiveSession, changeSession, deleteSession } from '../../app/manage-session.ts';
import { readEvent, readEvents } from '../../app/read-events.ts';
import { readResources, readTurnUsage, readUsage } from '../../app/read-resources.ts';
import { readSession } from '../../app/read-sessions.ts';
import { readSnapshot, readTurnSnapshot } from '../../app/read-snapshot.ts';
import { listTurns, readCommand, readTurn, waitForTurn } from '../../app/read-turn.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, bob, builtin, createClient, external, fresh } from '../harness/client.ts';
import { eventually } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
const open = async () => {
  world = await openWorld();
  return createClient(world);
};
afterEach(() => world.close());
const check = async (session: string) => {
  const { faults, log } = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
  expect([...faults, ...world.model.faults()]).toEqual([]);
  return log;
};

test('case 18: one submission three times at once is one turn; other content under its key is a conflict', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const answers = await Promise.all(Array.from({ length: 50 }, () => submitTurn(world.engine.app, ann, session, { message: 'hi' }, 'K')));
  expect(new Set(answers.map(({ answer }) => answer.id)).size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  await expect(client.submit(session, 'other', 'K')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  const atOnce = await Promise.allSettled([client.submit(session, 'a', 'L'), client.submit(session, 'b', 'L')]);
  expect(atOnce.map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
  await client.until(session, await client.submit(session, 'a', 'L'));
  const log = await check(session);
  expect(log.filter(({ event }) => event.type === 'turn.accepted')).toHaveLength(2);
});

test('sessions created at the same moment under one key are one', async () => {
  const client = await open();
  const agent = await client.agent();
  const made = await Promise.all(Array.from({ length: 10 }, () => createSession(world.engine.app, ann, { agent, initialMessage: { message: 'hi' } }, 'same')));
  expect(new Set(made.map(({ answer }) => `${answer.id} ${answer.turnId}`)).size).toBe(1);
  expect(await client.until(made[0]?.answer.id ?? '', made[0]?.answer.turnId ?? '')).toMatchObject({ status: 'completed' });
});

test("the key of a creation is its first turn's key too (U1)", async () => {
  const client = await open();
  const agent = await client.agent();
  const initialMessage = { message: 'hi', metadata: { n: 1 } };
  const { answer: made } = await createSession(world.engine.app, ann, { agent, initialMessage }, 'both');
  const again = await submitTurn(world.engine.app, ann, made.id, initialMessage, 'both');
  expect(again).toMatchObject({ replayed: true, answer: { id: made.turnId, sessionId: made.id, status: 'queued', queuePosition: 0 } });
  await expect(submitTurn(world.engine.app, ann, made.id, { message: 'other' }, 'both')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  await client.until(made.id, made.turnId ?? '');
  const log = await check(made.id);
  expect(log.filter(({ event }) => event.type === 'turn.accepted')).toHaveLength(1);
});

test('case 19: a key, a restart, many other keys, the key again: the original receipt', async () => {
  const client = await open();
  const agent = await client.agent();
  const session = await client.session(agent);
  const first = await submitTurn(world.engine.app, ann, session, { message: 'hi' }, 'K');
  await world.restart();
  for (let n = 0; n < 100; n += 1) await Promise.all(Array.from({ length: 20 }, () => client.session(agent)));
  const again = await submitTurn(world.engine.app, ann, session, { message: 'hi' }, 'K');
  expect(again).toEqual({ answer: first.answer, replayed: true });
});

test('the 21st unfinished turn is refused and uses up no key; a repeat is answered though the queue is full or archived', async () => {
  const client = await open();
  world.model.when('0', [{ call: 'slow' }], [{ text: 'at last' }]);
  const session = await client.session(await client.agent({ tools: [builtin('slow')] }));
  const turns: string[] = [];
  for (let n = 0; n < 20; n += 1) turns.push(await client.submit(session, String(n), `key-${n}`));
  await expect(client.submit(session, '20', 'key-20')).rejects.toMatchObject({
    code: 'queue_full',
    details: { scope: 'session', limit: 20, pending_count: 20, retry_after_ms: 1000 },
  });
  expect(await client.submit(session, '5', 'key-5')).toBe(turns[5]);
  await archiveSession(world.engine.app, ann, session, true);
  await expect(client.submit(session, 'no', 'other')).rejects.toMatchObject({ code: 'session_archived' });
  expect(await client.submit(session, '7', 'key-7')).toBe(turns[7]);
  await eventually('the tool runs', () => world.tools.gate.waiting() === 1);
  world.tools.gate.open();
  const ended = [];
  for (const turn of turns) ended.push((await client.until(session, turn)).outputText);
  expect(ended).toEqual(['at last', ...Array.from({ length: 19 }, (_, n) => `echo: ${n + 1}`)]);
  await archiveSession(world.engine.app, ann, session, false);
  expect(await client.until(session, await client.submit(session, '20', 'key-20'))).toMatchObject({ status: 'completed' });
  await check(session);
});

test('I2 a repeat is answered when the turn is closed, and while nothing can be written; a first call reads no receipt', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'pay' }]);
  const session = await client.session(await client.agent({ tools: [external('pay')] }));
  const reads = world.faulty.calls('receipt');
  const submitted = await submitTurn(world.engine.app, ann, session, { message: 'x' }, 'S');
  const turn = submitted.answer.id;
  await client.until(session, turn, 'requires_action');
  const cancelled = await cancelTurn(world.engine.app, ann, session, turn, 'C');
  expect(world.faulty.calls('receipt')).toBe(reads);
  expect(await cancelTurn(world.engine.app, ann, session, turn, 'C')).toEqual({ ...cancelled, replayed: true });
  await expect(cancelTurn(world.engine.app, ann, session, turn, 'D')).rejects.toMatchObject({ code: 'turn_closed' });
  world.faulty.inject({ method: 'write', call: 1, times: 100, effect: { kind: 'refused' } });
  expect(await submitTurn(world.engine.app, ann, session, { message: 'x' }, 'S')).toEqual({ ...submitted, replayed: true });
  await expect(client.submit(session, 'y', 'S')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  await expect(client.submit(session, 'y', 'T')).rejects.toMatchObject({ code: 'storage_unavailable' });
  world.faulty.inject({ method: 'receipt', call: 1, effect: { kind: 'refused' } });
  await expect(client.submit(session, 'x', 'S')).rejects.toMatchObject({ code: 'storage_unavailable' });
  world.faulty.release();
  await check(session);
});

test('the input of a turn that starts with its acceptance is kept once; one that waits keeps it until it starts', async () => {
  const client = await open();
  world.model.when('one', [{ call: 'slow' }], [{ text: 'done' }]);
  const session = await client.session(await client.agent({ tools: [builtin('slow')] }));
  const turns = [await client.submit(session, 'one'), await client.submit(session, 'two')];
  const sid = (await world.store.load(session as never))?.head.sid ?? 0;
  expect([await world.store.payload(sid, 1), await world.store.payload(sid, 2)]).toEqual([undefined, expect.stringContaining('two')]);
  await world.restart();
  world.tools.gate.open();
  expect((await client.until(session, turns[1] ?? '')).outputText).toBe('echo: two');
  expect((await client.turn(session, turns[0] ?? '')).outputText).toBe('done');
});

test('case 36: another owner meets the same refusal everywhere as for an id that does not exist', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'pay' }]);
  const session = await client.session(await client.agent({ tools: [external('pay')] }));
  const turn = await client.submit(session, 'x');
  await client.until(session, turn, 'requires_action');
  const [action] = await client.actions(session);
  const { app } = world.engine;
  const uses: readonly ((id: string) => Promise<unknown>)[] = [
    (id) => readSession(app, bob, id),
    (id) => changeSession(app, bob, id, { title: 'mine' }),
    (id) => archiveSession(app, bob, id, true),
    (id) => archiveSession(app, bob, id, false),
    (id) => deleteSession(app, bob, id),
    (id) => submitTurn(app, bob, id, { message: 'hi' }, fresh('k')),
    (id) => cancelTurn(app, bob, id, turn, fresh('k')),
    (id) => resumeTurn(app, bob, id, turn, fresh('k')),
    (id) => answerActions(app, bob, id, turn, { request_id: action?.request_id ?? '', payload: { output: 'stolen' } } as never, fresh('k')),
    (id) => listActions(app, bob, id, undefined),
    (id) => readTurn(app, bob, id, turn),
    (id) => listTurns(app, bob, id, { offset: 0, limit: 10 }),
    (id) => waitForTurn(app, bob, id, turn, 1, new AbortController().signal),
    (id) => readCommand(app, bob, id, turn, 'cmd_x'),
    (id) => readSnapshot(app, bob, id, 10),
    (id) => readTurnSnapshot(app, bob, id, turn),
    (id) => readEvents(app, bob, id, undefined, { limit: 10 }),
    (id) => readEvents(app, bob, id, turn, { limit: 10 }),
    (id) => readEvent(app, bob, id, 'evt_1'),
    (id) => readResources(app, bob, id, 'items', { limit: 10 }),
    (id) => readUsage(app, bob, id, true),
    (id) => readTurnUsage(app, bob, id, turn),
    (id) => sessionCapabilities(app, bob, id),
    (id) => turnCapabilities(app, bob, id, turn),
  ];
  const refusal = (use: Promise<unknown>) =>
    use.then(
      () => 'allowed',
      ({ code, message, details }: { code: string; message: string; details: unknown }) => ({ code, message, details }),
    );
  for (const [at, use] of uses.entries()) {
    const theirs = await refusal(use(session));
    expect(theirs, `use ${at}`).toMatchObject({ code: 'not_found' });
    expect(theirs, `use ${at}`).toEqual(await refusal(use('ses_00000000000000000000000000000000')));
  }
  expect((await client.turn(session, turn)).status).toBe('requires_action');
  await check(session);
});

test('case 39: the text limit holds before anything is stored, and a huge tool result is cut between characters', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'huge' }], [{ text: 'that was a lot' }]);
  const session = await client.session(await client.agent({ tools: [builtin('huge')] }));
  await expect(client.submit(session, '😀'.repeat(100_001))).rejects.toMatchObject({ code: 'payload_too_large', details: { limit: 100_000 } });
  const data = [{ role: 'user' as const, content: [{ type: 'data' as const, data: 'é'.repeat(2 * 1024 * 1024) }] }];
  await expect(submitTurn(world.engine.app, ann, session, { input: data }, fresh('k'))).rejects.toMatchObject({
    code: 'payload_too_large',
    details: { limit: 4 * 1024 * 1024 },
  });
  expect((await check(session)).length).toBe(1);
  await client.until(session, await client.submit(session, '😀'.repeat(100_000)));
  await client.until(session, await client.submit(session, 'x'));
  const result = (await check(session)).flatMap(({ event }) => (event.type === 'tool.completed' ? [JSON.stringify(event.data)] : []))[0] ?? '';
  expect(result.isWellFormed()).toBe(true);
  expect(result).toContain('[cut: 150000 characters in all]');
});

test('case 39: what an application gives back is held to the size of a block, and says so (F2)', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'pay' }], [{ text: 'done' }]);
  const session = await client.session(await client.agent({ tools: [external('pay')] }));
  const turn = await client.submit(session, 'x');
  await client.until(session, turn, 'requires_action');
  const [action] = await client.actions(session);
  const image = (size: number) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA'.repeat(size / 4) } });
  const output = [{ type: 'text', text: '😀'.repeat(60_000) }, image(1_000), image(300_000)];
  await client.answer(session, turn, action?.request_id ?? '', { output });
  await client.until(session, turn);
  const result = (await check(session)).flatMap(({ event }) => (event.type === 'tool.completed' ? [event.data.result.output] : []))[0];
  expect(result?.slice(0, 2)).toEqual(output.slice(0, 2));
  expect(result?.[2]).toMatchObject({ type: 'text', text: expect.stringContaining('a block of type image with 300') });
});

test('case 8: one character at a time, also in tool arguments: text equals text, arguments parse', async () => {
  const client = await open();
  const text = '中文😀🇩🇪 café 👩‍👩‍👧 x';
  world.model.when('x', [...[...text].map((piece) => ({ text: piece })), { call: 'look', input: { text }, chunk: 1 }], [{ text }]);
  const session = await client.session(await client.agent({ tools: [builtin('look')] }));
  const turn = await client.submit(session, 'x');
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: text });
  expect(world.tools.runs[0]?.input).toEqual({ text });
  const log = await check(session);
  const said = log
    .flatMap(({ event }) => (event.type === 'item.delta' ? event.data.content : []))
    .flatMap((block) => (block.type === 'text' ? [block.text] : []));
  expect(said.join('')).toBe(text + text);
});
