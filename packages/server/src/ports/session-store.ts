/**
 * Port: where sessions are kept. SQLite and PostgreSQL pass one contract suite (testing/store-contract).
 *
 * The store is dumb on purpose: it checks guards, gives out sequence numbers and writes rows, all in one transaction.
 * What the rows say is decided elsewhere (core), and only `app/sessions.ts` and its lanes call the writing half.
 *
 * Contract
 * W1 A write is atomic, and its promise resolves only when it is durable (it survives a power cut). Whatever was
 *    read or answered before rests on durable rows too.
 * W2 Sequence numbers of a session are given out under its head's lock, without gaps: allocation order is commit order.
 * W3 Guards. `command`: refused with `conflict` unless `stateSeq` is the head's. `run`: refused with `fenced` unless
 *    `fence` is the head's and `wn` its write counter; with `stateSeq` also checked as for a command. A run write moves
 *    `wn` by one, so that a write whose answer was lost is not made again.
 *    A deleted session takes no more writes: `gone`.
 * W4 A write that carries `state` moves `stateSeq` to its last event's seq; deltas carry none and leave it.
 * W5 Receipts are unique by (scope, key): a write that brings one that exists is refused with `receipt` and that row.
 *    The write that sets `deletedAt` frees the keys of the session's earlier writes.
 * W6 A refused write leaves nothing behind. Order of checks: gone, receipt, guard, quota.
 * W7 Writes that arrive together are committed together (group commit), and a refused one never hurts its neighbours.
 * W8 When the medium fails (disk full, read-only, database unreachable) writes reject with TurnkeeperError
 *    `storage_unavailable`; the store recovers by itself when the medium does. `outcome: 'unknown'` in the details says
 *    that the write may have been committed all the same; otherwise it certainly was not.
 * W9 Reads see only durable rows, and each read is of one moment.
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { ResourceKind } from '@turnkeeper/core/view/resources';

/** The small mutable row of a session. `sid` is its internal number. */
export type Head = {
  readonly sid: number;
  /** Of the newest event. */
  readonly seq: number;
  /** Of the newest event that moved the state. */
  readonly stateSeq: number;
  /** The log is kept from this seq on (exclusive): 0 = from the beginning. */
  readonly horizon: number;
  /** Moves by one with each claim; a run's writes carry it. */
  readonly fence: number;
  /** The node that holds the session, if any. */
  readonly node: string | null;
  /** Write counter of the holder. */
  readonly wn: number;
  /** When the session next needs a runner (Unix ms; 0 = at once); null = it does not. */
  readonly due: number | null;
};

/** What a session is: its frozen target and where it belongs. JSON members are JSON text. */
export type SessionRow = {
  readonly sid: number;
  readonly id: SessionId;
  /** `user:<id>`, `app:<id>` or `minitool:<id>`. */
  readonly owner: string;
  /** The session at the top of its tree; its own id for a root. */
  readonly root: SessionId;
  /** Names of the children on the way down from the root, `/`-joined; '' for a root. */
  readonly path: string;
  /** `space:<id>` or `container:<minitool>/<id>`. */
  readonly placement: string;
  /** Hash of the frozen configuration. */
  readonly configRef: string;
  readonly title: string;
  readonly metadata: string;
  readonly status: string;
  readonly archivedAt: number | null;
  readonly deletedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type Loaded = {
  readonly row: SessionRow;
  readonly head: Head;
  /** JSON text. */
  readonly state: string;
};

/** How far a session is: what a wake-up would have told. */
export type Position = { readonly sid: number; readonly seq: number; readonly deleted: boolean };

/** An event to append. `turn` is the turn's number in the session, 0 = none. `data` is JSON text. */
export type EventWrite = { readonly turn: number; readonly type: string; readonly at: number; readonly data: string };

/**
 * A resource to write whole. `last` and `base` are indexes into the write's events: the last event that touches it,
 * and the one up to which `body` holds all deltas. A new resource takes the seq of event `first` as its place `n`.
 */
export type ResourceWrite = {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly base: number;
  readonly body: string;
};

/** A context entry (JSON text) and the index of the event that it rests on: its `n` is that event's seq. */
export type ContextWrite = { readonly at: number; readonly body: string };

/** A receipt of an idempotent call. `answer` is JSON text; `hash` of the canonical content. */
export type ReceiptWrite = { readonly scope: string; readonly key: string; readonly hash: string; readonly answer: string; readonly at: number };
export type Receipt = ReceiptWrite;

export type Guard =
  | { readonly kind: 'command'; readonly stateSeq: number }
  | { readonly kind: 'run'; readonly fence: number; readonly wn: number; readonly stateSeq?: number };

export type Write = {
  readonly sid: number;
  readonly guard: Guard;
  readonly events: readonly EventWrite[];
  /** The new state (JSON text) and when a runner is next needed. Absent for deltas. */
  readonly state?: { readonly body: string; readonly due: number | null };
  readonly resources?: readonly ResourceWrite[];
  readonly context?: readonly ContextWrite[];
  /** Content kept apart by number, e.g. the input of turn n. */
  readonly payloads?: readonly { readonly n: number; readonly body: string }[];
  /** A checkpoint: context up to the write's last event, taken at the end of turn n. */
  readonly checkpoint?: { readonly id: string; readonly turn: number; readonly reason: string; readonly at: number };
  readonly receipts?: readonly ReceiptWrite[];
  /** Unfinished turns of the owner: moved by `delta`; refused with `quota` if a positive one would pass `limit`. */
  readonly quota?: { readonly owner: string; readonly delta: number; readonly limit?: number };
  /** Takes the session for this node in the same commit (fence + 1, wn = 0), or lets it go (node = null). */
  readonly hold?: { readonly kind: 'claim'; readonly node: string } | { readonly kind: 'release' };
  /** Changes of the session's row. */
  readonly session?: Partial<Pick<SessionRow, 'title' | 'metadata' | 'status' | 'archivedAt' | 'deletedAt' | 'updatedAt'>>;
};

export type NewSession = {
  readonly row: Omit<SessionRow, 'sid'>;
  /** The frozen configuration, stored once by its hash. */
  readonly config: { readonly ref: string; readonly body: string };
  /** The rest as of any write; the guard is that the session does not exist. */
  readonly write: Omit<Write, 'sid' | 'guard' | 'session'>;
};

export type WriteResult =
  | { readonly ok: true; readonly head: Head }
  | { readonly ok: false; readonly reason: 'gone' | 'conflict' | 'fenced' }
  | { readonly ok: false; readonly reason: 'receipt'; readonly receipt: Receipt }
  | { readonly ok: false; readonly reason: 'quota'; readonly count: number };

export type ResourceRow = {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly n: number;
  readonly lastSeq: number;
  readonly baseSeq: number;
  readonly lastAt: number;
  readonly body: string;
};

/** One page of a kind of resource, in the order of first appearance. `newest` counts from the end. */
export type ResourceQuery = {
  readonly kind: ResourceKind;
  readonly limit: number;
  readonly newest?: boolean;
  readonly afterN?: number;
  readonly beforeN?: number;
  /** Only ids with this beginning. */
  readonly idPrefix?: string;
  /** So many of the page's own order are passed over first. */
  readonly offset?: number;
};

/** Resources and the deltas that their bodies do not hold yet, all of one moment. */
export type ResourcePage = {
  readonly asOf: number;
  readonly head: Head;
  readonly state: string;
  readonly row: SessionRow;
  readonly resources: readonly (readonly ResourceRow[])[];
  readonly deltas: readonly LogRow[];
};

export type Claimed = {
  readonly loaded: Loaded;
  /** It was held by a node that died. */
  readonly orphaned: boolean;
};

export interface SessionStore {
  /** Creates a session with its first events; `receipt` when its key was used, `conflict` when its id exists. `sid` comes back in the head. */
  create(session: NewSession): Promise<WriteResult>;
  write(write: Write): Promise<WriteResult>;

  /** By public id; undefined when unknown. Deleted sessions are found, with `deletedAt` set. */
  load(id: SessionId): Promise<Loaded | undefined>;
  loadBySid(sid: number): Promise<Loaded | undefined>;
  /** Where many sessions are, in one read and in any order; unknown ones are left out. */
  heads(sids: readonly number[]): Promise<readonly Position[]>;
  config(ref: string): Promise<string | undefined>;
  receipt(scope: string, key: string): Promise<Receipt | undefined>;
  payload(sid: number, n: number): Promise<string | undefined>;
  /** Context rows in ascending order; with `last` only the newest that many. */
  context(sid: number, last?: number): Promise<readonly { readonly n: number; readonly body: string }[]>;

  /**
   * Events with seq in (after, upto], at most `limit`, in order; of one turn when given. With `maxBytes` they end with
   * the one whose data (UTF-8) reaches that size: a page of large ones is short, but never empty for its size.
   */
  events(query: {
    readonly sid: number;
    readonly after: number;
    readonly upto?: number;
    readonly limit: number;
    readonly turn?: number;
    readonly maxBytes?: number;
  }): Promise<readonly LogRow[]>;
  /** One list for each query, and the deltas of open items and tools among them (W9). */
  resources(sid: number, queries: readonly ResourceQuery[]): Promise<ResourcePage | undefined>;
  resource(sid: number, id: string): Promise<ResourceRow | undefined>;

  /** Newest first by creation. `q` matches titles; `status` as on the wire. */
  list(query: {
    readonly owners?: readonly string[];
    readonly status: 'active' | 'archived' | 'all';
    readonly placement?: string;
    readonly q?: string;
    readonly offset: number;
    readonly limit: number;
  }): Promise<readonly SessionRow[]>;

  /**
   * Claims up to `limit` sessions that are due and not held by a living node: fence + 1, wn = 0, node = this one.
   * Round-robin over owners. Safe to run on any number of nodes at once: each session goes to one.
   */
  claim(query: { readonly node: string; readonly now: number; readonly limit: number }): Promise<readonly Claimed[]>;
  /** The earliest `due` in the future among sessions that nobody holds, or null. */
  nextDue(now: number): Promise<number | null>;

  /**
   * Announces this node and renews its lease. Resolves false, once, when others have taken over what it held; after that
   * it is a new node of the same name. What the same name held in an earlier boot is orphaned from its first heartbeat on.
   */
  heartbeat(node: string, leaseMs: number): Promise<boolean>;
  /** This node goes: its lease ends at once, so that others take over without waiting. */
  leave(node: string): Promise<void>;

  /** Throws TurnkeeperError `storage_unavailable` when a write could not be taken now. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
