/** Steer and inject: used once at a step boundary, or rejected once (IN1–IN5). */
import { describe, expect, it } from 'vitest';
import {
  action,
  answer,
  applyInputs,
  call,
  cancel,
  dispatch,
  external,
  fail,
  handedOver,
  inject,
  lost,
  modelDone,
  openItem,
  restart,
  result,
  resume,
  rules,
  start,
  steer,
  stopped,
  submit,
  to,
  toolDone,
  turn,
  turnWithCalls,
  type Wish,
} from '../../testing/commands.ts';
import { given, givenWith } from '../../testing/given.ts';
import { assemblePrompt } from '../context.ts';
import { pendingWork } from '../pending-work.ts';
import { maxWaitingInputs } from '../state.ts';

const running = [submit('a'), start()];
const unheard = [...running, openItem, steer('a'), modelDone('done')];

describe('steer', () => {
  it('is stored with its receipt, and used before the next model call, as items of the user', () => {
    const taken = given(...running).when(steer('a'));
    taken.thenEvents('command.accepted', 'input.accepted').thenEvent('input.accepted', { turn_id: turn('a'), input_id: 'inp_1', kind: 'steer' });
    taken.thenState((state) => expect(pendingWork(state)).toEqual([{ kind: 'apply', turnId: turn('a'), inputs: ['inp_1'] }]));
    const used = given(...running, steer('a')).when(applyInputs('inp_1'));
    used.thenEvents('input.applied', 'item.completed', 'command.completed');
    used.thenEvent('input.applied', { input_id: 'inp_1', item_ids: ['item_a_2'] }).thenEvent('item.completed', { item_id: 'item_a_2' });
    used.thenEvent('command.completed', { command_id: 'cmd_steer_1', kind: 'steer' });
    used.thenState((state) => expect([state.inputs, pendingWork(state)[0]?.kind]).toEqual([undefined, 'model']));
  });
  it('is never put into a call that streams, nor between a tool request and its result (IN2)', () => {
    given(...running, openItem, steer('a'))
      .when(applyInputs('inp_1'))
      .thenRefused('turn_closed');
    given(...turnWithCalls('a', call('c1')), dispatch('c1'), steer('a'))
      .when(applyInputs('inp_1'))
      .thenRefused('turn_closed');
  });
  it('waits with a turn that waits for people: the answer is handled first', () => {
    const answered = [...turnWithCalls('a', call('c1', external)), steer('a'), answer('a', to(action('a', 1), result())), restart()];
    const used = given(...answered).when(applyInputs('inp_1'));
    const roles = assemblePrompt(used.story().rows).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'user']);
  });
  it('waits with a queued turn for its first step, and outlives every loss of a run', () => {
    given(submit('a'), steer('a'), start()).when(applyInputs('inp_1')).thenEvent('input.applied', { run_id: 'run_a_1' });
    given(...running, steer('a'), lost, restart(), handedOver, restart())
      .when(applyInputs('inp_1'))
      .thenEvent('input.applied', { run_id: 'run_a_3' });
  });
  it('keeps a turn from ending unheard: it takes one more step (IN3)', () => {
    const ends = given(...running, openItem, steer('a')).when(modelDone('done'));
    ends.thenEvents('item.completed', 'usage.recorded').thenNot('turn.completed');
    expect(ends.decision.ok && ends.decision.events[0]?.data).not.toHaveProperty('final_output');
    given(...unheard)
      .when(modelDone('again'))
      .thenRefused('turn_closed');
    given(...unheard, applyInputs('inp_1'))
      .when(modelDone('heard'))
      .thenEvent('turn.completed', { output_text: 'heard' });
  });
  it('is rejected, and its receipt fails, where the turn has no step left', () => {
    const last = givenWith(rules({ maxSteps: 1 }), ...running, openItem, steer('a')).when(modelDone('done'));
    last.thenEvents('item.completed', 'usage.recorded', 'input.rejected', 'command.failed', 'run.ended', 'turn.completed', 'session.status_idle');
    last.thenEvent('input.rejected', { reason: 'max_steps' }).thenEvent('item.completed', { final_output: true });
    const tools = givenWith(rules({ maxSteps: 1 }), ...running, openItem, steer('a')).when(modelDone('', call('c1')));
    tools.thenEvent('input.rejected', { reason: 'max_steps' }).thenEvent('turn.failed', { error_code: 'max_steps' });
  });
  it('is rejected before the outcome however the turn ends (IN4)', () => {
    const ending = (...then: readonly Wish[]) => given(...running, steer('a'), ...then);
    ending(cancel('a')).when(stopped()).thenEvent('input.rejected', { reason: 'cancelled' });
    ending().when(stopped('timed_out')).thenEvent('input.rejected', { reason: 'timed_out' });
    ending().when(fail()).thenEvent('input.rejected', { reason: 'failed' }).thenEvent('command.failed', { command_id: 'cmd_steer_1' });
    given(submit('a'), submit('b'), steer('b'))
      .when(cancel('b'))
      .thenEvent('input.rejected', { turn_id: turn('b'), reason: 'cancelled' });
    given(submit('a'), steer('a'), inject(2)).when({ type: 'delete' }).thenEvent('input.rejected', { input_id: 'inp_2', reason: 'deleted' });
  });
  it('leaves a valid context when the turn is cancelled between its answer and its next step (C1)', () => {
    const ended = given(...unheard, cancel('a')).when(stopped());
    expect(assemblePrompt(ended.story().rows).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });
  it('is refused by a turn that has ended, that is being cancelled, or that has too many to hear', () => {
    given(...running, modelDone('done'))
      .when(steer('a'))
      .thenRefused('turn_closed');
    given(...running, cancel('a'))
      .when(steer('a'))
      .thenRefused('turn_closed');
    given().when(steer('x')).thenRefused('turn_closed');
    const many = Array.from({ length: maxWaitingInputs }, (_, n) => (n % 2 ? steer('a', n) : inject(n)));
    for (const one of [steer('a', 99), inject(99)]) {
      given(...running, ...many)
        .when(one)
        .thenRefused('inputs_full', { limit: maxWaitingInputs, pending_count: maxWaitingInputs });
    }
  });
  it('reaches the turn that runs, not the one that is queued behind it', () => {
    const next = given(...running, submit('b'), steer('a'), applyInputs('inp_1'), modelDone('done'), start());
    next.when(modelDone('b')).thenEvent('turn.completed', { turn_id: turn('b') });
  });
});

describe('inject', () => {
  it('starts no turn, ends none later, and is used by whichever turn comes', () => {
    given({ type: 'create' })
      .when(inject())
      .thenEvents('input.accepted')
      .thenState((state) => expect(pendingWork(state)).toEqual([]));
    given(...running, openItem, inject())
      .when(modelDone('done'))
      .thenEvent('turn.completed', {});
    const used = given(inject(), submit('a'), steer('a', 2), start()).when(applyInputs('inp_1', 'inp_2'));
    used.thenEvents('input.applied', 'item.completed', 'input.applied', 'item.completed', 'command.completed');
  });
  it('is left alone by outcomes, and refused by an archived session; steers are not', () => {
    given(...running, inject(), fail())
      .when(resume('a'))
      .thenState((state) => expect(state.inputs).toEqual([{ id: 'inp_1' }]));
    given(...running, { type: 'archive' })
      .when(inject())
      .thenRefused('session_archived');
    given(...running, { type: 'archive' })
      .when(steer('a'))
      .thenEvents('command.accepted', 'input.accepted');
  });
  it('is used in the order of acceptance, and only what waits (IN5)', () => {
    const both = given(...running, inject(1), steer('a', 2)).when(applyInputs('inp_2', 'inp_1'));
    expect(both.decision.ok && both.decision.events.flatMap((event) => (event.type === 'input.applied' ? [event.data.input_id] : []))).toEqual([
      'inp_1',
      'inp_2',
    ]);
    given(...running, inject(1))
      .when(applyInputs('inp_1', 'inp_7'))
      .thenRefused('turn_closed');
    given(...running, inject(1), steer('a', 2))
      .when(applyInputs('inp_2'))
      .thenRefused('turn_closed');
    given(...running, inject(1))
      .when(applyInputs())
      .thenRefused('turn_closed');
    given(...turnWithCalls('a', call('c1')), dispatch('c1'), inject(), toolDone('c1'))
      .when(applyInputs('inp_1'))
      .thenEvent('input.applied', { kind: 'inject' });
  });
});
