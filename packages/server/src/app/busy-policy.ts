/**
 * What a submission becomes while the session has an unfinished turn.
 *
 * BP1 The policy looks at the state on which the submission is decided: it and what it does to others (a cancel, a new order)
 *     are one commit, or nothing.
 * BP2 `steer` without a turn that can still hear, and every policy on a session that is not busy, is an ordinary submission.
 */
import { type Refusal, refuse } from '@turnkeeper/core/protocol/errors';
import type { SubmitRequest, TurnReceipt } from '@turnkeeper/core/protocol/wire/sessions';
import type { TurnId } from '@turnkeeper/core/session/ids';
import { type SessionState, unfinishedTurns } from '@turnkeeper/core/session/state';
import type { Use } from './access.ts';
import type { Ask } from './lane-batch.ts';

export type BusyPolicy = NonNullable<SubmitRequest['onBusy']>;

/** What a caller must be allowed to do beside submitting. */
export const usesOf: Readonly<Record<BusyPolicy, readonly Use[]>> = { queue: [], steer: ['interact'], reject: [], interrupt: ['cancel'] };

export type Becomes =
  | { readonly kind: 'turn'; readonly before: readonly Ask[]; readonly after: readonly Ask[]; readonly queuePosition: number }
  | { readonly kind: 'steer'; readonly turnId: TurnId; readonly status: TurnReceipt['status']; readonly queuePosition: number | null };

type Names = { readonly turnId: TurnId; readonly commandId: string };

export const becomes = (state: SessionState, policy: BusyPolicy, names: Names): Becomes | Refusal => {
  const queued = { kind: 'turn', before: [], after: [], queuePosition: unfinishedTurns(state) } as const;
  const current = state.live ?? state.queue[0];
  if (!current) return queued;
  switch (policy) {
    case 'queue':
      return queued;
    case 'reject':
      return refuse('session_busy', 'The session has an unfinished turn.', { turn_id: current.id, pending_count: unfinishedTurns(state) });
    case 'steer':
      if (state.live?.cancelRequested) return queued;
      return { kind: 'steer', turnId: current.id, status: state.live?.status ?? 'queued', queuePosition: state.live ? null : 0 };
    case 'interrupt':
      return interrupting(state, names);
  }
};

/** The live turn is cancelled and the new one is moved before all that are queued: they stay. */
const interrupting = ({ live, queue }: SessionState, { turnId, commandId }: Names): Becomes => {
  const cancel: readonly Ask[] = live && !live.cancelRequested ? [{ type: 'cancel', turnId: live.id, commandId }] : [];
  return {
    kind: 'turn',
    before: cancel,
    after: queue.length > 0 ? [{ type: 'reorder', order: [turnId, ...queue.map(({ id }) => id)] }] : [],
    queuePosition: live?.status === 'running' ? 1 : 0,
  };
};
