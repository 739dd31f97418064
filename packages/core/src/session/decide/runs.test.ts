/** How runs begin and end: S10, S12, S13. */
import { describe, expect, it } from 'vitest';
import {
  action,
  answer,
  call,
  cancel,
  dispatch,
  external,
  fail,
  handedOver,
  lost,
  modelDone,
  openItem,
  restart,
  safe,
  start,
  stopped,
  submit,
  succeeded,
  text,
  to,
  toolDone,
  turn,
  turnWithCalls,
  type Wish,
} from '../../testing/commands.ts';
import { given } from '../../testing/given.ts';
import { pendingWork } from '../pending-work.ts';

const alone = { alone: true };
/** Two losses make a suspect. */
const suspect = [submit('a'), start(), lost, restart(), lost];

describe('start', () => {
  it('begins the first queued turn: its run, and what was said as an item and as context', () => {
    const then = given(submit('a'), submit('b')).when({ type: 'start', message: [1, 2].map((n) => ({ role: 'user' as const, content: [text(`part ${n}`)] })) });
    then
      .thenEvents('turn.running', 'run.started', 'item.completed', 'item.completed')
      .thenEvent('run.started', { run_id: 'run_a_1', n: 1 })
      .thenLive({ id: turn('a'), status: 'running', items: 2, runs: 1 });
    expect(then.story().rows).toHaveLength(2);
  });
  it('is refused while another turn is live, or none waits', () => {
    given(submit('a'), start(), submit('b')).when(start()).thenRefused('turn_not_resumable');
    given(submit('a'), start(), handedOver, submit('b')).when(start()).thenRefused('turn_not_resumable');
    given().when(start()).thenRefused('turn_not_resumable');
  });
  it('goes on with the next turn after a failed, cancelled or timed-out one', () => {
    for (const end of [[fail()], [stopped('timed_out')], [cancel('a'), stopped()]]) {
      given(submit('a'), start(), submit('b'), ...end)
        .when(start())
        .thenLive({ id: turn('b') });
    }
  });
});

describe('restart', () => {
  it('begins the next run of the turn at the head', () => {
    given(submit('a'), start(), handedOver).when(restart()).thenEvents('turn.running', 'run.started').thenEvent('run.started', { run_id: 'run_a_2', n: 2 });
  });
  it('is refused where no turn waits for its next run', () => {
    for (const history of [[], [submit('a')], [submit('a'), start()], turnWithCalls('a', call('c1', external))] satisfies (readonly Wish[])[]) {
      given(...history)
        .when(restart())
        .thenRefused('turn_not_resumable');
    }
  });
});

describe('stopped', () => {
  it('closes calls, the model call and the run, in this order, then the turn', () => {
    given(...turnWithCalls('a', call('c1'), call('c2', safe), call('c3')), dispatch('c1'), dispatch('c2'), cancel('a'))
      .when(stopped('cancelled', 'I was about to'))
      .thenEvents('tool.completed', 'tool.completed', 'tool.completed', 'run.ended', 'turn.cancelled', 'session.status_idle')
      .thenEvent('tool.completed', { tool_call_id: 'c1', status: 'unknown' })
      .thenEvent('tool.completed', { tool_call_id: 'c2', status: 'cancelled' })
      .thenEvent('tool.completed', { tool_call_id: 'c3', status: 'cancelled' })
      .thenEvent('run.ended', { status: 'cancelled' })
      .thenEvent('turn.cancelled', { unverified_calls: ['c1'] });
  });
  it('counts the model call that it stopped, though its usage is not known', () => {
    const then = given(submit('a'), start(), openItem, cancel('a')).when(stopped('cancelled', 'I was'));
    then
      .thenEvents('model.completed', 'run.ended', 'turn.cancelled', 'session.status_idle')
      .thenEvent('model.completed', { status: 'cancelled', model: 'demo:test', item_id: 'item_a_2' })
      .thenEvent('run.ended', { item_id: 'item_a_2' });
    expect(then.story().rows.at(-1)?.entry).toMatchObject({ message: { content: [{ text: expect.stringContaining('I was') }] } });
  });
  it('may time out without being asked, but not cancel', () => {
    given(submit('a'), start()).when(stopped('timed_out')).thenEvent('turn.timed_out', { error_code: 'timed_out', unverified_calls: [] });
    given(submit('a'), start()).when(stopped()).thenRefused('turn_closed');
  });
  it('is refused where no run is open', () => {
    given(submit('a')).when(stopped('timed_out')).thenRefused('turn_closed');
    given(...turnWithCalls('a', call('c1', external)))
      .when(stopped('timed_out'))
      .thenRefused('turn_closed');
  });
});

describe('fail', () => {
  it('closes all that is open and says why', () => {
    given(...turnWithCalls('a', call('c1')), dispatch('c1'))
      .when(fail('context_invalid'))
      .thenEvents('tool.completed', 'run.ended', 'turn.failed', 'session.status_idle')
      .thenEvent('run.ended', { status: 'failed', error_code: 'context_invalid' })
      .thenEvent('turn.failed', { error_code: 'context_invalid', unverified_calls: ['c1'] });
  });
  it('is refused where no run is open', () => {
    given(submit('a'), start(), handedOver).when(fail()).thenRefused('turn_closed');
  });
});

describe('a run that ends without an end of its own', () => {
  it('queues its turn at the head again; the model is called anew', () => {
    given(submit('a'), start(), openItem, submit('b'))
      .when(lost)
      .thenEvents('model.completed', 'run.ended', 'turn.queued')
      .thenEvent('model.completed', { status: 'cancelled' })
      .thenEvent('run.ended', { status: 'lost', item_id: 'item_a_2' })
      .thenEvent('turn.queued', { reason: 'recovered', queue_position: 0 })
      .thenState((state) => expect(pendingWork(state)).toEqual([{ kind: 'restart', turnId: turn('a'), notBefore: 0, alone: false }]));
  });
  it('knows what the call that it stopped cost, where that was known beforehand', () => {
    const cost = { amount: 0, currency: 'USD' };
    given(submit('a'), start(), { type: 'open_item', model: 'demo:test', cost }).when(lost).thenEvent('model.completed', { status: 'cancelled', cost });
    given(submit('a'), start())
      .when({ type: 'end_run', cause: 'lost', attempt: { model: 'demo:test', cost } })
      .thenEvent('model.completed', { status: 'cancelled', cost });
  });
  it('is picked up again after a hand-over', () => {
    given(submit('a'), start()).when(handedOver).thenEvent('turn.queued', { reason: 'handed_over' }).thenLive({ lostRuns: 0 });
  });
  it('runs replay-safe tools again', () => {
    given(...turnWithCalls('a', call('c1', safe)), dispatch('c1'))
      .when(lost)
      .thenEvents('run.ended', 'turn.queued')
      .thenState((state) => expect(state.live?.calls[0]?.status).toBe('requested'));
  });
  it('asks a person about each call that may have had its effect; once, with its arguments', () => {
    given(...turnWithCalls('a', call('c1'), call('c2'), call('c3', safe)), dispatch('c1'), dispatch('c2'), dispatch('c3'))
      .when({ type: 'end_run', cause: 'handed_over', inputs: { c1: { to: 'bob' } } })
      .thenEvents('run.ended', 'required_action.created', 'required_action.created', 'turn.interrupted', 'session.status_requires_action')
      .thenEvent('run.ended', { unknown_calls: ['c1', 'c2'] })
      .thenEvent('required_action.created', { kind: 'reconciliation', tool_call: { id: 'c1', name: 'tool_c1', input: { to: 'bob' } } })
      .thenEvent('turn.interrupted', { reason: 'tool_result_unknown' });
  });
  it('does not ask about calls that were never dispatched, nor about the application’s', () => {
    given(...turnWithCalls('a', call('c1'), call('c2', external)))
      .when(lost)
      .thenEvents('run.ended', 'turn.queued');
  });
  it('ends a turn that was asked to cancel, and its run once', () => {
    given(...turnWithCalls('a', call('c1')), dispatch('c1'), cancel('a'))
      .when(lost)
      .thenEvents('tool.completed', 'run.ended', 'turn.cancelled', 'session.status_idle')
      .thenEvent('run.ended', { status: 'lost' })
      .thenEvent('turn.cancelled', { unverified_calls: ['c1'] });
  });
  it('is refused where no run is open', () => {
    given(submit('a'), start(), lost).when(lost).thenRefused('turn_closed');
  });
  it('parks again after the restart when only the application’s answer is missing', () => {
    given(...turnWithCalls('a', call('c1', safe), call('c2', external)), dispatch('c1'), lost, restart(), dispatch('c1'))
      .when(toolDone('c1'))
      .thenEvents('tool.completed', 'run.ended', 'turn.requires_action', 'session.status_requires_action');
  });
});

describe('a turn that keeps ending its process', () => {
  it('is a suspect from its second loss on: it waits, then runs alone', () => {
    given(submit('a'), start()).when(lost).thenNot('turn.failed').thenLive({ lostRuns: 1 });
    given(submit('a'), start(), lost, restart())
      .when({ ...lost, at: 10_000 })
      .thenEvent('turn.queued', { not_before: 11_000 })
      .thenState((state) => expect(pendingWork(state)).toMatchObject([{ kind: 'restart', alone: true, notBefore: 11_000 }]));
  });
  it('waits 1, 5 and 30 seconds before its tries alone, and fails after the third', () => {
    const waits = [5_000, 30_000];
    for (const [tries, wait] of waits.entries()) {
      const before = Array.from({ length: tries }, () => [restart(alone), lost]).flat();
      given(...suspect, ...before, restart(alone))
        .when({ ...lost, at: 100_000 })
        .thenEvent('turn.queued', { not_before: 100_000 + wait });
    }
    given(...suspect, restart(alone), lost, restart(alone), lost, restart(alone))
      .when(lost)
      .thenEvents('run.ended', 'turn.failed', 'session.status_idle')
      .thenEvent('run.ended', { status: 'lost' })
      .thenEvent('turn.failed', { error_code: 'crash_loop', retryable: false });
  });
  it('never fails by losses in company, however many', () => {
    const many = Array.from({ length: 20 }, () => [restart(), lost]).flat();
    given(...suspect, ...many, restart())
      .when(lost)
      .thenEvents('run.ended', 'turn.queued');
  });
  it('is not blamed for hand-overs', () => {
    const many = Array.from({ length: 5 }, () => [restart(alone), handedOver]).flat();
    given(...suspect, ...many, restart(alone))
      .when(handedOver)
      .thenEvents('run.ended', 'turn.queued')
      .thenLive({ lostRuns: 2, lostAlone: 0 });
  });
  it('is trusted again after a step, but not after a dispatch', () => {
    given(...suspect, restart(alone), openItem)
      .when(modelDone('on', call('c1', safe)))
      .thenLive({ lostRuns: 0, lostAlone: 0 });
    given(...turnWithCalls('a', call('c1', safe)), dispatch('c1'), lost, restart())
      .when(dispatch('c1'))
      .thenLive({ lostRuns: 1 });
    given(...turnWithCalls('a', call('c1', safe)), dispatch('c1'), lost, restart(), dispatch('c1'))
      .when(toolDone('c1'))
      .thenLive({ lostRuns: 0 });
  });
  it('keeps its history of losses over the wait for a reconciliation only until it is answered', () => {
    given(...turnWithCalls('a', call('c1')), dispatch('c1'), lost)
      .when(answer('a', to(action('a', 1), succeeded)))
      .thenLive({ status: 'queued', lostRuns: 0 });
  });
});
