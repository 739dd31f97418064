/** Outcome checks (OC1–OC4). */
import { describe, expect, it } from 'vitest';
import {
  applyInputs,
  call,
  cancel,
  childEnded,
  childMade,
  childTells,
  delegating,
  dispatch,
  handedOver,
  modelDone,
  modelFailed,
  restart,
  resume,
  rules,
  start,
  steer,
  stopped,
  submit,
  toolDone,
  turn,
  type Wish,
} from '../../testing/commands.ts';
import { emptyStory, type Story, tell } from '../../testing/given.ts';
import { decide } from '../decide.ts';
import type { FlowMove } from '../flow.ts';
import { childSessionId } from '../ids.ts';
import { brokenInvariant } from '../invariants.ts';
import type { Verdict } from '../outcome.ts';
import { pendingWork } from '../pending-work.ts';
import { maxChildren } from '../state.ts';

const criteria = { expression: 'result.ok', max_tries: 2 };
const checkedTurn = (name = 'a', outcome: object = criteria): Wish => ({ ...submit(name), outcome }) as Wish;
const play = (...steps: readonly Wish[]): Story => tell(emptyStory, [{ type: 'create' }, checkedTurn(), start(), ...steps]);
const then = (story: Story, ...steps: readonly Wish[]): Story => tell(story, steps);
const says = (text: string, verdict: Verdict): Wish => ({ ...modelDone(text), verdict }) as Wish;
const no: Verdict = { status: 'not_satisfied', reasons: ['too short'] };
const yes: Verdict = { status: 'satisfied' };
const judge = childSessionId(turn('a'), 1);
const judged = (satisfied: boolean, id = judge): Wish =>
  childTells(id, { is: { status: 'completed', output: [], result: { satisfied, reason: 'it lacks a date' } } });
const types = ({ events }: Story): readonly string[] => events.map(({ type }) => type);
const kinds = ({ state }: Story): readonly string[] => pendingWork(state).map(({ kind }) => kind);
const verdicts = ({ events }: Story) => events.flatMap((event) => (event.type === 'outcome.checked' ? [event.data] : []));
const sound = (story: Story): Story => {
  expect(brokenInvariant(story.state)).toBeUndefined();
  return story;
};

describe('a turn with success criteria', () => {
  it('OC1 ends with the verdict on its answer', () => {
    const story = sound(play(says('a long answer', yes)));
    expect(types(story).slice(-4)).toEqual(['outcome.checked', 'run.ended', 'turn.completed', 'session.status_idle']);
    expect(verdicts(story)).toMatchObject([{ try: 1, status: 'satisfied', reasons: [] }]);
  });

  it('OC2 is told why, and tried again, as often as it may be', () => {
    const once = sound(play(says('short', no)));
    expect(once.state.live?.status).toBe('running');
    expect(kinds(once)).toEqual(['model']);
    expect(JSON.stringify(once.rows.at(-1))).toContain('too short');
    const twice = sound(then(once, says('short too', no)));
    expect(types(twice)).toContain('turn.completed');
    expect(verdicts(twice)).toMatchObject([
      { try: 1, again: true },
      { try: 2, status: 'not_satisfied' },
    ]);
    expect(verdicts(twice)[1]).not.toHaveProperty('again');
    expect(verdicts(sound(then(once, says('long enough', yes))))).toMatchObject([{ status: 'not_satisfied' }, { try: 2, status: 'satisfied' }]);
  });

  it('is not judged where it was asked to cancel, or has no criteria', () => {
    expect(types(play(cancel('a', 'c'), says('x', no)))).not.toContain('outcome.checked');
    expect(types(tell(emptyStory, [{ type: 'create' }, submit('a'), start(), says('x', no)]))).not.toContain('outcome.checked');
  });

  it('OC4 has all of its model calls for each try, and no more', () => {
    const two = rules({ maxSteps: 2 });
    const wishes: readonly Wish[] = [{ type: 'create' }, checkedTurn(), start()];
    const step = (id: string): readonly Wish[] => [modelDone('', call(id)), dispatch(id), toolDone(id)];
    // The first try is over at its last call; the second one looks something up again, and has its last call for the answer.
    const second = sound(tell(emptyStory, [...wishes, ...step('a'), says('short', no), ...step('b')], two));
    expect([second.state.live?.status, second.state.live?.steps]).toEqual(['running', 1]);
    const over = sound(tell(second, [says('long enough', yes)], two));
    expect(over.events.find(({ type }) => type === 'turn.completed')?.data).toMatchObject({ output_text: 'long enough' });
    const failed = sound(tell(second, [modelDone('', call('c'))], two));
    expect(failed.events.find(({ type }) => type === 'turn.failed')?.data).toMatchObject({ error_code: 'max_steps' });
  });

  it('OC4 is told once a try that its answer is no output of the shape that is asked for', () => {
    const unfitting = (text: string): Wish =>
      ({ ...modelDone(text), output: { ok: false, errorCode: 'output_schema_violation', faults: ['no'], repair: 'Please.' } }) as Wish;
    const fitting = (text: string, verdict: Verdict): Wish => ({ ...says(text, verdict), output: { ok: true, result: { ok: false } } }) as Wish;
    const second = sound(play(unfitting('a'), fitting('b', no), unfitting('c')));
    expect(kinds(second)).toEqual(['model']);
    expect(types(sound(then(second, unfitting('d'))))).toContain('turn.failed');
    expect(types(sound(then(second, fitting('d', yes))))).toContain('turn.completed');
  });

  it('keeps its criteria when it failed and is resumed, and begins its tries anew', () => {
    const failed = play(says('short', no), modelFailed({ retryable: false, retryAt: 0 }));
    expect(failed.state.last?.outcome).toBe('failed');
    const again = sound(then(failed, resume('a'), restart()));
    expect(again.state.live?.check).toEqual({ maxTries: 2, tries: 0 });
  });
});

describe('a judge', () => {
  const asked = (): Story => sound(play(says('the answer', { status: 'judge' })));

  it('OC3 is a child that the turn waits for, and whose word ends it', () => {
    expect(kinds(asked())).toEqual(['child', 'await']);
    const over = sound(then(asked(), childMade(judge), judged(true)));
    expect(kinds(over)).toEqual(['conclude']);
    const ended = sound(then(over, { type: 'conclude', outputText: 'the answer' }));
    expect(ended.events.find(({ type }) => type === 'turn.completed')?.data).toMatchObject({ output_text: 'the answer' });
    expect(verdicts(ended)).toMatchObject([{ status: 'satisfied' }]);
    expect(decide(ended.state, { type: 'conclude', outputText: 'x', at: 9e6 })).toMatchObject({ ok: false });
  });

  it('OC2 lets it be tried again, with its reason', () => {
    const again = sound(then(asked(), childMade(judge), judged(false)));
    expect(kinds(again)).toEqual(['model']);
    expect(JSON.stringify(again.rows.at(-1))).toContain('it lacks a date');
    const second = sound(then(again, says('with a date', { status: 'judge' })));
    expect(second.state.live?.check?.judge).toBe(childSessionId(turn('a'), 2));
    const refused = sound(then(second, judged(false, childSessionId(turn('a'), 2))));
    expect(kinds(refused)).toEqual(['conclude']);
  });

  it('OC3 that fails satisfies nobody', () => {
    const failed = then(asked(), childEnded(judge, 'failed'));
    expect(verdicts(failed)).toMatchObject([{ status: 'not_satisfied' }]);
    expect(verdicts(failed)[0]?.reasons[0]).toMatch(/could not be judged/);
  });

  it('survives the loss of its process, and is cancelled with the turn', () => {
    const lost = sound(then(asked(), { type: 'end_run', cause: 'lost' }, restart()));
    expect(lost.state.live?.lostRuns).toBe(0);
    expect(kinds(sound(then(lost, handedOver, restart())))).toEqual(['child', 'await']);
    expect(sound(then(asked(), cancel('a', 'c'))).state.children).toMatchObject([{ closing: true }]);
  });

  it('OC3 is known as such when its turn has ended and it may not have been made', () => {
    const over = sound(then(asked(), stopped('timed_out')));
    expect([over.state.live, over.state.children]).toEqual([undefined, [{ id: judge, status: 'owed', judge: true, closing: true }]]);
    expect(kinds(over)).toEqual(['child']);
  });

  it('is waited for as it is: stopped, or asking people', () => {
    const stopped = sound(then(asked(), childMade(judge), childTells(judge, { is: { status: 'interrupted' } })));
    expect(stopped.state.live?.status).toBe('interrupted');
    expect(kinds(sound(then(stopped, resume('a'))))).toContain('child');
  });

  it('OC3 that a limit stopped lets the turn go on when it has ended, whoever let it go on', () => {
    const stopped = then(asked(), childMade(judge), childTells(judge, { is: { status: 'interrupted' } }));
    const over = sound(then(stopped, judged(true)));
    expect(over.state.live?.status).toBe('queued');
    expect(kinds(sound(then(over, restart())))).toEqual(['conclude']);
  });

  it('OC3 for which there is no room satisfies nobody, and is not asked for again and again', () => {
    const made = (from: number, count: number) => Array.from({ length: count }, (_, n) => delegating(`d${from + n}`, true));
    const step = (from: number, count: number): readonly Wish[] => [
      modelDone('', ...made(from, count)),
      ...made(from, count).map(({ id }): Wish => ({ type: 'dispatch', callId: id, input: { background: true } })),
      ...made(from, count).map((_, n) => childMade(childSessionId(turn('a'), from + n + 1))),
    ];
    const full = play(...step(0, 64), ...step(64, maxChildren - 64), says('one', { status: 'judge' }), says('two', { status: 'judge' }));
    expect(types(full)).toContain('turn.completed');
    expect(verdicts(full)).toMatchObject([{ again: true, reasons: [expect.stringContaining('could not be judged')] }, { status: 'not_satisfied' }]);
  });

  it('IN3 judges nothing that is not the answer any more: a steer is heard first', () => {
    const steered = then(asked(), steer('a', 1), childMade(judge), judged(true));
    expect(kinds(steered)).toEqual(['apply']);
    expect(decide(steered.state, { type: 'conclude', outputText: 'x', at: 9e6 })).toMatchObject({ ok: false });
  });
});

it('OC1 judges anew what was said after the last try was judged, which is no try of its own', () => {
  const first = play(says('one', no), says('two', { status: 'judge' }), childMade(judge), judged(false));
  const heard = then(first, steer('a', 1), applyInputs('inp_1'));
  expect(heard.state.live?.check).toEqual({ maxTries: 2, tries: 2 });
  const over = sound(then(heard, says('three', { status: 'judge' }), judged(true, childSessionId(turn('a'), 2))));
  expect(kinds(over)).toEqual(['conclude']);
});

describe('a workflow with success criteria', () => {
  const over: readonly FlowMove[] = [
    { do: 'end', key: 'yes', type: 'condition', status: 'succeeded', output: true },
    { do: 'route', key: 'yes', taken: [] },
  ];
  const finish = (verdict?: Verdict): FlowMove => ({
    do: 'finish',
    outcome: 'completed',
    outputText: 'done',
    result: { ok: true },
    ...(verdict ? { verdict } : {}),
  });
  const flow = (...moves: readonly FlowMove[]): Story =>
    tell(emptyStory, [{ type: 'create', target: 'workflow' }, checkedTurn(), start(), { type: 'advance_flow', moves: [...over, ...moves] }]);

  it('OC2 begins its graph anew, under new names', () => {
    const again = sound(flow(finish(no)));
    expect(again.state.live?.flow).toEqual({ steps: [], tries: 2 });
    expect(kinds(again)).toEqual(['flow']);
    const second = sound(then(again, { type: 'advance_flow', moves: [...over, finish(yes)] }));
    const ids = second.events.flatMap((event) => (event.type === 'step.updated' ? [event.data.step_id] : []));
    expect(new Set(ids)).toEqual(new Set(['step_a_yes', 'step_a_yes~2']));
    expect(types(second)).toContain('turn.completed');
    expect(verdicts(second)).toMatchObject([{ again: true }, { try: 2, status: 'satisfied' }]);
  });

  it('stays paused though its judge asks for another try', () => {
    const paused = then(flow(finish({ status: 'judge' })), childMade(judge), { type: 'pause', turnId: turn('a'), commandId: 'cmd_p' });
    const told = sound(then(paused, judged(false)));
    expect(told.state.live).toMatchObject({ status: 'interrupted', flow: { steps: [], tries: 2, paused: true } });
    expect(kinds(told)).toEqual([]);
    expect(kinds(sound(then(told, resume('a'), restart())))).toEqual(['flow']);
  });

  it('OC3 waits for its judge, and ends with the verdict', () => {
    const asked = sound(flow(finish({ status: 'judge' })));
    expect(kinds(asked)).toEqual(['child', 'await']);
    const told = sound(then(asked, childMade(judge), judged(true)));
    expect(kinds(told)).toEqual(['flow']);
    expect(types(sound(then(told, { type: 'advance_flow', moves: [finish()] })))).toContain('turn.completed');
  });
});
