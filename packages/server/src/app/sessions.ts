/**
 * The sessions of this process: the one way to write them, and the news of what was written.
 *
 * Owns: the lanes, and who is told of a commit (readers, the runner, other nodes).
 *
 * X11 A session has one lane here: as long as anybody holds one that was let go for others, it is the one that all get.
 * X17 A session that a newer release has written while this node held it, or claimed it, is let go at once.
 * X5 All writes of sessions go through here (`SessionStore.write` and `create` are called nowhere else).
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type Formats, formatOfState, formats as formatsOfRelease, newestRead, readState } from '@turnkeeper/core/session/formats';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { anySession, type Bus } from '../ports/bus.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import type { Head, Loaded, NewSession, SessionRow, SessionStore, WriteResult } from '../ports/session-store.ts';
import { noTelemetry, type Telemetry } from '../ports/telemetry.ts';
import { Feeds } from './feeds.ts';
import { FormatGate } from './format-gate.ts';
import type { FrozenConfig } from './frozen-config.ts';
import { type PlacedSession, wantsHost } from './hosted-sessions.ts';
import { isChild } from './is-child.ts';
import { type Committed, Lane, type LaneServices, outcomeUnknown, type Session } from './lane.ts';
import type { Situation } from './lane-batch.ts';
import type { Batch } from './lane-write.ts';
import { fixedLimits, type OwnerLimits } from './owner-limits.ts';
import { newerRelease, readableStore, readRows } from './readable-store.ts';
import { RunGates } from './run-gates.ts';

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

/** A session's log has moved, by events of these types (absent = not known), or the session is gone. */
export type SessionMoved = { readonly sid: number; readonly owner: string; readonly types?: readonly string[]; readonly gone: boolean };

/** The name under which this process holds sessions; new at each start, and after a lost lease. */
export type NodeName = { readonly current: string; readonly renew: () => void };

/** A session that is about to be made. */
type NewOne = { readonly row: Pick<SessionRow, 'id' | 'root' | 'owner'>; readonly config: FrozenConfig };

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
  readonly limits: OwnerLimits;
  /** Where turns wait whose owner may run no more at once. */
  readonly gates: RunGates;
  /** In which format this node writes. */
  readonly formats: FormatGate;
  readonly #bus: Bus;
  readonly #telemetry: Telemetry;
  readonly #lanes = new Map<number, Lane>();
  /** Lanes let go to make room: whoever still holds one may yet write through it (X11). */
  readonly #letGo = new Map<number, WeakRef<Lane>>();
  readonly #collected = new FinalizationRegistry<number>((sid) => {
    if (!this.#letGo.get(sid)?.deref()) this.#letGo.delete(sid);
  });
  readonly #warmLanes: number;
  readonly #hostedElsewhere: () => boolean;
  readonly #sids = new Map<SessionId, number>();
  readonly #configs = new Map<string, FrozenConfig>();
  readonly #services: LaneServices;
  #runner: RunnerPort = noRunner;
  readonly #hearers = new Set<(moved: SessionMoved) => void>();

  constructor(options: {
    readonly store: SessionStore;
    readonly bus: Bus;
    readonly clock: Clock;
    readonly node: NodeName;
    readonly warmLanes?: number;
    /** Nobody is counted unless told otherwise. */
    readonly limits?: OwnerLimits;
    readonly telemetry?: Telemetry;
    /** Those of this release unless given. */
    readonly formats?: Formats;
    /** Another node hosts the mini-tools (TO10); none unless given. */
    readonly hostedElsewhere?: () => boolean;
  }) {
    const formats = options.formats ?? formatsOfRelease;
    this.store = readableStore(options.store, formats);
    this.formats = new FormatGate(formats, options.store);
    this.limits = options.limits ?? fixedLimits(() => undefined);
    this.gates = new RunGates({ clock: options.clock, shared: options.bus.shared, thinned: () => this.#runner.due(0) });
    this.#warmLanes = options.warmLanes ?? warmLanes;
    this.#hostedElsewhere = options.hostedElsewhere ?? (() => false);
    this.#bus = options.bus;
    this.#telemetry = options.telemetry ?? noTelemetry;
    this.feeds = new Feeds(this.store, { shared: options.bus.shared, newest: (sid) => this.newest(sid) });
    this.#services = {
      store: this.store,
      clock: options.clock,
      node: options.node,
      formats: this.formats,
      shared: options.bus.shared,
      limits: this.limits,
      gates: this.gates,
      read: (sid) => this.#read(sid),
      mayAdopt: (session) => this.#runner.mayAdopt() && !this.isForeign(session),
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

  /** Who is told of each session that this process moved; must return at once and not throw. The function ends that. */
  onMoved(heard: (moved: SessionMoved) => void): () => void {
    this.#hearers.add(heard);
    return () => {
      this.#hearers.delete(heard);
    };
  }

  #heardBy(moved: SessionMoved): void {
    for (const heard of this.#hearers) heard(moved);
  }

  /** What is kept of a session has changed beside its log: whoever knows it, on any node, reads it again. */
  changedBeside(sid: number, seq: number): void {
    this.#heard(sid, seq);
    this.#bus.publish(sid, seq);
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

  /** A session that this node has claimed, ready for its runner; undefined when it became newer meanwhile (X17). */
  async claimed(loaded: Loaded): Promise<Lane | undefined> {
    if (this.#isNewer(loaded)) {
      void this.#release(loaded.head);
      return undefined;
    }
    const session = await this.#opened(loaded);
    const lane = this.lane(loaded.head.sid, session);
    lane.claimed(session);
    return lane;
  }

  /** It is another node that is to run this session (TO10). */
  isForeign(session: PlacedSession): boolean {
    return this.#hostedElsewhere() && wantsHost(session);
  }

  /** Whoever is to run it looks for work. */
  #owed(session: Session): void {
    const { head } = session;
    if (head.node !== null || head.due === null) return;
    if (head.due <= this.#services.clock.now() && this.isForeign(session)) this.#bus.publish(anySession, 0);
    else this.#runner.due(head.due);
  }

  /** What a first decision of a new session needs to know of this process. */
  situation({ row, config }: NewOne): Pick<Situation, 'node' | 'mayAdopt' | 'mayStart' | 'limits'> {
    const { owner } = row;
    const mayStart = this.#runner.mayStart() && (isChild(row) || !this.gates.closed(owner));
    return { node: this.#services.node.current, mayAdopt: this.#services.mayAdopt({ row, config }), mayStart, limits: this.limits.of(owner) };
  }

  /** Writes a session that does not exist yet. */
  async create(session: NewSession, known: { readonly config: FrozenConfig; readonly batch: Batch }): Promise<WriteResult> {
    const result = await this.store.create(session).catch((error: unknown) => {
      // It may be there all the same, held by this node: then its turn must not wait for a restart.
      if (outcomeUnknown(error)) void this.#findCreated(session.row.id);
      throw error;
    });
    if (!result.ok) return result;
    const created: Session = { row: { ...session.row, sid: result.head.sid }, head: result.head, state: known.batch.after, config: known.config };
    const lane = this.lane(result.head.sid, created);
    const hold = session.write.hold?.kind;
    if (hold === 'claim') lane.claimed(created);
    const { events, before } = known.batch;
    this.#committed({ lane, session: created, rows: session.write.events, events, before, hold });
    return result;
  }

  async config(ref: string): Promise<FrozenConfig> {
    return this.#configs.get(ref) ?? this.#keepConfig(ref, await this.store.config(ref));
  }

  /** One for each of the hashes, in their order: what is not cached is read at once. */
  async configs(refs: readonly string[]): Promise<readonly FrozenConfig[]> {
    const cached = new Map(refs.map((ref) => [ref, this.#configs.get(ref)]));
    const missing = [...cached].flatMap(([ref, config]) => (config ? [] : [ref]));
    const read = missing.length > 0 ? await this.store.configs(missing) : new Map<string, string>();
    for (const ref of missing) cached.set(ref, this.#keepConfig(ref, read.get(ref)));
    return refs.flatMap((ref) => cached.get(ref) ?? []);
  }

  #keepConfig(ref: string, body: string | undefined): FrozenConfig {
    if (body === undefined) throw new TurnkeeperError('internal_error', `The frozen configuration ${ref} is missing.`);
    const config = JSON.parse(body) as FrozenConfig;
    if (this.#configs.size >= warmConfigs) this.#configs.clear();
    this.#configs.set(ref, config);
    return config;
  }

  async #opened(loaded: Loaded | undefined): Promise<Session> {
    if (!loaded) throw new TurnkeeperError('not_found', 'There is no such session.');
    const state = readState(this.formats.formats, loaded.state);
    if (!state) throw newerRelease();
    return { row: loaded.row, head: loaded.head, state, config: await this.config(loaded.row.configRef) };
  }

  async #read(sid: number): Promise<Session> {
    const loaded = await this.store.loadBySid(sid);
    if (loaded && this.#isNewer(loaded)) this.#leaveToNewer(loaded);
    return this.#opened(loaded);
  }

  #isNewer({ state }: Loaded): boolean {
    return formatOfState(state) > newestRead(this.formats.formats);
  }

  /** What this node held when a newer release wrote it is let go: it can run it no more, and nobody else could (X17). */
  #leaveToNewer({ head }: Loaded): void {
    const lane = this.#known(head.sid);
    if (lane?.held === undefined || lane.held !== head.fence) return;
    this.#runner.claimLost(lane);
    lane.letGo(head.fence);
    void this.#release(head);
  }

  async #release({ sid, fence }: Head): Promise<void> {
    for (let tries = 0; tries < createdTries; tries += 1) {
      try {
        const head = (await this.store.loadBySid(sid))?.head;
        if (head?.fence !== fence || head.node === null) return;
        // It says nothing of the state, which it leaves as it is.
        const result = await this.store.write({ sid, guard: { kind: 'run', fence, wn: head.wn }, events: [], hold: { kind: 'release' } });
        if (result.ok) return this.#bus.publish(sid, result.head.seq);
      } catch {
        await sleep(this.#services.clock, createdRetryMs);
      }
    }
  }

  #committed(commit: Committed): void {
    const { head, row } = commit.session;
    this.feeds.committed(head.sid, () => readRows(this.formats.formats, logRows(head, commit.rows)));
    if (row.deletedAt !== null) this.feeds.gone(head.sid);
    this.#bus.publish(head.sid, head.seq);
    this.#heardBy({ sid: head.sid, owner: row.owner, types: commit.rows.map(({ type }) => type), gone: row.deletedAt !== null });
    this.#runner.committed(commit);
    this.#telemetry.committed(commit);
    this.#owed(commit.session);
  }

  /** A lost answer: what the commit would have told is told from what was read. */
  #settled(lane: Lane, session: Session): void {
    const { head } = session;
    this.feeds.moved(head.sid, head.seq);
    if (session.row.deletedAt !== null) this.feeds.gone(head.sid);
    this.#bus.publish(head.sid, head.seq);
    this.#heardBy({ sid: head.sid, owner: session.row.owner, gone: session.row.deletedAt !== null });
    const claimed = lane.held === undefined && head.node === this.#services.node.current;
    if (claimed) lane.claimed(session);
    this.#runner.reread(lane, claimed);
    this.#owed(session);
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
    if (sid === anySession && !this.#hostedElsewhere()) this.#runner.due(0);
    // No session's number.
    if (sid < 1) return;
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
