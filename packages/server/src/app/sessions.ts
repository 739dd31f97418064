/**
 * The sessions of this process: the one way to write them, and the news of what was written.
 *
 * Owns: the lanes, and who is told of a commit (readers, the runner, other nodes).
 *
 * X11 A session has one lane here: as long as anybody holds one that was let go for others, it is the one that all get.
 * X5 All writes of sessions go through here (`SessionStore.write` and `create` are called nowhere else).
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { Bus } from '../ports/bus.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import type { Head, Loaded, NewSession, SessionStore, WriteResult } from '../ports/session-store.ts';
import { Feeds } from './feeds.ts';
import type { FrozenConfig } from './frozen-config.ts';
import { type Committed, Lane, type LaneServices, outcomeUnknown, type Session } from './lane.ts';

/** What the runner is to this process; set once it is there. */
export type RunnerPort = {
  readonly mayAdopt: () => boolean;
  readonly mayStart: () => boolean;
  /** A commit of a session: taken for this node, let go, or moved on while held. */
  readonly committed: (commit: Committed) => void;
  readonly claimLost: (lane: Lane) => void;
  readonly movedElsewhere: (lane: Lane) => void;
  /** A session was read again after a lost answer. `claimed`: the store says that this node holds it, and no lane did. */
  readonly reread: (lane: Lane, claimed: boolean) => void;
  /** A session wants a runner and none took it: look for work soon. */
  readonly due: (at: number) => void;
};

/** Most unfinished turns of an owner; undefined = not limited. */
export type QuotaOf = (owner: string) => number | undefined;

/** The name under which this process holds sessions; new at each start, and after a lost lease. */
export type NodeName = { readonly current: string; readonly renew: () => void };

const noRunner: RunnerPort = {
  mayAdopt: () => false,
  mayStart: () => false,
  committed: () => {},
  claimLost: () => {},
  movedElsewhere: () => {},
  reread: () => {},
  due: () => {},
};

/** Lanes kept warm though idle: their state need not be read again. */
const warmLanes = 10_000;
const warmConfigs = 1_000;
/** What another process changed without moving the log may be unknown here for so long. */
const recentMs = 2_000;
/** For so long a session is looked for whose creation got no answer. */
const createdTries = 600;
const createdRetryMs = 1_000;

export class Sessions {
  readonly store: SessionStore;
  readonly feeds: Feeds;
  readonly quotaOf: QuotaOf;
  readonly #bus: Bus;
  readonly #lanes = new Map<number, Lane>();
  /** Lanes let go to make room: whoever still holds one may yet write through it (X11). */
  readonly #letGo = new Map<number, WeakRef<Lane>>();
  readonly #collected = new FinalizationRegistry<number>((sid) => {
    if (!this.#letGo.get(sid)?.deref()) this.#letGo.delete(sid);
  });
  readonly #warmLanes: number;
  readonly #sids = new Map<SessionId, number>();
  readonly #configs = new Map<string, FrozenConfig>();
  readonly #services: LaneServices;
  #runner: RunnerPort = noRunner;

  constructor(options: {
    readonly store: SessionStore;
    readonly bus: Bus;
    readonly clock: Clock;
    readonly node: NodeName;
    readonly warmLanes?: number;
    readonly quotaOf?: QuotaOf | undefined;
  }) {
    this.store = options.store;
    this.quotaOf = options.quotaOf ?? (() => undefined);
    this.#warmLanes = options.warmLanes ?? warmLanes;
    this.#bus = options.bus;
    this.feeds = new Feeds(options.store, { shared: options.bus.shared, newest: (sid) => this.newest(sid) });
    this.#services = {
      store: options.store,
      clock: options.clock,
      node: options.node,
      shared: options.bus.shared,
      quotaOf: (owner) => this.quotaOf(owner),
      read: async (sid) => this.#opened(await this.store.loadBySid(sid)),
      mayAdopt: () => this.#runner.mayAdopt(),
      mayStart: () => this.#runner.mayStart(),
      committed: (commit) => this.#committed(commit),
      claimLost: (lane) => this.#runner.claimLost(lane),
      movedElsewhere: (lane) => this.#runner.movedElsewhere(lane),
      settled: (lane, session) => this.#settled(lane, session),
    };
    options.bus.subscribe((sid, seq) => this.#heard(sid, seq));
  }

  attachRunner(runner: RunnerPort): void {
    this.#runner = runner;
  }

  /** The lane of a session by its public id, with the session as last committed; undefined when unknown. */
  async find(id: SessionId): Promise<{ readonly lane: Lane; readonly session: Session } | undefined> {
    const known = this.#sids.get(id);
    if (known !== undefined) {
      const lane = this.lane(known);
      return { lane, session: await lane.recent(recentMs) };
    }
    const loaded = await this.store.load(id);
    if (!loaded) return undefined;
    const lane = this.lane(loaded.head.sid, await this.#opened(loaded));
    return { lane, session: await lane.recent(recentMs) };
  }

  /** A session as it stands in the store now; undefined when unknown. Read only where it is not known anyway. */
  async newest(sid: number): Promise<Pick<Session, 'row' | 'head'> | undefined> {
    return this.#known(sid)?.newest ?? (await this.store.loadBySid(sid));
  }

  /** The lane of a session. */
  lane(sid: number, session?: Session): Lane {
    const known = this.#lanes.get(sid);
    if (known) return known;
    const lane = this.#letGo.get(sid)?.deref() ?? new Lane(sid, this.#services, session);
    this.#letGo.delete(sid);
    this.#lanes.set(sid, lane);
    const id = (session ?? lane.session)?.row.id;
    if (id) this.#sids.set(id, sid);
    this.#trim(lane);
    return lane;
  }

  #known(sid: number): Lane | undefined {
    return this.#lanes.get(sid) ?? this.#letGo.get(sid)?.deref();
  }

  /** A session that this node has claimed, ready for its runner. */
  async claimed(loaded: Loaded): Promise<Lane> {
    const session = await this.#opened(loaded);
    const lane = this.lane(loaded.head.sid, session);
    lane.claimed(session);
    return lane;
  }

  /** What a first decision of a new session needs to know of this process. */
  situation(): { readonly node: string; readonly mayAdopt: boolean; readonly mayStart: boolean } {
    return { node: this.#services.node.current, mayAdopt: this.#runner.mayAdopt(), mayStart: this.#runner.mayStart() };
  }

  /** Writes a session that does not exist yet. */
  async create(session: NewSession, known: { readonly config: FrozenConfig; readonly state: SessionState }): Promise<WriteResult> {
    const result = await this.store.create(session).catch((error: unknown) => {
      // It may be there all the same, held by this node: then its turn must not wait for a restart.
      if (outcomeUnknown(error)) void this.#findCreated(session.row.id);
      throw error;
    });
    if (!result.ok) return result;
    const created: Session = { row: { ...session.row, sid: result.head.sid }, head: result.head, state: known.state, config: known.config };
    const lane = this.lane(result.head.sid, created);
    const hold = session.write.hold?.kind;
    if (hold === 'claim') lane.claimed(created);
    this.#committed({ lane, session: created, rows: session.write.events, hold });
    return result;
  }

  async config(ref: string): Promise<FrozenConfig> {
    const known = this.#configs.get(ref);
    if (known) return known;
    const body = await this.store.config(ref);
    if (body === undefined) throw new TurnkeeperError('internal_error', `The frozen configuration ${ref} is missing.`);
    const config = JSON.parse(body) as FrozenConfig;
    if (this.#configs.size >= warmConfigs) this.#configs.clear();
    this.#configs.set(ref, config);
    return config;
  }

  /** Forgets what is cached of a session that another process may have written. */
  async #opened(loaded: Loaded | undefined): Promise<Session> {
    if (!loaded) throw new TurnkeeperError('not_found', 'There is no such session.');
    return { row: loaded.row, head: loaded.head, state: JSON.parse(loaded.state) as SessionState, config: await this.config(loaded.row.configRef) };
  }

  #committed(commit: Committed): void {
    const { head, row } = commit.session;
    this.feeds.committed(head.sid, () => logRows(head, commit.rows));
    if (row.deletedAt !== null) this.feeds.gone(head.sid);
    this.#bus.publish(head.sid, head.seq);
    this.#runner.committed(commit);
    if (head.node === null && head.due !== null) this.#runner.due(head.due);
  }

  /** A lost answer: what the commit would have told is told from what was read. */
  #settled(lane: Lane, session: Session): void {
    const { head } = session;
    this.feeds.moved(head.sid, head.seq);
    if (session.row.deletedAt !== null) this.feeds.gone(head.sid);
    this.#bus.publish(head.sid, head.seq);
    const claimed = lane.held === undefined && head.node === this.#services.node.current;
    if (claimed) lane.claimed(session);
    this.#runner.reread(lane, claimed);
    if (head.node === null && head.due !== null) this.#runner.due(head.due);
  }

  async #findCreated(id: SessionId): Promise<void> {
    for (let tries = 0; tries < createdTries; tries += 1) {
      try {
        const loaded = await this.store.load(id);
        if (!loaded) return;
        const session = await this.#opened(loaded);
        this.#settled(this.lane(loaded.head.sid, session), session);
        return;
      } catch {
        await sleep(this.#services.clock, createdRetryMs);
      }
    }
  }

  #heard(sid: number, seq: number): void {
    const lane = this.#known(sid);
    const known = lane?.session?.head.seq;
    if (known !== undefined && known < seq) lane?.stale();
    // A change that moves no seq (a title) is told with the seq as it was.
    else if (known === seq && lane?.idle) lane.forget();
    this.feeds.moved(sid, seq);
  }

  #trim(newest: Lane): void {
    if (this.#lanes.size <= this.#warmLanes) return;
    for (const [sid, lane] of this.#lanes) {
      if (this.#lanes.size <= this.#warmLanes * 0.9) return;
      if (!lane.idle || lane === newest) continue;
      this.#lanes.delete(sid);
      this.#letGo.set(sid, new WeakRef(lane));
      this.#collected.register(lane, sid);
      if (lane.session) this.#sids.delete(lane.session.row.id);
    }
  }
}

const logRows = (head: Head, rows: Committed['rows']): readonly LogRow[] =>
  rows.map((row, index) => ({ sid: head.sid, seq: head.seq - rows.length + 1 + index, ...row }));
