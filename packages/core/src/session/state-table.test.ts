/**
 * The whole table: what each event makes of a turn in each state. Rows are typed by `EventType`: a new event does not
 * compile until its row is written.
 */
import { describe, expect, it } from 'vitest';
import {
  asking,
  asks,
  call,
  cancel,
  dispatch,
  external,
  fail,
  handedOver,
  inject,
  lost,
  modelDone,
  question,
  start,
  steer,
  stopped,
  submit,
  turn,
  turnWithCalls,
  type Wish,
} from '../testing/commands.ts';
import { emptyStory, tell } from '../testing/given.ts';
import { eventTypes, sample } from '../testing/samples.ts';
import type { EventType, LoggedEvent, SessionEvent, TurnOutcome, TurnStatus } from './events.ts';
import { evolve } from './evolve.ts';
import { pendingWork } from './pending-work.ts';
import { emptyState, maxWaitingInputs, type SessionState } from './state.ts';

/** Where the turn stands before. `queued`: never started; `requeued`: it has run and waits for its next run; `asking`: it waits for a question. */
type From = 'none' | 'requeued' | 'asking' | TurnStatus;
/** `same`: the state is what it was. `moved`: its status is the same, another member changed. Else the status after. */
type To = 'same' | 'moved' | 'gone' | TurnStatus;

const histories: Record<From, readonly (Wish | SessionEvent)[]> = {
  none: [],
  queued: [submit('a')],
  requeued: [submit('a'), start(), handedOver],
  running: [...turnWithCalls('a', call('c1', asks), call('c2')), dispatch('c2')],
  requires_action: turnWithCalls('a', call('c1', asks), call('c2', external)),
  asking: turnWithCalls('a', call('c1', asking(question('size'))), call('c2', external)),
  interrupted: [...turnWithCalls('a', call('c1', asks), call('c2')), dispatch('c2'), lost],
  completed: [submit('a'), start(), modelDone('hi')],
  partial_succeeded: [submit('a'), start(), { type: 'turn.partial_succeeded', data: { turn_id: turn('a'), output_text: 'half' } }],
  failed: [submit('a'), start(), fail()],
  cancelled: [submit('a'), start(), cancel('a'), stopped()],
  timed_out: [submit('a'), start(), stopped('timed_out')],
};

type Row = Readonly<Record<From, To>>;
const all = (to: To): Row => ({
  none: to,
  queued: to,
  requeued: to,
  running: to,
  requires_action: to,
  asking: to,
  interrupted: to,
  completed: to,
  partial_succeeded: to,
  failed: to,
  cancelled: to,
  timed_out: to,
});
const same = all('same');
/** Only the turn that has started and is not settled takes notice. */
const ofLive = (to: To): Row => ({ ...same, requeued: to, running: to, requires_action: to, asking: to, interrupted: to });
/** An announcement changes the state where it says something new. */
const announced = (status: SessionState['status']): Row => {
  const known: Record<SessionState['status'], readonly From[]> = {
    idle: ['none', 'completed', 'failed', 'cancelled', 'timed_out'],
    running: ['queued', 'requeued', 'running', 'partial_succeeded'],
    requires_action: ['requires_action', 'asking', 'interrupted'],
  };
  return { ...all('moved'), ...Object.fromEntries(known[status].map((from) => [from, 'same'])) };
};
/** An outcome settles the live turn, and takes a queued one out of the queue, once. */
const outcome = (to: TurnOutcome): Row => ({ ...ofLive(to), queued: 'gone' });

const table: Record<EventType, Row> = {
  'session.status_created': same,
  'session.status_running': announced('running'),
  'session.status_requires_action': announced('requires_action'),
  'session.status_idle': announced('idle'),
  'session.status_archived': all('moved'),
  'session.status_terminated': { ...all('moved'), queued: 'gone' },
  'turn.accepted': { ...same, none: 'queued' },
  'turn.queued': { ...same, requeued: 'same', running: 'queued', requires_action: 'queued', asking: 'queued', interrupted: 'queued', failed: 'queued' },
  'turn.running': { ...ofLive('running'), running: 'same', queued: 'running' },
  'turn.requires_action': { ...ofLive('requires_action'), requires_action: 'same', asking: 'same' },
  'turn.interrupted': { ...ofLive('interrupted'), interrupted: 'same' },
  'turn.cancel_requested': ofLive('moved'),
  'turn.completed': outcome('completed'),
  'turn.partial_succeeded': outcome('partial_succeeded'),
  'turn.failed': outcome('failed'),
  'turn.cancelled': outcome('cancelled'),
  'turn.timed_out': outcome('timed_out'),
  'run.started': ofLive('moved'),
  'run.ended': ofLive('moved'),
  'item.started': ofLive('moved'),
  'item.delta': same,
  'item.completed': ofLive('moved'),
  'model.completed': ofLive('moved'),
  'usage.recorded': same,
  'tool.requested': ofLive('moved'),
  'tool.dispatched': { ...ofLive('moved'), requeued: 'same' },
  'tool.delta': same,
  'tool.completed': { ...ofLive('moved'), requeued: 'same' },
  'required_action.created': ofLive('moved'),
  'required_action.accepted': same,
  'required_action.resolved': ofLive('moved'),
  'required_action.rejected': same,
  'input.accepted': { ...ofLive('moved'), queued: 'moved' },
  'input.applied': same,
  'input.rejected': same,
  'command.accepted': same,
  'command.completed': same,
  'command.failed': same,
  'artifact.published': same,
  'artifact.deleted': same,
  'context.compacted': ofLive('moved'),
  'session.context_initialized': all('moved'),
  // The turn that settled last cannot be resumed any more.
  'session.restored': { ...same, completed: 'gone', partial_succeeded: 'gone', failed: 'gone', cancelled: 'gone', timed_out: 'gone' },
  // No turn of the table has children: tests of their own say what becomes of links (decide/children.test.ts).
  'subagent.started': same,
  'subagent.updated': same,
  'subagent.completed': same,
  // Of a turn with success criteria only (outcome.test.ts).
  'outcome.judging': same,
  'outcome.checked': same,
  // Of a workflow's turn only (flow.test.ts).
  'step.updated': same,
  'step.failed': same,
  'session.parent_told': same,
  'budget.exceeded': same,
  'budget.warning': all('moved'),
  'budget.changed': same,
  'session.mode_changed': all('moved'),
  'session.error': same,
};

const a = turn('a');
const statusOfTurn = (state: SessionState): TurnStatus | undefined => {
  if (state.live?.id === a) return state.live.status;
  if (state.queue.some((entry) => entry.id === a)) return 'queued';
  return state.last?.id === a ? state.last.outcome : undefined;
};

const stateOf = (from: From): SessionState => tell(emptyStory, histories[from]).state;

describe('evolve', () => {
  for (const from of Object.keys(histories) as From[]) {
    it(`knows what each event makes of a turn that is ${from}`, () => {
      const before = stateOf(from);
      const found = eventTypes.map((type) => {
        const after = evolve(before, sample(type));
        const [was, is] = [statusOfTurn(before), statusOfTurn(after)];
        return `${type}: ${is !== was ? (is ?? 'gone') : JSON.stringify(after) === JSON.stringify(before) ? 'same' : 'moved'}`;
      });
      expect(found).toEqual(eventTypes.map((type) => `${type}: ${table[type][from]}`));
    });

    it(`leaves a turn that is ${from} alone when an event is about another one`, () => {
      const before = stateOf(from);
      const ofSession = (type: EventType): boolean => type.startsWith('session.') || type === 'budget.warning' || type === 'turn.accepted';
      for (const type of eventTypes.filter((entry) => !ofSession(entry))) expect(evolve(before, sample(type, turn('b'))), type).toEqual(before);
    });

    it(`never throws on odd data about a turn that is ${from}, and owes something sensible after`, () => {
      const before = stateOf(from);
      for (const type of eventTypes) {
        for (const data of [
          {},
          { turn_id: a },
          { turn_id: a, status: 'brand_new', kind: 'brand_new', reason: 'brand_new' },
          { ...sample(type).data, later: [1] },
        ]) {
          const after = evolve(before, { type, data, at: 6_000 } as unknown as LoggedEvent);
          expect(pendingWork(after), type).toBeInstanceOf(Array);
        }
      }
      expect(evolve(before, { type: 'turn.teleported', data: { turn_id: a }, at: 6_000 } as unknown as LoggedEvent)).toBe(before);
    });
  }

  it('never sets a call free again that may have had its effect, though the event does not name it (S15)', () => {
    const { state } = tell(emptyStory, [...turnWithCalls('a', call('c1'), call('c2', { replaySafe: true })), dispatch('c1'), dispatch('c2')]);
    expect(evolve(state, sample('run.ended')).live?.calls.map(({ status }) => status)).toEqual(['unknown', 'requested']);
  });

  it('holds an input until it is used or rejected, and no more than may wait (IN1)', () => {
    const { state } = tell(emptyStory, [submit('a'), steer('a', 9), inject(10)]);
    expect(state.inputs).toEqual([{ id: 'inp_9', turnId: a, commandId: 'cmd_steer_9' }, { id: 'inp_10' }]);
    for (const type of ['input.applied', 'input.rejected'] as const) expect(evolve(state, sample(type)).inputs).toEqual([{ id: 'inp_10' }]);
    const many = Array.from({ length: maxWaitingInputs + 1 }, (_, n) => ({ ...sample('input.accepted').data, input_id: `inp_${n}` }));
    const full = many.reduce((before, data) => evolve(before, { type: 'input.accepted', data, at: 6_000 } as LoggedEvent), state);
    expect(full.inputs).toHaveLength(maxWaitingInputs);
  });

  it('moves a queued turn behind all that are queued when it is reordered, and none that has started', () => {
    const { state } = tell(emptyStory, [submit('a'), submit('b'), submit('c'), start()]);
    const reordered = (id: string) =>
      evolve(state, { type: 'turn.queued', data: { turn_id: turn(id), reason: 'reordered', queue_position: 1 }, at: 6_000 }).queue.map((entry) => entry.id);
    expect(reordered('b')).toEqual([turn('c'), turn('b')]);
    expect(reordered('a')).toEqual([turn('b'), turn('c')]);
  });

  it('starts from nothing', () => {
    expect(pendingWork(emptyState)).toEqual([]);
  });
});
