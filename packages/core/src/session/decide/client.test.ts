/** What people and applications ask of a session: S8, S9, S11, S20. */
import { describe, expect, it } from 'vitest';
import {
  action,
  answer,
  asks,
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
  result,
  resume,
  rules,
  safe,
  start,
  stopped,
  submit,
  to,
  toolDone,
  turn,
  turnWithCalls,
  type Wish,
} from '../../testing/commands.ts';
import { given, givenWith } from '../../testing/given.ts';

const archive: Wish = { type: 'archive' };
const unarchive: Wish = { type: 'unarchive' };
const remove: Wish = { type: 'delete' };
/** A turn that waits for a person to say what became of its tool. */
const interrupted = [...turnWithCalls('a', call('c1')), dispatch('c1'), lost];
const parked = turnWithCalls('a', call('c1', external));

describe('submit', () => {
  it('accepts a turn into an idle session and announces that it runs', () => {
    given()
      .when(submit('a'))
      .thenEvents('turn.accepted', 'turn.queued', 'session.status_running')
      .thenEvent('turn.queued', { queue_position: 0, reason: 'accepted' });
  });
  it('puts a turn behind all that were accepted before it', () => {
    given(submit('a'), start(), submit('b'))
      .when(submit('c'))
      .thenEvents('turn.accepted', 'turn.queued')
      .thenEvent('turn.accepted', { n: 3 })
      .thenEvent('turn.queued', { queue_position: 2 })
      .thenState((state) => expect(state.queue.map((entry) => entry.id)).toEqual([turn('b'), turn('c')]));
  });
  it('keeps metadata, also when it is null', () => {
    given()
      .when({ ...submit('a'), metadata: null } as Wish)
      .thenEvent('turn.accepted', { metadata: null });
  });
  it('notes who submitted it, and with which key; of nobody nothing', () => {
    const submitter = { submitted_by: 'app:shop', credential_id: 'key_1' };
    given()
      .when({ ...submit('a'), submitter } as Wish)
      .thenEvent('turn.accepted', submitter);
    given()
      .when(submit('a'))
      .thenState((state) => expect(state.queue).toEqual([{ id: turn('a'), n: 1 }]));
  });
  it('refuses a turn beyond the limit, naming it; the live turn counts', () => {
    givenWith(rules({ maxQueued: 2 }), submit('a'), start(), submit('b'))
      .when(submit('c'))
      .thenRefused('queue_full', { scope: 'session', limit: 2, pending_count: 2, retry_after_ms: 1000 });
  });
  it('takes turns again when one has ended', () => {
    givenWith(rules({ maxQueued: 1 }), submit('a'), start(), modelDone('hi'))
      .when(submit('b'))
      .thenEvents('turn.accepted', 'turn.queued', 'session.status_running');
  });
  it('refuses turns of an archived session', () => {
    given(archive).when(submit('a')).thenRefused('session_archived');
  });
});

describe('cancel', () => {
  it('ends a queued turn at once, without a trace in the context', () => {
    const then = given(submit('a'), start(), submit('b')).when(cancel('b'));
    then.thenEvents('command.accepted', 'turn.cancel_requested', 'command.completed', 'turn.cancelled');
    expect(then.story().rows).toHaveLength(1);
  });
  it('ends the only turn of a session and announces that it is idle', () => {
    given(submit('a')).when(cancel('a')).thenEvents('command.accepted', 'turn.cancel_requested', 'command.completed', 'turn.cancelled', 'session.status_idle');
  });
  it('asks a running turn to stop; that is no outcome', () => {
    given(submit('a'), start())
      .when(cancel('a'))
      .thenEvents('command.accepted', 'turn.cancel_requested', 'command.completed')
      .thenLive({ status: 'running', cancelRequested: true });
  });
  it('asked again while it stops, only leaves a receipt', () => {
    given(submit('a'), start(), cancel('a')).when(cancel('a', 'cmd_2')).thenEvents('command.accepted', 'command.completed');
  });
  it('ends a waiting turn at once: its action first, then its call, then the outcome', () => {
    given(...parked)
      .when(cancel('a'))
      .thenEvents(
        'command.accepted',
        'turn.cancel_requested',
        'command.completed',
        'required_action.resolved',
        'tool.completed',
        'turn.cancelled',
        'session.status_idle',
      )
      .thenEvent('required_action.resolved', { resolution: 'cancelled', tool_call_id: 'c1' })
      .thenEvent('tool.completed', { status: 'cancelled' })
      .thenEvent('turn.cancelled', { unverified_calls: [] });
  });
  it('ends an interrupted turn and lists the call whose outcome is unknown', () => {
    given(...interrupted)
      .when(cancel('a'))
      .thenEvent('tool.completed', { tool_call_id: 'c1', status: 'unknown' })
      .thenEvent('turn.cancelled', { unverified_calls: ['c1'] });
  });
  it('ends a turn that waits for its next run; no run is ended twice', () => {
    given(submit('a'), start(), handedOver).when(cancel('a')).thenEvent('turn.cancelled', {}).thenNot('run.ended');
  });
  it('refuses what has ended, and what never was', () => {
    given(submit('a'), start(), modelDone('hi')).when(cancel('a')).thenRefused('turn_closed');
    given(submit('a'), cancel('a')).when(cancel('a', 'again')).thenRefused('turn_closed');
    given().when(cancel('nobody')).thenRefused('turn_closed');
  });
  it('wins over an answer that comes after it (S20): what was said stays, the outcome is cancelled', () => {
    const then = given(submit('a'), start(), openItem, cancel('a')).when(modelDone('all of it'));
    then.thenEvents('item.completed', 'usage.recorded', 'run.ended', 'turn.cancelled', 'session.status_idle').thenEvent('run.ended', { status: 'cancelled' });
    expect(then.story().rows.at(-1)?.entry).toMatchObject({ message: { role: 'assistant', content: [{ text: expect.stringContaining('all of it') }] } });
  });
  it('wins over a failure and a time-out that come after it (S20)', () => {
    given(submit('a'), start(), cancel('a')).when(fail()).thenEvents('run.ended', 'turn.cancelled', 'session.status_idle');
    given(submit('a'), start(), cancel('a')).when(stopped('timed_out')).thenEvents('run.ended', 'turn.cancelled', 'session.status_idle');
  });
});

describe('resume', () => {
  it('puts a failed turn back to the head, and tells the model to go on', () => {
    const then = given(submit('a'), start(), fail(), submit('b')).when(resume('a'));
    then
      .thenEvents('command.accepted', 'turn.queued', 'command.completed')
      .thenEvent('turn.queued', { reason: 'resumed', queue_position: 0 })
      .thenLive({ id: turn('a'), status: 'queued', runs: 1, items: 1, steps: 0 });
    expect(then.story().rows.at(-1)?.entry).toMatchObject({ message: { role: 'user' } });
  });
  it('gives the parts of the next run new ids', () => {
    given(submit('a'), start(), openItem, fail(), resume('a'), restart())
      .when(openItem)
      .thenEvent('item.started', { item_id: 'item_a_3', model_call_id: 'call_a_2', run_id: 'run_a_2' });
  });
  it('remembers the calls of unknown outcome of the runs before', () => {
    given(...turnWithCalls('a', call('c1')), dispatch('c1'), fail(), resume('a'))
      .when(cancel('a'))
      .thenEvent('turn.cancelled', { unverified_calls: ['c1'] });
  });
  it('works while the session is archived', () => {
    given(submit('a'), start(), fail(), archive).when(resume('a')).thenLive({ status: 'queued' });
  });
  it('refuses a waiting turn, naming its actions', () => {
    given(...parked)
      .when(resume('a'))
      .thenRefused('action_pending', { request_ids: [action('a', 1)] });
  });
  it('refuses a turn with an unknown result, before all else', () => {
    given(...interrupted)
      .when(resume('a'))
      .thenRefused('tool_result_unknown');
  });
  it('refuses what is queued or running', () => {
    given(submit('a')).when(resume('a')).thenRefused('turn_not_resumable');
    given(submit('a'), start()).when(resume('a')).thenRefused('turn_not_resumable');
    given(submit('a'), start(), handedOver).when(resume('a')).thenRefused('turn_not_resumable');
  });
  it('refuses what ended otherwise than failed', () => {
    given(submit('a'), start(), modelDone('hi')).when(resume('a')).thenRefused('turn_closed');
    given(submit('a'), start(), cancel('a'), stopped()).when(resume('a')).thenRefused('turn_closed');
    given(submit('a'), start(), stopped('timed_out')).when(resume('a')).thenRefused('turn_closed');
  });
  it('refuses a failed turn once a later one has started, running or over', () => {
    given(submit('a'), start(), fail(), submit('b'), start()).when(resume('a')).thenRefused('turn_not_resumable');
    given(submit('a'), start(), fail(), submit('b'), start(), modelDone('hi')).when(resume('a')).thenRefused('turn_not_resumable');
  });
  it('takes a failed turn though a later one was cancelled before it started', () => {
    given(submit('a'), start(), fail(), submit('b'), cancel('b'))
      .when(resume('a'))
      .thenLive({ id: turn('a') });
  });
  it('goes on with an interrupted turn that waits for nothing', () => {
    given(
      submit('a'),
      start(),
      { type: 'run.ended', data: { turn_id: turn('a'), run_id: 'run_a_1', status: 'interrupted' } },
      { type: 'turn.interrupted', data: { turn_id: turn('a'), reason: 'paused', error_code: 'paused' } },
      { type: 'session.status_requires_action', data: {} },
    )
      .when(resume('a'))
      .thenEvents('command.accepted', 'turn.queued', 'command.completed', 'session.status_running');
  });
});

describe('archive and unarchive', () => {
  it('archives once', () => {
    given().when(archive).thenEvents('session.status_archived');
    given(archive).when(archive).thenEvents();
  });
  it('lets accepted turns start, be answered and be cancelled', () => {
    given(submit('a'), archive).when(start()).thenLive({ status: 'running' });
    given(...parked, archive)
      .when(answer('a', to(action('a', 1), result())))
      .thenLive({ status: 'queued' });
    given(submit('a'), archive).when(cancel('a')).thenEvent('turn.cancelled', {});
  });
  it('is lifted by unarchive, which repeats the status', () => {
    given(archive, unarchive).when(submit('a')).thenEvents('turn.accepted', 'turn.queued', 'session.status_running');
    given(...parked, archive)
      .when(unarchive)
      .thenEvents('session.status_requires_action')
      .thenState((state) => expect(state.archived).toBe(false));
    given(submit('a'), archive).when(unarchive).thenEvents('session.status_running');
    given().when(unarchive).thenEvents();
  });
});

describe('delete', () => {
  it('closes what runs and what is queued, then the session', () => {
    given(...turnWithCalls('a', call('c1'), call('c2', { ...safe, ...asks })), dispatch('c1'), submit('b'))
      .when(remove)
      .thenEvents('required_action.resolved', 'tool.completed', 'tool.completed', 'run.ended', 'turn.cancelled', 'turn.cancelled', 'session.status_terminated')
      .thenState((state) => expect(state).toMatchObject({ terminated: true, queue: [] }));
  });
  it('leaves nothing that takes a command', () => {
    for (const wish of [submit('b'), cancel('a'), resume('a'), start(), restart(), lost, toolDone('c1'), archive, unarchive, remove]) {
      given(submit('a'), remove).when(wish).thenRefused('not_found');
    }
  });
});
