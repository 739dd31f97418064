/** Workflows in a running engine: each kind of node, what is waited for, and what people do to a run (WF1–WF7, PZ1, FW1, FW2). */
import type { UserMessage } from '@turnkeeper/core/protocol/content';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerActions } from '../../app/answer-actions.ts';
import { auditOf } from '../../app/audit.ts';
import type { UserCaller } from '../../app/caller.ts';
import { pauseTurn } from '../../app/control-turn.ts';
import { createSession } from '../../app/create-session.ts';
import { judgeMessage } from '../../app/judge-config.ts';
import { setBudget } from '../../app/manage-budget.ts';
import { rerunTurn } from '../../app/rerun-turn.ts';
import { ModelError } from '../../ports/model.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, type Client, createClient, external, fresh, userCaller } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { eventually, settle } from '../harness/settle.ts';
import { ends, publish, stepsOf, submitJson, workflowSession } from '../harness/workflow.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
let client: Client;
beforeEach(async () => {
  world = await openWorld();
  client = createClient(world, ann);
});
afterEach(() => world.close());

const app = () => world.engine.app;
const agent = (key: string, agentId: string, message: string, more: Record<string, unknown> = {}) => ({
  key,
  type: 'agent',
  agentId,
  input: { message },
  ...more,
});
const sound = async (session: string): Promise<void> => {
  expect((await checkSession(world.store, session, { app: app(), caller: ann })).faults).toEqual([]);
  expect(world.model.faults()).toEqual([]);
};
const heads = async (session: string) => (await world.store.load(session as SessionId))?.head;

describe('a workflow', () => {
  it('passes what one agent said to the next, by conditions, and comes to its last outputs', async () => {
    world.model.when('write about tea', [{ text: 'a report' }]);
    world.model.when('send a report', [{ text: 'sent' }]);
    const helper = await client.agent();
    const session = await workflowSession(app(), {
      nodes: [
        agent('write', helper, "'write about ' + run.input.topic"),
        { key: 'long', type: 'condition', condition: 'size(nodes.write.output) > 3' },
        agent('send', helper, "'send ' + nodes.write.output"),
        agent('drop', helper, "'drop it'"),
      ],
      edges: [
        { from: 'write', to: 'long' },
        { from: 'long', to: 'send' },
        { from: 'long', to: 'drop', condition: '!nodes.long.output' },
      ],
    });
    const turn = await submitJson(app(), session, { topic: 'tea' });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'sent', result: { send: 'sent' } });
    expect(await ends(app(), session, turn)).toEqual({ write: 'succeeded', long: 'succeeded', send: 'succeeded', drop: 'skipped' });
    await sound(session);
  });

  it('fails at once with a step that nobody takes up, and cancels what runs', async () => {
    const gate = createGate();
    world.model.when('slow', [{ gate }, { text: 'late' }]);
    world.model.when('bad', [{ call: 'nothing' }]);
    const session = await workflowSession(app(), {
      nodes: [agent('slow', await client.agent(), "'slow'"), agent('bad', await client.agent({ maxIters: 1 }), "'bad'")],
    });
    const turn = await submitJson(app(), session, {});
    const failed = await client.until(session, turn);
    expect(failed).toMatchObject({ status: 'failed' });
    expect(failed.errorMessage).toContain('"bad"');
    expect(await ends(app(), session, turn)).toEqual({ slow: 'cancelled', bad: 'failed' });
    await eventually('the child is cancelled', async () => (await heads(session))?.due === null, { clock: world.clock });
    gate.open();
    await sound(session);
  });

  it('tries again what failed, after its time, and goes on', async () => {
    world.model.when('look', [{ call: 'nothing', times: 2 }, { text: 'found' }]);
    const session = await workflowSession(app(), {
      nodes: [agent('look', await client.agent({ maxIters: 1 }), "'look'", { retry: { maxAttempts: 3, backoffSeconds: 60 } })],
    });
    const turn = await submitJson(app(), session, {});
    const before = world.clock.now();
    const delayed = await eventually('it waits', async () => {
      const { look } = await stepsOf(app(), session, turn);
      return look?.status === 'delayed' ? look : undefined;
    });
    expect(delayed).toMatchObject({ attempt: 1, until: before + 60_000, delayed_at: before });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'found' });
    expect(world.clock.now() - before).toBeGreaterThanOrEqual(60_000 + 120_000);
    const { look } = await stepsOf(app(), session, turn);
    expect(look).toMatchObject({ attempt: 3, status: 'succeeded' });
    expect(look?.delayed_ms).toBeGreaterThanOrEqual(60_000 + 120_000);
    expect(look).not.toHaveProperty('until');
    await sound(session);
  });

  it('runs a map side by side, at most so many at once, and gathers in order', async () => {
    for (const n of [1, 2, 3, 4, 5]) world.model.when(`do ${n}`, [{ text: `did ${n}` }]);
    const session = await workflowSession(app(), {
      nodes: [
        {
          ...{ key: 'each', type: 'map', items: 'run.input.items', maxParallel: 2 },
          node: { type: 'agent', agentId: await client.agent(), input: { message: "'do ' + string(item)" } },
        },
      ],
      output: 'nodes.each.output',
    });
    const turn = await submitJson(app(), session, { items: [1, 2, 3, 4, 5] });
    expect(await client.until(session, turn)).toMatchObject({ result: ['did 1', 'did 2', 'did 3', 'did 4', 'did 5'] });
    await sound(session);
  });

  it('runs another workflow, pinned to its revision, and a failure there is handled by an edge', async () => {
    world.model.when('inner', [{ text: 'from within' }]);
    world.model.when('mend', [{ text: 'mended' }]);
    const helper = await client.agent();
    const inner = await publish(app(), { nodes: [agent('in', helper, "'inner'")], output: '{"said": nodes["in"].output, "of": run.input.x}' });
    const broken = await publish(app(), { nodes: [agent('in', await client.agent({ maxIters: 1 }), "'bad'")] });
    world.model.when('bad', [{ call: 'nothing' }]);
    const session = await workflowSession(app(), {
      nodes: [
        { key: 'sub', type: 'subrun', definitionRevisionId: inner.revisionId, input: { x: '40 + 2' } },
        { key: 'bad', type: 'subrun', definitionRevisionId: broken.revisionId },
        agent('mend', helper, "'mend'"),
      ],
      edges: [{ from: 'bad', to: 'mend', on: ['failed'] }],
    });
    const turn = await submitJson(app(), session, {});
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', result: { sub: { said: 'from within', of: 42 }, mend: 'mended' } });
    await sound(session);
  });
});

describe('what a workflow waits for', () => {
  it('is approved by whom it names and by nobody else', async () => {
    world.model.when('send', [{ text: 'sent' }]);
    const usr = fresh('usr');
    const user = { id: usr, username: usr, displayName: usr, roles: ['user' as const], status: 'active' as const, passwordHash: null, createdAt: 0 };
    await app().catalog.createUser(user, auditOf(app(), 'system', { action: 'user.created', subject: `user:${usr}` }));
    const session = await workflowSession(app(), {
      nodes: [
        { key: 'ok', type: 'approval', approval: { approverRef: usr, prompt: 'Send {{ run.input.what }}?' } },
        agent('send', await client.agent(), "'send'"),
      ],
      edges: [{ from: 'ok', to: 'send' }],
    });
    const turn = await submitJson(app(), session, { what: 'the letter' });
    await client.until(session, turn, 'requires_action');
    expect((await heads(session))?.due).toBeNull();
    const [action] = await client.actions(session, turn);
    expect(action).toMatchObject({ kind: 'approval', prompt: 'Send the letter?', approver: [usr] });
    const decide = (caller: UserCaller) =>
      answerActions(
        app(),
        caller,
        session,
        turn,
        { request_id: action?.request_id ?? '', decision: 'approved', payload: { reason: 'fine' } } as never,
        fresh('answer'),
      );
    for (const caller of [ann, userCaller('admin', { admin: true })]) await expect(decide(caller)).rejects.toMatchObject({ code: 'approver_required' });
    await decide(userCaller(usr, { spaces: new Map([['default', 'member']]) }));
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'sent' });
    expect((await stepsOf(app(), session, turn))['ok']).toMatchObject({ output: { approved: true, reason: 'fine' } });
    await sound(session);
  });

  it('sleeps without a process, over a restart, and wakes when it is time', async () => {
    world.model.when('go', [{ text: 'gone' }]);
    const session = await workflowSession(app(), {
      nodes: [{ key: 'wait', type: 'timer', timer: { durationSeconds: 600 } }, agent('go', await client.agent(), "'go'")],
      edges: [{ from: 'wait', to: 'go' }],
    });
    const turn = await submitJson(app(), session, {});
    const asleep = async () => ((await heads(session))?.due ?? 0) > world.clock.now() + 500_000;
    await eventually('it sleeps', asleep);
    expect(await client.turn(session, turn)).toMatchObject({ status: 'queued' });
    await world.restart();
    await settle(20);
    expect(await asleep()).toBe(true);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'gone' });
    await sound(session);
  });

  it('waits for a join and for a map no longer than it is told', async () => {
    world.model.when('slow', [{ hang: true }]);
    world.model.when('quick', [{ text: 'done' }]);
    const helper = await client.agent();
    const session = await workflowSession(app(), {
      nodes: [
        agent('slow', helper, "'slow'"),
        agent('quick', helper, "'quick'"),
        { key: 'both', type: 'join', join: { mode: 'all' }, timeoutSeconds: 30 },
        {
          ...{ key: 'each', type: 'map', items: "['quick', 'slow']", timeoutSeconds: 45 },
          node: { type: 'agent', agentId: helper, input: { message: 'item' } },
        },
        agent('mend', helper, "'quick'"),
      ],
      edges: [
        { from: 'slow', to: 'both' },
        { from: 'quick', to: 'both' },
        { from: 'both', to: 'mend', on: ['timed_out'] },
        { from: 'each', to: 'mend', on: ['timed_out'] },
      ],
    });
    const turn = await submitJson(app(), session, {});
    const before = world.clock.now();
    const both = await eventually('the join waits', async () => {
      const step = (await stepsOf(app(), session, turn))['both'];
      return step?.status === 'sleeping' ? step : undefined;
    });
    expect(both.until).toBe(before + 30_000);
    // Its time goes on over a restart.
    await world.restart();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', result: { mend: 'done' } });
    expect(await ends(app(), session, turn)).toMatchObject({ slow: 'cancelled', both: 'timed_out', each: 'timed_out', 'each.1': 'cancelled' });
    expect(world.clock.now() - before).toBeGreaterThanOrEqual(45_000);
    await sound(session);
  });

  it('sleeps while a workflow in it sleeps, and that is no running time', async () => {
    world.model.when('go', [{ text: 'gone' }]);
    const inner = await publish(app(), {
      nodes: [{ key: 'wait', type: 'timer', timer: { durationSeconds: 600 } }, agent('go', await client.agent(), "'go'")],
      edges: [{ from: 'wait', to: 'go' }],
      output: 'nodes.go.output',
    });
    const { workflowId } = await publish(app(), { nodes: [{ key: 'sub', type: 'subrun', definitionRevisionId: inner.revisionId }] });
    const target = { type: 'workflow' as const, id: workflowId };
    const session = (await createSession(app(), ann, { target, timeoutSeconds: 60 }, fresh('create'))).answer.id;
    const turn = await submitJson(app(), session, {});
    await eventually('it sleeps', async () => ((await heads(session))?.due ?? 0) > world.clock.now() + 500_000);
    await world.restart();
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'gone' });
    await sound(session);
  });

  it('takes the first of a signal and a timer, and lets go of the other', async () => {
    const helper = await client.agent();
    world.model.when('ship', [{ text: 'shipped' }]);
    world.model.when('remind', [{ text: 'reminded' }]);
    const race = {
      nodes: [
        { key: 'paid', type: 'signal', signalName: 'payment' },
        { key: 'late', type: 'timer', timer: { durationSeconds: 600 } },
        { key: 'first', type: 'join', join: { mode: 'any' } },
        { key: 'was', type: 'condition', condition: "nodes.paid.status == 'succeeded'" },
        agent('ship', helper, "'ship'"),
        agent('remind', helper, "'remind'"),
      ],
      edges: [
        { from: 'paid', to: 'first' },
        { from: 'late', to: 'first' },
        { from: 'first', to: 'was' },
        { from: 'was', to: 'ship' },
        { from: 'was', to: 'remind', condition: '!nodes.was.output' },
      ],
    };
    const session = await workflowSession(app(), race);
    const paid = await submitJson(app(), session, {});
    await client.until(session, paid, 'requires_action');
    expect((await heads(session))?.due).toBeGreaterThan(world.clock.now());
    const [action] = await client.actions(session, paid);
    await client.answer(session, paid, action?.request_id ?? '', { sum: 3 });
    expect(await client.until(session, paid)).toMatchObject({ status: 'completed', outputText: 'shipped' });
    expect(await ends(app(), session, paid)).toMatchObject({ late: 'cancelled', paid: 'succeeded', remind: 'skipped' });
    const late = await submitJson(app(), session, {});
    await client.until(session, late, 'requires_action');
    await world.clock.advance(700_000);
    expect(await client.until(session, late)).toMatchObject({ status: 'completed', outputText: 'reminded' });
    expect(await client.actions(session, late)).toEqual([]);
    await sound(session);
  });

  it('waits for as much at once as it may have nodes, and loses none of it', async () => {
    const starts = Array.from({ length: 7 }, (_, n) => ({ key: `c${n}`, type: 'condition', condition: 'run.input' }));
    const signals = Array.from({ length: 193 }, (_, n) => ({ key: `s${n}`, type: 'signal', signalName: 'go' }));
    const edges = signals.map(({ key }, n) => ({ from: `c${n % starts.length}`, to: key }));
    const session = await workflowSession(app(), { nodes: [...starts, ...signals], edges });
    const turn = await submitJson(app(), session, true);
    await client.until(session, turn, 'requires_action');
    const open = await client.actions(session, turn);
    expect(open).toHaveLength(signals.length);
    expect((await world.store.load(session as SessionId))?.state.length).toBeLessThan(64 * 1024);
    await world.restart();
    for (const some of [open.slice(0, 100), open.slice(100)]) {
      const answers = some.map(({ request_id }) => ({ request_id, payload: request_id }));
      await answerActions(app(), ann, session, turn, { answers } as never, fresh('answer'));
    }
    const done = await client.until(session, turn);
    expect(done.status).toBe('completed');
    expect(new Set(Object.values(done.result as Record<string, string>))).toEqual(new Set(open.map(({ request_id }) => request_id)));
    await sound(session);
  });

  it('shows what as many elements of a map ask as work at once, and then what the others do', async () => {
    const items = Array.from({ length: 66 }, (_, n) => `buy ${n}`);
    for (const item of items) world.model.when(item, [{ call: 'pay' }], [{ text: `bought: ${item}` }]);
    const agentId = await client.agent({ tools: [external('pay')] });
    const node = { type: 'agent', agentId, input: { message: 'item' } };
    const session = await workflowSession(app(), {
      nodes: [{ key: 'each', type: 'map', items: 'run.input', maxParallel: 64, node }],
      output: 'nodes.each.output',
    });
    const turn = await submitJson(app(), session, items);
    for (const count of [64, 2]) {
      const all = () => client.actions(session, turn);
      await eventually(`${count} ask`, async () => (await all()).length === count, { clock: world.clock });
      await Promise.all((await all()).map(({ request_id }) => client.answer(session, turn, request_id, { output: 'paid' })));
    }
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', result: items.map((item) => `bought: ${item}`) });
    await sound(session);
  });

  it('shows what a node’s agent asks, in its own turn', async () => {
    world.model.when('buy', [{ call: 'pay', input: { sum: 3 } }], [{ text: 'bought' }]);
    const session = await workflowSession(app(), { nodes: [agent('buy', await client.agent({ tools: [external('pay')] }), "'buy'")] });
    const turn = await submitJson(app(), session, {});
    await client.until(session, turn, 'requires_action');
    const [action] = await client.actions(session, turn);
    expect(action?.child_session_id).toBeDefined();
    await client.answer(session, turn, action?.request_id ?? '', { output: 'paid' });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: 'bought' });
    await sound(session);
  });
});

describe('what people do to a workflow', () => {
  it('is paused and resumed: what ran meanwhile is kept', async () => {
    const gate = createGate();
    world.model.when('one', [{ gate }, { text: '1' }]);
    world.model.when('two', [{ text: '2' }]);
    const helper = await client.agent();
    const session = await workflowSession(app(), {
      nodes: [agent('one', helper, "'one'"), agent('two', helper, "'two'")],
      edges: [{ from: 'one', to: 'two' }],
    });
    const turn = await submitJson(app(), session, {});
    await eventually('one runs', () => world.model.calls.length === 1);
    await pauseTurn(app(), ann, session, turn, fresh('pause'));
    gate.open();
    await eventually('one is kept', async () => (await ends(app(), session, turn))['one'] === 'succeeded', { clock: world.clock });
    expect(await client.turn(session, turn)).toMatchObject({ status: 'interrupted' });
    expect(world.model.calls).toHaveLength(1);
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', outputText: '2' });
    await sound(session);
  });

  it('PZ1 is paused with the workflows in it, and goes on with them', async () => {
    const gate = createGate();
    world.model.when('one', [{ gate }, { text: '1' }]);
    world.model.when('two', [{ text: '2' }]);
    const helper = await client.agent();
    const inner = await publish(app(), {
      nodes: [agent('one', helper, "'one'"), agent('two', helper, "'two'")],
      edges: [{ from: 'one', to: 'two' }],
      output: 'nodes.two.output',
    });
    const middle = await publish(app(), {
      nodes: [{ key: 'sub', type: 'subrun', definitionRevisionId: inner.revisionId }],
      output: 'nodes.sub.output',
    });
    const session = await workflowSession(app(), {
      nodes: [{ key: 'each', type: 'map', items: '[1]', node: { type: 'subrun', definitionRevisionId: middle.revisionId } }],
      output: 'nodes.each.output',
    });
    const turn = await submitJson(app(), session, {});
    await eventually('one runs', () => world.model.calls.length === 1);
    await pauseTurn(app(), ann, session, turn, fresh('pause'));
    const below = async () => {
      const rows = await world.store.descendants({ root: session as SessionId, under: '', limit: 9 });
      return Promise.all(rows.map(async ({ id }) => (await client.turn(id, id.replace('ses_', 'turn_'))).status));
    };
    await eventually('the workflows stand still', async () => (await below()).join() === 'interrupted,interrupted,running', { clock: world.clock });
    gate.open();
    await eventually('what ran is kept', async () => (await below()).join() === 'interrupted,interrupted,completed', { clock: world.clock });
    await world.restart();
    await world.clock.advance(120_000);
    expect(world.model.calls).toHaveLength(1);
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', result: ['2'] });
    await sound(session);
  });

  it('is cancelled with all that runs below it', async () => {
    const gate = createGate();
    world.model.when('one', [{ gate }, { text: '1' }]);
    const session = await workflowSession(app(), { nodes: [agent('one', await client.agent(), "'one'"), { key: 's', type: 'signal', signalName: 'x' }] });
    const turn = await submitJson(app(), session, {});
    await eventually('one runs', () => world.model.calls.length === 1);
    await client.cancel(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'cancelled' });
    expect(await ends(app(), session, turn)).toEqual({ one: 'cancelled', s: 'cancelled' });
    expect(await client.actions(session, turn)).toEqual([]);
    gate.open();
    await sound(session);
  });

  it('is run again as a new turn, with the same input', async () => {
    world.model.when('hi tea', [{ text: 'hello' }]);
    const session = await workflowSession(app(), { nodes: [agent('one', await client.agent(), "'hi ' + run.input.x")] });
    const turn = await submitJson(app(), session, { x: 'tea' });
    await client.until(session, turn);
    const key = fresh('rerun');
    const again = (await rerunTurn(app(), ann, session, turn, key)).answer.id;
    expect((await rerunTurn(app(), ann, session, turn, key)).answer.id).toBe(again);
    expect(await client.until(session, again)).toMatchObject({ status: 'completed', outputText: 'hello', metadata: { rerun_of: turn } });
    await sound(session);
  });

  it('is run again with the success criteria that it had', async () => {
    const session = await workflowSession(app(), { nodes: [{ key: 'c', type: 'condition', condition: 'run.input.x' }] });
    const turn = await submitJson(app(), session, { x: true }, { outcome: { schema: { type: 'object' }, expression: 'result.c', maxTries: 2 } });
    expect(await client.until(session, turn)).toMatchObject({ verdict: { status: 'satisfied' } });
    const again = (await rerunTurn(app(), ann, session, turn, fresh('rerun'))).answer.id;
    expect(await client.until(session, again)).toMatchObject({ status: 'completed', verdict: { status: 'satisfied', tries: 1 } });
    await sound(session);
  });

  it('is judged by whoever is told what was asked, beyond its beginning', async () => {
    const input = { text: `${'x '.repeat(300)}the end` };
    const criteria = 'Short.';
    const asked: readonly UserMessage[] = [{ role: 'user', content: [{ type: 'data', data: input }] }];
    const told = judgeMessage({ preview: '', result: 'ok', outcome: { rubric: { criteria } } } as never, asked);
    expect(told).toContain('the end');
    world.model.when('try', [{ text: 'ok' }]);
    world.model.when(told, [{ text: '{"satisfied": true, "reason": ""}' }]);
    const helper = await client.agent();
    const session = await workflowSession(app(), { nodes: [agent('one', helper, "'try'")], output: 'nodes.one.output' });
    const turn = await submitJson(app(), session, input, { outcome: { rubric: { agentId: helper, criteria }, maxTries: 1 } });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', verdict: { status: 'satisfied' } });
    await sound(session);
  });

  it('S10 leaves nothing open that the loser of a race asked for', async () => {
    world.model.when('slow', [{ call: 'lookup', input: { q: 'x' } }], [{ text: 'late' }]);
    const asker = await client.agent({ tools: [external('lookup')] });
    const session = await workflowSession(app(), {
      nodes: [agent('slow', asker, "'slow'"), { key: 'stop', type: 'signal', signalName: 'stop' }, { key: 'first', type: 'join', join: { mode: 'any' } }],
      edges: ['slow', 'stop'].map((from) => ({ from, to: 'first' })),
    });
    const turn = await submitJson(app(), session, {});
    await eventually('both ask', async () => (await client.actions(session, turn)).length === 2);
    const signal = (await client.actions(session, turn)).find(({ kind }) => kind === 'signal');
    await client.answer(session, turn, signal?.request_id ?? '', 1 as never);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(await client.actions(session, turn)).toEqual([]);
    await sound(session);
  });

  it('is stopped by a budget over the whole tree, and goes on when it is raised', async () => {
    for (const n of [1, 2, 3]) world.model.when(`do ${n}`, [{ text: `did ${n}` }]);
    const helper = await client.agent();
    const session = await workflowSession(app(), { nodes: [1, 2, 3].map((n) => agent(`n${n}`, helper, `'do ${n}'`)) });
    await setBudget(app(), ann, session, { max_model_calls: 2 });
    const turn = await submitJson(app(), session, {});
    await client.until(session, turn, 'interrupted');
    expect(world.model.calls).toHaveLength(2);
    await setBudget(app(), ann, session, { max_model_calls: 9 });
    await client.resume(session, turn);
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed' });
    expect(world.model.calls).toHaveLength(3);
    await sound(session);
  });

  it('is judged by an expression, and begun anew once', async () => {
    world.model.when('try', [{ text: 'no', times: 1 }, { text: 'no' }]);
    const session = await workflowSession(app(), { nodes: [agent('one', await client.agent(), "'try'")], output: 'nodes.one.output' });
    const turn = await submitJson(app(), session, {}, { outcome: { expression: "result == 'yes'", maxTries: 2 } });
    const done = await client.until(session, turn);
    expect(done).toMatchObject({ status: 'completed', verdict: { status: 'not_satisfied', tries: 2 } });
    expect(world.model.calls).toHaveLength(2);
    await sound(session);
  });

  it('tells a step of a further try what that try came to, not what the first one did', async () => {
    world.model.when('try', [{ fails: () => new ModelError('no', { retryable: false }), times: 1 }, { text: 'fine' }]);
    for (const status of ['failed', 'succeeded']) world.model.when(`it ${status}`, [{ text: `told: ${status}` }]);
    const helper = await client.agent();
    const session = await workflowSession(app(), {
      nodes: [agent('one', helper, "'try'"), agent('two', helper, "'it ' + nodes.one.status")],
      edges: [{ from: 'one', to: 'two', on: ['succeeded', 'failed'] }],
      output: 'nodes.two.output',
    });
    const turn = await submitJson(app(), session, {}, { outcome: { expression: "result == 'told: succeeded'", maxTries: 2 } });
    expect(await client.until(session, turn)).toMatchObject({ status: 'completed', result: 'told: succeeded', verdict: { status: 'satisfied', tries: 2 } });
    await sound(session);
  });
});
