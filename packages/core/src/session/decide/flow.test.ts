/** A workflow's turn as its session decides on it: WF1–WF7, PZ1, PZ2. */
import { describe, expect, it } from 'vitest';
import { answer, cancel, childEnded, childMade, childTells, handedOver, restart, resume, start, submit, to, turn, type Wish } from '../../testing/commands.ts';
import { emptyStory, type Story, tell } from '../../testing/given.ts';
import { decide } from '../decide.ts';
import { type FlowMove, maxFlowChildren, stepOf } from '../flow.ts';
import { childSessionId, requestId } from '../ids.ts';
import { brokenInvariant } from '../invariants.ts';
import { dueAt, pendingWork } from '../pending-work.ts';

const child = (n = 1) => childSessionId(turn('a'), n);
const advance = (...moves: readonly FlowMove[]): Wish => ({ type: 'advance_flow', moves });
const begin = (key: string): FlowMove => ({ do: 'begin', key, type: 'agent', input: { message: key } });
const ended = (key: string): FlowMove => ({ do: 'end', key, type: 'condition', status: 'succeeded', output: true });
const route = (key: string, ...taken: readonly number[]): FlowMove => ({ do: 'route', key, taken });
const finish: FlowMove = { do: 'finish', outcome: 'completed', outputText: 'done', result: { a: 1 } };
const approval = (key: string, expiresAt?: number): FlowMove => ({
  ...{ do: 'ask', key, type: 'approval', inquiry: { kind: 'approval', prompt: 'Send it?' }, approver: ['usr_1'] },
  ...(expiresAt === undefined ? {} : { expiresAt }),
});
const sleep = (key: string, until: number): FlowMove => ({ do: 'sleep', key, type: 'timer', until });
const pause: Wish = { type: 'pause', turnId: turn('a'), commandId: 'cmd_pause' };

const play = (...steps: readonly Wish[]): Story => tell(emptyStory, [{ type: 'create', target: 'workflow' }, submit('a'), start(), ...steps]);
const then = (story: Story, ...steps: readonly Wish[]): Story => tell(story, steps);
const statusOf = ({ state }: Story, key: string) => stepOf(state.live?.flow, key)?.status;
const kinds = ({ state }: Story): readonly string[] => pendingWork(state).map(({ kind }) => kind);
const types = ({ events }: Story): readonly string[] => events.map(({ type }) => type);
const sound = (story: Story): Story => {
  expect(brokenInvariant(story.state)).toBeUndefined();
  return story;
};
const done = (id = child(), result: unknown = { found: 1 }): Wish => childTells(id, { is: { status: 'completed', output: [], result: result as never } });
const refusal = ({ state, at }: Story, wish: Wish) => decide(state, { ...wish, at: at + 10 } as never);

describe('a workflow', () => {
  it('asks for its graph first, and calls no model', () => {
    expect(pendingWork(play().state)).toEqual([{ kind: 'flow', turnId: turn('a'), notBefore: 0 }]);
  });

  it('WF3 begins a node once: told again it changes nothing', () => {
    const begun = sound(play(advance(begin('look'))));
    expect(begun.state.live?.flow?.steps).toEqual([{ key: 'look', status: 'running', attempt: 1, childId: child() }]);
    expect(kinds(begun)).toEqual(['child', 'await']);
    const again = then(begun, advance(begin('look')));
    expect(again.events).toHaveLength(begun.events.length);
    expect(kinds(then(begun, childMade(child())))).toEqual(['await']);
  });

  it('WF4 is not routed as it was planned where it ended otherwise meanwhile', () => {
    const cancelled: FlowMove = { do: 'end', key: 'look', type: 'agent', status: 'cancelled' };
    const late = sound(play(advance(begin('look')), childMade(child()), childEnded(child(), 'timed_out'), advance(cancelled, route('look'), finish)));
    expect(late.state.live?.flow?.steps).toMatchObject([{ key: 'look', status: 'timed_out' }]);
    expect(late.state.live?.flow?.steps[0]).not.toHaveProperty('taken');
    expect(kinds(late)).toEqual(['flow']);
    expect(sound(then(late, advance(route('look', 1)))).state.live?.flow?.steps[0]).toMatchObject({ taken: [1] });
  });

  it('WF6 ends a step with its child, and is looked at again', () => {
    const story = sound(play(advance(begin('look')), childMade(child()), done()));
    expect(types(story).slice(-2)).toEqual(['step.updated', 'subagent.completed']);
    expect(story.events.at(-2)?.data).toMatchObject({ key: 'look', status: 'succeeded', output: { found: 1 } });
    expect(kinds(story)).toEqual(['flow']);
    expect(types(then(story, done()))).toEqual(types(story));
  });

  it.each([
    ['failed', 'failed'],
    ['timed_out', 'timed_out'],
    ['gone', 'failed'],
  ] as const)('tells of a child that ended %s as a step that %s', (outcome, status) => {
    const story = sound(play(advance(begin('look')), childEnded(child(), outcome)));
    expect(story.events.find(({ type }) => type === 'step.failed')?.data).toMatchObject({ key: 'look', status, attempt: 1 });
  });

  it('WF3 begins a further attempt of what failed, not before its time', () => {
    const failed = play(advance(begin('look')), childEnded(child(), 'failed'));
    const delayed = sound(then(failed, advance({ do: 'retry', key: 'look', type: 'agent', until: failed.at + 1_000 })));
    expect(delayed.state.live?.status).toBe('queued');
    expect(dueAt(delayed.state)).toBe(failed.at + 1_000);
    const early = then(delayed, restart());
    expect(early.state.live?.status).toBe('queued');
    const later = then(delayed, { ...restart(), at: failed.at + 1_000 } as Wish, advance(begin('look')));
    expect(stepOf(sound(later).state.live?.flow, 'look')).toMatchObject({ status: 'running', attempt: 2, childId: child(2) });
    expect(then(later, advance({ do: 'retry', key: 'look', type: 'agent', until: 1 })).events).toHaveLength(later.events.length);
  });

  it('WF3 begins a further attempt no earlier than it may, whatever else goes on', () => {
    const failed = play(advance(begin('look'), begin('other')), childEnded(child(), 'failed'));
    const delayed = sound(then(failed, advance({ do: 'retry', key: 'look', type: 'agent', until: 900_000 })));
    expect(delayed.state.live?.status).toBe('running');
    expect(then(delayed, advance(begin('look'))).events).toHaveLength(delayed.events.length);
    expect(statusOf(then(delayed, { ...advance(begin('look')), at: 900_000 } as Wish), 'look')).toBe('running');
  });

  it('WF4 routes a step once', () => {
    const story = sound(play(advance(ended('yes'), route('yes', 0))));
    expect(stepOf(story.state.live?.flow, 'yes')?.taken).toEqual([0]);
    expect(then(story, advance(route('yes', 1))).events).toHaveLength(story.events.length);
    expect(kinds(story)).toEqual([]);
  });

  it('WF5 finishes only when every step has ended and is routed', () => {
    const open = play(advance(ended('yes'), begin('look'), route('yes', 0), finish));
    expect(open.state.live?.status).toBe('running');
    const over = sound(then(open, done(), advance(route('look'), finish)));
    expect(over.state.live).toBeUndefined();
    expect(types(over).slice(-3)).toEqual(['run.ended', 'turn.completed', 'session.status_idle']);
    expect(over.events.at(-2)?.data).toMatchObject({ output_text: 'done', result: { a: 1 } });
  });

  it('S10 finishes with nothing open: what a child that lost a race still asks is closed before', () => {
    const action = { request_id: 'act_x', child_session_id: child(), kind: 'question' as const, version: 1, answer_schema: {}, approver: 'owner' };
    const asks = childTells(child(), { actions: [action], is: { status: 'requires_action' } });
    const race = play(advance(begin('slow'), begin('fast')), childMade(child()), asks, childEnded(child(2)));
    const loser: FlowMove = { do: 'end', key: 'slow', type: 'agent', status: 'cancelled' };
    const over = sound(then(race, advance(loser, route('slow'), route('fast'), finish), childEnded(child(), 'cancelled')));
    const tail = types(over).filter((type) => /resolved|turn\.c/.test(type));
    expect(tail).toEqual(['required_action.resolved', 'turn.completed']);
  });

  it('takes null of a child for what it is', () => {
    const said: Wish = childTells(child(), { is: { status: 'completed', output: [{ type: 'text', text: 'null' }], result: null } });
    const story = play(advance(begin('look')), childMade(child()), said);
    expect(story.events.findLast(({ type }) => type === 'step.updated')?.data).toMatchObject({ status: 'succeeded', output: null });
  });

  it('S10 fails with what is open cancelled first, children included', () => {
    const story = sound(play(advance(begin('look'), approval('ok'), { do: 'fail', errorCode: 'step_failed', errorMessage: 'x failed' })));
    expect(
      types(story)
        .filter((type) => /resolved|step|turn\./.test(type))
        .slice(-4),
    ).toEqual(['required_action.resolved', 'step.updated', 'step.updated', 'turn.failed']);
    expect(story.state.children).toMatchObject([{ id: child(), closing: true }]);
    expect(refusal(story, resume('a'))).toMatchObject({ ok: false, code: 'turn_not_resumable' });
  });
});

describe('what a workflow waits for', () => {
  it('WF7 is parked for people, and goes on with their answer', () => {
    const parked = sound(play(advance(approval('ok'))));
    expect(parked.state.live?.status).toBe('requires_action');
    expect(kinds(parked)).toEqual([]);
    const id = requestId(turn('a'), 1);
    const yes = sound(then(parked, answer('a', to(id, { kind: 'approval', approved: true, reason: 'fine' }))));
    expect(yes.state.live?.status).toBe('queued');
    expect(yes.events.find(({ type, data }) => type === 'step.updated' && (data as { status: string }).status === 'succeeded')?.data).toMatchObject({
      output: { approved: true, by: 'user:ann', reason: 'fine' },
    });
    expect(kinds(then(yes, restart()))).toEqual(['flow']);
    const no = sound(then(parked, answer('a', to(id, { kind: 'approval', approved: false }))));
    expect(statusOf(no, 'ok')).toBe('rejected');
  });

  it('takes a signal once', () => {
    const signal: FlowMove = { do: 'ask', key: 'paid', type: 'signal', inquiry: { kind: 'signal', signalName: 'payment' }, approver: 'application' };
    const parked = play(advance(signal));
    const told = sound(then(parked, answer('a', to(requestId(turn('a'), 1), { kind: 'signal', payload: { sum: 3 } }))));
    expect(told.events.find(({ type, data }) => type === 'step.updated' && 'output' in data)?.data).toMatchObject({ output: { sum: 3 } });
    expect(refusal(told, answer('a', to(requestId(turn('a'), 1), { kind: 'signal', payload: 1 })))).toMatchObject({ code: 'action_resolved' });
  });

  it('ends a step that nobody answered in time as timed out', () => {
    const parked = play(advance(approval('ok', 2_000)));
    const late = sound(then(parked, { type: 'expire', requestId: requestId(turn('a'), 1), at: 2_000 }));
    expect(statusOf(late, 'ok')).toBe('timed_out');
    expect(late.state.live?.status).toBe('queued');
  });

  it('WF7 is queued for a timer, without a process, and looks when it is due', () => {
    const asleep = sound(play(advance(sleep('night', 90_000))));
    expect(asleep.state.live).toMatchObject({ status: 'queued', notBefore: 90_000 });
    expect(dueAt(asleep.state)).toBe(90_000);
    const awake = sound(then(asleep, { ...restart(), at: 90_000 } as Wish));
    expect(kinds(awake)).toEqual(['flow']);
    expect(sound(then(asleep, cancel('a', 'cmd_c'))).state.last?.outcome).toBe('cancelled');
  });

  it('WF7 is queued until the first of several times', () => {
    const story = sound(play(advance(sleep('late', 90_000), sleep('soon', 30_000), sleep('later', 99_000))));
    expect([story.state.live?.status, story.state.live?.notBefore, dueAt(story.state)]).toEqual(['queued', 30_000, 30_000]);
    const racing = sound(play(advance(approval('ok'), sleep('late', 90_000), sleep('soon', 30_000))));
    expect(dueAt(racing.state)).toBe(30_000);
  });

  it('WF7 is woken by the timer while people are asked', () => {
    const both = sound(play(advance(approval('ok'), sleep('night', 90_000))));
    expect(both.state.live?.status).toBe('requires_action');
    expect(pendingWork(both.state)).toEqual([{ kind: 'wake', notBefore: 90_000 }]);
    expect(refusal(both, { type: 'wake_flow' })).toMatchObject({ ok: false });
    const woken = sound(then(both, { type: 'wake_flow', at: 90_000 } as Wish, { ...restart(), at: 90_001 } as Wish));
    expect(pendingWork(woken.state)).toEqual([{ kind: 'flow', turnId: turn('a'), notBefore: 90_000 }]);
    const won = sound(
      then(woken, advance({ do: 'end', key: 'night', type: 'timer', status: 'succeeded' }, { do: 'end', key: 'ok', type: 'approval', status: 'cancelled' })),
    );
    expect(won.state.live?.openActions).toEqual([]);
    expect(won.events.filter(({ type }) => type === 'required_action.resolved').map(({ data }) => data)).toMatchObject([{ resolution: 'cancelled' }]);
  });

  it('CH6 shows what a child asks, and waits with it', () => {
    const action = { request_id: 'act_x', child_session_id: child(), kind: 'question' as const, version: 1, answer_schema: {}, approver: 'owner' };
    const asks = sound(play(advance(begin('look')), childMade(child()), childTells(child(), { actions: [action], is: { status: 'requires_action' } })));
    expect(asks.state.live?.status).toBe('requires_action');
    const works = then(asks, childTells(child(), { is: { status: 'running' } }));
    expect(works.state.live?.status).toBe('queued');
    expect(kinds(sound(then(works, restart())))).toEqual(['await']);
  });

  it('WF7 sleeps with a child that sleeps, and goes on with it', () => {
    const asleep = sound(play(advance(begin('sub')), childMade(child()), childTells(child(), { is: { status: 'sleeping', until: 50_000 }, asOf: 9 })));
    expect(asleep.state.live).toMatchObject({ status: 'queued', notBefore: 110_000 });
    expect(dueAt(asleep.state)).toBe(110_000);
    const works = sound(then(asleep, childTells(child(), { is: { status: 'running' }, asOf: 12 })));
    expect(works.state.live).toMatchObject({ status: 'queued' });
    expect(dueAt(works.state)).toBe(0);
    expect(kinds(sound(then(works, restart())))).toEqual(['await']);
    // It was never told that the child works: it looks, and sleeps again while that is not so.
    const looked = sound(then(asleep, { ...restart(), at: 110_000 } as Wish));
    expect(looked.state.live?.status).toBe('queued');
    expect(looked.state.live?.notBefore).toBeGreaterThan(170_000 - 1);
    expect(kinds(sound(then(asleep, done(), restart())))).toEqual(['flow']);
    expect(sound(then(asleep, cancel('a', 'cmd_c'))).state.children).toMatchObject([{ closing: true }]);
  });

  it('WF7 sleeps until its own timer where that comes first', () => {
    const both = sound(
      play(advance(begin('sub'), sleep('night', 40_000)), childMade(child()), childTells(child(), { is: { status: 'sleeping', until: 50_000 } })),
    );
    expect(both.state.live).toMatchObject({ status: 'queued', notBefore: 40_000 });
  });

  it('CH9 is interrupted with a child that a limit stopped, and resumed with it', () => {
    const stopped = sound(play(advance(begin('look')), childMade(child()), childTells(child(), { is: { status: 'interrupted' } })));
    expect(stopped.state.live?.status).toBe('interrupted');
    expect(kinds(then(stopped, resume('a')))).toContain('child');
  });

  it('WF7 does not begin run after run while too many that it cancelled have not ended', () => {
    const keys = Array.from({ length: maxFlowChildren }, (_, n) => `k${n}`);
    const gone = keys.flatMap((key): readonly FlowMove[] => [{ do: 'end', key, type: 'agent', status: 'cancelled' }, route(key)]);
    const held = sound(play(advance(...keys.map(begin)), advance(...gone, sleep('night', 900_000))));
    expect(held.state.live?.status).toBe('running');
    expect(new Set(kinds(held))).toEqual(new Set(['child', 'await', 'flow']));
    // A time is kept all the same, when it has come and not before: nothing needs room for being over.
    expect(pendingWork(held.state).find(({ kind }) => kind === 'flow')).toMatchObject({ notBefore: 900_000 });
    const room = sound(then(held, childMade(child()), childEnded(child(), 'cancelled')));
    expect(room.state.live).toMatchObject({ status: 'queued', notBefore: 900_000 });
  });

  it('loses nothing with a run that only waited', () => {
    let story = play(advance(begin('look')), childMade(child()));
    for (let n = 0; n < 8; n += 1) story = then(story, { type: 'end_run', cause: 'lost' }, restart());
    expect(story.state.live).toMatchObject({ status: 'running', lostRuns: 0 });
    expect(kinds(sound(then(story, handedOver, restart())))).toEqual(['await']);
  });

  it('WF8 is tried alone no longer once its look at the graph is a fact: what it began needs room', () => {
    const lost: Wish = { type: 'end_run', cause: 'lost' };
    const suspect = play(lost, restart(), lost, restart({ alone: true }));
    expect(suspect.state.live).toMatchObject({ runsAlone: true, lostRuns: 2 });
    const begun = sound(then(suspect, advance(begin('look'))));
    expect(begun.state.live).toMatchObject({ status: 'running', runsAlone: false, lostRuns: 0, lostAlone: 0 });
  });

  it('loses nothing either with a run that waited for room for more children', () => {
    const keys = Array.from({ length: maxFlowChildren }, (_, n) => `k${n}`);
    let story = play(advance(...keys.map(begin)), advance(ended('over')));
    expect(kinds(story)).not.toContain('flow');
    for (let n = 0; n < 8; n += 1) story = then(story, { type: 'end_run', cause: 'lost' }, restart());
    expect(story.state.live).toMatchObject({ status: 'running', lostRuns: 0 });
  });
});

describe('a workflow that is paused', () => {
  it('begins nothing, keeps what its children bring, and goes on when it is resumed', () => {
    const paused = sound(play(advance(begin('look')), childMade(child()), pause));
    expect(paused.state.live).toMatchObject({ status: 'interrupted', flow: { paused: true } });
    const brought = sound(then(paused, done()));
    expect(brought.state.live?.status).toBe('interrupted');
    expect(statusOf(brought, 'look')).toBe('succeeded');
    expect(kinds(brought)).toEqual([]);
    expect(kinds(sound(then(brought, resume('a'), restart())))).toEqual(['flow']);
    expect(refusal(paused, { ...pause, commandId: 'cmd_2' } as Wish)).toMatchObject({ code: 'turn_closed' });
  });

  it('waits for people again after it was resumed', () => {
    const story = sound(play(advance(approval('ok')), pause, resume('a'), restart()));
    expect(story.state.live).toMatchObject({ status: 'requires_action' });
    const answered = sound(play(advance(approval('ok')), pause, answer('a', to(requestId(turn('a'), 1), { kind: 'approval', approved: true }))));
    expect(answered.state.live?.status).toBe('interrupted');
  });

  it('PZ1 is no child by itself: that is paused, and goes on, with its parent', () => {
    const parent = { sessionId: 'ses_p', path: 'step:1' } as const;
    const story = tell(emptyStory, [{ type: 'create', target: 'workflow', parent }, submit('a'), start()]);
    expect(refusal(story, pause)).toMatchObject({ code: 'not_supported' });
    const paused = sound(then(story, { ...pause, ofParent: true } as Wish));
    expect(paused.state.live?.status).toBe('interrupted');
    expect(refusal(paused, resume('a'))).toMatchObject({ code: 'not_supported' });
    expect(sound(then(paused, { ...resume('a'), ofParent: true } as Wish)).state.live?.status).toBe('queued');
  });

  describe('with a workflow in it', () => {
    const sub: FlowMove = { do: 'begin', key: 'sub', type: 'subrun', input: {} };
    const runs = (): Story => play(advance(sub, begin('look')), childMade(child()), childMade(child(2)));
    const isPaused = childTells(child(), { is: { status: 'interrupted', paused: true } });
    const works = ({ state }: Story) => pendingWork(state).flatMap((work) => (work.kind === 'child' ? [`${work.step} ${work.childId}`] : []));

    it('PZ1 pauses that, and lets it go on; what an agent does goes on meanwhile', () => {
      const paused = sound(then(runs(), pause));
      expect(works(paused)).toEqual([`pause ${child()}`]);
      const stands = sound(then(paused, isPaused));
      expect(pendingWork(stands.state)).toEqual([]);
      const on = sound(then(stands, resume('a')));
      expect(works(on)).toEqual([`resume ${child()}`]);
      expect(works(sound(then(on, { type: 'child_resumed', childId: child() })))).toEqual([]);
    });

    it('PZ1 does not make it, where it is not made yet, before the turn goes on', () => {
      const paused = sound(then(play(advance(sub)), pause));
      expect([pendingWork(paused.state), dueAt(paused.state)]).toEqual([[], null]);
      expect(works(sound(then(paused, resume('a'))))).toEqual([`make ${child()}`]);
      // Somebody had made it all the same.
      expect(works(sound(then(paused, childMade(child()))))).toEqual([`pause ${child()}`]);
      expect(works(sound(then(paused, cancel('a'))))).toEqual([`close ${child()}`]);
    });

    it('PZ2 lets it go on where it was paused too late, without asking anybody', () => {
      const on = sound(then(runs(), pause, resume('a')));
      expect(works(on)).toEqual([]);
      const late = sound(then(on, isPaused));
      expect(works(late)).toEqual([`resume ${child()}`]);
      expect(then(late, restart()).state.live?.status).toBe('running');
    });

    it('PZ1 pauses it again where it goes on too late', () => {
      const again = sound(then(runs(), pause, isPaused, resume('a'), { ...pause, commandId: 'cmd_2' } as Wish));
      expect(works(again)).toEqual([]);
      expect(works(sound(then(again, childTells(child(), { is: { status: 'running' } }))))).toEqual([`pause ${child()}`]);
    });

    it('CH9 takes one that a limit stopped for what it is', () => {
      const stopped = sound(then(runs(), childTells(child(2), { is: { status: 'interrupted' } }), childTells(child(), { is: { status: 'interrupted' } })));
      expect(stopped.state.live?.status).toBe('interrupted');
      expect(works(stopped)).toEqual([]);
      expect(works(sound(then(stopped, resume('a'))))).toEqual([`resume ${child()}`, `resume ${child(2)}`]);
    });
  });

  it('is of workflows only', () => {
    expect(refusal(tell(emptyStory, [{ type: 'create' }, submit('a'), start()]), pause)).toMatchObject({ code: 'not_supported' });
  });
});

describe('a map', () => {
  const map: FlowMove = { do: 'begin_map', key: 'each', type: 'map', total: 3, parallel: 2 };
  const element = (n: number): FlowMove => begin(`each.${n}`);

  it('WF1 begins its elements in order, forgets each that is routed, and counts it', () => {
    const begun = sound(play(advance(map, element(0), element(1))));
    expect(kinds(begun)).toEqual(['child', 'child', 'await']);
    expect(then(begun, advance(element(1))).events).toHaveLength(begun.events.length);
    const one = sound(then(begun, done(child(1))));
    expect(kinds(one)).toContain('flow');
    const next = sound(then(one, advance(route('each.0'), element(2))));
    expect(stepOf(next.state.live?.flow, 'each')?.map).toEqual({ total: 3, parallel: 2, begun: 3, ended: 1, failed: 0 });
    expect(stepOf(next.state.live?.flow, 'each.0')).toBeUndefined();
    const all = sound(then(next, done(child(2)), childEnded(child(3), 'failed'), advance(route('each.1'), route('each.2'))));
    expect(stepOf(all.state.live?.flow, 'each')?.map).toMatchObject({ ended: 3, failed: 1 });
    expect(kinds(all)).toEqual(['flow']);
    expect(refusal(all, advance(element(3)))).toMatchObject({ ok: true, events: [] });
  });

  it('cancels the elements that run when it is over before them', () => {
    const story = sound(play(advance(map, element(0), { do: 'end', key: 'each.0', type: 'agent', status: 'cancelled' })));
    expect(story.state.children).toMatchObject([{ closing: true }]);
  });
});
