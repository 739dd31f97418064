/** Delegating, and what a child tells its parent (CH4–CH8). */
import { describe, expect, it } from 'vitest';
import {
  answer,
  applyInputs,
  asks,
  call,
  cancel,
  childEnded,
  childMade,
  childTells,
  delegating,
  dispatch,
  handedOver,
  lost,
  modelDone,
  openItem,
  restart,
  result,
  resume,
  start,
  stopped,
  submit,
  text,
  to,
  toolDone,
  turn,
  turnWithCalls,
  type Wish,
} from '../../testing/commands.ts';
import { emptyStory, type Story, tell } from '../../testing/given.ts';
import type { ChildAction } from '../child-report.ts';
import { assemblePrompt, transcriptFault } from '../context.ts';
import { decide } from '../decide.ts';
import { childSessionId } from '../ids.ts';
import { pendingWork } from '../pending-work.ts';
import { maxChildren } from '../state.ts';

const child = childSessionId(turn('a'), 1);
const other = childSessionId(turn('a'), 2);
const play = (...steps: readonly Wish[]): Story => tell(emptyStory, steps);
const delegated = (...more: readonly Wish[]): Story => play(...turnWithCalls('a', delegating('d1')), dispatch('d1', {}), ...more);
const inBackground = (...more: readonly Wish[]): Story => play(...turnWithCalls('a', delegating('d1', true)), backgroundDispatch, ...more);
const backgroundDispatch = { type: 'dispatch', callId: 'd1', input: { background: true } } as const;
const types = (story: Story): readonly string[] => story.events.map(({ type }) => type);
const kinds = (story: Story): readonly string[] => pendingWork(story.state).map((work) => (work.kind === 'child' ? work.step : work.kind));
const action = (of = child): ChildAction => ({
  request_id: `act_${of}_1`,
  child_session_id: of,
  kind: 'question',
  version: 1,
  answer_schema: {},
  approver: 'owner',
  tool_call: { id: 'd1', name: 'ask_user', input: {} },
});
const waits = (of = child): Wish => childTells(of, { actions: [action(of)], is: { status: 'requires_action' } });
const works = (of = child): Wish => childTells(of, { is: { status: 'running' } });

describe('a child in the foreground', () => {
  it('CH9 that is interrupted interrupts its turn once nobody is asked anything any more, though its own status stays', () => {
    const asks = delegated(childMade(child), childTells(child, { actions: [action()], is: { status: 'interrupted' } }));
    expect(asks.state.live?.status).toBe('requires_action');
    const closed = tell(asks, [childTells(child, { is: { status: 'interrupted' } })]);
    expect(closed.state.live).toMatchObject({ status: 'interrupted', openActions: [] });
    expect(types(tell(closed, [childTells(child, { is: { status: 'interrupted' } })]))).toEqual(types(closed));
  });

  it('CH5 that has ended asks nobody any more, whatever is told of its actions', () => {
    const is = { status: 'completed', output: [{ type: 'text', text: 'done' }] } as const;
    for (const story of [delegated, inBackground]) {
      for (const before of [story(childMade(child), waits()), story(childMade(child))]) {
        expect(tell(before, [childTells(child, { actions: [action()], is })]).state.live?.openActions ?? []).toEqual([]);
      }
    }
  });

  it('CH10 is told of too late by whoever read it before it changed: nothing is asked twice', () => {
    const is = { status: 'requires_action' } as const;
    const asks = delegated(childMade(child), childTells(child, { actions: [action()], is, asOf: 4 }));
    const answered = tell(asks, [childTells(child, { is: { status: 'running' }, asOf: 6 })]);
    expect(answered.state.live?.openActions).toEqual([]);
    expect(types(tell(answered, [childTells(child, { actions: [action()], is, asOf: 4 })]))).toEqual(types(answered));
    const next = { ...action(), request_id: 'act_2' };
    expect(tell(answered, [childTells(child, { actions: [next], is, asOf: 8 })]).state.live?.openActions).toMatchObject([{ id: 'act_2' }]);
  });

  it('CH10 that is to go on is still to go on when news of its actions comes first', () => {
    const is = { status: 'interrupted' } as const;
    const stopped = delegated(childMade(child), childTells(child, { is, asOf: 4 }), { ...resume('a') } as Wish);
    expect(kinds(stopped)).toContain('resume');
    expect(kinds(tell(stopped, [childTells(child, { actions: [action()], is, asOf: 5 })]))).toContain('resume');
  });

  it('is owed from the dispatch on, then waited for without anything to do', () => {
    expect(kinds(delegated())).toEqual(['make', 'await']);
    const story = delegated(childMade(child));
    expect(kinds(story)).toEqual(['await']);
    expect(story.state.live?.status).toBe('running');
    expect(types(story).at(-1)).toBe('subagent.started');
  });

  it('answers the call with its result, once', () => {
    const story = delegated(childMade(child), childEnded(child));
    expect(types(story).slice(-2)).toEqual(['tool.completed', 'subagent.completed']);
    expect(story.state.children).toBeUndefined();
    expect(kinds(story)).toEqual(['model']);
    const again = tell(story, [childEnded(child)]);
    expect(again.events).toHaveLength(story.events.length);
  });

  it('may tell before it is noted that it exists', () => {
    const story = delegated(childEnded(child));
    expect(types(story).slice(-3)).toEqual(['subagent.started', 'tool.completed', 'subagent.completed']);
    expect(decide(story.state, { ...childMade(child), at: 9_000 } as never)).toMatchObject({ ok: false });
  });

  it.each([
    ['failed', 'error'],
    ['timed_out', 'error'],
    ['gone', 'error'],
    ['cancelled', 'cancelled'],
    ['partial_succeeded', 'success'],
  ] as const)('that %s gives the call the result %s', (outcome, status) => {
    const story = delegated(childMade(child), childEnded(child, outcome, 'why'));
    expect(story.events.findLast(({ type }) => type === 'tool.completed')?.data).toMatchObject({ status, result: { output: [text('why')] } });
  });

  it('that waits for people parks its parent, and takes it up again when it goes on', () => {
    const parked = delegated(childMade(child), waits());
    expect(types(parked).slice(-5)).toEqual([
      'required_action.created',
      'subagent.updated',
      'run.ended',
      'turn.requires_action',
      'session.status_requires_action',
    ]);
    expect(parked.state.live).toMatchObject({ status: 'requires_action', openActions: [{ id: action().request_id, childId: child }] });
    expect(kinds(parked)).toEqual([]);
    const refused = decide(parked.state, { ...answer('a', to(action().request_id, result())), at: 9_000 });
    expect(refused).toMatchObject({ ok: false, code: 'not_supported' });
    const on = tell(parked, [works()]);
    expect(on.state.live).toMatchObject({ status: 'queued', openActions: [] });
    expect(kinds(tell(on, [restart()]))).toEqual(['await']);
  });

  it('does not park a parent that has something else to do, or another child that works', () => {
    const story = play(
      ...turnWithCalls('a', delegating('d1'), delegating('d2')),
      dispatch('d1', {}),
      dispatch('d2', {}),
      childMade(child),
      childMade(other),
      waits(),
    );
    expect(story.state.live?.status).toBe('running');
    expect(tell(story, [waits(other)]).state.live?.status).toBe('requires_action');
    expect(tell(story, [childEnded(other)]).state.live?.status).toBe('requires_action');
  });

  it('is asked for first where a person must allow it', () => {
    const story = play(...turnWithCalls('a', { ...delegating('d1'), ...asks }));
    expect(story.state.live?.status).toBe('requires_action');
    expect(story.state.children).toBeUndefined();
  });

  it('outlives the run that waits for it; a loss then is nobody’s crash', () => {
    const again = [lost, restart({ alone: false })] as const;
    const story = delegated(childMade(child), ...again, ...again, ...again, ...again);
    expect(story.state.live).toMatchObject({ status: 'running', lostRuns: 0, calls: [{ status: 'delegated' }] });
    expect(delegated(childMade(child), handedOver, childEnded(child)).state.live).toMatchObject({ status: 'queued', calls: [{ status: 'done' }] });
    const busy = play(...turnWithCalls('a', delegating('d1'), call('c2', { replaySafe: true })), dispatch('d1', {}), dispatch('c2'), lost);
    expect(busy.state.live?.lostRuns).toBe(1);
  });

  it('is refused beyond 96 that are open', () => {
    const many = Array.from({ length: maxChildren / 32 + 1 }, (_, step): readonly Wish[] => {
      const ids = Array.from({ length: 32 }, (_, n) => `d${step}_${n}`);
      const made = ids.map((_, n) => childMade(childSessionId(turn('a'), step * 32 + n + 1)));
      const calls = ids.map((id) => ({ type: 'dispatch', callId: id, input: { background: true } }) as const);
      return [modelDone('', ...ids.map((id) => delegating(id, true))), ...calls, ...(step < maxChildren / 32 ? made : [])];
    });
    const story = play(submit('a'), start(), ...many.flat());
    expect(story.state.children).toHaveLength(maxChildren);
    expect(story.events.findLast(({ type }) => type === 'tool.completed')?.data).toMatchObject({ status: 'error' });
    expect(JSON.stringify(story.state).length).toBeLessThan(64 * 1024);
  });
});

describe('a child in the background', () => {
  it('answers its call at once, and its result makes a turn that would end go on', () => {
    const story = inBackground(childMade(child));
    expect(kinds(story)).toEqual(['model']);
    const told = tell(story, [openItem, childEnded(child), modelDone('all done')]);
    expect(told.state.live?.status).toBe('running');
    expect(kinds(told)).toEqual(['apply']);
    const over = tell(told, [applyInputs(told.state.inputs?.[0]?.id ?? ''), modelDone('with the result')]);
    expect(over.state.last).toMatchObject({ outcome: 'completed' });
    expect(transcriptFault(assemblePrompt(over.rows))).toBeUndefined();
  });

  it('reaches the next turn where none is live, and nothing of the turn that ended follows its outcome', () => {
    const story = inBackground(childMade(child), modelDone('started it'));
    expect(story.state).toMatchObject({ status: 'idle', children: [{ id: child, background: true }] });
    expect(kinds(story)).toEqual([]);
    const told = tell(story, [childEnded(child)]);
    for (const { data } of told.events.slice(story.events.length)) expect(data).not.toHaveProperty('turn_id');
    expect(kinds(tell(told, [submit('b'), start()]))).toEqual(['apply']);
  });
});

describe('cancel', () => {
  it('closes every child of a running turn, and the turn ends when its work has stopped', () => {
    const story = play(
      ...turnWithCalls('a', delegating('d1'), delegating('d2', true)),
      dispatch('d1', {}),
      { ...backgroundDispatch, callId: 'd2' },
      childMade(child),
      childMade(other),
      cancel('a'),
    );
    expect(story.state.children).toMatchObject([{ closing: true }, { closing: true, background: true }]);
    expect(kinds(story)).toEqual(['close', 'close', 'stop']);
    const over = tell(story, [childEnded(child, 'cancelled'), childEnded(other, 'cancelled'), stopped()]);
    expect(over.state).toMatchObject({ last: { outcome: 'cancelled' } });
    expect([over.state.children, over.state.inputs]).toEqual([undefined, undefined]);
  });

  it('of a parked turn ends it at once; its children stay owed', () => {
    const story = delegated(childMade(child), waits(), cancel('a'));
    expect(story.state.last?.outcome).toBe('cancelled');
    expect(kinds(story)).toEqual(['close']);
    expect(kinds(tell(story, [childEnded(child, 'cancelled')]))).toEqual([]);
  });

  it('before the child was made leaves it to be made and cancelled', () => {
    expect(kinds(delegated(cancel('a'), stopped()))).toEqual(['close']);
  });

  it('is not what the end of a turn is: children in the background go on', () => {
    const story = play(
      ...turnWithCalls('a', delegating('d1'), delegating('d2', true)),
      dispatch('d1', {}),
      { ...backgroundDispatch, callId: 'd2' },
      childMade(child),
      childMade(other),
      stopped('timed_out'),
    );
    expect(story.state.children).toEqual([
      { id: child, status: 'running', closing: true },
      { id: other, status: 'running', background: true },
    ]);
  });
});

describe('a child session', () => {
  const born = play({ type: 'create', parent: { sessionId: 'ses_p', path: 'helper:1' } }, submit('c'));
  it('has one turn, and tells what its parent must know', () => {
    expect(decide(born.state, { ...submit('d'), at: 9_000 } as never)).toMatchObject({ ok: false, code: 'not_supported' });
    expect(kinds(born)).toEqual(['start']);
    const over = tell(born, [start(), modelDone('done')]);
    expect(pendingWork(over.state)).toEqual([{ kind: 'tell', news: 1 }]);
    expect(pendingWork(tell(over, [{ type: 'parent_told', news: 1 }]).state)).toEqual([]);
  });

  it('tells again what happened while it told', () => {
    const asked = tell(born, [start(), modelDone('', call('c1', asks))]);
    const news = asked.state.parent?.news ?? 0;
    const answered = tell(asked, [answer('c', to('act_c_1', { kind: 'confirmation', allow: true })), { type: 'parent_told', news }]);
    expect(pendingWork(answered.state)[0]).toMatchObject({ kind: 'tell' });
    expect(tell(answered, [restart(), dispatch('c1'), toolDone('c1')]).state.parent?.told).toBe(news);
  });
});
