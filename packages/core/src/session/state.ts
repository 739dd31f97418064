/**
 * What is remembered of a session to decide its next step.
 *
 * Owns: the shape of the fold. Ids, enums and counters only, never content, so that it stays small whatever
 * people and models say (≤ 64 KB, tested; of a workflow that is at all of its limits at once ≤ 96 KB).
 *
 * S2 At most one turn has started and is not settled: `live`.
 * S3 `queue` holds the accepted turns that never started, in the order of acceptance unless a person reordered them (QO1);
 *    none of them is `live`.
 * S4 A run is open exactly while `live.status` is `running`.
 * S5 An action is open only for the live turn; one about an unknown result only while it is `interrupted`, one of a running call only
 *    while that runs.
 */

import type { WarningLevels } from './budget.ts';
import type { ActionKind, Cost, PermissionMode, ToolExecutor, TurnOutcome } from './events.ts';
import type { ChildStatus } from './family-events.ts';
import type { Flow } from './flow.ts';
import { modelCallId, type SessionId, type TurnId } from './ids.ts';
import type { Check } from './outcome.ts';

/** What is stored is in a format of its own number from this one on (formats.ts). */
export const firstFormat = 1;

/** Where one tool call of the current step stands. */
export type CallStatus =
  | 'requested' // may be dispatched
  | 'waiting' // an open action decides (or, for the application's tools, answers)
  | 'dispatched' // its executor has been told; the result is owed
  | 'delegated' // a child session works on it; its outcome is the result
  | 'unknown' // its process died with the result: a person must say (reconciliation)
  | 'done';

export type CallState = {
  readonly id: string;
  readonly name: string;
  readonly status: CallStatus;
  readonly executor: ToolExecutor;
  /** May be run again after a crash: declared read-only or idempotent. */
  readonly replaySafe: boolean;
  /** The child that it was delegated to. */
  readonly childId?: SessionId;
};

export type OpenAction = {
  readonly id: string;
  readonly kind: ActionKind;
  readonly version: number;
  readonly callId?: string;
  readonly expiresAt?: number;
  /** A confirmation that may allow its tool for the rest of the session. */
  readonly canRemember?: boolean;
  /** Its call runs meanwhile: the answer is no result. */
  readonly whileRunning?: true;
  /** It is open there, and only shown here. */
  readonly childId?: SessionId;
};

/** Children of a session that may be open at once, and results of children that wait to be used. */
export const maxChildren = 96;
/** Open actions of children that a turn shows; more are found where they are open. */
export const maxChildActions = 64;

/**
 * A child that is not known to have ended. `owed`: it may not exist yet. `closing`: it is to be cancelled. `resume`: it was
 * interrupted, and is to go on. `hold`: its turn is paused, and it is to be (PZ1).
 */
export type ChildLink = {
  readonly id: SessionId;
  readonly status: 'owed' | ChildStatus;
  readonly background?: true;
  readonly closing?: true;
  readonly resume?: true;
  readonly hold?: true;
  /** It is a workflow: it is paused with its turn. */
  readonly flow?: true;
  /** Until when it sleeps (Unix ms). */
  readonly until?: number;
  /** The event of the child that the last report which changed something was read at (CH10). */
  readonly heard?: number;
  /** It judges its turn, or was to. */
  readonly judge?: true;
  /** Of a team: the piece that it works on. */
  readonly piece?: Piece;
  /** It is made no earlier (Unix ms). */
  readonly notBefore?: number;
};

/** How a piece of a team's turn stands: its step's key, and how often it may still be tried. `of`: the key of the step that it does again. */
export type Piece = { readonly key: string; readonly attempt: number; readonly left?: number; readonly backoffMs?: number; readonly of?: string };

/** Pieces of a team's turn that are worked on at once, at most. */
export const maxPieces = 64;
/** Steps that failed for good which a team's turn remembers: one of them is enough for its outcome, and each may still be done again. */
export const maxFailedPieces = 64;

/** Tool calls that one step may make; what the model asks beyond it is refused (and not remembered here). */
export const maxCallsPerStep = 64;
/** How many calls of unknown outcome a turn remembers: the newest. */
export const maxUnverified = 64;

/** How many tools a session remembers as allowed; beyond them they are asked for each time. */
export const maxAllowedTools = 128;

/** How many tools a session remembers as found: the newest. */
export const maxFoundTools = 24;

/** How many inputs of a session may wait to be applied. */
export const maxWaitingInputs = 64;

/** A steer (of a turn) or an inject (of none) that was not used yet. Its content stands in its resource. */
export type WaitingInput = {
  readonly id: string;
  readonly turnId?: TurnId;
  readonly commandId?: string;
  /** The result of a child that worked in the background. */
  readonly ofChild?: true;
};

/** The model call that streams now: its item has started and is not completed. */
export type OpenItem = { readonly itemId: string; readonly modelCallId: string; readonly model?: string; readonly cost?: Cost };

/** Counters that name a turn's parts (S1); they never go back. */
export type TurnCounters = { readonly runs: number; readonly items: number; readonly modelCalls: number; readonly actions: number };

export type LiveTurn = TurnCounters & {
  readonly id: TurnId;
  readonly n: number;
  /** `queued`: it has run and waits at the head for its next run. */
  readonly status: 'queued' | 'running' | 'requires_action' | 'interrupted';
  /** The open run's number while running. */
  readonly runStartedAt?: number;
  /** Since when all that runs waits for people: no running time (RN4). */
  readonly waitingSince?: number;
  /** Running time of its ended runs, for `timeoutSeconds`. */
  readonly ranMs: number;
  /** Completed model calls of the try at hand: the iterations that `maxIters` bounds (OC4). */
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
  /** A limit stopped it at its own model call (`here`: only a person lets it go on, BU3), or a child that it waits for (`below`). */
  readonly overBudget?: 'here' | 'below';
  /** Its last answer asked for no tools: only what was said to it meanwhile keeps it going (IN3). */
  readonly answered?: true;
  /** An answer of it was refused as its output, and it was told why (OU2). */
  readonly repairs?: true;
  readonly unverified: readonly string[];
  /**
   * Of the current model call: `owed`, its prompt was too long, and the context is to be compacted before the next attempt;
   * `done`, it was. Absent otherwise.
   */
  readonly compaction?: 'owed' | 'done';
  /** Of a workflow: how far its graph has come. */
  readonly flow?: Flow;
  /** Of a turn with success criteria. */
  readonly check?: Check;
  /** Of a team: the keys of steps that failed for good and were not done again. */
  readonly failedPieces?: readonly string[];
};

/** `tries`: of a turn with success criteria, how often it may be tried. */
export type QueuedTurn = { readonly id: TurnId; readonly n: number; readonly tries?: number };
/** The last turn that started and settled: what `resume` of a failed turn needs. */
export type SettledTurn = TurnCounters & {
  readonly id: TurnId;
  readonly n: number;
  readonly outcome: TurnOutcome;
  /** None once a later turn has started: it is not resumed any more. */
  readonly unverified: readonly string[];
  readonly steps: number;
  readonly ranMs: number;
  readonly tries?: number;
  readonly failedPieces?: readonly string[];
};

export type SessionStatus = 'idle' | 'running' | 'requires_action';

export type SessionState = {
  /** The newest format of anything that is stored of the session (FM2). It stands first. */
  readonly v: number;
  readonly archived: boolean;
  readonly terminated: boolean;
  /** As last announced by `session.status_*`. */
  readonly status: SessionStatus;
  /** Turns accepted so far: the number of the newest one. */
  readonly turns: number;
  readonly queue: readonly QueuedTurn[];
  readonly live?: LiveTurn;
  readonly last?: SettledTurn;
  /** It began with the context of another session; absent otherwise. */
  readonly contextInitialized?: true;
  /** Names of the tools that a person allowed for the rest of the session; absent while there is none. */
  readonly allowedTools?: readonly string[];
  /** Set since the session was made (PM1); absent where its agent's own holds. */
  readonly permissionMode?: PermissionMode;
  /** Names of the tools that were found in it, and are offered since; absent while there is none. */
  readonly foundTools?: readonly string[];
  /** Inputs that were not used yet, in the order of acceptance; absent while there is none. */
  readonly inputs?: readonly WaitingInput[];
  /** How much of each limit of its budget was warned of; absent while nothing was. */
  readonly warned?: WarningLevels;
  /** Open children, in the order in which they were made; absent while there is none. */
  readonly children?: readonly ChildLink[];
  /** How many children were ever made: the number of the newest one. */
  readonly spawned?: number;
  /** What it is made of, where that is no agent. */
  readonly target?: 'team' | 'workflow';
  /** Of a team: how many pieces of a turn may be worked on at once; at most `maxPieces`, and so many where it is absent. */
  readonly maxParallel?: number;
  /** Of a child: whose it is, how much there is to tell, and how much of that was told. */
  readonly parent?: { readonly id: SessionId; readonly news: number; readonly told: number };
};

export const emptyState: SessionState = { v: firstFormat, archived: false, terminated: false, status: 'idle', turns: 0, queue: [] };

/** True when a person has allowed this tool for the rest of the session. */
export const isAllowed = (state: SessionState, tool: string): boolean => state.allowedTools?.includes(tool) === true;

/** Accepted and not settled: what the session's quota counts. */
export const unfinishedTurns = (state: SessionState): number => state.queue.length + (state.live ? 1 : 0);

/** Which of the turn's model calls it is, the one that is open or the next one, whatever came of the others. Names are made of it. */
export const modelCallNumber = ({ open, modelCalls }: Pick<LiveTurn, 'open' | 'modelCalls'>): number => modelCalls + (open ? 0 : 1);

/** The name of the model call that is open, or of the next one where none has begun to stream. */
export const currentModelCall = ({ id, open, modelCalls }: Pick<LiveTurn, 'id' | 'open' | 'modelCalls'>): string =>
  open?.modelCallId ?? modelCallId(id, modelCalls + 1);

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
  ...(turn.tries === undefined ? {} : { check: { maxTries: turn.tries, tries: 0 } }),
});
