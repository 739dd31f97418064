/**
 * The state's invariants as a check, for tests and for the rebuild check of a store.
 */
import { statusOf } from './decision.ts';
import { maxCallsPerStep, type SessionState } from './state.ts';

/** Names the first invariant that the state breaks, or returns undefined. */
export const brokenInvariant = (state: SessionState): string | undefined => {
  const { live, queue } = state;
  const ids = queue.map((turn) => turn.id);
  if (live && ids.includes(live.id)) return 'S3: the live turn is in the queue';
  if (new Set(ids).size !== ids.length) return 'S3: a turn is queued twice';
  if (queue.some((turn, index) => index > 0 && turn.n <= (queue[index - 1]?.n ?? 0))) return 'S3: the queue is out of order';
  if (live && queue.some((turn) => turn.n < live.n)) return 'S8: a later turn started first';
  if (live && (live.status === 'running') !== (live.runStartedAt !== undefined)) return 'S4: run open and status disagree';
  if (live && live.status !== 'interrupted' && live.openActions.some((action) => action.kind === 'reconciliation'))
    return 'S5: an unknown result does not interrupt';
  if (live && live.status !== 'interrupted' && live.calls.some((call) => call.status === 'unknown')) return 'S5: an unknown result does not interrupt';
  if (live && new Set(live.calls.map((call) => call.id)).size !== live.calls.length) return 'C1: a tool call id twice';
  if (live && live.calls.length > maxCallsPerStep) return 'S14: more calls than a step may make';
  if (live?.status === 'requires_action' && live.openActions.length === 0) return 'S19: parked without an open action';
  if (live?.open && live.status !== 'running') return 'S10: an item streams without a run';
  if (
    live?.openActions.some(
      (action) =>
        action.callId !== undefined && !live.calls.some((call) => call.id === action.callId && (call.status === 'waiting' || call.status === 'unknown')),
    )
  ) {
    return 'S17: an action whose call does not wait for it';
  }
  if (!state.terminated && statusOf(state) !== state.status) return 'the announced status is not the real one';
  return undefined;
};
