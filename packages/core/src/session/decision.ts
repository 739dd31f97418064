/**
 * What deciding yields: the facts to commit and the context that rests on them, or a refusal.
 *
 * Owns: the draft in which a decision is written, event by event, each seeing the state that the ones before it
 * made. Announces changes of the session's status by itself.
 *
 * S7 A decision is committed whole or not at all.
 */
import type { Refusal } from '../protocol/errors.ts';
import type { ContextEntry } from './context.ts';
import type { LoggedEvent, SessionEvent } from './events.ts';
import { evolve } from './evolve.ts';
import type { LiveTurn, SessionState, SessionStatus } from './state.ts';

/** A context entry and the index (in `events`) of the event that it rests on; at most one an event. */
export type PlacedContext = { readonly at: number; readonly entry: ContextEntry };

export type Decision =
  | { readonly ok: true; readonly events: readonly LoggedEvent[]; readonly context: readonly PlacedContext[]; readonly state: SessionState }
  | Refusal;

export type Draft = {
  /** When it is decided (Unix ms). */
  readonly at: number;
  /** The state with all that was emitted so far. */
  readonly state: () => SessionState;
  readonly live: () => LiveTurn;
  readonly emit: (event: SessionEvent, context?: ContextEntry) => void;
  readonly done: () => Decision;
};

/** What the session's status is by its turns; announced when it differs from the last announcement. */
export const statusOf = (state: SessionState): SessionStatus => {
  switch (state.live?.status) {
    case 'running':
    case 'queued':
      return 'running';
    case 'requires_action':
    case 'interrupted':
      return 'requires_action';
    case undefined:
      return state.queue.length > 0 ? 'running' : 'idle';
  }
};

export const draft = (from: SessionState, at: number): Draft => {
  let state = from;
  const events: LoggedEvent[] = [];
  const context: PlacedContext[] = [];
  const emit: Draft['emit'] = (event, entry) => {
    const logged: LoggedEvent = { ...event, at };
    if (entry) context.push({ at: events.length, entry });
    events.push(logged);
    state = evolve(state, logged);
  };
  return {
    at,
    state: () => state,
    live: () => {
      if (!state.live) throw new Error('invariant S2: no turn has started');
      return state.live;
    },
    emit,
    done: () => {
      const status = statusOf(state);
      if (status !== state.status && !state.terminated) emit({ type: `session.status_${status}`, data: {} });
      return { ok: true, events, context, state };
    },
  };
};
