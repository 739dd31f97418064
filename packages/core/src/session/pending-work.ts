/**
 * What is owed: the work that the state asks of a runner, and when.
 *
 * P1 Recovery is the normal path: whatever process holds the session next finds the same work here.
 * P2 Nothing is owed for a turn that waits for people: it costs nothing until an answer or an expiry.
 */

import { isSuspect } from './decide/runs.ts';
import type { ToolExecutor } from './events.ts';
import type { TurnId } from './ids.ts';
import type { SessionState } from './state.ts';

export type Work =
  /** Begin the first run of a queued turn. */
  | { readonly kind: 'start'; readonly turnId: TurnId; readonly n: number }
  /** Begin the next run of the turn at the head; `alone` when it is suspected of ending its process. */
  | { readonly kind: 'restart'; readonly turnId: TurnId; readonly notBefore: number; readonly alone: boolean }
  /** Call the model. */
  | { readonly kind: 'model'; readonly turnId: TurnId; readonly notBefore: number }
  /** Dispatch a call: run a tool of the server, or hand one of the application's (that a person allowed) to it. */
  | { readonly kind: 'tool'; readonly turnId: TurnId; readonly callId: string; readonly name: string; readonly executor: ToolExecutor }
  /** Stop what runs, then settle: the turn was cancelled. */
  | { readonly kind: 'stop'; readonly turnId: TurnId }
  /** Resolve an action that was not answered in time. */
  | { readonly kind: 'expire'; readonly requestId: string; readonly notBefore: number };

export const pendingWork = (state: SessionState): readonly Work[] => {
  if (state.terminated) return [];
  const { live } = state;
  if (!live) {
    const next = state.queue[0];
    return next ? [{ kind: 'start', turnId: next.id, n: next.n }] : [];
  }
  const expiries = live.openActions.flatMap((action): Work[] =>
    action.expiresAt === undefined ? [] : [{ kind: 'expire', requestId: action.id, notBefore: action.expiresAt }],
  );
  switch (live.status) {
    case 'queued':
      return [{ kind: 'restart', turnId: live.id, notBefore: live.notBefore ?? 0, alone: isSuspect(live) }, ...expiries];
    case 'requires_action':
    case 'interrupted':
      return expiries;
    case 'running':
      return [...runningWork(state), ...expiries];
  }
};

const runningWork = (state: SessionState): readonly Work[] => {
  const { live } = state;
  if (!live) return [];
  if (live.cancelRequested) return [{ kind: 'stop', turnId: live.id }];
  const calls = live.calls.filter((call) => call.status === 'requested' || call.status === 'dispatched');
  if (calls.length > 0) return calls.map(({ id, name, executor }) => ({ kind: 'tool', turnId: live.id, callId: id, name, executor }));
  if (live.calls.some((call) => call.status !== 'done')) return [];
  return [{ kind: 'model', turnId: live.id, notBefore: live.notBefore ?? 0 }];
};

/** The last moment of a `Date`: stores read times as numbers, and one that is later could not be read back. */
const latest = 8.64e15;

/**
 * When the session next needs a runner (Unix ms), or null when it does not: what `heads.due` holds. 0 = at once.
 */
export const dueAt = (state: SessionState): number | null => {
  const times = pendingWork(state).map((work) => ('notBefore' in work ? work.notBefore : 0));
  return times.length === 0 ? null : Math.min(latest, ...times);
};
