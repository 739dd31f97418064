/** The state stays small whatever people and models say: ids, enums and counters only (≤ 64 KB at the limits; of a workflow at all of its limits, ≤ 96 KB). */
import { describe, expect, it } from 'vitest';
import { maxNodes } from '../protocol/wire/workflows.ts';
import {
  answer,
  applyInputs,
  askForm,
  asking,
  asks,
  call,
  cancel,
  childEnded,
  childMade,
  childTells,
  delegating,
  dispatch,
  external,
  lost,
  modelDone,
  openItem,
  question,
  remember,
  restart,
  rules,
  start,
  stopped,
  submit,
  succeeded,
  text,
  to,
  toolDone,
  turn,
  type Wish,
} from '../testing/commands.ts';
import { emptyStory, tell } from '../testing/given.ts';
import type { PieceTerms } from './commands.ts';
import { type FlowMove, maxFlowChildren, maxFlowElements } from './flow.ts';
import { childInputId, childSessionId, type SessionId } from './ids.ts';
import {
  maxAllowedTools,
  maxCallsPerStep,
  maxChildActions,
  maxChildren,
  maxFailedPieces,
  maxFoundTools,
  maxPieces,
  maxUnverified,
  maxWaitingInputs,
  type SessionState,
} from './state.ts';

const limit = 64 * 1024;
const long = (n: number): string => `call_${String(n).padStart(3, '0')}_${'x'.repeat(31)}`;
const calls = (step: number, more: Parameters<typeof call>[1]) =>
  Array.from({ length: maxCallsPerStep }, (_, n) => call(long(step * maxCallsPerStep + n), { name: 'n'.repeat(64), expiresAt: 1_900_000_000_000, ...more }));
/** As long as real ones. */
const name = (n: number): string => `${n}`.padStart(32, '0');
const queue = Array.from({ length: 19 }, (_, n) => submit(name(n + 1)));
const said = Array.from({ length: maxWaitingInputs }, (_, n): Wish => {
  const inputId = `inp_${name(n)}`;
  return { type: 'steer', turnId: turn(name(0)), inputId, commandId: `cmd_${name(n)}`, input: [{ role: 'user', content: [text('x'.repeat(1_000))] }] };
});
const begin = [submit(name(0)), start('x'.repeat(100_000)), ...queue, openItem];
const size = (...steps: readonly Wish[]): number => JSON.stringify(tell(emptyStory, steps).state).length;

describe('the state at the limits', () => {
  it('with 20 turns, 64 calls and 64 open actions', () => {
    const waiting = modelDone('y'.repeat(100_000), ...calls(0, { ...external, ...asks }));
    expect(size(...begin, waiting)).toBeLessThan(limit / 2);
    expect(size(...begin, ...said, waiting) - size(...begin, waiting)).toBeLessThan(limit / 4);
  });

  it('with 64 unknown results, after as many calls of unknown outcome as are remembered', () => {
    const steps = Array.from({ length: maxUnverified / maxCallsPerStep + 1 }, (_, step): readonly Wish[] => [
      modelDone('', ...calls(step, {})),
      ...calls(step, {}).map((entry) => dispatch(entry.id)),
      ...calls(step, {}).map((entry) => toolDone(entry.id, 'unknown')),
    ]).flat();
    const last = [modelDone('', ...calls(9, {})), ...calls(9, {}).map((entry) => dispatch(entry.id)), lost];
    expect(size(...begin, ...steps, ...last)).toBeLessThan(limit);
  });

  it('with as many tools allowed for the session as are remembered, and 64 open questions', () => {
    const toolName = (n: number): string => `${n}`.padStart(64, 'n');
    const remembering = Array.from({ length: maxAllowedTools }, (_, n): readonly Wish[] => [
      modelDone('', call(`c${n}`, { ...asks, name: toolName(n) })),
      answer(name(0), to(`act_${name(0)}_${n + 1}`, remember)),
      restart(),
      dispatch(`c${n}`),
      toolDone(`c${n}`),
    ]).flat();
    const story = tell(emptyStory, [...begin, ...remembering, modelDone('', ...calls(9, asking(question('x'.repeat(9_999)))))], rules({ maxSteps: 999 }));
    expect(story.state.allowedTools).toHaveLength(maxAllowedTools);
    expect(JSON.stringify(story.state).length).toBeLessThan(limit / 2);
  });

  it('with all of it together: a turn that was cancelled with its children asking, and the next one full of calls, actions and inputs', () => {
    const unknown = Array.from({ length: maxUnverified / maxCallsPerStep }, (_, step): readonly Wish[] => [
      modelDone('', ...calls(step + 20, {})),
      ...calls(step + 20, {}).map((entry) => dispatch(entry.id)),
      ...calls(step + 20, {}).map((entry) => toolDone(entry.id, 'unknown')),
    ]).flat();
    const allowed = Array.from({ length: maxAllowedTools }, (_, n): readonly Wish[] => [
      modelDone('', call(`c${n}`, { ...asks, name: `${n}`.padStart(64, 'n') })),
      answer(name(0), to(`act_${name(0)}_${n + 1}`, remember)),
      restart(),
      dispatch(`c${n}`),
      toolDone(`c${n}`),
    ]).flat();
    const child = (n: number): SessionId => childSessionId(turn(name(0)), n + 1);
    const stepOf = (from: number, count: number): readonly Wish[] => {
      const made = Array.from({ length: count }, (_, n) => delegating(`d${from + n}`, true));
      const dispatched = made.map(({ id }): Wish => ({ type: 'dispatch', callId: id, input: { background: true } }));
      return [modelDone('', ...made), ...dispatched, ...made.map((_, n) => childMade(child(from + n)))];
    };
    const delegated = [...stepOf(0, maxCallsPerStep), ...stepOf(maxCallsPerStep, maxChildren - maxCallsPerStep)];
    const tells = Array.from({ length: maxChildren }, (_, n): Wish => {
      const action = { request_id: `act_${name(0)}-${n + 1}_1`, child_session_id: child(n), kind: 'external_execution', version: 1 } as const;
      return childTells(child(n), { is: { status: 'requires_action' }, actions: [{ ...action, answer_schema: {}, approver: 'application' }] });
    });
    const first = [...begin, ...unknown, ...allowed, ...delegated, ...tells, ...said];
    const found = Array.from({ length: maxFoundTools }, (_, n) => `${n}`.padStart(64, 'f'));
    const finding: readonly Wish[] = [
      modelDone('', call('found')),
      dispatch('found'),
      { type: 'tool_done', callId: 'found', outcome: { status: 'success', output: [], found } },
    ];
    const running = [
      modelDone('', ...calls(0, {})),
      ...calls(0, {}).map(({ id }) => dispatch(id)),
      ...calls(0, {}).map(({ id }) => askForm(id, { expiresAt: 1_900_000_000_000 })),
    ];
    const full = [...first, ...finding, ...running];
    const { state } = tell(emptyStory, full, rules({ maxSteps: 999 }));
    expect(state.foundTools).toHaveLength(maxFoundTools);
    expect(state.live?.openActions).toHaveLength(maxChildActions + maxCallsPerStep);
    expect([state.children?.length, state.inputs?.length, state.live?.unverified.length]).toEqual([maxChildren, maxWaitingInputs, maxUnverified]);
    expect(JSON.stringify(state).length).toBeLessThan(limit);
    const next = tell(emptyStory, [...first, cancel(name(0)), stopped(), submit(name(99)), start()], rules({ maxSteps: 999 })).state;
    expect(next.children?.every(({ closing }) => closing)).toBe(true);
    expect(next.last?.unverified).toEqual([]);
  });

  it('with a team: its pieces take no more than what people say to other sessions, and never to a team', () => {
    const child = (n: number): SessionId => childSessionId(turn(name(0)), n + 1);
    const retry = { retry: { left: 19, backoffMs: 86_400_000 } };
    const pieces = (from: number, how: PieceTerms): readonly Wish[] => {
      const made = Array.from({ length: maxPieces }, (_, n) => delegating(long(from + n), true));
      const sent = made.map(({ id }): Wish => ({ type: 'dispatch', callId: id, input: { background: true }, piece: how }));
      return [modelDone('', ...made), ...sent, ...made.map((_, n) => childMade(child(from + n)))];
    };
    const failed = (from: number): readonly Wish[] => Array.from({ length: maxPieces }, (_, n) => childEnded(child(from + n), 'failed'));
    const heard = applyInputs(...Array.from({ length: maxPieces }, (_, n) => childInputId(child(n))));
    const lasting = [...pieces(0, {}), ...failed(0), heard, ...pieces(maxPieces, { ...retry, of: '64' }), ...failed(maxPieces)];
    const team = tell(emptyStory, [{ type: 'create', target: 'team' }, ...begin, ...lasting]).state;
    expect([team.children?.length, team.live?.failedPieces?.length]).toEqual([maxPieces, maxFailedPieces]);
    const stepOf = (from: number, count: number): readonly Wish[] => {
      const made = Array.from({ length: count }, (_, n) => delegating(long(from + n), true));
      const sent = made.map(({ id }): Wish => ({ type: 'dispatch', callId: id, input: { background: true } }));
      return [modelDone('', ...made), ...sent, ...made.map((_, n) => childMade(child(from + n)))];
    };
    const children = [...stepOf(0, maxCallsPerStep), ...stepOf(maxCallsPerStep, maxChildren - maxCallsPerStep)];
    expect(JSON.stringify(team).length).toBeLessThan(size(...begin, ...children, ...said));
  });

  const key = (n: number): string => `n${n}`.padEnd(64, '_');
  const expiresAt = 1_900_000_000_000;
  const approval = (n: number): FlowMove => ({
    ...{ do: 'ask', key: key(n), type: 'approval', inquiry: { kind: 'approval', prompt: 'x'.repeat(1_000) }, approver: ['u'.repeat(32)], expiresAt },
  });
  const flow = (...moves: readonly FlowMove[]): SessionState => {
    const steps: readonly Wish[] = [{ type: 'create', target: 'workflow' }, submit(name(0)), start(), ...queue, { type: 'advance_flow', moves }];
    return tell(emptyStory, steps).state;
  };

  it('with a workflow of as many nodes as there may be, all of which wait for people at once', () => {
    const state = flow(...Array.from({ length: maxNodes }, (_, n) => approval(n)));
    expect([state.live?.flow?.steps.length, state.live?.openActions.length]).toEqual([maxNodes, maxNodes]);
    expect(JSON.stringify(state).length).toBeLessThan(limit);
  });

  it('with maps of which as many elements ask people as may run at once, and as many as are remembered wait for their next attempt', () => {
    const state = mapsAsking();
    expect(state.live?.flow?.steps.filter(({ key: of }) => of.includes('.'))).toHaveLength(maxFlowElements);
    expect(state.live?.openActions).toHaveLength(maxFlowChildren);
    expect(JSON.stringify(state).length).toBeLessThan(limit);
  });

  const mapsAsking = (...more: readonly FlowMove[]): SessionState => {
    const child = (n: number): SessionId => childSessionId(turn(name(0)), n + 1);
    const map = (n: number): FlowMove => ({ do: 'begin_map', key: key(n), type: 'map', total: 1_000, parallel: 64 });
    const element = (n: number): FlowMove => ({ do: 'begin', key: `${key(n < maxFlowChildren ? 0 : 1)}.${n % maxFlowChildren}`, type: 'subrun', input: {} });
    const begun = (from: number): readonly FlowMove[] => Array.from({ length: maxFlowChildren }, (_, n) => element(from + n));
    const delayed = begun(0).map((move): FlowMove => ({ do: 'retry', key: 'key' in move ? move.key : '', type: 'subrun', until: expiresAt }));
    const tells = Array.from({ length: maxFlowChildren }, (_, n): Wish => {
      const id = child(maxFlowChildren + n);
      const action = { request_id: `act_${id.slice(4)}_1`, child_session_id: id, kind: 'external_execution', version: 1, expires_at: expiresAt } as const;
      return childTells(id, { asOf: 99_999, is: { status: 'requires_action' }, actions: [{ ...action, answer_schema: {}, approver: 'application' }] });
    });
    return tell(emptyStory, [
      ...[{ type: 'create', target: 'workflow' } as const, submit(name(0)), start(), ...queue],
      { type: 'advance_flow', moves: [map(0), map(1), ...begun(0)] },
      ...Array.from({ length: maxFlowChildren }, (_, n) => childEnded(child(n), 'failed')),
      { type: 'advance_flow', moves: [...delayed, ...begun(maxFlowChildren), ...more] },
      ...Array.from({ length: maxFlowChildren }, (_, n) => childMade(child(maxFlowChildren + n))),
      ...tells,
    ]).state;
  };

  it('with both at once, and all keys as long as they may be, it is more, and bounded', () => {
    const state = mapsAsking(...Array.from({ length: maxNodes - 2 }, (_, n) => approval(n + 2)));
    expect(state.live?.openActions).toHaveLength(maxNodes - 2 + maxFlowChildren);
    expect(JSON.stringify(state).length).toBeLessThan(1.5 * limit);
  });

  it('does not grow with the length of a turn', () => {
    const turnOf = (rounds: number): readonly Wish[] => [
      ...begin,
      ...Array.from({ length: rounds }, (_, n): readonly Wish[] => [
        modelDone('', call(`c${n + 100}`)),
        dispatch(`c${n + 100}`),
        lost,
        answer(name(0), to(`act_${name(0)}_${n + 1}`, succeeded)),
        restart(),
      ]).flat(),
    ];
    expect(size(...turnOf(18)) - size(...turnOf(1))).toBeLessThan(10);
  });
});
