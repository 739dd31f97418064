/**
 * What is remembered of a session to decide its next step.
 *
 * Owns: the shape of the fold. Ids, enums and counters only, never content, so that it stays small whatever
 * people and models say (≤ 64 KB, tested).
 *
 * S2 At most one turn has started and is not settled: `live`.
 * S3 `queue` holds the accepted turns that never started, in the order of acceptance; none of them is `live`.
 * S4 A run is open exactly while `live.status` is `running`.
 * S5 An action is open only for the live turn; one about an unknown result only while it is `interrupted`.
 */
import type { ActionKind, ToolExecutor, TurnOutcome } from './events.ts';
import type { TurnId } from './ids.ts';

export const stateVersion = 1;

/** Where one tool call of the current step stands. */
export type CallStatus =
  | 'requested' // may be dispatched
  | 'waiting' // an open action decides (or, for the application's tools, answers)
  | 'dispatched' // its executor has been told; the result is owed
  | 'unknown' // its process died with the result: a person must say (reconciliation)
  | 'done';

export type CallState = {
  readonly id: string;
  readonly name: string;
  readonly status: CallStatus;
  readonly executor: ToolExecutor;
  /** May be run again after a crash: declared read-only or idempotent. */
  readonly replaySafe: boolean;
};

export type OpenAction = {
  readonly id: string;
  readonly kind: ActionKind;
  readonly version: number;
  readonly callId?: string;
  readonly expiresAt?: number;
};

/** Tool calls that one step may make; what the model asks beyond it is refused (and not remembered here). */
export const maxCallsPerStep = 64;
/** How many calls of unknown outcome a turn remembers: the newest. */
export const maxUnverified = 256;

/** The model call that streams now: its item has started and is not completed. */
export type OpenItem = { readonly itemId: string; readonly modelCallId: string; readonly model?: string };

/** Counters that name a turn's parts (S1); they never go back. */
export type TurnCounters = { readonly runs: number; readonly items: number; readonly modelCalls: number; readonly actions: number };

export type LiveTurn = TurnCounters & {
  readonly id: TurnId;
  readonly n: number;
  /** `queued`: it has run and waits at the head for its next run. */
  readonly status: 'queued' | 'running' | 'requires_action' | 'interrupted';
  /** The open run's number while running. */
  readonly runStartedAt?: number;
  /** Running time of its ended runs, for `timeoutSeconds`. */
  readonly ranMs: number;
  /** Completed model calls: the iterations that `maxIters` bounds. */
  readonly steps: number;
  readonly open?: OpenItem;
  /** Tool calls of the current step; empty when the model is to be called next. */
  readonly calls: readonly CallState[];
  readonly openActions: readonly OpenAction[];
  /** Failed attempts at the current model call, and when the next may be made. */
  readonly modelFailures: number;
  readonly notBefore?: number;
  /** Runs lost since the last step fact, and how many of those ran alone (crash loops). */
  readonly lostRuns: number;
  readonly lostAlone: number;
  readonly runsAlone: boolean;
  readonly cancelRequested: boolean;
  readonly unverified: readonly string[];
};

export type QueuedTurn = { readonly id: TurnId; readonly n: number };
/** The last turn that started and settled: what `resume` of a failed turn needs. */
export type SettledTurn = TurnCounters & {
  readonly id: TurnId;
  readonly n: number;
  readonly outcome: TurnOutcome;
  readonly unverified: readonly string[];
  readonly steps: number;
  readonly ranMs: number;
};

export type SessionStatus = 'idle' | 'running' | 'requires_action';

export type SessionState = {
  readonly v: typeof stateVersion;
  readonly archived: boolean;
  readonly terminated: boolean;
  /** As last announced by `session.status_*`. */
  readonly status: SessionStatus;
  /** Turns accepted so far: the number of the newest one. */
  readonly turns: number;
  readonly queue: readonly QueuedTurn[];
  readonly live?: LiveTurn;
  readonly last?: SettledTurn;
};

export const emptyState: SessionState = { v: stateVersion, archived: false, terminated: false, status: 'idle', turns: 0, queue: [] };

/** Accepted and not settled: what the session's quota counts. */
export const unfinishedTurns = (state: SessionState): number => state.queue.length + (state.live ? 1 : 0);

export const freshTurn = (turn: QueuedTurn): LiveTurn => ({
  id: turn.id,
  n: turn.n,
  status: 'queued',
  runs: 0,
  items: 0,
  modelCalls: 0,
  actions: 0,
  ranMs: 0,
  steps: 0,
  calls: [],
  openActions: [],
  modelFailures: 0,
  lostRuns: 0,
  lostAlone: 0,
  runsAlone: false,
  cancelRequested: false,
  unverified: [],
});
