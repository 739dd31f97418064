/**
 * Port: what sessions may use. Kept with the sessions, in either store.
 *
 * Contract
 * BS1 A model call is taken in one transaction under the locks of all limits that it counts for, those of the root first: no
 *     number of sessions, on no number of nodes, takes more calls together than a limit allows.
 * BS2 Calls are told apart by a session's newest one: taking it again is taking it once. A call that was taken is never given
 *     back; what was reported counts, too, where it is more than what was taken.
 * BS3 What was used is read from what is stored of the sessions: nothing is counted beside it that could differ.
 * BS5 What was made with a caller's context counts for the caller's limits as what the caller delegated to does: it with its own tree,
 *     under the caller's path, from its first call on.
 * BS4 A change of the limits and its audit entry are there both or neither, and hold from its commit on.
 */
import type { Budget } from '@turnkeeper/core/session/budget';
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import type { UsageBody } from '@turnkeeper/core/view/usage';
import type { AuditRow } from './catalog.ts';

/** Where a session stands: the tree's root, and its own path in it ('' for the root). */
export type TreePlace = { readonly root: SessionId; readonly path: string };

/** A session with limits of its own. */
export type LimitedSession = { readonly sid: number; readonly id: SessionId; readonly path: string; readonly budget: Budget };

/**
 * `calls`: how many were taken; 0 where nothing was limited. `turn`: of what was made with a caller's context, the turn in which it was;
 * its path is the caller's then.
 */
export type SessionUse = {
  readonly sid: number;
  readonly id: SessionId;
  readonly path: string;
  readonly usage: UsageBody | undefined;
  readonly calls: number;
  readonly turn?: TurnId;
};

/** A session that others made with its context: where it stands, and its turn in which they were made. */
export type CallerPlace = TreePlace & { readonly turnId: TurnId };

/** `callers`: of the session whose context it has, of that one's, and so on. */
export type CallToTake = TreePlace & { readonly sid: number; readonly call: string; readonly callers?: readonly TreePlace[] };
/** A limit that is used up by what was taken. */
export type FullLimit = { readonly id: SessionId; readonly used: number; readonly max: number };

export interface BudgetStore {
  /** Sets a session's limits, all of them; none are kept where the budget is empty. False: there is no such session any more. */
  put(sid: number, budget: Budget, at: number, audit: AuditRow): Promise<boolean>;
  /** The limits of a tree, the root's first. */
  limited(root: SessionId): Promise<readonly LimitedSession[]>;
  /** The roots of all trees in which anything is limited. */
  limitedRoots(): Promise<readonly SessionId[]>;
  /** What each session of a tree used, the root first; deleted ones, too. Behind them what was made with the context of one of them. */
  uses(root: SessionId): Promise<readonly SessionUse[]>;
  /** Binds a session, which need not be there yet, to the limits of its callers (BS5). */
  link(sessionId: SessionId, callers: readonly CallerPlace[]): Promise<void>;
  /** Takes a model call of a session, or tells which limit has no room for it, the root's first. */
  take(call: CallToTake): Promise<FullLimit | undefined>;
}
