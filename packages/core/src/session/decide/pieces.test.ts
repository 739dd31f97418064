/** A team's turn: pieces side by side, held back, tried again, done again, and the turn's own end (TQ1–TQ7). */
import { describe, expect, it } from 'vitest';
import {
  applyInputs,
  cancel,
  childEnded,
  childMade,
  childTells,
  delegating,
  exceedBudget,
  fail,
  lost,
  modelDone,
  restart,
  resume,
  start,
  steer,
  stopped,
  submit,
  text,
  turn,
  turnWithCalls,
  type Wish,
} from '../../testing/commands.ts';
import { emptyStory, givenWith, type Story, tell } from '../../testing/given.ts';
import type { PieceTerms, RequestedCall } from '../commands.ts';
import { assemblePrompt, transcriptFault } from '../context.ts';
import { decide } from '../decide.ts';
import type { EventData } from '../events.ts';
import { childInputId, childSessionId, type SessionId, stepId } from '../ids.ts';
import { brokenInvariant } from '../invariants.ts';
import { dueAt, pendingWork } from '../pending-work.ts';
import { shownCharacters } from './pieces.ts';

const child = (n: number): SessionId => childSessionId(turn('a'), n);
const step = (n: number): string => stepId(turn('a'), `${n}`);
const piece = (id: string, background = false): RequestedCall => ({ ...delegating(id, background), input: { member: 'mia', message: id, background } });
const send = (callId: string, terms: PieceTerms = {}, background = false): Wish => ({
  type: 'dispatch',
  callId,
  input: { member: 'mia', message: callId, ...(background ? { background } : {}) },
  piece: terms,
});
const team = (maxParallel?: number): Wish => ({ type: 'create', target: 'team', ...(maxParallel === undefined ? {} : { maxParallel }) });
/** A team whose leader has just asked for these pieces. */
const asked = (calls: readonly RequestedCall[], ...more: readonly Wish[]): readonly Wish[] => [team(), ...turnWithCalls('a', ...calls), ...more];
const play = (...wishes: readonly Wish[]): Story => {
  const story = tell(emptyStory, wishes);
  expect(brokenInvariant(story.state)).toBeUndefined();
  const whole = story.state.live?.calls.every(({ status }) => status === 'done') ?? true;
  if (whole) expect(transcriptFault(assemblePrompt(story.rows))).toBeUndefined();
  return story;
};
const steps = ({ events }: Story): readonly string[] =>
  events.flatMap((event) =>
    event.type === 'step.updated' || event.type === 'step.failed' ? [`${event.data.key} ${event.data.attempt} ${event.data.status}`] : [],
  );
const kinds = ({ state }: Story): readonly string[] =>
  pendingWork(state).map((work) => (work.kind === 'child' ? work.step : work.kind === 'tool' ? work.callId : work.kind));
const last = <Type extends 'step.updated' | 'step.failed' | 'tool.completed'>({ events }: Story, type: Type): EventData<Type> =>
  events.findLast((event) => event.type === type)?.data as EventData<Type>;
const twice = { retry: { left: 2, backoffMs: 5_000 } };

describe('a piece', () => {
  it('TQ5 is a step from its beginning to its result, which names it', () => {
    const story = play(...asked([piece('d1')], send('d1'), childMade(child(1)), childEnded(child(1))));
    expect(steps(story)).toEqual(['1 1 running', '1 1 succeeded']);
    expect(story.events.find(({ type }) => type === 'step.updated')?.data).toMatchObject({
      ...{ step_id: step(1), type: 'delegation', name: 'mia', child_session_id: child(1), input: { message: 'd1' } },
    });
    expect(last(story, 'step.updated')).toMatchObject({ output: 'found it' });
    expect(last(story, 'tool.completed').result.output).toEqual([text(`[${step(1)}, helper: done]\nfound it`)]);
    expect(kinds(story)).toEqual(['model']);
  });

  it('whose result is long is told in part, with where to read on', () => {
    const story = play(...asked([piece('d1')], send('d1'), childMade(child(1)), childEnded(child(1), 'completed', 'x'.repeat(shownCharacters + 5))));
    const said = JSON.stringify(last(story, 'tool.completed').result.output);
    expect(said.length).toBeLessThan(shownCharacters + 300);
    expect(said).toContain(`${shownCharacters + 5} characters in all. Read on with read_result, from offset ${shownCharacters}.`);
    expect(last(story, 'step.updated').output).toHaveLength(shownCharacters + 5);
  });

  it('that cannot be asked for is refused before anything begins', () => {
    const story = play(...asked([piece('d1')], { ...send('d1'), refusal: 'There is no such step.' } as Wish));
    expect(steps(story)).toEqual([]);
    expect(last(story, 'tool.completed')).toMatchObject({ status: 'error' });
    expect(story.state.children).toBeUndefined();
  });
});

describe('pieces side by side', () => {
  const three = [piece('d1'), piece('d2'), piece('d3')];
  const begun = [team(2), ...turnWithCalls('a', ...three)];

  it('TQ1 are no more than may be: what is over that is owed by nobody, and refused', () => {
    expect(kinds(play(...begun))).toEqual(['d1', 'd2']);
    const full = play(...begun, send('d1'), childMade(child(1)), send('d2'), childMade(child(2)));
    expect(kinds(full)).toEqual(['await']);
    expect(decide(full.state, { ...send('d3'), at: 1 } as never)).toMatchObject({ ok: false, code: 'turn_closed' });
    const after = tell(full, [childEnded(child(1))]);
    expect(kinds(after)).toEqual(['d3']);
    expect(kinds(tell(after, [send('d3'), childMade(child(3)), childEnded(child(2)), childEnded(child(3))]))).toEqual(['model']);
  });

  it('TQ1 hold others back in the background, too, and the turn waits with them: for people while they do, for their end otherwise', () => {
    const calls = [piece('d1', true), piece('d2')];
    const held = play(team(1), ...turnWithCalls('a', ...calls), send('d1', {}, true), childMade(child(1)));
    expect(kinds(held)).toEqual(['await']);
    const asking = tell(held, [childTells(child(1), { is: { status: 'requires_action' } })]);
    expect(asking.state.live?.status).toBe('requires_action');
    expect(brokenInvariant(asking.state)).toBeUndefined();
    expect(kinds(asking)).toEqual([]);
    const on = tell(asking, [childTells(child(1), { is: { status: 'running' } })]);
    expect(kinds(on)).toEqual(['restart']);
    expect(kinds(tell(on, [childEnded(child(1)), restart()]))).toEqual(['d2']);
  });

  it('that are lost with their run count against nobody: it only waited', () => {
    const full = play(...begun, send('d1'), childMade(child(1)), send('d2'), childMade(child(2)));
    const story = tell(full, [lost, restart(), lost, restart(), lost]);
    expect(story.state.live?.lostRuns).toBe(0);
    expect(kinds(story)).toEqual(['restart']);
  });
});

describe('a member that fails', () => {
  const begun = asked([piece('d1')], send('d1', twice), childMade(child(1)));

  it('TQ3 TQ5 is tried again after a while, as the same step and for the same call, and the leader hears the end only', () => {
    const failed = play(...begun, childEnded(child(1), 'failed'));
    expect(steps(failed)).toEqual(['1 1 running', '1 1 failed', '1 2 delayed']);
    expect(failed.state.children).toMatchObject([{ id: child(2), status: 'owed', piece: { key: '1', attempt: 2, left: 1 } }]);
    const until = last(failed, 'step.updated').until ?? 0;
    expect(until).toBe(failed.at + 5_000);
    // What failed says when it is tried again, and so is no failure of the turn's.
    expect(last(failed, 'step.failed').until).toBe(until);
    expect(failed.state.live?.failedPieces).toBeUndefined();
    expect(pendingWork(failed.state)).toEqual([
      { kind: 'child', childId: child(2), step: 'make', notBefore: until },
      { kind: 'restart', turnId: turn('a'), notBefore: until, alone: false },
    ]);
    const second = [childMade(child(2)), restart(), childEnded(child(2), 'timed_out')];
    const done = tell(failed, [...second, childMade(child(3)), restart(), childEnded(child(3)), modelDone('well')]);
    expect(steps(done).slice(3)).toEqual(['1 2 running', '1 2 timed_out', '1 3 delayed', '1 3 running', '1 3 succeeded']);
    expect(done.events.filter(({ type }) => type === 'tool.completed')).toHaveLength(1);
    expect(done.events.filter(({ type }) => type === 'subagent.completed')).toHaveLength(3);
    expect(done.state.last?.outcome).toBe('completed');
  });

  it('TQ5 has only so many tries; what could not be made, or was cancelled, has none', () => {
    const worn = [childEnded(child(1), 'failed'), childMade(child(2)), childEnded(child(2), 'failed'), childMade(child(3)), childEnded(child(3), 'gone')];
    const story = play(...begun, ...worn);
    expect(steps(story).slice(-2)).toEqual(['1 3 running', '1 3 failed']);
    expect(JSON.stringify(last(story, 'tool.completed').result.output)).toContain('continue');
    expect(last(story, 'tool.completed').status).toBe('error');
    const unmade = childTells(child(1), { is: { status: 'failed', errorCode: 'not_found', output: [text('nobody')] } });
    expect(steps(play(...begun, unmade))).toEqual(['1 1 running', '1 1 failed']);
    expect(steps(play(...begun, childEnded(child(1), 'cancelled')))).toEqual(['1 1 running', '1 1 cancelled']);
  });

  it('TQ3 is heard of once: a late word of an earlier attempt changes nothing', () => {
    const failed = play(...begun, childEnded(child(1), 'failed'));
    expect(tell(failed, [childEnded(child(1))]).state).toEqual(failed.state);
  });

  it('TQ7 is waited for without a run, and that is no running time', () => {
    const failed = play(...begun, childEnded(child(1), 'failed'));
    const until = failed.at + 5_000;
    expect(failed.events.slice(-2).map(({ type, data }) => [type, data])).toMatchObject([
      ['run.ended', { status: 'suspended' }],
      ['turn.queued', { reason: 'timer', not_before: until }],
    ]);
    const ran = failed.state.live?.ranMs;
    expect(dueAt(failed.state)).toBe(until);
    // Whichever comes first when it is time: the next run, or the child.
    const woken = tell(failed, [{ ...restart(), at: until } as Wish]);
    expect([woken.state.live?.status, woken.state.live?.ranMs]).toEqual(['running', ran]);
    expect(kinds(woken)).toEqual(['make', 'await']);
    const made = tell(failed, [{ ...childMade(child(2)), at: until } as Wish]);
    expect(kinds(made)).toEqual(['restart']);
    expect(kinds(tell(made, [restart()]))).toEqual(['await']);
    for (const { state } of [woken, made]) expect(brokenInvariant(state)).toBeUndefined();
  });

  it('TQ7 tells whoever waits for the team that it sleeps, and that it works again', () => {
    const [, ...calls] = begun;
    const within = play({ type: 'create', target: 'team', parent: { sessionId: 'ses_p', path: 'desk:1' } }, ...calls, childEnded(child(1), 'failed'));
    const news = within.state.parent?.news ?? 0;
    expect(news).toBe((play({ type: 'create', target: 'team', parent: { sessionId: 'ses_p', path: 'desk:1' } }, ...calls).state.parent?.news ?? 0) + 1);
    expect(tell(within, [{ ...restart(), at: within.at + 5_000 } as Wish]).state.parent?.news).toBe(news + 1);
  });

  it('TQ7 goes on beside a member that asks people: the turn waits for them, and works again with the next attempt', () => {
    const two = play(...asked([piece('d1'), piece('d2')], send('d1', twice), childMade(child(1)), send('d2'), childMade(child(2))));
    const asking = tell(two, [childTells(child(2), { is: { status: 'requires_action' } }), childEnded(child(1), 'failed')]);
    expect(asking.state.live?.status).toBe('requires_action');
    expect(brokenInvariant(asking.state)).toBeUndefined();
    const until = last(asking, 'step.updated').until ?? 0;
    expect(dueAt(asking.state)).toBe(until);
    const made = tell(asking, [{ ...childMade(child(3)), at: until } as Wish]);
    expect(kinds(made)).toEqual(['restart']);
    const answered = tell(asking, [childEnded(child(2))]);
    expect([answered.state.live?.status, dueAt(answered.state)]).toEqual(['queued', until]);
  });

  it('TQ7 is a piece that others do not wait for: they go on meanwhile', () => {
    const calls = [piece('d1', true), piece('d2')];
    const both = play(...asked(calls, send('d1', twice, true), childMade(child(1)), send('d2'), childMade(child(2)), childEnded(child(1), 'failed')));
    expect([both.state.live?.status, kinds(both)]).toEqual(['running', ['make', 'await']]);
    const said = tell(both, [childEnded(child(2)), modelDone('so far')]);
    expect([said.state.live?.status, kinds(said)]).toEqual(['queued', ['make', 'restart']]);
    // TQ2: nor does the leader sleep on what it is told.
    expect(dueAt(said.state)).toBeGreaterThan(said.at);
    const told = tell(said, [steer('a')]);
    expect(dueAt(told.state)).toBe(0);
    const woken = tell(told, [restart()]);
    expect([woken.state.live?.status, kinds(woken)]).toEqual(['running', ['make', 'apply']]);
  });

  it('in the background is tried again, too, and its result is told once', () => {
    const story = play(...asked([piece('d1', true)], send('d1', twice, true), childMade(child(1)), childEnded(child(1), 'failed'), childMade(child(2))));
    expect(story.state.inputs).toBeUndefined();
    const ended = tell(story, [childEnded(child(2))]);
    expect(ended.state.inputs).toEqual([{ id: childInputId(child(2)), ofChild: true }]);
  });
});

describe('the leader’s last word', () => {
  const background = asked([piece('d1', true)], send('d1', {}, true), childMade(child(1)));

  it('TQ2 ends no turn while pieces are open: the turn waits, and the leader is called again with their results', () => {
    const said = play(...background, modelDone('so far'));
    expect(said.state.live?.status).toBe('running');
    expect(kinds(said)).toEqual(['await']);
    expect(dueAt(said.state)).toBe(0);
    for (const wish of [modelDone('again'), { type: 'open_item' }, exceedBudget] as const) {
      expect(decide(said.state, { ...wish, at: 1 } as never)).toMatchObject({ ok: false });
    }
    const told = tell(said, [childEnded(child(1))]);
    expect(kinds(told)).toEqual(['apply']);
    const over = tell(told, [applyInputs(childInputId(child(1))), modelDone('all of it')]);
    expect(over.events.findLast(({ type }) => type === 'turn.completed')?.data).toMatchObject({ output_text: 'all of it' });
    expect(transcriptFault(assemblePrompt(over.rows))).toBeUndefined();
  });

  it('TQ2 leaves the turn to people where they are all that it waits for, and to whoever raises a limit that stopped a piece', () => {
    const asking = play(...background, modelDone('so far'), childTells(child(1), { is: { status: 'requires_action' } }));
    expect(asking.state.live?.status).toBe('requires_action');
    expect(play(...background, childTells(child(1), { is: { status: 'requires_action' } }), modelDone('so far')).state.live?.status).toBe('requires_action');
    const stopped = tell(asking, [childTells(child(1), { is: { status: 'interrupted' } })]);
    expect(stopped.state.live).toMatchObject({ status: 'interrupted', overBudget: 'below' });
    const on = tell(stopped, [resume('a')]);
    expect(on.state.children).toMatchObject([{ resume: true }]);
    expect(tell(on, [restart(), childEnded(child(1))]).state.inputs).toHaveLength(1);
  });

  it('of an agent ends its turn all the same', () => {
    const story = play(...turnWithCalls('a', piece('d1', true)), send('d1', {}, true), childMade(child(1)), modelDone('so far'));
    expect(story.state.last?.outcome).toBe('completed');
    expect(steps(story)).toEqual([]);
  });

  it('TQ6 is the last one where no step is left: open pieces are cancelled, and the turn succeeded in part', () => {
    const story = givenWith({ maxQueued: 20, maxSteps: 2, maxModelFailures: 4 }, ...background)
      .when(modelDone('enough'))
      .thenEvent('turn.partial_succeeded', { output_text: 'enough' })
      .thenEvent('step.updated', { step_id: step(1), status: 'cancelled' })
      .story();
    expect(story.state.children).toMatchObject([{ closing: true }]);
    expect(tell(story, [childEnded(child(1), 'cancelled')]).state.children).toBeUndefined();
  });
});

describe('the outcome', () => {
  const failed = asked([piece('d1')], send('d1'), childMade(child(1)), childEnded(child(1), 'failed'));
  const outcome = (...wishes: readonly Wish[]) => play(...failed, ...wishes).state.last?.outcome;
  const again = (terms: PieceTerms, n: number, status: 'completed' | 'failed' = 'completed'): readonly Wish[] => [
    modelDone('', piece(`d${n}`)),
    send(`d${n}`, terms),
    childMade(child(n)),
    childEnded(child(n), status),
  ];

  it('TQ6 is partial while a step failed for good', () => {
    expect(outcome(modelDone('what there is'))).toBe('partial_succeeded');
    expect(outcome(...again({}, 2), modelDone('what there is'))).toBe('partial_succeeded');
  });

  it('TQ4 is whole once the step was done again, also by a later one', () => {
    expect(outcome(...again({ of: '1' }, 2), modelDone('all'))).toBe('completed');
    expect(outcome(...again({ of: '1' }, 2, 'failed'), modelDone('what there is'))).toBe('partial_succeeded');
    expect(outcome(...again({ of: '1' }, 2, 'failed'), ...again({ of: '1' }, 3), modelDone('all'))).toBe('completed');
  });

  it('is the failure itself where the leader fails, and what failed before is remembered when the turn is resumed', () => {
    expect(outcome(fail())).toBe('failed');
    const resumed = tell(play(...failed, fail()), [resume('a'), restart(), modelDone('what there is')]);
    expect(resumed.state.last?.outcome).toBe('partial_succeeded');
  });

  it('TQ5 closes every step first when the turn is cancelled: each once', () => {
    const calls = [piece('d1'), piece('d2', true), piece('d3')];
    const under = play(...asked(calls, send('d1', twice), childMade(child(1)), send('d2', {}, true), childMade(child(2)), send('d3'), childMade(child(3))));
    const story = tell(under, [cancel('a'), childEnded(child(1), 'cancelled'), childEnded(child(3)), stopped()]);
    expect(steps(story).slice(3).toSorted()).toEqual(['1 1 cancelled', '2 1 cancelled', '3 1 cancelled']);
    const types = story.events.map(({ type }) => type);
    expect(types.lastIndexOf('step.updated')).toBeLessThan(types.indexOf('turn.cancelled'));
    const over = tell(story, [childEnded(child(2), 'cancelled')]);
    expect(over.state.inputs).toBeUndefined();
    expect(over.state.children).toBeUndefined();
    expect(steps(over)).toEqual(steps(story));
  });
});

describe('turns of a team', () => {
  it('are separate: nothing of an earlier one is shown to the leader', () => {
    const story = play(
      ...asked([piece('d1')], send('d1'), childMade(child(1)), childEnded(child(1)), modelDone('the first')),
      submit('b'),
      start('another thing'),
    );
    expect(assemblePrompt(story.rows)).toEqual([{ role: 'user', content: [text('another thing')] }]);
    const agent = play(submit('a'), start('one'), modelDone('the first'), submit('b'), start('another thing'));
    expect(assemblePrompt(agent.rows)).toHaveLength(3);
  });

  it('leave nothing to the next one: what members found, and what they still do', () => {
    const background = [piece('d1', true), piece('d2', true)];
    const both = [send('d1', {}, true), childMade(child(1)), send('d2', {}, true), childMade(child(2))];
    const story = play(...asked(background, ...both), childEnded(child(1)), fail());
    expect(story.state.inputs).toBeUndefined();
    expect(story.state.children).toMatchObject([{ id: child(2), closing: true }]);
  });
});
