import { describe, expect, it } from 'vitest';
import type { FlowMove } from '../session/flow.ts';
import { flowDue, maxFlowElements, stepOf } from '../session/flow.ts';
import { advance, apply, awaited, complete, isDue, openChildren, planned, type Simulation, simulate, spec, tick } from '../testing/flow-simulator.ts';
import { planFlow } from './plan-flow.ts';

const agent = (key: string, more: object = {}): object => ({ key, type: 'agent', agentId: 'a', ...more });
const join = (key: string, mode: string, count?: number): object => ({ key, type: 'join', join: { mode, ...(count === undefined ? {} : { count }) } });
const edge = (from: string, to: string, more: object = {}): object => ({ from, to, ...more });

const brief = (moves: readonly FlowMove[]): readonly string[] => moves.map((move) => ('key' in move ? `${move.do} ${move.key}` : move.do));
const statusOf = (sim: Simulation, key: string): string | undefined => stepOf(sim.flow, key)?.status;
const toEnd = (sim: Simulation): Simulation => {
  while (tick(sim, 0));
  return sim;
};

describe('planFlow', () => {
  it('begins with the nodes that nothing leads to, and goes on along the edges', () => {
    const sim = simulate({
      spec: spec([agent('a', { input: { message: 'run.input' } }), agent('b', { input: { n: 'nodes.a.output' } })], [edge('a', 'b')]),
      input: 'hello',
    });
    expect(advance(sim)).toEqual([{ do: 'begin', key: 'a', type: 'agent', input: { message: 'hello' } }]);
    complete(sim, 'a', { status: 'succeeded', output: 7 });
    expect(advance(sim)).toEqual([
      { do: 'route', key: 'a', taken: [0] },
      { do: 'begin', key: 'b', type: 'agent', input: { n: 7 } },
    ]);
    complete(sim, 'b', { status: 'succeeded', output: 'done' });
    expect(advance(sim)).toEqual([
      { do: 'route', key: 'b', taken: [] },
      { do: 'finish', outcome: 'completed', outputText: 'done', result: { b: 'done' } },
    ]);
  });

  it('follows a condition by what it gave, or by what the edge says', () => {
    const of = spec(
      [{ key: 'c', type: 'condition', condition: 'run.input' }, agent('yes'), agent('no'), agent('any')],
      [edge('c', 'yes'), edge('c', 'no', { condition: '!nodes.c.output' }), edge('c', 'any', { condition: 'true' })],
    );
    const begun = (input: boolean): readonly string[] => brief(advance(simulate({ spec: of, input })));
    expect(begun(true)).toEqual(['end c', 'route c', 'begin yes', 'end no', 'begin any', 'route no']);
    expect(begun(false)).toEqual(['end c', 'route c', 'end yes', 'begin no', 'begin any', 'route yes']);
  });

  it('fails a step whose expression fails, and says where', () => {
    const sim = simulate({ spec: spec([agent('a', { input: { message: 'run.nothing' }, retry: { maxAttempts: 3 } })]) });
    expect(advance(sim)).toMatchObject([
      { do: 'end', key: 'a', status: 'failed', errorCode: 'expression_failed', errorMessage: 'Its input "message" failed: there is no run.nothing' },
      { do: 'route' },
      { do: 'fail', errorCode: 'expression_failed', errorMessage: 'The step "a" ended as failed: Its input "message" failed: there is no run.nothing' },
    ]);
    const onEdge = simulate({ spec: spec([agent('a'), agent('b')], [edge('a', 'b', { condition: 'nodes.x.output' })]) });
    advance(onEdge);
    complete(onEdge, 'a');
    expect(advance(onEdge)).toMatchObject([{ do: 'fail', errorCode: 'expression_failed', errorMessage: expect.stringContaining('/edges/0/condition') }]);
  });

  it('tries again with pauses that double, but never what was rejected', () => {
    const sim = simulate({ spec: spec([agent('a', { retry: { maxAttempts: 3, backoffSeconds: 10 } })]), outcomeOf: () => ({ status: 'timed_out' }) });
    advance(sim);
    complete(sim, 'a');
    expect(advance(sim)).toEqual([{ do: 'retry', key: 'a', type: 'agent', until: 11_000 }]);
    expect(planned(sim)).toEqual([]);
    sim.now = 11_000;
    expect(brief(advance(sim))).toEqual(['begin a']);
    complete(sim, 'a');
    expect(advance(sim)).toMatchObject([{ do: 'retry', until: 31_000 }]);
    expect(toEnd(sim).ended).toMatchObject({ do: 'fail', errorCode: 'step_failed', errorMessage: 'The step "a" ended as timed_out.' });
    expect([...sim.begun.keys()]).toEqual(['a#1', 'a#2', 'a#3']);

    const asked = simulate({
      spec: spec([
        { key: 'p', type: 'approval', approval: { approverRef: 'u', prompt: 'Send {{ run.input }}?' }, timeoutSeconds: 5, retry: { maxAttempts: 2 } },
      ]),
      input: { to: 1 },
    });
    expect(advance(asked)).toEqual([
      { do: 'ask', key: 'p', type: 'approval', inquiry: { kind: 'approval', prompt: 'Send {"to":1}?' }, approver: 'u', expiresAt: 6_000 },
    ]);
    complete(asked, 'p', { status: 'timed_out' });
    expect(brief(advance(asked))).toEqual(['retry p', 'ask p']);
    complete(asked, 'p', { status: 'rejected' });
    expect(brief(advance(asked))).toEqual(['route p', 'fail']);
  });

  it('runs a map a few at a time, and gives the outputs in order', () => {
    const of = spec([
      { key: 'm', type: 'map', items: 'run.input', maxParallel: 2, node: { type: 'agent', agentId: 'a', input: { message: 'item', n: 'index' } } },
    ]);
    const sim = simulate({ spec: of, input: ['x', 'y', 'z'] });
    expect(advance(sim)).toEqual([
      { do: 'begin_map', key: 'm', type: 'map', total: 3, parallel: 2 },
      { do: 'begin', key: 'm.0', type: 'agent', input: { message: 'x', n: 0 } },
      { do: 'begin', key: 'm.1', type: 'agent', input: { message: 'y', n: 1 } },
    ]);
    complete(sim, 'm.1', { status: 'succeeded', output: 'Y' });
    expect(brief(advance(sim))).toEqual(['route m.1', 'begin m.2']);
    complete(sim, 'm.2', { status: 'succeeded', output: 'Z' });
    complete(sim, 'm.0', { status: 'succeeded', output: 'X' });
    expect(brief(advance(sim))).toEqual(['route m.2', 'route m.0', 'end m', 'route m', 'finish'].toSorted((a, b) => order(a) - order(b)));
    expect(sim.ended).toMatchObject({ result: { m: ['X', 'Y', 'Z'] } });
    expect(toEnd(simulate({ spec: of, input: [] })).ended).toMatchObject({ do: 'finish', result: { m: [] } });
  });

  it('fails a map with its first element that fails, unless it is to go on', () => {
    const of = (failurePolicy: string) =>
      simulate({ spec: spec([{ key: 'm', type: 'map', items: '[1,2,3]', maxParallel: 3, failurePolicy, node: { type: 'agent', agentId: 'a' } }]) });
    const strict = of('fail_fast');
    advance(strict);
    complete(strict, 'm.1', { status: 'failed' });
    expect(brief(advance(strict))).toEqual(['route m.1', 'end m.0', 'route m.0', 'end m.2', 'route m.2', 'end m', 'route m', 'fail']);
    for (const [policy, outcome] of [
      ['continue', 'completed'],
      ['partial_success', 'partial_succeeded'],
    ] as const) {
      const sim = of(policy);
      advance(sim);
      complete(sim, 'm.1', { status: 'failed' });
      expect(toEnd(sim).ended).toMatchObject({ do: 'finish', outcome, result: { m: ['m.0', null, 'm.2'] } });
    }
  });

  it('remembers no more elements of all maps than it may, while they wait for their next attempts', () => {
    const node = { type: 'agent', agentId: 'a', retry: { maxAttempts: 3, backoffSeconds: 600 } };
    const each = (key: string): object => ({ key, type: 'map', items: 'run.input', maxParallel: 64, failurePolicy: 'continue', node });
    const sim = simulate({
      spec: spec(['a', 'b', 'c', 'd'].map(each)),
      input: Array.from({ length: 70 }, (_, n) => n),
      outcomeOf: () => ({ status: 'failed' }),
    });
    const elements = (): number => sim.flow.steps.filter(({ key }) => key.includes('.')).length;
    let most = 0;
    for (let n = 0; n < 20_000 && !sim.ended; n += 1) {
      if (isDue(sim)) expect(advance(sim).length).toBeGreaterThan(0);
      else tick(sim, 0);
      most = Math.max(most, elements());
    }
    expect(most).toBe(maxFlowElements);
    expect(sim.ended).toMatchObject({ do: 'finish' });
    expect(stepOf(sim.flow, 'd')?.map).toMatchObject({ total: 70, ended: 70, failed: 70 });
  });

  it('fails what is too large to be told, however large', () => {
    const large = 'x'.repeat(1_000_000);
    const input = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`n${n}`, 'run.input']));
    const begun = advance(simulate({ spec: spec([agent('a', { input })]), input: large }));
    expect(begun[0]).toMatchObject({ do: 'end', errorCode: 'expression_failed', errorMessage: expect.stringContaining('longer than') });
    const prompt = { key: 'ok', type: 'approval', approval: { approverRef: 'usr_1', prompt: 'Send {{run.input}}?' } };
    expect(advance(simulate({ spec: spec([prompt]), input: large }))[0]).toMatchObject({ do: 'end', status: 'failed', errorCode: 'expression_failed' });
  });

  it('decides a race with the first, and cancels who is not waited for any more', () => {
    const sim = simulate({
      spec: spec([agent('a'), agent('b'), agent('b2'), join('j', 'any'), agent('z')], [edge('a', 'j'), edge('b', 'b2'), edge('b2', 'j'), edge('j', 'z')]),
    });
    advance(sim);
    complete(sim, 'a');
    expect(brief(advance(sim))).toEqual(['route a', 'end j', 'end b', 'route j', 'begin z', 'route b', 'end b2', 'route b2']);
    expect([statusOf(sim, 'b'), statusOf(sim, 'b2')]).toEqual(['cancelled', 'skipped']);
    expect(toEnd(sim).ended).toMatchObject({ do: 'finish', outcome: 'completed', result: { z: 'z' } });
  });

  it('waits for a join no longer than it is told, from the first edge that is taken on', () => {
    const of = spec(
      [agent('a'), agent('b'), { key: 'j', type: 'join', join: { mode: 'all' }, timeoutSeconds: 60 }, agent('go'), agent('late')],
      [
        { from: 'a', to: 'j' },
        { from: 'b', to: 'j' },
        { from: 'j', to: 'go' },
        { from: 'j', to: 'late', on: ['timed_out'] },
      ],
    );
    const begun = (): Simulation => {
      const sim = simulate({ spec: of });
      advance(sim);
      sim.now = 500_000;
      expect(flowDue(sim.flow, 2)).toBeUndefined();
      complete(sim, 'a');
      expect(advance(sim)).toMatchObject([{ do: 'route' }, { do: 'sleep', key: 'j', type: 'join', until: 560_000 }]);
      return sim;
    };
    const late = begun();
    late.now = 560_000;
    // Nobody waits for the other any more, and that is no failure of its own.
    expect(brief(advance(late))).toEqual(['end j', 'end b', 'route j', 'end go', 'begin late', 'route b', 'route go']);
    expect(statusOf(late, 'j')).toBe('timed_out');
    expect(toEnd(late).ended).toMatchObject({ do: 'finish', outcome: 'completed', result: { late: 'late' } });
    const inTime = begun();
    complete(inTime, 'b');
    expect(toEnd(inTime).ended).toMatchObject({ do: 'finish', outcome: 'completed', result: { go: 'go' } });
  });

  it('ends a map whose time is over with all that runs of it, but not one that is done by then', () => {
    const of = spec([
      {
        key: 'm',
        type: 'map',
        items: '[1,2,3]',
        maxParallel: 2,
        timeoutSeconds: 60,
        node: { type: 'agent', agentId: 'a', retry: { maxAttempts: 2, backoffSeconds: 90 } },
      },
    ]);
    const late = simulate({ spec: of });
    expect(advance(late)[0]).toMatchObject({ do: 'begin_map', until: 61_000 });
    complete(late, 'm.0', { status: 'failed' });
    expect(brief(advance(late))).toEqual(['retry m.0']);
    expect(flowDue(late.flow, 1)).toBe(61_000);
    late.now = 61_000;
    expect(brief(advance(late))).toEqual(['end m.0', 'route m.0', 'end m.1', 'route m.1', 'end m', 'route m', 'fail']);
    expect(late.ended).toMatchObject({ errorCode: 'timed_out', errorMessage: 'The step "m" ended as timed_out: Of its 3 elements 0 had ended after 60 s.' });
    const done = simulate({ spec: of });
    for (const key of ['m.0', 'm.1', 'm.2']) {
      advance(done);
      complete(done, key);
    }
    done.now = 99_000;
    expect(toEnd(done).ended).toMatchObject({ do: 'finish', result: { m: ['m.0', 'm.1', 'm.2'] } });
  });

  it('counts it as no failure to lose a race, nor fails what is not waited for', () => {
    const nodes = [agent('a'), agent('x', { failurePolicy: 'partial_success' }), agent('y'), join('both', 'all'), join('first', 'any')];
    const edges = [edge('a', 'first'), edge('x', 'both'), edge('y', 'both'), edge('both', 'first')];
    const sim = simulate({ spec: spec(nodes, edges) });
    advance(sim);
    complete(sim, 'a');
    advance(sim);
    expect(['x', 'y', 'both'].map((key) => statusOf(sim, key))).toEqual(['cancelled', 'cancelled', 'skipped']);
    expect(sim.ended).toMatchObject({ do: 'finish', outcome: 'completed', result: { first: { a: 'a' } } });
  });

  it('leaves a failure to the races that follow, and fails where they cannot be won', () => {
    const of = spec([agent('a'), agent('b'), agent('c'), join('j', 'quorum', 2)], [edge('a', 'j'), edge('b', 'j'), edge('c', 'j')]);
    const won = simulate({ spec: of });
    advance(won);
    complete(won, 'b', { status: 'failed' });
    expect(toEnd(won).ended).toMatchObject({ do: 'finish', outcome: 'completed', outputText: '{"j":{"a":"a","c":"c"}}' });
    const lost = simulate({ spec: of });
    advance(lost);
    complete(lost, 'a', { status: 'failed' });
    complete(lost, 'b', { status: 'failed' });
    expect(brief(advance(lost))).toEqual(['route a', 'route b', 'end j', 'end c', 'route j', 'fail']);
    expect(lost.ended).toMatchObject({ errorCode: 'join_unsatisfied' });
  });

  it('takes a failure up along an edge, and fails a join of all that lost one', () => {
    const of = spec([agent('a'), agent('b'), agent('mend'), join('j', 'all')], [edge('a', 'j'), edge('b', 'j'), edge('a', 'mend', { on: ['failed'] })]);
    const sim = simulate({ spec: of, outcomeOf: (key) => (key === 'a' ? { status: 'timed_out' } : { status: 'succeeded', output: key }) });
    expect(toEnd(sim).ended).toMatchObject({ do: 'fail', errorCode: 'join_unsatisfied' });
    expect(statusOf(sim, 'mend')).toBeDefined();
  });

  it('says in its outcome what failures came to', () => {
    const of = (policy: string) => spec([agent('a', { failurePolicy: policy }), agent('b')]);
    const outcomeOf = (key: string) => (key === 'a' ? ({ status: 'failed' } as const) : ({ status: 'succeeded', output: 'B' } as const));
    const ended = (policy: string) => toEnd(simulate({ spec: of(policy), outcomeOf })).ended;
    expect(ended('fail_fast')).toMatchObject({ do: 'fail' });
    expect(ended('continue')).toEqual({ do: 'finish', outcome: 'completed', outputText: 'B', result: { b: 'B' } });
    expect(ended('partial_success')).toMatchObject({ do: 'finish', outcome: 'partial_succeeded' });
    const alone = simulate({ spec: spec([agent('a', { failurePolicy: 'partial_success' })]), outcomeOf });
    expect(toEnd(alone).ended).toMatchObject({ do: 'fail', errorCode: 'step_failed' });
  });

  it('sleeps until a time, and comes to its own output', () => {
    const sim = simulate({ spec: spec([{ key: 't', type: 'timer', timer: { at: 'run.input' } }], [], 'nodes.t.status'), input: '1970-01-01T00:00:05Z' });
    expect(advance(sim)).toEqual([{ do: 'sleep', key: 't', type: 'timer', until: 5_000 }]);
    expect(planned(sim)).toEqual([]);
    expect(toEnd(sim).ended).toEqual({ do: 'finish', outcome: 'completed', outputText: 'succeeded', result: 'succeeded' });
    const wrong = simulate({ spec: sim.spec, input: 'tomorrow' });
    expect(advance(wrong)).toMatchObject([
      { errorCode: 'expression_failed', errorMessage: 'tomorrow is no time: Unix ms or RFC 3339 text.' },
      {},
      { do: 'fail' },
    ]);
  });

  it('waits for a signal until it is too late', () => {
    const sim = simulate({ spec: spec([{ key: 's', type: 'signal', signalName: 'paid', timeoutSeconds: 2 }]) });
    expect(advance(sim)).toEqual([
      { do: 'ask', key: 's', type: 'signal', inquiry: { kind: 'signal', signalName: 'paid' }, approver: 'owner', expiresAt: 3_000 },
    ]);
    expect(awaited(sim).map(({ key }) => key)).toEqual(['s']);
  });

  it('begins nothing while it is paused, nor with children at their most', () => {
    const sim = simulate({ spec: spec([agent('a'), agent('b')], [edge('a', 'b')]) });
    advance(sim);
    complete(sim, 'a');
    const plan = (open: number, paused: boolean) =>
      planFlow({
        spec: sim.spec,
        flow: { ...sim.flow, ...(paused ? { paused: true as const } : {}) },
        openChildren: open,
        now: 0,
        env: { run: { input: null, id: 'r' }, nodes: sim.results },
        evaluate: sim.evaluate,
      });
    expect(plan(0, true)).toEqual([]);
    expect(plan(64, false)).toEqual([]);
    expect(brief(plan(63, false))).toEqual(['route a', 'begin b']);
    expect(openChildren(sim.flow)).toBe(0);
  });

  it('goes on from a plan of which only the beginning became a fact', () => {
    const sim = simulate({ spec: spec([agent('a'), agent('b')], [edge('a', 'b')]) });
    advance(sim);
    complete(sim, 'a');
    const [first, ...rest] = planned(sim);
    apply(sim, first as FlowMove);
    expect(planned(sim)).toEqual(rest);
  });
});

/** Elements are counted in the order in which they stand in the state. */
const order = (move: string): number => ['route m.0', 'route m.2', 'end m', 'route m', 'finish'].indexOf(move);
