/**
 * What is owed: the work that the state asks of a runner, and when.
 *
 * P1 Recovery is the normal path: whatever process holds the session next finds the same work here.
 * P2 Nothing is owed for a turn that waits for people: it costs nothing until an answer or an expiry. A call that only
 *    asks people is never owed.
 */

import { inputsFor } from './decide/inputs.ts';
import { isSuspect } from './decide/suspect.ts';
import type { ToolExecutor } from './events.ts';
import { flowDueOf } from './flow-due.ts';
import { parentTurnOf, type SessionId, type TurnId } from './ids.ts';
import { isCalledAgain, piecesWaitedFor, withRoom } from './pieces.ts';
import type { SessionState } from './state.ts';

export type Work =
  /** Begin the first run of a queued turn. */
  | { readonly kind: 'start'; readonly turnId: TurnId; readonly n: number }
  /** Begin the next run of the turn at the head; `alone` when it is suspected of ending its process. */
  | { readonly kind: 'restart'; readonly turnId: TurnId; readonly notBefore: number; readonly alone: boolean }
  /** Use these inputs, in this order, before the model is called. */
  | { readonly kind: 'apply'; readonly turnId: TurnId; readonly inputs: readonly string[] }
  /** Make a child that is owed, or cancel one (which is made first where it may not exist), or pause one, or let one go on that was interrupted. */
  | { readonly kind: 'child'; readonly childId: SessionId; readonly step: 'make' | 'close' | 'pause' | 'resume'; readonly notBefore?: number }
  /** Nothing but children's outcomes is waited for: the run goes on, without a slot. */
  | { readonly kind: 'await'; readonly turnId: TurnId }
  /** Of a child: tell its parent all that there is to tell, up to `news`. */
  | { readonly kind: 'tell'; readonly news: number }
  /** End the turn with the answer that was judged. */
  | { readonly kind: 'conclude'; readonly turnId: TurnId }
  /** Call the model. */
  | { readonly kind: 'model'; readonly turnId: TurnId; readonly notBefore: number }
  /** Dispatch a call: run a tool of the server, or hand one of the application's (that a person allowed) to it. */
  | { readonly kind: 'tool'; readonly turnId: TurnId; readonly callId: string; readonly name: string; readonly executor: ToolExecutor }
  /** Look at the graph of a workflow, and do what it asks for next. */
  | { readonly kind: 'flow'; readonly turnId: TurnId; readonly notBefore: number }
  /** A workflow that waits for people has a timer, too. */
  | { readonly kind: 'wake'; readonly notBefore: number }
  /** Stop what runs, then settle: the turn was cancelled. */
  | { readonly kind: 'stop'; readonly turnId: TurnId }
  /** Resolve an action that was not answered in time. */
  | { readonly kind: 'expire'; readonly requestId: string; readonly notBefore: number };

export const pendingWork = (state: SessionState): readonly Work[] =>
  state.terminated ? [] : state.children || state.parent ? [...aboutFamily(state), ...aboutTurns(state)] : aboutTurns(state);

/** What is owed to children and to a parent is owed whether a turn is live or not. */
const aboutFamily = ({ children = [], parent }: SessionState): readonly Work[] => [
  ...(parent && parent.told < parent.news ? [{ kind: 'tell', news: parent.news } as const] : []),
  ...children.flatMap(({ id, status, closing, resume, hold, notBefore }): Work[] => {
    if (closing) return [{ kind: 'child', childId: id, step: 'close' }];
    if (resume) return [{ kind: 'child', childId: id, step: 'resume' }];
    // Not made yet, it is not made before its turn goes on (PZ1).
    if (hold) return status === 'owed' ? [] : [{ kind: 'child', childId: id, step: 'pause' }];
    return status === 'owed' ? [{ kind: 'child', childId: id, step: 'make', ...(notBefore === undefined ? {} : { notBefore }) }] : [];
  }),
];

const aboutTurns = (state: SessionState): readonly Work[] => {
  const { live } = state;
  if (!live) {
    const next = state.queue[0];
    return next ? [{ kind: 'start', turnId: next.id, n: next.n }] : [];
  }
  const expiries = live.openActions.flatMap((action): Work[] =>
    action.expiresAt === undefined ? [] : [{ kind: 'expire', requestId: action.id, notBefore: action.expiresAt }],
  );
  switch (live.status) {
    case 'queued': {
      const alone = isSuspect(live);
      // A team that sleeps does not sleep on what it is told (TQ2, TQ7).
      const notBefore = !alone && isCalledAgain(state) ? 0 : (live.notBefore ?? 0);
      return [{ kind: 'restart', turnId: live.id, notBefore, alone }, ...expiries];
    }
    case 'requires_action':
      return [...wakes(state), ...expiries];
    case 'interrupted':
      return expiries;
    case 'running':
      return [...runningWork(state), ...expiries];
  }
};

const wakes = (state: SessionState): readonly Work[] => {
  const due = flowDueOf(state);
  return due === undefined ? [] : [{ kind: 'wake', notBefore: due }];
};

/** Its children work meanwhile, and are waited for. */
const flowWork = (state: SessionState, turnId: TurnId): readonly Work[] => {
  const due = flowDueOf(state);
  return [
    ...(due === undefined ? [] : [{ kind: 'flow', turnId, notBefore: due } as const]),
    ...(state.children?.some(({ id }) => parentTurnOf(id) === turnId) ? [{ kind: 'await', turnId } as const] : []),
  ];
};

const runningWork = (state: SessionState): readonly Work[] => {
  const { live } = state;
  if (!live) return [];
  if (live.cancelRequested) return [{ kind: 'stop', turnId: live.id }];
  if (live.flow) return flowWork(state, live.id);
  const calls = live.calls.filter((call) => call.executor !== 'person' && (call.status === 'requested' || call.status === 'dispatched'));
  const owed = withRoom(state, calls);
  if (owed.length > 0) return owed.map(({ id, name, executor }) => ({ kind: 'tool', turnId: live.id, callId: id, name, executor }));
  if (live.check?.judge !== undefined || live.calls.some((call) => call.status === 'delegated') || piecesWaitedFor(state).length > 0)
    return [{ kind: 'await', turnId: live.id }];
  if (live.calls.some((call) => call.status !== 'done')) return [];
  const inputs = live.open ? [] : inputsFor(state, live.id);
  if (inputs.length > 0) return [{ kind: 'apply', turnId: live.id, inputs: inputs.map(({ id }) => id) }];
  if (live.check?.verdict !== undefined) return [{ kind: 'conclude', turnId: live.id }];
  return [{ kind: 'model', turnId: live.id, notBefore: live.notBefore ?? 0 }];
};

/** The last moment of a `Date`: stores read times as numbers, and one that is later could not be read back. */
const latest = 8.64e15;

/**
 * When the session next needs a runner (Unix ms), or null when it does not: what `heads.due` holds. 0 = at once.
 */
export const dueAt = (state: SessionState): number | null => {
  const times = pendingWork(state).map((work) => ('notBefore' in work ? (work.notBefore ?? 0) : 0));
  return times.length === 0 ? null : Math.min(latest, ...times);
};
