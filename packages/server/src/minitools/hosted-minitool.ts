/**
 * One enabled mini-tool on the node that hosts it: its process kept alive, its requests answered, its log.
 *
 * HO1 A process is asked for nothing, and answered nothing, beyond its own end: what it registered goes with it.
 * HO2 What it subscribed to in `activate` is told when that has ended, in order: the first events, too, come to one that is ready.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { textIn } from '@turnkeeper/minitool/manifest/localise';
import type { MessagesByLocale } from '@turnkeeper/minitool/messages';
import type { HostRequests, ToolNotices } from '@turnkeeper/minitool/protocol';
import { type Clock, sleep } from '../ports/clock.ts';
import type { MinitoolRow } from '../ports/minitools.ts';
import { beginningOf, type Installed, readMessages } from './beginning.ts';
import type { CallsInProgress } from './calls.ts';
import { foldersOf, installationOf, makeFolders } from './folders.ts';
import { type AskingMinitool, type Delivered, type HostApi, MinitoolDown } from './host-api.ts';
import type { MinitoolLog } from './logs.ts';
import { type OwnParts, ownAnswers } from './own-answers.ts';
import { type AliveState, type Crash, FilesMissing, KeepAlive } from './process/keep-alive.ts';
import { MinitoolProcess } from './process/minitool-process.ts';
import { permissionFlags } from './process/permission-flags.ts';
import { type AllAnswers, answerRequest, readNotice } from './requests/dispatch.ts';
import { isRequestName } from './requests/request-schemas.ts';
import type { RuntimeFiles } from './runtime-files.ts';

export type HostedParts = OwnParts & {
  readonly clock: Clock;
  readonly dataFolder: string;
  readonly runtime: RuntimeFiles;
  readonly api: Partial<HostApi>;
  readonly calls: CallsInProgress;
  readonly contributions: () => Promise<Awaited<ReturnType<typeof beginningOf>>['contributions']>;
  readonly openSettings: (row: MinitoolRow) => JsonObject;
  readonly report: (error: unknown) => void;
  readonly activated: (id: string) => void;
  /** Also before it was activated. */
  readonly ended: (id: string, crash: Crash | undefined) => void;
  readonly gaveUp: (id: string, reason: string, kind: Crash['kind']) => void;
  readonly called: (id: string, method: string) => void;
};

/** Which notices go to whom: only what was subscribed to. */
const subscriptionOf: { readonly [Notice in keyof ToolNotices]?: HostRequests['subscribe'][0]['to'] } = {
  event: 'events',
  agentEvent: 'agentEvents',
  status: 'status',
  notification: 'notifications',
};

const mostUntold = 1_000;

/** Whether this machine has what it starts from. */
export const isHere = ({ row, manifest }: Installed): boolean => existsSync(join(row.folder, manifest.main));

export class HostedMinitool {
  readonly installed: Installed;
  readonly log: MinitoolLog;
  readonly #parts: HostedParts;
  readonly #alive: KeepAlive;
  /** What it subscribed to and what happened since, while it is being activated (HO2). */
  readonly #untold: ((process: MinitoolProcess) => void)[] = [];
  readonly #firstDecision = Promise.withResolvers<void>();
  #subscribed = new Set<HostRequests['subscribe'][0]['to']>();
  #isMissing = false;
  /** Of its `i18n`, as it was when its process began. */
  #messages: MessagesByLocale = {};
  #stopped: Promise<void> | undefined;

  constructor(installed: Installed, log: MinitoolLog, parts: HostedParts) {
    this.installed = installed;
    this.log = log;
    this.#parts = parts;
    this.#alive = new KeepAlive({
      clock: parts.clock,
      start: () => this.#begin(),
      activated: (process) => {
        for (const tell of this.#untold.splice(0)) tell(process);
        log.write('info', `activated, version ${installed.row.version}`);
        this.#firstDecision.resolve();
        parts.activated(this.id);
      },
      ended: (crash, process) => this.#ended(crash, process),
      gaveUp: (reason, kind) => {
        log.write('error', `It is not started again. ${reason}`);
        parts.gaveUp(this.id, reason, kind);
      },
    });
  }

  get id(): string {
    return this.installed.row.id;
  }

  /** For people. */
  get name(): string {
    return textIn(this.#messages, this.#parts.locale(), 'name', this.installed.manifest.name);
  }

  /** What its manifest says to the models of agents that have its tools; empty where it says nothing. */
  get systemPrompt(): string {
    return textIn(this.#messages, this.#parts.locale(), 'systemPrompt', this.installed.manifest.systemPrompt);
  }

  get state(): AliveState {
    return this.#alive.state;
  }

  get lastCrash(): Crash | undefined {
    return this.#alive.lastCrash;
  }

  get restarts(): number {
    return this.#alive.restarts;
  }

  get pid(): number | undefined {
    return this.#alive.anyProcess?.pid;
  }

  start(): void {
    this.#alive.start();
  }

  /** Resolves when it runs, or has failed to; after `ms` in any case. */
  async decided(clock: Clock, ms: number): Promise<void> {
    const enough = new AbortController();
    await Promise.race([this.#firstDecision.promise, sleep(clock, ms, enough.signal).catch(() => {})]);
    enough.abort();
  }

  /** However often it is asked for: it deactivates once. */
  stop(): Promise<void> {
    this.#stopped ??= this.#alive.stop().then(() => this.log.flushed());
    return this.#stopped;
  }

  tell<Notice extends keyof ToolNotices>(notice: Notice, body: ToolNotices[Notice]): void {
    const wanted = subscriptionOf[notice];
    if (wanted !== undefined && !this.#subscribed.has(wanted)) return;
    const { process, state } = this.#alive;
    if (process) process.notify(notice, body);
    else if (state === 'starting' && this.#untold.length < mostUntold) this.#untold.push((activated) => activated.notify(notice, body));
  }

  subscribesTo(to: HostRequests['subscribe'][0]['to']): boolean {
    return this.#subscribed.has(to);
  }

  async deliver(method: Delivered, params: object, signal?: AbortSignal): Promise<void> {
    const { process } = this.#alive;
    if (!process) throw new MinitoolDown(`The mini-tool "${this.id}" does not run now.`);
    await process.request(method, params as never, signal);
  }

  /** The capabilities that its manifest names and somebody provides. */
  tellCapabilities(): void {
    this.#alive.process?.notify('capabilities', { names: this.#capabilities() });
  }

  #capabilities(): readonly string[] {
    const { provides, requires } = this.installed.manifest;
    return this.#parts.capabilities.present([...provides.capabilities, ...requires.capabilities]);
  }

  async #begin(): Promise<Awaited<ReturnType<ConstructorParameters<typeof KeepAlive>[0]['start']>>> {
    const { row, manifest } = this.installed;
    const { dataFolder, locale, runtime } = this.#parts;
    this.#requireFiles();
    const folders = makeFolders(dataFolder, row.id);
    const folder = realpathSync(row.folder);
    const flags = permissionFlags(manifest.permissions, {
      extension: installationOf(realpathSync(dataFolder), row.id, folder),
      storage: folders.storage,
      outbox: folders.outbox,
      inbox: folders.inbox,
      runtime: runtime.readable,
      data: realpathSync(dataFolder),
    });
    this.#messages = await readMessages(folder);
    const contributions = await this.#parts.contributions();
    const beginning = beginningOf({ row: { ...row, folder, settings: this.#parts.openSettings(row) }, manifest }, folders, {
      locale: locale(),
      messages: this.#messages,
      contributions,
      capabilities: this.#capabilities(),
    });
    return { process: this.#start(flags, folder), beginning };
  }

  /** Said once, and not each time that it is looked for. */
  #requireFiles(): void {
    const wasMissing = this.#isMissing;
    this.#isMissing = !isHere(this.installed);
    if (!this.#isMissing) return;
    const { row, manifest } = this.installed;
    const missing = `Its entry ${join(row.folder, manifest.main)} is not on this machine: it starts when it is.`;
    if (!wasMissing) this.log.write('warn', missing);
    throw new FilesMissing(missing);
  }

  #start(flags: readonly string[], folder: string): MinitoolProcess {
    const { clock, report, runtime } = this.#parts;
    this.#subscribed = new Set();
    let answers: Partial<AllAnswers> = {};
    const process = new MinitoolProcess({
      entry: runtime.entry,
      flags,
      folder,
      clock,
      report,
      log: (level, line) => this.log.write(level, line),
      onRequest: (method, params, signal) => {
        this.#parts.called(this.id, isRequestName(method) ? method : 'other');
        return answerRequest(answers, this.#parts.calls, this.#asking(signal), method, params);
      },
      onNotice: (method, params) => this.#heard(method, params),
    });
    answers = { ...this.#parts.api, ...ownAnswers(this.#parts, process, this.#subscribed) };
    return process;
  }

  #asking(signal: AbortSignal): AskingMinitool {
    const { row, manifest } = this.installed;
    const { storage, outbox } = foldersOf(realpathSync(this.#parts.dataFolder), row.id);
    return {
      id: row.id,
      name: this.name,
      row,
      manifest,
      storagePath: storage,
      outboxPath: outbox,
      signal,
      log: (level, message) => this.log.write(level, message),
    };
  }

  #heard(method: string, params: unknown): void {
    const notice = readNotice(method, params);
    if (!notice) return;
    if (notice.name === 'log') this.log.write(notice.body.level, notice.body.message);
    else this.#parts.calls.progress(this.id, notice.body.callToken, notice.body);
  }

  #ended(crash: Crash | undefined, process: MinitoolProcess | undefined): void {
    this.#firstDecision.resolve();
    this.#untold.length = 0;
    if (crash) this.log.write('error', `${crash.kind}: ${crash.detail}`);
    this.#subscribed = new Set();
    if (process) {
      this.#parts.tools.drop(process);
      this.#parts.capabilities.drop(process);
    }
    this.#parts.ended(this.id, crash);
  }
}
