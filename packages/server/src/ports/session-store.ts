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
 * W10 A session's format is the highest that its states ever said (`{"v":n` is how their text begins), and 1 before.
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import type { ActionKind } from '@turnkeeper/core/session/events';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { ResourceKind } from '@turnkeeper/core/view/resources';
import type { AuditRow } from './catalog.ts';

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
  /** Whose context it began with (JSON text); absent where it began with none. */
  readonly forkedFrom?: string;
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

/**
 * A pointer into the context: up to event `last` (an index into the write's events; -1 = none of them), or, without one, up to all that is there
 * after the write. `turn` is the turn's number, 0 = none. Ids are unique within the session.
 */
export type CheckpointWrite = { readonly id: string; readonly turn: number; readonly reason: string; readonly at: number; readonly last?: number };
/** `upto`: its context is that of the rows up to this one. */
export type CheckpointRow = Omit<CheckpointWrite, 'last'> & { readonly upto: number; readonly place: CheckpointPlace };
/** Where a checkpoint stands in the list of them. */
export type CheckpointPlace = { readonly at: number; readonly id: string };

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
  readonly checkpoints?: readonly CheckpointWrite[];
  readonly receipts?: readonly ReceiptWrite[];
  readonly quota?: QuotaMove;
  /** Written with the rest or not at all: who answered what, from where. It outlives the session. */
  readonly audit?: readonly AuditRow[];
  /** Takes the session for this node in the same commit (fence + 1, wn = 0), or lets it go (node = null). */
  readonly hold?: { readonly kind: 'claim'; readonly node: string } | { readonly kind: 'release' };
  /** Changes of the session's row. */
  readonly session?: Partial<Pick<SessionRow, 'title' | 'metadata' | 'status' | 'archivedAt' | 'deletedAt' | 'updatedAt' | 'forkedFrom'>>;
};

/**
 * How a write moves the counters of its session's owner. Refused with `quota` when a positive `unfinished` or `running`
 * would pass its limit: the counters are compared under their row's lock, on every node alike.
 */
export type QuotaMove = {
  readonly owner: string;
  /** Unfinished turns. */
  readonly unfinished: number;
  /** Running root turns. */
  readonly running: number;
  /** Tokens, by reported usage. Never refused: what was used was used. */
  readonly tokens: number;
  readonly unfinishedLimit?: number;
  readonly runningLimit?: number;
};
/** What an owner's counters are at; all zero for an owner that was never counted. */
export type Quota = { readonly unfinished: number; readonly running: number; readonly tokens: number };

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
  | {
      readonly ok: false;
      readonly reason: 'quota';
      /** Which limit, and what its counter is at. */
      readonly quota: 'unfinished' | 'running';
      readonly count: number;
    };

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

/** Which sessions are listed. All that is given must fit. */
export type ListQuery = {
  /** Only sessions of one of these owners or in one of these placements; absent: all. */
  readonly visible?: { readonly owners: readonly string[]; readonly placements: readonly string[] };
  readonly owner?: string;
  /** Only sessions of this owner, and those of mini-tools in spaces: of one of these in any space, of whichever in one of these. */
  readonly mine?: { readonly owner: string; readonly minitools: readonly string[]; readonly spaces: readonly string[] };
  readonly status: 'active' | 'archived' | 'all';
  readonly placement?: string;
  /**
   * Found literally in titles, in metadata (its JSON text) and at the beginning of ids, whatever its case: both sides are
   * compared in lower case as JavaScript has it, in every store alike.
   */
  readonly q?: string;
  /** What they do: the row's `status`. */
  readonly activity?: string;
  /** Of each of these lists one text is in the metadata's JSON text, literally. Who asks looks at what that text says. */
  readonly metadataHolds?: readonly (readonly string[])[];
  /** In the text of the configuration, literally. Who asks looks at what that text says. */
  readonly configHolds?: string;
  readonly created?: TimeRange;
  readonly updated?: TimeRange;
  /** By creation unless given; of what was changed in the same moment the one that was made last comes first. */
  readonly order?: 'created' | 'updated';
  readonly offset: number;
  readonly limit: number;
};
/** Unix ms: not before `from`, and before `before`. */
export type TimeRange = { readonly from?: number; readonly before?: number };
/** A resource as it is stored; `id`, `root` and `path` are those of its session. */
export type NewestRow = { readonly id: SessionId; readonly root: SessionId; readonly path: string; readonly body: string };
/** `n`: its place among the items of its session. */
export type ItemRow = { readonly sid: number; readonly n: number; readonly body: string };

/** Resources and the deltas that their bodies do not hold yet, all of one moment. */
export type ResourcePage = {
  readonly asOf: number;
  readonly head: Head;
  readonly state: string;
  readonly row: SessionRow;
  readonly resources: readonly (readonly ResourceRow[])[];
  readonly deltas: readonly LogRow[];
};

/**
 * Some of the open actions: those that name this user among their approvers; or, of those that name no users, the ones of
 * these kinds, in sessions of this owner or, without `owner`, of any.
 */
export type ActionFilter = { readonly approver: string } | { readonly owner?: string; readonly kinds: readonly ActionKind[] };
/** The name under which an action that asks for a role (`role:<name>`, of this application or space) is found, as by a user's id. */
export const roleApprover = (approver: string, roleOf: string): string => `${approver}@${roleOf}`;
/** Where an action stands in the list of open ones: when it was opened (Unix ms), then its session and its place in it. */
export type ActionPlace = { readonly openedAt: number; readonly sid: number; readonly n: number };
/** An open action, and the session that it is of. `body` is the resource (JSON text). */
export type OpenActionRow = ActionPlace & { readonly body: string; readonly row: SessionRow };

export type Claimed = {
  readonly loaded: Loaded;
  /** It was held by a node that died. */
  readonly orphaned: boolean;
  /** The process that held it has said since that it lives: it dropped the session, its run did not end it. */
  readonly dropped: boolean;
};

/**
 * How much there is to do, over all nodes: sessions that are due and held by nobody, sessions that are held, and open
 * actions. Counted one after the other: each is of a moment, not all of the same.
 */
export type Workload = { readonly queued: number; readonly running: number; readonly waiting: number };

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
  /** Several at once, by their hashes; what is not there is left out. */
  configs(refs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  receipt(scope: string, key: string): Promise<Receipt | undefined>;
  payload(sid: number, n: number): Promise<string | undefined>;
  /** Context rows in ascending order; with `last` only the newest that many, with `after` only those behind that row. */
  context(sid: number, last?: number, after?: number): Promise<readonly { readonly n: number; readonly body: string }[]>;

  /** Newest first; of one turn when given. `before`: only those behind this place. */
  checkpoints(query: {
    readonly sid: number;
    readonly limit: number;
    readonly turn?: number;
    readonly before?: CheckpointPlace;
  }): Promise<readonly CheckpointRow[]>;
  checkpoint(sid: number, id: string): Promise<CheckpointRow | undefined>;

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
  /** Those of these that exist, in one read and in any order. */
  resourcesOf(sid: number, ids: readonly string[]): Promise<readonly ResourceRow[]>;

  /**
   * Child sessions of the tree of `root` whose path lies below `under` ('' = all), in the order of creation, after this `sid`.
   * Deleted ones are left out.
   */
  descendants(query: { readonly root: SessionId; readonly under: string; readonly after?: number; readonly limit: number }): Promise<readonly SessionRow[]>;
  /** Roots only: child sessions are found by their root. Newest first by creation, or by their last change. */
  list(query: ListQuery): Promise<readonly SessionRow[]>;
  /**
   * Items of these sessions as they are stored: session by session in this order, each in the order of first appearance, of the
   * first only those after place `afterN`. They end with the one whose bodies reach `maxBytes` (UTF-8), or sooner: a page is
   * short of large ones, but never empty while there are any. What has been streamed since a body was written is not in it.
   */
  items(query: { readonly sids: readonly number[]; readonly afterN?: number; readonly maxBytes: number }): Promise<readonly ItemRow[]>;
  /**
   * Resources of one kind in these trees, as they are stored: of each session that was not deleted the newest `each`, the newest of
   * them first. Sessions come in any order. It costs what it gives, however much else there is.
   */
  newest(query: { readonly roots: readonly SessionId[]; readonly kind: ResourceKind; readonly each: number }): Promise<readonly NewestRow[]>;
  /**
   * Open required actions of all sessions that one of the filters fits, each once, oldest first. `after` is the place of
   * the last one of the page before. It costs what the page holds, however many there are of others.
   * A row may be stale: what a node of an earlier release resolved or deleted is still here. Who asks looks at it.
   */
  openActions(query: { readonly among: readonly ActionFilter[]; readonly after?: ActionPlace; readonly limit: number }): Promise<readonly OpenActionRow[]>;
  quota(owner: string): Promise<Quota>;
  /** Of several owners, in their order. */
  quotas(owners: readonly string[]): Promise<readonly Quota[]>;

  /**
   * Claims up to `limit` sessions that are due and not held by a living node: fence + 1, wn = 0, node = this one.
   * Round-robin over owners. Safe to run on any number of nodes at once: each session goes to one. Of the owners in
   * `except` what is due at once (0) is passed over, unless a node that died held it or it is a child session. Sessions of a format newer than
   * `reads` (the first unless given) are passed over as if they were held; with `leaveHosted` so are those that a
   * mini-tool owns, or whose frozen configuration names tools of mini-tools.
   */
  claim(query: {
    readonly node: string;
    readonly now: number;
    readonly limit: number;
    readonly except?: readonly string[];
    readonly reads?: number;
    readonly leaveHosted?: boolean;
  }): Promise<readonly Claimed[]>;
  /** The earliest `due` in the future among sessions that nobody holds and whose format is at most `reads`, or null. */
  nextDue(now: number, reads?: number): Promise<number | null>;

  /**
   * Announces this node and renews its lease. Resolves false, once, when others have taken over what it held; after that
   * it is a new node of the same name. What the same name held in an earlier boot is orphaned from its first heartbeat on.
   * `reads`: the newest format that the node reads, the first unless given; what the first heartbeat of a name says counts.
   */
  heartbeat(node: string, leaseMs: number, reads?: number): Promise<boolean>;
  /** The newest format that all living nodes read; the first while there are none. */
  lowestReads(): Promise<number>;
  /**
   * This name goes: its lease ends at once, so that others take over without waiting. `alive`: its process does not; what is
   * still held under the name is marked as dropped for whoever claims it next.
   */
  leave(node: string, alive?: boolean): Promise<void>;

  /** Reads indexes alone: what is idle costs nothing. */
  workload(now: number): Promise<Workload>;

  /** Throws TurnkeeperError `storage_unavailable` when a write could not be taken now. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
