/**
 * Port: what the store forgets, in small pieces.
 *
 * Contract
 * RT1 Only what the lease named `retention` allows is done by one node at a time; each method is one short transaction.
 * RT2 `raise` moves a session's horizon forward only. Nothing below it is deleted by the same call: `prune` deletes what was
 *     below the horizon when the session was last looked at, so that who read the head before still finds its page.
 * RT3 Resources, state and context are not touched: below the horizon resources are the truth.
 * RT4 `purge` deletes all that is kept of a session that was deleted; the session's own row goes last, so that a purge that
 *     was cut short is found again. The audit log stays.
 * RT5 With a root go the sessions below it, also one that its deletion missed: until nothing of them is left the root itself
 *     stays, as they are found by it.
 */
export type RetentionCandidate = {
  readonly sid: number;
  readonly seq: number;
  readonly horizon: number;
  /** Everything up to here is deleted from the log. */
  readonly pruned: number;
  /** Deltas up to here are deleted. */
  readonly deltas: number;
};

export interface RetentionStore {
  /** True when this node has the lease of that name until `until`: it was free, had run out at `now`, or is its own. */
  lease(name: string, node: string, now: number, until: number): Promise<boolean>;
  /** Sessions with a number in (after, after + span] that are due to be looked at. */
  candidates(query: { readonly after: number; readonly span: number; readonly now: number }): Promise<readonly RetentionCandidate[]>;
  /** The highest number that a session has. */
  lastSid(): Promise<number>;
  /** The lowest one above `after`: numbers may be far apart. */
  nextSid(after: number): Promise<number | undefined>;
  /** The newest event at or before which all are older than `before`, at most `upto`; `after` when there is none. */
  lastOlder(sid: number, after: number, upto: number, before: number): Promise<number>;
  /** What active subscriptions have not delivered yet in this session. */
  owedFloor(sid: number): Promise<number | undefined>;
  raise(sid: number, horizon: number): Promise<boolean>;
  /** Deletes at most `limit` events up to `upto`; the number that went. */
  prune(sid: number, upto: number, limit: number): Promise<number>;
  pruneDeltas(sid: number, after: number, upto: number, limit: number): Promise<number>;
  /** Receipts of a session that are older than `before`, but those of its creation (also as a fork) and its turns. */
  pruneReceipts(sid: number, before: number, limit: number): Promise<number>;
  pruneAudit(before: number, limit: number): Promise<number>;
  /** Keys of deliveries to mini-tools' hooks that came in before `before` and were taken. */
  forgetHookKeys(before: number, limit: number): Promise<number>;
  /** Keeps how far a session is, and when it is to be looked at again. */
  looked(sid: number, kept: { readonly pruned: number; readonly deltas: number; readonly nextAt: number }): Promise<void>;
  /** Sessions that were deleted before `before`, they or their root (RT5). */
  deletedBefore(before: number, limit: number): Promise<readonly number[]>;
  /** Deletes at most `limit` rows of a deleted session from one table; true when nothing is left of it. */
  purge(sid: number, limit: number): Promise<boolean>;
}
