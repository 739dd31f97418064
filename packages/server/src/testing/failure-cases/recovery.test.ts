/** Crashes, restarts, hand-overs, suspects, and a store that fails for long (cases 10, 23, 29, 30; semantics, section 7). */
import { afterEach, expect, test } from 'vitest';
import type { Caller } from '../../app/caller.ts';
import { deleteSession } from '../../app/manage-session.ts';
import { ModelError } from '../../ports/model.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, bob, builtin, createClient, fresh, userCaller } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { eventually, settle } from '../harness/settle.ts';
import { createSurvivingClient, keepAlive, persist, reconciled } from '../harness/surviving-client.ts';
import { watchSession } from '../harness/watch-session.ts';
import { submitJson, workflowSession } from '../harness/workflow.ts';
import { openWorld, type World, type WorldOptions } from '../harness/world.ts';

let world: World;
const open = async (options: WorldOptions = {}) => {
  world = await openWorld(options);
  return createClient(world);
};
afterEach(async () => {
  await world.close();
});
const check = async (session: string, caller = ann) => {
  const { faults, log } = await checkSession(world.store, session, { app: world.engine.app, caller });
  expect([...faults, ...world.model.faults()]).toEqual([]);
  return log;
};

test('case 29: killed with one running and five queued: the first goes on, then the five in order, without a hand', async () => {
  const client = await open();
  world.model.when('0', [{ text: 'be' }, { call: 'slowLook' }], [{ text: 'zero' }]);
  const session = await client.session(await client.agent({ tools: [builtin('slowLook')] }));
  const turns: string[] = [];
  for (let n = 0; n < 6; n += 1) turns.push(await client.submit(session, String(n)));
  await eventually('the tool runs', () => world.tools.gate.waiting() === 1);
  await world.restart();
  world.tools.gate.open();
  const ends = [];
  for (const turn of turns) ends.push((await client.until(session, turn)).outputText);
  expect(ends).toEqual(['zero', 'echo: 1', 'echo: 2', 'echo: 3', 'echo: 4', 'echo: 5']);
  expect(world.tools.count('slowLook')).toBe(2);
  await check(session);
});

test('case 30: 20 restarts during one turn that makes progress: it completes', async () => {
  const client = await open();
  const steps = Array.from({ length: 20 }, (_, n) => [{ text: `step ${n}` }, { call: 'look' }]);
  world.model.when('x', ...steps, [{ text: 'done' }]);
  const session = await client.session(await client.agent({ tools: [builtin('look')], maxIters: 50 }));
  await world.kill();
  // Each engine lives for two model calls: one step more than the one before.
  await world.open({ call: 'stream', nth: 2, when: 'before' });
  const surviving = createSurvivingClient(world);
  const submitted = surviving.submit(session, 'x');
  for (let n = 0; n < 20; n += 1) {
    await eventually(`engine ${n} has ended`, () => !world.life.alive(), { clock: world.clock });
    await world.restart({ call: 'stream', nth: 2, when: 'before' });
  }
  await world.restart();
  const turn = await submitted;
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  expect((await client.turn(session, turn)).runs).toBeGreaterThan(20);
  await check(session);
});

test('A7 an admin who is not the owner may say what an unknown result was, with a reason; nobody else besides the owner; it is audited', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'slow' }], [{ text: 'sent' }]);
  const session = await client.session(await client.agent({ tools: [builtin('slow')] }));
  const turn = await client.submit(session, 'x');
  await eventually('it runs', () => world.tools.gate.waiting() === 1);
  await world.restart();
  await client.until(session, turn, 'interrupted');
  const [action] = await client.actions(session);
  const says = (by: Caller, result: object) => createClient(world, by).answer(session, turn, action?.request_id ?? '', result as never);
  const admin = userCaller('root', { admin: true });
  await expect(says(bob, reconciled)).rejects.toMatchObject({ code: 'not_found' });
  for (const reason of ['', ' ']) await expect(says(admin, { ...reconciled, reason })).rejects.toMatchObject({ code: 'validation_failed' });
  expect((await client.turn(session, turn)).status).toBe('interrupted');
  world.tools.gate.open();
  await says(admin, reconciled);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'sent' });
  expect(world.tools.count('slow')).toBe(1);
  const rows = await world.engine.app.catalog.audit({ limit: 10, sessionId: session });
  expect(rows.filter((row) => row.action === 'action.answered')).toMatchObject([
    { actor: 'user:root', details: { kind: 'reconciliation', outcome: 'succeeded', tool: 'slow', turn_id: turn } },
  ]);
  await check(session);
});

test('an unknown result interrupts the turn and shows the arguments; reconciled, it goes on; a read is run again', async () => {
  const client = await open();
  world.model.when('x', [{ call: 'slow', input: { to: 'bob' } }, { call: 'slowLook' }], [{ text: 'sent' }]);
  const session = await client.session(await client.agent({ tools: [builtin('slow'), builtin('slowLook')] }));
  const turn = await client.submit(session, 'x');
  await eventually('both run', () => world.tools.gate.waiting() === 2);
  await world.restart();
  expect(await client.until(session, turn, 'interrupted')).toMatchObject({ status: 'interrupted', errorCode: 'tool_result_unknown' });
  await expect(client.resume(session, turn)).rejects.toMatchObject({ code: 'tool_result_unknown' });
  const [action] = await client.actions(session);
  expect(action).toMatchObject({ kind: 'reconciliation', tool_call: { name: 'slow', input: { to: 'bob' } } });
  world.tools.gate.open();
  await client.answer(session, turn, action?.request_id ?? '', reconciled);
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'sent' });
  expect([world.tools.count('slow'), world.tools.count('slowLook')]).toEqual([1, 2]);
  expect(JSON.stringify(world.model.calls.at(-1)?.request.messages)).toContain('looked up');
  await check(session);
});

test('a turn that kills its process fails alone as crash_loop; its neighbours complete', async () => {
  await open();
  const client = createSurvivingClient(world);
  world.model.when('innocent', [{ text: 'working' }, { call: 'slowLook' }], [{ text: 'fine' }]);
  const agent = await client.agent({ tools: [builtin('slowLook')] });
  // The model call itself ends the process: whichever engine streams it dies.
  let deaths = 0;
  const stream = world.model.stream;
  world.model.stream = (request, signal) => {
    if (JSON.stringify(request.messages.at(-1)).includes('"poison"')) {
      deaths += 1;
      // From now on both are suspects, and each is tried alone.
      if (deaths === 2) world.tools.gate.open();
      world.life.end();
    }
    return stream(request, signal);
  };
  keepAlive(world);
  const good = await client.session(agent);
  const innocent = await client.submit(good, 'innocent');
  await eventually('the neighbour runs', () => world.tools.gate.waiting() === 1);
  const bad = await client.session(agent);
  const poison = await client.submit(bad, 'poison');
  expect(await client.until(bad, poison)).toMatchObject({ status: 'failed', errorCode: 'crash_loop', retryable: false });
  expect(await client.until(good, innocent)).toMatchObject({ status: 'completed', outputText: 'fine' });
  // Twice in company, three times alone.
  expect(deaths).toBe(5);
  expect(await client.until(bad, await client.submit(bad, 'after'))).toMatchObject({ status: 'completed' });
  await check(bad);
  const log = await check(good);
  expect(log.filter(({ event }) => event.type === 'run.ended' && event.data.status === 'lost').length).toBeGreaterThanOrEqual(2);
});

test('a suspect runs alone, also when a commit of its session comes between its slot and its run', async () => {
  await open();
  const client = createSurvivingClient(world);
  const gate = createGate();
  world.model.when('suspect', [{ gate }, { text: 'harmless' }]);
  const agent = await client.agent();
  const [session, other] = [await client.session(agent), await client.session(agent)];
  const turn = await client.submit(session, 'suspect');
  for (let n = 1; n <= 2; n += 1) {
    await eventually(`try ${n}`, () => gate.waiting() === n);
    await world.restart();
  }
  await eventually('it waits for its try alone', async () => (await client.turn(session, turn)).status === 'queued');
  await world.clock.advance(500);
  world.faulty.inject({ method: 'write', call: 1, effect: { kind: 'delayed', ms: 2_000, clock: world.clock } });
  const late = client.submit(session, 'late');
  await eventually('it runs alone', () => gate.waiting() === 3, { clock: world.clock });
  const neighbour = await client.submit(other, 'neighbour');
  await world.clock.advance(10_000);
  expect(world.model.calls.map((call) => call.text)).toEqual(['suspect', 'suspect', 'suspect']);
  gate.open();
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'harmless' });
  for (const [id, next] of [
    [session, await late],
    [other, neighbour],
  ] as const)
    expect(await client.until(id, next)).toMatchObject({ status: 'completed' });
  await check(session);
});

test('a workflow that is tried alone lets its children run (WF8)', async () => {
  // It dies twice before what it planned is written.
  const beforePlan = { call: 'write', nth: 2, when: 'before' } as const;
  await open({ killAt: beforePlan });
  const client = createSurvivingClient(world);
  world.model.when('work', [{ text: 'done' }]);
  const agentId = await client.agent();
  const session = await workflowSession(world.engine.app, { nodes: [{ key: 'a', type: 'agent', agentId, input: { message: "'work'" } }] });
  const points = [beforePlan];
  keepAlive(world, () => points.pop());
  const key = fresh('submit');
  const turn = await persist(world, () => submitJson(world.engine.app, session, {}, {}, key));
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'done' });
  const runs = (await check(session)).flatMap(({ event }) => (event.type === 'run.started' ? [event.data.alone === true] : []));
  expect(runs.slice(0, 3)).toEqual([false, false, true]);
});

test('a stop in good order hands over: the model gets its grace, the turn is picked up and counts no loss', async () => {
  const client = await open();
  world.model.when('x', [{ text: 'long' }, { hang: true }]);
  world.model.when('y', [{ call: 'stuck', input: { n: 7 } }], [{ text: 'never' }]);
  const agent = await client.agent({ tools: [builtin('stuck')] });
  const [one, two] = [await client.session(agent), await client.session(agent)];
  const [x, y] = [await client.submit(one, 'x'), await client.submit(two, 'y')];
  await eventually('both run', () => world.tools.count('stuck') === 1 && world.model.calls.length === 2);
  const stopping = world.stop(10_000);
  await world.clock.advance(9_000);
  expect(world.model.calls[0]?.ended()).toBe('open');
  await world.clock.advance(2_000);
  await stopping;
  expect(world.model.calls[0]?.ended()).toBe('aborted');
  expect(world.engine.runner.held).toBe(0);
  await expect(client.turn(one, x)).resolves.toMatchObject({ status: 'queued' });
  const [action] = await client.actions(two);
  expect(action).toMatchObject({ kind: 'reconciliation', tool_call: { input: { n: 7 } } });
  // A turn that arrives now is taken in and waits for the next process.
  const late = await client.submit(one, 'late');
  await world.open();
  world.model.when('x', [{ text: 'now' }]);
  expect(await client.until(one, x)).toMatchObject({ status: 'completed', outputText: 'now' });
  expect(await client.until(one, late)).toMatchObject({ status: 'completed' });
  await client.answer(two, y, action?.request_id ?? '', reconciled);
  expect(await client.until(two, y)).toMatchObject({ status: 'completed' });
  await check(one);
  await check(two);
});

test('a store that fails for a minute: clients are told, facts are kept, everything goes on by itself', async () => {
  const client = await open({ expectsReports: true });
  world.model.when('x', [{ text: 'a' }, { call: 'slow' }], [{ text: 'done' }]);
  const session = await client.session(await client.agent({ tools: [builtin('slow')] }));
  const turn = await client.submit(session, 'x');
  await eventually('the tool runs', () => world.tools.gate.waiting() === 1);
  for (const method of ['write', 'create', 'claim', 'heartbeat'] as const)
    world.faulty.inject({ method, call: 1, times: 1_000_000, effect: { kind: 'refused' } });
  world.tools.gate.open();
  await settle();
  await expect(client.submit(session, 'no', 'K')).rejects.toMatchObject({ code: 'storage_unavailable' });
  await world.clock.advance(60_000);
  await expect(client.session(await client.agent())).rejects.toMatchObject({ code: 'storage_unavailable' });
  world.faulty.release();
  const next = await client.submit(session, 'yes', 'K2');
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'done' });
  expect(await client.until(session, next)).toMatchObject({ status: 'completed' });
  expect(world.tools.count('slow')).toBe(1);
  expect(world.reports.every((error) => (error as { code?: string }).code === 'storage_unavailable')).toBe(true);
  const log = await check(session);
  expect(log.filter(({ event }) => event.type === 'turn.accepted')).toHaveLength(2);
});

test('a retry that comes due while the session is unread is made all the same', async () => {
  const client = await open({ expectsReports: true });
  world.model.when('x', [{ fails: () => new ModelError('busy', { retryable: true, retryAfterMs: 5_000 }), times: 1 }, { text: 'ok' }]);
  const session = await client.session(await client.agent());
  const turn = await client.submit(session, 'x');
  await eventually('the first attempt failed', () => world.model.calls.length === 1);
  await settle();
  world.faulty.inject({ method: 'write', call: 1, effect: { kind: 'refused' } });
  await expect(client.submit(session, 'no')).rejects.toMatchObject({ code: 'storage_unavailable' });
  await world.clock.advance(6_000);
  await settle();
  expect(await client.turn(session, turn)).toMatchObject({ status: 'completed' });
});

test('claims whose answer was lost: what they took is run, though nobody was told', async () => {
  const client = await open({ expectsReports: true, slots: 1 });
  world.model.when('block', [{ call: 'slowLook' }], [{ text: 'over' }]);
  const agent = await client.agent({ tools: [builtin('slowLook')] });
  const first = await client.session(agent);
  const blocker = await client.submit(first, 'block');
  await eventually('the slot is taken', () => world.tools.gate.waiting() === 1);
  world.faulty.inject({ method: 'claim', call: 1, effect: { kind: 'lost_after' } });
  const session = await client.session(agent);
  const turn = await client.submit(session, 'x');
  await settle();
  world.tools.gate.open();
  expect(await client.until(first, blocker)).toMatchObject({ status: 'completed', runs: 1 });
  expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
  await check(session);
});

test('a session deleted while it runs is gone at once: its work is aborted, its stream ends, late writes are refused', async () => {
  const client = await open();
  world.model.when('x', [{ text: 'a' }, { hang: true }]);
  const session = await client.session(await client.agent());
  const turn = await client.submit(session, 'x');
  await client.submit(session, 'y');
  await eventually('the model speaks', () => world.model.calls.length === 1);
  const watch = await watchSession(world, session);
  await deleteSession(world.engine.app, ann, session);
  await settle();
  expect(watch.gone()).toBe(true);
  expect(world.model.calls[0]?.ended()).toBe('aborted');
  expect(world.engine.runner.held).toBe(0);
  await expect(client.turn(session, turn)).rejects.toMatchObject({ code: 'not_found' });
  await expect(client.submit(session, 'z')).rejects.toMatchObject({ code: 'not_found' });
  await world.restart();
  await world.clock.advance(60_000);
  expect(world.model.calls).toHaveLength(1);
});

test('owners take turns: one with many waiting turns delays another by one call', async () => {
  const client = await open({ slots: 1 });
  const hers = await client.agent();
  const other = createClient(world, bob);
  const his = await other.agent();
  const many = await Promise.all(Array.from({ length: 10 }, () => client.session(hers)));
  const single = await other.session(his);
  world.model.when('first', [{ call: 'slowLook' }]);
  const turns = await Promise.all(many.map((session, n) => client.submit(session, `a${n}`)));
  const his1 = await other.submit(single, 'mine');
  for (const [n, turn] of turns.entries()) await client.until(many[n] ?? '', turn);
  await other.until(single, his1);
  const order = world.model.calls.map((call) => call.text);
  expect(order.indexOf('mine')).toBeLessThanOrEqual(3);
});
