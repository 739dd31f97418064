/**
 * From decisions to one store write.
 *
 * Owns: how the events of a batch of decisions become rows. No rules: what happens was decided in core.
 */
import type { PlacedContext } from '@turnkeeper/core/session/decision';
import { isDelta, type LoggedEvent, outcomeEvents, turnOf } from '@turnkeeper/core/session/events';
import { type Formats, writtenEvent, writtenState } from '@turnkeeper/core/session/formats';
import { checkpointId, type TurnId } from '@turnkeeper/core/session/ids';
import { dueAt } from '@turnkeeper/core/session/pending-work';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { CheckpointWrite, EventWrite, SessionRow, Write } from '../ports/session-store.ts';
import type { ResourceCache, ResourceChanges } from './resource-cache.ts';

/** What a batch decided, in order. */
export type Batch = {
  readonly before: SessionState;
  readonly after: SessionState;
  readonly events: readonly LoggedEvent[];
  readonly context: readonly PlacedContext[];
};

export type BuiltWrite = {
  readonly rows: Pick<Write, 'events' | 'state' | 'resources' | 'context' | 'checkpoints' | 'session'>;
  readonly changes: ResourceChanges;
};

/** True when only deltas were decided: nothing of the state moves. */
export const onlyDeltas = (events: readonly LoggedEvent[]): boolean => events.every((event) => isDelta(event.type));

const turnNumbers = (batch: Batch): ReadonlyMap<string, number> => {
  const numbers = new Map<string, number>();
  for (const state of [batch.before, batch.after]) {
    for (const turn of [state.last, state.live, ...state.queue]) if (turn) numbers.set(turn.id, turn.n);
  }
  for (const event of batch.events) if (event.type === 'turn.accepted') numbers.set(event.data.turn_id, event.data.n);
  return numbers;
};

/** The rows of a batch, in the format that the state after it says. */
export const buildWrite = (batch: Batch, cache: ResourceCache, formats: Formats): BuiltWrite => {
  const numbers = turnNumbers(batch);
  const events = batch.events.map((event): EventWrite => {
    const turn = turnOf(event);
    return { turn: turn === undefined ? 0 : (numbers.get(turn) ?? 0), at: event.at, ...writtenEvent(formats, batch.after.v, event) };
  });
  const changes = cache.fold(
    batch.events,
    events.map((event) => event.data.length),
  );
  const context = batch.context.map((entry) => ({ at: entry.at, body: JSON.stringify(entry.entry) }));
  const checkpoints = settledCheckpoints(batch, numbers);
  const session = sessionChanges(batch.events);
  return {
    rows: {
      events,
      resources: changes.writes,
      context,
      ...(onlyDeltas(batch.events) ? {} : { state: { body: writtenState(formats, batch.after.v, batch.after), due: dueAt(batch.after) } }),
      ...(checkpoints.length > 0 ? { checkpoints } : {}),
      ...(session ? { session } : {}),
    },
    changes,
  };
};

/** A turn that ran leaves a checkpoint when it is settled: up to its outcome, whatever the next one says in the same commit. */
const settledCheckpoints = ({ before, events }: Batch, numbers: ReadonlyMap<string, number>): readonly CheckpointWrite[] => {
  const runs = new Map<TurnId, number>(before.live ? [[before.live.id, before.live.runs]] : []);
  return events.flatMap((event, last): readonly CheckpointWrite[] => {
    if (event.type === 'run.started') runs.set(event.data.turn_id, event.data.n);
    const turn = outcomeEvents.has(event.type) ? turnOf(event) : undefined;
    const ran = turn === undefined ? undefined : runs.get(turn);
    if (turn === undefined || ran === undefined) return [];
    // A failed turn that was resumed is settled once more, at the latest by being cancelled before its next run.
    const id = checkpointId(turn, event.type === 'turn.cancelled' ? `${ran}c` : `${ran}`);
    return [{ id, turn: numbers.get(turn) ?? 0, reason: event.type, at: event.at, last }];
  });
};

/** What the session's own row takes from the events, for lists. */
const sessionChanges = (events: readonly LoggedEvent[]): Write['session'] => {
  let changes: Partial<SessionRow> | undefined;
  for (const { type, at, data } of events) {
    switch (type) {
      case 'session.status_idle':
      case 'session.status_running':
      case 'session.status_requires_action':
        changes = { ...changes, status: type.slice('session.status_'.length), updatedAt: at, ...(data['unarchived'] === true ? { archivedAt: null } : {}) };
        break;
      case 'session.status_archived':
        changes = { ...changes, archivedAt: at, updatedAt: at };
        break;
      case 'session.status_terminated':
        changes = { ...changes, deletedAt: at, updatedAt: at };
        break;
      default:
        break;
    }
  }
  return changes;
};
