/**
 * One life of a mini-tool's process: from its start to its end, whatever ends it.
 *
 * LP1 It ends for good when it exits, breaks the rules of the channel, does not answer a ping in `pingMs`, or holds more than
 *     `mostMemory` bytes. Then nothing of it runs any more, and `ended` says why, once.
 * LP2 Its environment is a time zone and a language. Its folder is where it runs.
 * LP3 Its channel is Node's IPC to the process, but read here by hand (ML1): descriptor 3, announced as `fork` would.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ToolNotices, ToolRequests } from '@turnkeeper/minitool/protocol';
import type { Clock } from '../../ports/clock.ts';
import { MinitoolDown } from '../host-api.ts';
import type { LogLevel } from '../logs.ts';
import { type Connection, connect } from './connection.ts';
import { memoryOf } from './memory.ts';
import { eachLine } from './output-lines.ts';
import { ProcessGroup } from './process-group.ts';
import { TokenBucket } from './token-bucket.ts';

/** `stopped`: somebody asked for it. */
export type ProcessEnd = { readonly kind: 'stopped' | 'crash' | 'hang' | 'memory' | 'protocol'; readonly detail: string };

export type ProcessOptions = {
  /** What runs it, an absolute path. */
  readonly entry: string;
  readonly flags: readonly string[];
  readonly folder: string;
  readonly clock: Clock;
  readonly log: (level: LogLevel, message: string) => void;
  readonly onRequest: (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>;
  readonly onNotice: (method: string, params: unknown) => void;
  readonly report: (error: unknown) => void;
};

/** How long a process whose channel has closed may take to exit. */
const exitMs = 1_000;
const pingMs = 10_000;
const memoryLookMs = 1_000;
const mostMemory = 512 * 1024 * 1024;
/** Of messages and of what it prints, together; beyond that it is read more slowly. */
const bytesPerSecond = 8 * 1024 * 1024;
const bytesAtOnce = 16 * 1024 * 1024;
/** Readable by the process, beside what `PF1` names. */
const sealFile = fileURLToPath(new URL('./seal.ts', import.meta.url));

const outOfHeap = /heap out of memory|heap limit/i;
const mb = (bytes: number): number => Math.round(bytes / 1024 / 1024);

export class MinitoolProcess {
  /** Resolves when nothing of it runs any more. */
  readonly ended: Promise<ProcessEnd>;
  readonly #options: ProcessOptions;
  readonly #child: ChildProcess;
  readonly #group: ProcessGroup;
  readonly #connection: Connection;
  readonly #bytes: TokenBucket;
  readonly #timers = new Set<() => void>();
  #ending: ProcessEnd | undefined;
  /** The newest of its standard error, for the reason of its end. */
  #lastWords: string[] = [];
  #settle: (end: ProcessEnd) => void = () => {};

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#bytes = new TokenBucket(options.clock, bytesPerSecond, bytesAtOnce);
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const args = [...options.flags, `--allow-fs-read=${sealFile}`, '--import', new URL('./seal.ts', import.meta.url).href, options.entry];
    this.#child = spawn(process.execPath, args, {
      cwd: options.folder,
      env: { NODE_CHANNEL_FD: '3', NODE_CHANNEL_SERIALIZATION_MODE: 'json', TZ: 'UTC', LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#group = new ProcessGroup(this.#child);
    this.#listen();
    this.#connection = connect({
      channel: this.#child.stdio[3] as Duplex,
      clock: options.clock,
      bytes: this.#bytes,
      onRequest: options.onRequest,
      onNotice: options.onNotice,
      broken: (why) => this.#end({ kind: 'protocol', detail: `It sent ${why}.` }),
      // One that exits has closed it, too, and says more by that.
      lost: () => this.#timers.add(options.clock.after(exitMs, () => this.#end({ kind: 'protocol', detail: 'It closed its channel to the server.' }))),
      report: options.report,
    });
    this.#every(pingMs, () => this.#ping());
    this.#every(memoryLookMs, () => this.#lookAtMemory());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  request<Method extends keyof ToolRequests>(method: Method, params: ToolRequests[Method][0], signal?: AbortSignal): Promise<unknown> {
    return this.#connection.request(method, params, signal);
  }

  notify<Notice extends keyof ToolNotices>(notice: Notice, body: ToolNotices[Notice]): void {
    this.#connection.notify(notice, body);
  }

  /** Ends it now; resolves when nothing of it runs any more. */
  async stop(why: ProcessEnd = { kind: 'stopped', detail: 'It was stopped.' }): Promise<void> {
    this.#end(why);
    await this.ended;
  }

  #listen(): void {
    const { clock, log } = this.#options;
    const output = (stream: Readable | null, level: LogLevel): void => {
      if (!stream) return;
      eachLine(stream, clock, this.#bytes, (line) => {
        if (level === 'error') this.#lastWords = [...this.#lastWords.slice(-19), line];
        log(level, line);
      });
    };
    output(this.#child.stdout, 'info');
    output(this.#child.stderr, 'error');
    this.#child.once('error', (error) => this.#end({ kind: 'crash', detail: `It could not be started: ${error.message}` }));
    // `close` and not `exit`: its last words have been read then. What it started may keep its pipes open.
    this.#child.once('exit', (code, signal) => {
      const read = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
      void Promise.race([read, this.#group.kill()]).then(() => setImmediate(() => this.#end(this.#exit(code, signal))));
    });
  }

  #exit(code: number | null, signal: NodeJS.Signals | null): ProcessEnd {
    const words = this.#lastWords.join('\n');
    if (outOfHeap.test(words)) return { kind: 'memory', detail: 'Its heap grew beyond its limit of 256 MB.' };
    const how = signal ? `It was ended by ${signal}` : `It exited with ${code}`;
    const said = this.#lastWords.find((line) => /\bError\b/.test(line)) ?? this.#lastWords.at(-1);
    return { kind: 'crash', detail: said ? `${how}: ${said.trim().slice(0, 500)}` : `${how}.` };
  }

  #end(end: ProcessEnd): void {
    if (this.#ending) return;
    this.#ending = end;
    for (const stop of this.#timers) stop();
    this.#timers.clear();
    this.#connection.close();
    void this.#group.kill().then(() => {
      for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.destroy();
      this.#settle(end);
    });
  }

  /** Again and again, each after the one before has come to its end. */
  #every(ms: number, act: () => Promise<void>): void {
    const stop = this.#options.clock.after(ms, () => {
      this.#timers.delete(stop);
      void act().then(() => {
        if (!this.#ending) this.#every(ms, act);
      });
    });
    this.#timers.add(stop);
  }

  async #ping(): Promise<void> {
    const late = this.#options.clock.after(pingMs, () => this.#end({ kind: 'hang', detail: `It did not answer for ${pingMs / 1_000} s.` }));
    this.#timers.add(late);
    try {
      await this.#connection.request('ping', {});
    } catch (error) {
      // An answer is an answer; the end of the process is told elsewhere.
      if (error instanceof MinitoolDown) return;
    } finally {
      late();
      this.#timers.delete(late);
    }
  }

  async #lookAtMemory(): Promise<void> {
    const { pid } = this.#child;
    const bytes = pid === undefined ? undefined : await memoryOf(pid);
    if (bytes !== undefined && bytes > mostMemory) this.#end({ kind: 'memory', detail: `It held ${mb(bytes)} MB, of which ${mb(mostMemory)} MB are allowed.` });
  }
}
