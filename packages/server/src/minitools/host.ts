/**
 * The host of the mini-tools: which of them run on this node, and everything that they share.
 *
 * MH1 What runs follows from what is kept: each change is kept first, and then what runs is brought in line with it. Who is told of
 *     an installation's end has been told the truth also when this process dies in between.
 * MH2 Only what a person enabled runs, and only while what the manifest asks for is covered by what that person agreed to.
 * MH3 Nothing of a mini-tool delays another: each has its own process, its own queue of messages and its own crashes. One that crashed
 *     too often is `broken`, with the reason, until a person enables it again.
 * MH4 Where the files of none of them are on this machine it does not host: another node may.
 * MH5 A host that goes is waited for, and with it the sessions that use its mini-tools: most often it is only started anew.
 * MH6 The lease of one that was killed is taken when it is over, not at the next look after that.
 * MH7 What runs is told of another language, and is not started again for it: from then on its texts for people and models are in that.
 */

import { realpathSync } from 'node:fs';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { textIn } from '@turnkeeper/minitool/manifest/localise';
import type { ToolNotices, ToolRequests } from '@turnkeeper/minitool/protocol';
import type {
  DescribedMinitool,
  MinitoolCondition,
  MinitoolLocale,
  MinitoolLogEntry,
  MinitoolHost as MinitoolPort,
  MinitoolSource,
  OpenedSession,
  PlacedMinitool,
} from '../ports/minitool-host.ts';
import type { MinitoolTools } from '../ports/minitool-tools.ts';
import type { MinitoolRow } from '../ports/minitools.ts';
import type { SessionNews } from '../ports/telemetry.ts';
import { contributionsOf, type Installed, readMessages } from './beginning.ts';
import { CallsInProgress } from './calls.ts';
import { Capabilities } from './capabilities.ts';
import { Contributed } from './contributed.ts';
import { describeMinitool } from './describe.ts';
import { foldersOf } from './folders.ts';
import { type AskingMinitool, type Delivered, MinitoolDown, type RunningMinitools } from './host-api.ts';
import { HostLease } from './host-lease.ts';
import type { MinitoolHostOptions } from './host-options.ts';
import { HostedMinitool, isHere } from './hosted-minitool.ts';
import { isLinked } from './install/install.ts';
import { Installations } from './install/installations.ts';
import { KeptLogs } from './kept-logs.ts';
import { manifestOf } from './kept-manifest.ts';
import { Language } from './language.ts';
import type { MinitoolLog } from './logs.ts';
import type { UiListener } from './own-answers.ts';
import { markBroken, readAgain } from './own-changes.ts';
import { OwnNews } from './own-news.ts';
import type { Crash } from './process/keep-alive.ts';
import { RegisteredTools } from './registered-tools.ts';
import { findRuntimeFiles } from './runtime-files.ts';
import { soundOf } from './sound.ts';
import { WatchedFolders, watchFolder } from './watch-folder.ts';

/** How long after its lease a host is waited for (MH5). */
const awaitedMs = 15_000;
/** How long who enabled one waits to hear what became of it. */
const decidedMs = 10_000;

/** What a running process was started by: when it changes it is started again. */
const signOf = ({ folder, version, settings, manifest }: MinitoolRow): string => JSON.stringify([folder, version, settings, manifest]);

export class ProcessHost implements MinitoolPort, RunningMinitools {
  readonly tools: MinitoolTools;
  readonly #options: MinitoolHostOptions;
  readonly #calls = new CallsInProgress();
  readonly #tools: RegisteredTools;
  readonly #capabilities: Capabilities;
  readonly #lease: HostLease;
  readonly #hosted = new Map<string, HostedMinitool>();
  readonly #logs: KeptLogs;
  readonly #news: OwnNews;
  readonly #language: Language;
  readonly #contributed = new Contributed((contributions) => this.#tellAll('contributions', { contributions }));
  readonly #watched: WatchedFolders;
  readonly #files: Installations;
  readonly #activated = new Set<(id: string) => void>();
  readonly #ended = new Set<(id: string) => void>();
  /** The last one of each, also of those that are not started again. */
  readonly #crashes = new Map<string, Crash>();
  readonly #hosting = new Set<(hosting: boolean) => void>();
  #ui: UiListener | undefined;
  /** Enabled ones whose files are not on this machine, which does not host. */
  #missing: ReadonlySet<string> = new Set();
  #isHosting = false;
  #isLooking = false;
  #line: Promise<void> = Promise.resolve();
  #stopTimer = (): void => {};
  #state: 'new' | 'started' | 'stopped' = 'new';
  /** What is enabled was looked at once. */
  #hasBegun = false;

  constructor(options: MinitoolHostOptions) {
    const { clock, store, node, shared, placeOf, telemetry } = options;
    this.#options = options;
    this.#logs = new KeptLogs(options.dataFolder, clock);
    this.#news = new OwnNews(options, (id) => this.#hosted.get(id));
    this.#language = new Language({ otherwise: options.locale ?? 'en-US', read: options.readLocale, report: options.report });
    this.#tools = new RegisteredTools({
      calls: this.#calls,
      clock,
      placeOf: placeOf ?? (async () => ({})),
      promptOf: (id) => this.#promptOf(id),
      nameOf: (id) => this.#hosted.get(id)?.name,
      isStarting: (ids) => this.#isStarting(ids),
      areElsewhere: () => this.#lease.isElsewhere(awaitedMs),
      ran: (id, outcome) => telemetry?.minitoolToolRan(id, outcome),
    });
    this.tools = this.#tools;
    this.#capabilities = new Capabilities(() => {
      for (const hosted of this.#hosted.values()) hosted.tellCapabilities();
    });
    const lost = (): void => void this.#stopAll().catch(options.report);
    this.#lease = new HostLease({ store: store.minitools, clock, node, shared, lost, ...(options.hostChanged ? { changed: options.hostChanged } : {}) });
    this.#watched = new WatchedFolders(({ id, folder }) => this.#watch(id, folder));
    this.#files = new Installations(options.dataFolder, (id) => store.minitools.minitool(id));
  }

  /** Starts what is enabled; resolves when that is under way, not when it is done. */
  async start(): Promise<void> {
    this.#state = 'started';
    await this.#files.sweep(this.#options.clock.now()).catch(this.#options.report);
    await this.reconcile();
    this.#hasBegun = true;
    if (this.#options.shared) this.#again();
  }

  /** Every process deactivates and ends. */
  async stop(): Promise<void> {
    if (this.#state === 'stopped') return;
    const wasStarted = this.#state === 'started';
    this.#state = 'stopped';
    this.#stopTimer();
    this.#news.stop();
    await this.#line;
    await this.#stopAll();
    if (wasStarted) await this.#lease.release().catch(this.#options.report);
  }

  /** Brings what runs in line with what is kept. */
  reconcile(): Promise<void> {
    return this.#inLine(() => this.#reconcile());
  }

  /** One thing after the other; never rejects. */
  #inLine(act: () => Promise<void>): Promise<void> {
    this.#line = this.#line.then(act).catch((error: unknown) => this.#options.report(error));
    return this.#line;
  }

  #isStarting(ids: readonly string[]): boolean {
    if (!this.#hasBegun) return this.#state !== 'stopped';
    const states = new Set(ids.map((id) => this.#hosted.get(id)?.state));
    return states.has('starting') || states.has('waiting');
  }

  get locale(): MinitoolLocale {
    return this.#language.current;
  }

  async localeChanged(): Promise<void> {
    this.#options.hostChanged?.();
    // Also where none is to run here: what is said of mini-tools goes by it.
    await (this.#state === 'started' ? this.reconcile() : this.#inLine(() => this.#lookAtLanguage()));
  }

  running(): readonly string[] {
    return [...this.#hosted.values()].filter(({ state }) => state === 'running').map(({ id }) => id);
  }

  /** Whether its process listens to the events of its sessions. */
  hears(minitoolId: string): boolean {
    return this.#hosted.get(minitoolId)?.subscribesTo('events') === true;
  }

  tell<Notice extends keyof ToolNotices>(minitoolId: string, notice: Notice, body: ToolNotices[Notice]): void {
    this.#hosted.get(minitoolId)?.tell(notice, body);
  }

  async deliver<Method extends Delivered>(minitoolId: string, method: Method, params: ToolRequests[Method][0], signal?: AbortSignal): Promise<void> {
    const hosted = this.#hosted.get(minitoolId);
    if (!hosted) throw new MinitoolDown(`The mini-tool "${minitoolId}" does not run here.`);
    await hosted.deliver(method, params, signal);
  }

  onActivated(listener: (minitoolId: string) => void): () => void {
    this.#activated.add(listener);
    return () => this.#activated.delete(listener);
  }

  onEnded(listener: (minitoolId: string) => void): () => void {
    this.#ended.add(listener);
    return () => this.#ended.delete(listener);
  }

  /** Told when mini-tools begin to run here, the first of them, and when none does any more. */
  onHosting(listener: (hosting: boolean) => void): void {
    this.#hosting.add(listener);
  }

  /** As one that is kept would ask for something itself, whether it runs or not. Throws `not_found`. */
  async asking(id: string): Promise<AskingMinitool> {
    const row = await this.#options.store.minitools.minitool(id);
    if (!row) throw new TurnkeeperError('not_found', `There is no mini-tool "${id}".`);
    const { storage, outbox } = foldersOf(this.#options.dataFolder, id);
    const manifest = manifestOf(row);
    const log = this.logOf(id);
    return {
      id,
      name: textIn(await readMessages(row.folder), this.locale, 'name', manifest.name),
      row,
      manifest,
      storagePath: storage,
      outboxPath: outbox,
      signal: new AbortController().signal,
      log: (level, message) => log.write(level, message),
    };
  }

  /** Who shows people what mini-tools show; the last one counts. */
  onUi(listener: UiListener | undefined): void {
    this.#ui = listener;
  }

  place(source: MinitoolSource): Promise<PlacedMinitool> {
    const { clock, programEnvironment } = this.#options;
    return this.#files.place(source, { clock, environment: programEnvironment });
  }

  tidy(id: string, placed?: string): Promise<void> {
    return this.#files.tidy(id, placed, (row) => {
      // What ran before is kept until the new one runs: then it goes by itself.
      if (row) return row.status !== 'enabled' || this.running().includes(id) ? [row.folder] : 'everything';
      this.#logs.forget(id);
      this.#crashes.delete(id);
      return 'nothing';
    });
  }

  describe(row: Pick<MinitoolRow, 'id' | 'folder' | 'manifest'>, locale: MinitoolLocale): Promise<DescribedMinitool> {
    return describeMinitool(row, locale);
  }

  condition(id: string): MinitoolCondition {
    const crash = this.#crashes.get(id);
    const state = this.#hosted.get(id)?.state ?? (this.#missing.has(id) ? 'missing' : 'stopped');
    const here = state === 'stopping' ? 'stopped' : state;
    return {
      activity: this.#lease.isElsewhere(0) ? 'elsewhere' : here,
      lastCrash: crash ? { at: crash.at, reason: crash.detail } : null,
    };
  }

  async look(id: string, anew: boolean): Promise<void> {
    if (anew) await this.#inLine(() => this.#stop(id));
    await this.reconcile();
    await this.#hosted.get(id)?.decided(this.#options.clock, decidedMs);
  }

  openSession(id: string, wanted: OpenedSession): ReturnType<MinitoolPort['openSession']> {
    const { openSession } = this.#options;
    if (!openSession) throw new TurnkeeperError('not_supported', 'This server opens no sessions in containers.');
    return openSession(id, wanted);
  }

  tail(id: string, count: number): Promise<readonly MinitoolLogEntry[]> {
    return this.logOf(id).tail(count);
  }

  follow(id: string, tell: (entry: MinitoolLogEntry) => void): () => void {
    return this.logOf(id).follow(tell);
  }

  logOf(id: string): MinitoolLog {
    return this.#logs.of(id);
  }

  /** What was committed of a session: told to the mini-tool whose it is, without its content. */
  saw(news: SessionNews): void {
    this.#news.saw(news);
  }

  #promptOf(id: string): string | undefined {
    return this.#hosted.get(id)?.systemPrompt || undefined;
  }

  #again(): void {
    this.#stopTimer = this.#options.clock.after(this.#lease.nextLookMs, () => {
      // Not behind what is under way. That it failed is said by the one in line.
      void this.#lease.renew().catch(() => {});
      if (!this.#isLooking) void this.#lookOnce();
      if (this.#state === 'started') this.#again();
    });
  }

  async #lookOnce(): Promise<void> {
    this.#isLooking = true;
    await this.reconcile();
    this.#isLooking = false;
  }

  async #reconcile(): Promise<void> {
    if (this.#state !== 'started') return;
    await this.#lookAtLanguage();
    const { store, shared, report } = this.#options;
    const all = await store.minitools.minitools().catch((error: unknown) => {
      report(error);
      return undefined;
    });
    const enabled = all && this.#soundOf(all);
    const missing = enabled?.filter((each) => !isHere(each)) ?? [];
    const rows = enabled && shared && missing.length === enabled.length ? [] : enabled;
    this.#missing = new Set(missing.map(({ row }) => row.id));
    const wanted = rows && rows.length > 0;
    if (wanted) await this.#lease.take().catch(this.#options.report);
    if (!this.#lease.held) {
      await this.#lease.look().catch(this.#options.report);
      return this.#stopAll();
    }
    if (!rows) return;
    const ids = new Set(rows.map(({ row }) => row.id));
    const gone = [...this.#hosted.values()].filter((hosted) => !ids.has(hosted.id) || this.#isOutdated(hosted, rows));
    await Promise.all(gone.map((hosted) => this.#stop(hosted.id)));
    // That took a while.
    if (!this.#lease.held) return this.#stopAll();
    if (rows.length > 0) this.#setHosting(true);
    for (const installed of rows) if (!this.#hosted.has(installed.row.id)) this.#startOne(installed);
    await this.#contributed.look(enabled ?? [], this.locale);
    this.#watched.keep(all?.filter((row) => isLinked(row) && (row.status === 'broken' || ids.has(row.id))) ?? []);
    if (rows.length === 0) this.#setHosting(false);
    if (!wanted) await this.#lease.release();
  }

  #tellAll<Notice extends keyof ToolNotices>(notice: Notice, body: ToolNotices[Notice]): void {
    for (const hosted of this.#hosted.values()) hosted.tell(notice, body);
  }

  /** MH7 */
  async #lookAtLanguage(): Promise<void> {
    if (!(await this.#language.look())) return;
    this.#tellAll('locale', { locale: this.locale });
    this.#tools.renamed();
  }

  #isOutdated(hosted: HostedMinitool, rows: readonly Installed[]): boolean {
    const now = rows.find(({ row }) => row.id === hosted.id);
    return now !== undefined && signOf(now.row) !== signOf(hosted.installed.row);
  }

  /** Those that are to run: enabled, sound, and agreed to. */
  async #enabled(): Promise<readonly Installed[]> {
    return this.#soundOf(await this.#options.store.minitools.minitools());
  }

  #soundOf(rows: readonly MinitoolRow[]): readonly Installed[] {
    return soundOf(rows, (id, error) => this.logOf(id).write('error', String(error)));
  }

  #startOne(installed: Installed): void {
    const { row } = installed;
    const hosted = new HostedMinitool(installed, this.logOf(row.id), {
      ...this.#shared(),
      activated: (id) => {
        for (const listener of this.#activated) listener(id);
        // Its row may name another version by now.
        if (!isLinked(row)) void this.#files.tidy(id, undefined, (now) => (now ? [row.folder, now.folder] : 'everything')).catch(this.#options.report);
      },
      ended: (id, crash) => {
        if (crash) {
          this.#crashes.set(id, crash);
          this.#options.telemetry?.minitoolEnded(id, crash.kind);
        }
        for (const listener of this.#ended) listener(id);
      },
      gaveUp: (id, reason, kind) => {
        if (this.#hosted.get(id) === hosted) void markBroken(this.#options, row, reason, kind).then(() => this.reconcile(), this.#options.report);
      },
    });
    this.#hosted.set(row.id, hosted);
    hosted.start();
  }

  #shared(): Omit<ConstructorParameters<typeof HostedMinitool>[2], 'activated' | 'ended' | 'gaveUp'> {
    const { clock, dataFolder, api, report, version, schemaFaults, runtime, telemetry, openSettings } = this.#options;
    return {
      clock,
      dataFolder,
      api,
      report,
      version,
      locale: () => this.locale,
      schemaFaults: schemaFaults ?? (async () => []),
      runtime: runtime ?? findRuntimeFiles(),
      openSettings: openSettings ?? (({ settings }) => settings),
      tools: this.#tools,
      capabilities: this.#capabilities,
      calls: this.#calls,
      status: (id) => this.#news.standing(id),
      ui: () => this.#ui,
      contributions: async () => contributionsOf(await this.#enabled(), this.locale),
      called: (id, method) => telemetry?.minitoolCalled(id, method),
    };
  }

  #watch(id: string, folder: string): () => void {
    return watchFolder(
      folder,
      this.#options.clock,
      realpathSync(this.#options.dataFolder),
      () => void this.#reload(id),
      (error) => this.logOf(id).write('warn', `Its folder is not watched: ${String(error)}`),
    );
  }

  /** Its files have changed: it is read anew and started again. Where its manifest cannot be used any more the old process goes on. */
  async #reload(id: string): Promise<void> {
    try {
      this.logOf(id).write('info', 'its files have changed: it is started again');
      await readAgain(this.#options, id);
      await this.#inLine(() => this.#stop(id));
      await this.reconcile();
    } catch (error) {
      this.logOf(id).write('error', error instanceof Error ? error.message : String(error));
    }
  }

  async #stop(id: string): Promise<void> {
    const hosted = this.#hosted.get(id);
    if (!hosted) return;
    await hosted.stop();
    if (this.#hosted.get(id) === hosted) this.#hosted.delete(id);
  }

  async #stopAll(): Promise<void> {
    this.#watched.keep([]);
    await Promise.all([...this.#hosted.keys()].map((id) => this.#stop(id)));
    this.#setHosting(this.#hosted.size > 0);
  }

  #setHosting(hosting: boolean): void {
    if (this.#isHosting === hosting) return;
    this.#isHosting = hosting;
    for (const listener of this.#hosting) listener(hosting);
  }
}
