/** Required actions: S17, S18, S19. */
import { describe, expect, it } from 'vitest';
import {
  action,
  allow,
  answer,
  asks,
  call,
  cancel,
  deny,
  dispatch,
  expire,
  external,
  lost,
  restart,
  result,
  safe,
  submit,
  succeeded,
  text,
  to,
  toolDone,
  turn,
  turnWithCalls,
} from '../../testing/commands.ts';
import { given } from '../../testing/given.ts';
import { dueAt, pendingWork } from '../pending-work.ts';

const first = action('a', 1);
const second = action('a', 2);
const expiring = { ...asks, expiresAt: 50_000 };

describe('an expiry', () => {
  it('that is endless is due at the last moment of a Date: stores could not read a later one', () => {
    expect(dueAt(given(...turnWithCalls('a', call('c1', { ...asks, expiresAt: 9e18 }))).story.state)).toBe(8.64e15);
  });
});

describe('a confirmation', () => {
  it('lets its call run: the parked turn queues at the head', () => {
    given(...turnWithCalls('a', call('c1', asks)))
      .when(answer('a', to(first, allow)))
      .thenEvents('command.accepted', 'required_action.accepted', 'required_action.resolved', 'turn.queued', 'command.completed', 'session.status_running')
      .thenEvent('required_action.resolved', { resolution: 'answered', resolved_by: 'user:ann', tool_call_id: 'c1' })
      .thenEvent('turn.queued', { reason: 'answered', queue_position: 0 });
  });
  it('carries the arguments as the person edited them', () => {
    given(...turnWithCalls('a', call('c1', asks)))
      .when(answer('a', to(first, { kind: 'confirmation', allow: true, input: { to: 'eve' } })))
      .thenEvent('required_action.resolved', { input: { to: 'eve' } });
  });
  it('that says no gives the call a result with the reason, and the model goes on', () => {
    const then = given(...turnWithCalls('a', call('c1', asks))).when(answer('a', to(first, { kind: 'confirmation', allow: false, reason: 'too dear' })));
    then.thenEvent('required_action.resolved', { resolution: 'denied' }).thenEvent('tool.completed', { status: 'denied' }).thenEvent('turn.queued', {});
    expect(then.story().rows.at(-1)?.entry).toMatchObject({ result: { callId: 'c1', isError: true, output: [{ text: 'Denied: too dear' }] } });
  });
  it('lets one of two calls run while the other still waits', () => {
    given(...turnWithCalls('a', call('c1', asks), call('c2', asks)))
      .when(answer('a', to(second, allow)))
      .thenEvent('turn.queued', {})
      .thenLive({ status: 'queued' });
    given(...turnWithCalls('a', call('c1', asks), call('c2', asks)), answer('a', to(second, allow)), restart(), dispatch('c2'))
      .when(toolDone('c2'))
      .thenEvent('turn.requires_action', { request_ids: [first] });
  });
  it('that denies one of two leaves the turn parked', () => {
    given(...turnWithCalls('a', call('c1', asks), call('c2', asks)))
      .when(answer('a', to(first, deny)))
      .thenNot('turn.queued')
      .thenLive({ status: 'requires_action' });
  });
  it('on a running turn takes effect without a new run', () => {
    given(...turnWithCalls('a', call('c1', asks), call('c2')), dispatch('c2'))
      .when(answer('a', to(first, allow)))
      .thenNot('turn.queued', 'run.ended')
      .thenState((state) => expect(pendingWork(state)).toMatchObject([{ callId: 'c1' }, { callId: 'c2' }]));
  });
  it('may be given to a turn that stops, but nothing runs any more', () => {
    given(...turnWithCalls('a', call('c1', asks), call('c2')), dispatch('c2'), cancel('a'))
      .when(answer('a', to(first, allow)))
      .thenState((state) => expect(pendingWork(state)).toMatchObject([{ kind: 'stop' }]));
  });
  it('of an application’s tool is followed by its execution: the runner hands it over, then the turn parks again', () => {
    const allowed = [...turnWithCalls('a', call('c1', { ...external, ...asks })), answer('a', to(first, allow)), restart()];
    given(...allowed)
      .when(dispatch('c1', { to: 'bob' }))
      .thenEvents('required_action.created', 'run.ended', 'turn.requires_action', 'session.status_requires_action')
      .thenEvent('required_action.created', {
        kind: 'external_execution',
        request_id: second,
        approver: 'application',
        tool_call: { id: 'c1', name: 'tool_c1', input: { to: 'bob' } },
      });
    given(...allowed, dispatch('c1'))
      .when(answer('a', to(second, result())))
      .thenEvent('tool.completed', { status: 'success' })
      .thenEvent('turn.queued', {});
  });
});

describe('an external execution', () => {
  it('is completed by its answer', () => {
    given(...turnWithCalls('a', call('c1', external)))
      .when(answer('a', to(first, result('42'))))
      .thenEvents(
        'command.accepted',
        'required_action.accepted',
        'required_action.resolved',
        'tool.completed',
        'turn.queued',
        'command.completed',
        'session.status_running',
      )
      .thenEvent('tool.completed', { status: 'success' });
    given(...turnWithCalls('a', call('c1', external)))
      .when(answer('a', to(first, result('boom', true))))
      .thenEvent('tool.completed', { status: 'error' });
  });
  it('waits for its neighbours’ answers before the turn goes on', () => {
    given(...turnWithCalls('a', call('c1', external), call('c2', external)))
      .when(answer('a', to(first, result())))
      .thenNot('turn.queued')
      .thenLive({ status: 'requires_action' });
    given(...turnWithCalls('a', call('c1', external), call('c2', external)))
      .when(answer('a', to(first, result()), to(second, result())))
      .thenEvent('turn.queued', {});
  });
});

describe('a reconciliation', () => {
  const twoUnknown = [...turnWithCalls('a', call('c1'), call('c2')), dispatch('c1'), dispatch('c2'), lost];
  it('records the real result; after the last one the turn goes on by itself', () => {
    given(...twoUnknown)
      .when(answer('a', to(first, succeeded)))
      .thenNot('turn.queued')
      .thenLive({ status: 'interrupted' });
    given(...twoUnknown, answer('a', to(first, succeeded)))
      .when(answer('a', to(second, { kind: 'reconciliation', outcome: 'failed', output: [text('it was not sent')], reason: 'looked' })))
      .thenEvent('tool.completed', { tool_call_id: 'c2', status: 'error' })
      .thenEvent('turn.queued', { reason: 'answered' });
  });
  it('turns an interrupted turn into a waiting one while other answers are missing', () => {
    given(...turnWithCalls('a', call('c1'), call('c2', external)), dispatch('c1'), lost)
      .when(answer('a', to(second, succeeded)))
      .thenEvent('turn.requires_action', { request_ids: [first] })
      .thenLive({ status: 'requires_action' });
  });
  it('sets free what was allowed meanwhile, though another call still waits', () => {
    given(...turnWithCalls('a', call('c1'), call('c2', asks), call('c3', asks)), dispatch('c1'), lost, answer('a', to(first, allow)))
      .when(answer('a', to(action('a', 3), succeeded)))
      .thenEvent('turn.queued', {})
      .thenState((state) => expect(state.live?.calls.map((entry) => entry.status)).toEqual(['done', 'requested', 'waiting']));
  });
  it('holds the turn while it is open, whatever else is answered', () => {
    given(...turnWithCalls('a', call('c1'), call('c2', asks)), dispatch('c1'), lost)
      .when(answer('a', to(first, allow)))
      .thenNot('turn.queued')
      .thenLive({ status: 'interrupted' });
  });
});

describe('an answer is refused', () => {
  const waiting = turnWithCalls('a', call('c1', asks), call('c2', external));
  it('when its action was answered, closed, or never was', () => {
    given(...waiting, answer('a', to(first, deny)))
      .when(answer('a', to(first, allow)))
      .thenRefused('action_resolved', { action_id: first });
    given(...waiting, cancel('a'))
      .when(answer('a', to(first, allow)))
      .thenRefused('action_resolved');
    given(...waiting)
      .when(answer('a', to('act_a_9', allow)))
      .thenRefused('action_resolved');
    given(submit('a'))
      .when(answer('a', to(first, allow)))
      .thenRefused('action_resolved');
    given(...waiting)
      .when(answer('b', to(first, allow)))
      .thenRefused('action_resolved');
  });
  it('when the action has changed since it was read', () => {
    given(...waiting)
      .when(answer('a', { ...to(first, allow), expectedVersion: 2 }))
      .thenRefused('action_version_conflict', { action_id: first, version: 1 });
    given(...waiting)
      .when(answer('a', { ...to(first, allow), expectedVersion: 1 }))
      .thenEvent('required_action.resolved', {});
  });
  it('when its payload is of another kind', () => {
    given(...waiting)
      .when(answer('a', to(first, result())))
      .thenRefused('validation_failed', { kind: 'confirmation' });
    given(...waiting)
      .when(answer('a', to(second, allow)))
      .thenRefused('validation_failed', { kind: 'external_execution' });
  });
  it('whole, when one of several does not fit (S18)', () => {
    given(...waiting)
      .when(answer('a', to(first, allow), to('act_a_9', allow)))
      .thenRefused('action_resolved');
    given(...waiting)
      .when(answer('a', to(first, allow), to(first, deny)))
      .thenRefused('validation_failed');
  });
  it('when its action has expired, though nobody has closed it yet', () => {
    given(...turnWithCalls('a', call('c1', expiring)))
      .when({ ...answer('a', to(first, allow)), at: 50_000 })
      .thenRefused('action_resolved', { expired: true });
    given(...turnWithCalls('a', call('c1', expiring)))
      .when({ ...answer('a', to(first, allow)), at: 49_999 })
      .thenEvent('required_action.resolved', {});
  });
});

describe('an expiry', () => {
  it('denies the call once, and the turn goes on', () => {
    given(...turnWithCalls('a', call('c1', expiring)))
      .when(expire(first, 50_000))
      .thenEvents('required_action.resolved', 'tool.completed', 'turn.queued', 'session.status_running')
      .thenEvent('required_action.resolved', { resolution: 'expired', tool_call_id: 'c1' })
      .thenEvent('tool.completed', { status: 'denied' });
    given(...turnWithCalls('a', call('c1', expiring)), expire(first, 50_000))
      .when(expire(first, 60_000))
      .thenRefused('action_resolved');
  });
  it('is refused too early, for what never expires, and for what is not open', () => {
    given(...turnWithCalls('a', call('c1', expiring)))
      .when(expire(first, 49_999))
      .thenRefused('action_resolved');
    given(...turnWithCalls('a', call('c1', asks)))
      .when(expire(first, 99_999))
      .thenRefused('action_resolved');
    given().when(expire(first, 99_999)).thenRefused('action_resolved');
  });
  it('while other calls run leaves the run open; the last result parks or goes on', () => {
    given(...turnWithCalls('a', call('c1', expiring), call('c2', safe)), dispatch('c2'))
      .when(expire(first, 50_000))
      .thenEvents('required_action.resolved', 'tool.completed')
      .thenState((state) => expect(pendingWork(state)).toMatchObject([{ kind: 'tool', turnId: turn('a'), callId: 'c2' }]));
  });
});
