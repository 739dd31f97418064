/** Teams: pieces side by side, asked again, told, tried again, run out of time, cancelled; turns apart; a budget and people over the whole (case 40). */
import { childSessionId, type SessionId, stepId, type TurnId } from '@turnkeeper/core/session/ids';
import type { StepBody } from '@turnkeeper/core/view/step';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setBudget } from '../../app/manage-budget.ts';
import { stepsOfTurn } from '../../app/team-steps.ts';
import { ModelError } from '../../ports/model.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, type Client, createClient, external } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { eventually, settle } from '../harness/settle.ts';
import { delegate, type TeamSketch, teamSession } from '../harness/team.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
let client: Client;
beforeEach(async () => {
  world = await openWorld();
  client = createClient(world, ann);
});
afterEach(() => world.close());

const team = (sketch?: TeamSketch): Promise<string> => teamSession(world, client, sketch);
const childOf = (turn: string, n: number): SessionId => childSessionId(turn as TurnId, n);
const step = (turn: string, n: number): string => stepId(turn as TurnId, `${n}`);
const logOf = async (session: string) => (await checkSession(world.store, session)).log.map(({ event }) => event);
const stepsOf = async (session: string, turn: string): Promise<readonly StepBody[]> => {
  const loaded = await world.store.load(session as SessionId);
  return stepsOfTurn(world.store, loaded?.head.sid ?? 0, turn as TurnId);
};
const statuses = async (session: string, turn: string) => (await stepsOf(session, turn)).map(({ name, attempt, status }) => `${name} ${attempt} ${status}`);
/** The calls of the model on this message. */
const callsOn = (text: string) => world.model.calls.filter((call) => call.text === text);
const asked = (text: string, times = 1) => eventually(`"${text}" is asked`, () => callsOn(text).length >= times, { clock: world.clock, mostMs: 100 });
const promptOf = (call: (typeof world.model.calls)[number] | undefined): string =>
  JSON.stringify(call?.request.messages.filter(({ role }) => role !== 'assistant'));
const sound = async (session: string): Promise<void> => {
  const rows = await world.store.descendants({ root: session as SessionId, under: '', limit: 99 });
  for (const id of [session, ...rows.map((row) => row.id)]) expect((await checkSession(world.store, id)).faults).toEqual([]);
  expect(world.model.faults()).toEqual([]);
};
const broken = { fails: () => new ModelError('no', { retryable: false }) };

describe('the leader', () => {
  it('is told who there is, and a member what it is there for', async () => {
    world.model.when('plan', [delegate('mia', 'look')], [{ text: 'planned' }]);
    const session = await team({ members: { mia: { role: 'researcher', description: 'reads sources' }, max: { role: 'writer' } } });
    const turn = await client.submit(session, 'plan');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'planned' });
    const [leader, member] = [callsOn('plan')[0]?.request, callsOn('look')[0]?.request];
    for (const said of ['- mia — researcher: reads sources', '- max — writer']) expect(leader?.system).toContain(said);
    expect(leader?.tools.map(({ name }) => name)).toEqual(['delegate', 'read_result', 'team_status', 'send_note']);
    expect(member?.system).toMatch(/You are "mia" in the team "Team-\d+". Your role: researcher/);
    expect(member?.tools).toEqual([]);
    expect(await stepsOf(session, turn)).toMatchObject([
      {
        step_id: step(turn, 1),
        type: 'delegation',
        name: 'mia',
        status: 'succeeded',
        input: { message: 'look' },
        output: 'echo: look',
        child_session_id: childOf(turn, 1),
      },
    ]);
    await sound(session);
  });

  it('delegates side by side, no more at once than may be, in one slot', async () => {
    await world.close();
    world = await openWorld({ slots: 1 });
    client = createClient(world, ann);
    world.model.when('plan', [delegate('mia', 'a'), delegate('max', 'b'), delegate('mia', 'c'), delegate('max', 'd')], [{ text: 'all of it' }]);
    const session = await team({ maxParallel: 2 });
    const turn = await client.submit(session, 'plan');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'all of it' });
    let [open, most] = [0, 0];
    for (const { type, data } of await logOf(session)) {
      if (type === 'step.updated') open += (data as { status: string }).status === 'running' ? 1 : -1;
      most = Math.max(most, open);
    }
    expect([open, most]).toEqual([0, 2]);
    for (const said of ['a', 'b', 'c', 'd']) expect(promptOf(world.model.calls.at(-1))).toContain(`echo: ${said}`);
    await sound(session);
  });

  it('asks a member again, which knows what it did, and reads on in a result that is long', async () => {
    const long = `${'x'.repeat(30_000)}the end`;
    world.model.when('look', [{ text: long }]);
    world.model.when('and where?', [{ text: 'there' }]);
    const session = await team();
    const gate = createGate();
    world.model.when('plan', [{ gate }, delegate('mia', 'look')]);
    const turn = await client.submit(session, 'plan');
    const id = step(turn, 1);
    world.model.when(
      'plan',
      [{ gate }, delegate('mia', 'look')],
      [{ call: 'read_result', input: { step_id: id, offset: 20_000 } }, { call: 'team_status' }],
      [delegate('mia', 'and where?', { continue: id }), delegate('max', 'and where?', { continue: id }), delegate('mia', 'x', { continue: 'step_none' })],
      [{ text: 'found' }],
    );
    gate.open();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'found' });
    const results = promptOf(callsOn('plan').at(-1));
    for (const said of ['Read on with read_result, from offset 20000', 'characters 20000 to 30007 of 30007', 'the end', 'mia): succeeded — look'])
      expect(results).toContain(said);
    for (const said of ['who alone can go on with it', 'there is no step step_none']) expect(results).toContain(said);
    const again = callsOn('and where?');
    expect(again).toHaveLength(1);
    expect(again[0]?.request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(again[0]?.request.messages)).toContain('the end');
    expect(await statuses(session, turn)).toEqual(['mia 1 succeeded', 'mia 1 succeeded']);
    await sound(session);
  });

  it('tells a member at work something at its next step, and one that is not before its next piece, once', async () => {
    const [working, noted] = [createGate(), createGate()];
    world.model.when(
      'plan',
      [delegate('mia', 'long', { background: true }), { call: 'send_note', input: { to: 'max', text: 'mind the gap' } }],
      [{ gate: noted }, { call: 'send_note', input: { to: 'mia', text: 'be brief' }, id: 'note' }],
      [delegate('max', 'write'), delegate('max', 'write more')],
      [{ text: 'so far' }],
    );
    world.model.when('long', [{ gate: working }, { text: 'a long one' }]);
    const session = await team();
    const turn = await client.submit(session, 'plan');
    await working.reached;
    noted.open();
    await asked('[Notes from the leader]\n- mind the gap\n\nwrite');
    await asked('write more');
    working.open();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    const heard = callsOn('[Note from the leader]\nbe brief');
    expect(heard).toHaveLength(1);
    expect(await stepsOf(session, turn)).toMatchObject([{ output: 'echo: [Note from the leader]\nbe brief' }, {}, { output: 'echo: write more' }]);
    await sound(session);
  });

  it('gave its last word too soon: it is called again when the results are there, and nobody called meanwhile', async () => {
    const gate = createGate();
    world.model.when('plan', [delegate('mia', 'slowly', { background: true })], [{ text: 'so far' }]);
    world.model.when('slowly', [{ gate }, { text: 'the news' }]);
    const session = await team();
    const turn = await client.submit(session, 'plan');
    await gate.reached;
    await asked('plan', 2);
    await world.restart();
    client = createClient(world, ann);
    await settle(20);
    await world.clock.advance(120_000);
    expect(await client.turn(session, turn)).toMatchObject({ status: 'running' });
    expect(callsOn('plan')).toHaveLength(2);
    gate.open();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: `echo: [${step(turn, 1)}, mia: done]\nthe news` });
    await sound(session);
  });
});

describe('a member', () => {
  it('that fails is tried again, each time later, as the same step; the leader hears of the success only', async () => {
    world.model.when('plan', [delegate('mia', 'look')], [{ text: 'planned' }]);
    world.model.when('look', [{ ...broken, times: 2 }, { text: 'found it' }]);
    // TQ7: that it waits is no running time of the turn.
    const session = await team({ timeoutSeconds: 30, members: { mia: { retry: { maxAttempts: 3, backoffSeconds: 60 } } } });
    const turn = await client.submit(session, 'plan');
    await asked('look');
    await eventually('it waits', async () => (await statuses(session, turn))[0] === 'mia 2 delayed');
    await eventually('nobody holds it', () => world.engine.runner.held === 0);
    await world.clock.advance(59_000);
    expect(callsOn('look')).toHaveLength(1);
    await world.clock.advance(1_000);
    await eventually('it waits again', async () => (await statuses(session, turn))[0] === 'mia 3 delayed');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'planned' });
    expect(await stepsOf(session, turn)).toMatchObject([{ status: 'succeeded', attempt: 3, output: 'found it', child_session_id: childOf(turn, 3) }]);
    expect(callsOn('look')).toHaveLength(3);
    expect(promptOf(callsOn('plan').at(-1))).not.toContain('failed');
    expect((await logOf(session)).filter(({ type }) => type === 'tool.completed')).toHaveLength(1);
    await sound(session);
  });

  it('that fails for good leaves the turn a success in part, unless another does it in its place', async () => {
    world.model.when('break', [broken]);
    const session = await team();
    const gate = createGate();
    world.model.when('plan', [delegate('mia', 'break'), delegate('max', 'fine')], [{ gate }, { text: 'what there is' }]);
    const first = await client.submit(session, 'plan');
    gate.open();
    expect(await client.until(session, first)).toMatchObject({ status: 'partial_succeeded', outputText: 'what there is' });
    expect(await statuses(session, first)).toEqual(['mia 1 failed', 'max 1 succeeded']);
    const other = createGate();
    world.model.when('again', [{ gate: other }, delegate('mia', 'break')]);
    const turn = await client.submit(session, 'again');
    // The children of the turn before count, too.
    world.model.when(
      'again',
      [{ gate: other }, delegate('mia', 'break')],
      [delegate('max', 'instead', { instead_of: step(turn, 3) })],
      [{ text: 'all of it' }],
    );
    other.open();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'all of it' });
    await sound(session);
  });

  it('that runs out of its time is stopped; the leader hears that', async () => {
    world.model.when('plan', [delegate('mia', 'hang'), delegate('max', 'fine')], [{ text: 'without it' }]);
    world.model.when('hang', [{ hang: true }]);
    const session = await team({ members: { mia: { timeoutSeconds: 30 }, max: {} } });
    const turn = await client.submit(session, 'plan');
    await asked('hang');
    expect(await client.until(session, turn)).toMatchObject({ status: 'partial_succeeded', outputText: 'without it' });
    expect(await stepsOf(session, turn)).toMatchObject([{ status: 'timed_out', error_code: 'timed_out' }, { status: 'succeeded' }]);
    expect(promptOf(callsOn('plan').at(-1))).toContain('out of time');
    await sound(session);
  });

  it('asks people in the turn of its team, and is answered there', async () => {
    world.model.when('plan', [delegate('mia', 'buy', { background: true })], [{ text: 'so far' }]);
    world.model.when('buy', [{ call: 'pay' }], [{ text: 'paid' }]);
    const session = await team({ members: { mia: { agent: { tools: [external('pay')] } } } });
    const turn = await client.submit(session, 'plan');
    await client.until(session, turn, 'requires_action');
    const [action] = await client.actions(session, turn);
    expect(action).toMatchObject({ child_session_id: childOf(turn, 1), kind: 'external_execution' });
    await client.answer(session, turn, action?.request_id ?? '', { output: 'done' });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: `echo: [${step(turn, 1)}, mia: done]\npaid` });
    await sound(session);
  });
});

describe('a turn', () => {
  it('that is cancelled ends with all its members, and with the tries that were still to come', async () => {
    world.model.when('plan', [delegate('mia', 'hang', { background: true }), delegate('max', 'break', { background: true }), delegate('mia', 'hang')]);
    world.model.when('hang', [{ hang: true }]);
    world.model.when('break', [broken]);
    const session = await team({ members: { mia: {}, max: { retry: { maxAttempts: 5, backoffSeconds: 60 } } } });
    const turn = await client.submit(session, 'plan');
    await asked('hang', 2);
    await eventually('one is to be tried again', async () => (await statuses(session, turn)).includes('max 2 delayed'));
    await client.cancel(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'cancelled' });
    expect(await statuses(session, turn)).toEqual(['mia 1 cancelled', 'max 2 cancelled', 'mia 1 cancelled']);
    await world.clock.advance(120_000);
    expect(callsOn('break')).toHaveLength(1);
    await sound(session);
  });

  it('that runs out of its own time ends with its members and their steps', async () => {
    world.model.when('plan', [delegate('mia', 'hang', { background: true })], [{ text: 'so far' }]);
    world.model.when('hang', [{ hang: true }]);
    const session = await team({ timeoutSeconds: 30, members: { mia: { timeoutSeconds: 3_600 } } });
    const turn = await client.submit(session, 'plan');
    expect(await client.until(session, turn)).toMatchObject({ status: 'timed_out' });
    expect(await statuses(session, turn)).toEqual(['mia 1 cancelled']);
    const child = childOf(turn, 1);
    expect(await client.until(child, `turn_${child.slice('ses_'.length)}`)).toMatchObject({ status: 'cancelled' });
    await sound(session);
  });

  it('knows nothing of the one before', async () => {
    world.model.when('one', [delegate('mia', 'look')], [{ text: 'the first' }]);
    const session = await team();
    await client.until(session, await client.submit(session, 'one'));
    const turn = await client.submit(session, 'two');
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'echo: two' });
    expect(callsOn('two')[0]?.request.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'two' }] }]);
    expect(await stepsOf(session, turn)).toEqual([]);
  });

  it('is stopped by a limit that its members reach, and goes on with them when that is raised', async () => {
    world.model.when('plan', [delegate('mia', 'a', { background: true }), delegate('max', 'b', { background: true })], [{ text: 'so far' }]);
    const session = await team();
    const limit = (max_model_calls: number) => setBudget(world.engine.app, ann, session, { max_model_calls });
    await limit(3);
    const turn = await client.submit(session, 'plan');
    expect(await client.until(session, turn, 'interrupted')).toMatchObject({ errorCode: 'budget_exceeded' });
    await world.clock.advance(120_000);
    expect(world.model.calls).toHaveLength(3);
    await limit(9);
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(await statuses(session, turn)).toEqual(['mia 1 succeeded', 'max 1 succeeded']);
    await sound(session);
  });

  it('may use only so many tokens with all its members, and the next one again as many', async () => {
    world.model.when('plan', [delegate('mia', 'a'), delegate('max', 'b')], [{ text: 'all' }]);
    const session = await team({ maxTokens: 12 });
    const turn = await client.submit(session, 'plan');
    expect(await client.until(session, turn, 'interrupted')).toMatchObject({ errorCode: 'budget_exceeded' });
    expect(world.model.calls.length).toBeLessThanOrEqual(3);
    await client.cancel(session, turn);
    const next = await client.submit(session, 'just this');
    expect(await client.until(session, next)).toMatchObject({ status: 'completed', outputText: 'echo: just this' });
  });
});
