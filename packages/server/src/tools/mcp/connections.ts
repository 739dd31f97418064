/**
 * The open connections to MCP servers.
 *
 * R4 A connection belongs to one session: a server may keep what one session did, and another must not find it there.
 * R5 It is opened when it is first needed, kept while a run of its session goes on, and closed `idleMs` after.
 * R6 At most `most` are open. Where one more is wanted, the one that was unused for the longest time is closed; when all
 *    are in use, whoever wants one waits.
 * R7 A program whose call was given up ends as soon as no other call uses it: only then has the call's work stopped.
 */
import type { McpServer } from '@turnkeeper/core/protocol/wire/agents';
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { McpConnection, McpServices } from './connection.ts';
import { McpFault } from './mcp-fault.ts';

export type ConnectionsOptions = McpServices & { readonly most?: number; readonly idleMs?: number };

type Entry = {
  readonly key: string;
  readonly sessionId: SessionId;
  readonly opening: Promise<McpConnection>;
  users: number;
  usedAt: number;
  spent: boolean;
  stopIdle: () => void;
};

const untilAborted = (signal: AbortSignal): { readonly promise: Promise<never>; readonly stop: () => void } => {
  let stop = (): void => {};
  const promise = new Promise<never>((_, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    stop = () => signal.removeEventListener('abort', abort);
  });
  promise.catch(() => {});
  return { promise, stop };
};

/** Resolves or rejects with `work`, or rejects when the signal aborts before. */
const unlessAborted = async <Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> => {
  const { promise, stop } = untilAborted(signal);
  try {
    return await Promise.race([work, promise]);
  } finally {
    stop();
  }
};

/** Loaded with the first connection: most servers need none. */
const open = async (server: McpServer, services: McpServices): Promise<McpConnection> => (await import('./connection.ts')).McpConnection.open(server, services);

export class McpConnections {
  readonly #options: ConnectionsOptions;
  readonly #most: number;
  readonly #idleMs: number;
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();
  /** How many runs of a session go on. */
  readonly #runs = new Map<SessionId, number>();
  #waiting: (() => void)[] = [];
  #uses = 0;
  #closed = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#most = options.most ?? 64;
    this.#idleMs = options.idleMs ?? 60_000;
  }

  get open(): number {
    return this.#entries.size + this.#closing.size;
  }

  /** Runs `work` with the session's connection to the server, which is opened where there is none. */
  async use<Value>(sessionId: SessionId, server: McpServer, signal: AbortSignal, work: (connection: McpConnection) => Promise<Value>): Promise<Value> {
    const entry = await this.#acquire(sessionId, server, signal);
    let connection: McpConnection | undefined;
    try {
      connection = await unlessAborted(signal, entry.opening);
      return await work(connection);
    } catch (error) {
      if (!connection || (error instanceof McpFault && error.stale) || (signal.aborted && connection.isProgram)) entry.spent = true;
      throw error;
    } finally {
      await this.#release(entry);
    }
  }

  runBegan(sessionId: SessionId): void {
    this.#runs.set(sessionId, (this.#runs.get(sessionId) ?? 0) + 1);
    for (const entry of this.#of(sessionId)) entry.stopIdle();
  }

  runEnded(sessionId: SessionId): void {
    const left = (this.#runs.get(sessionId) ?? 0) - 1;
    if (left > 0) this.#runs.set(sessionId, left);
    else this.#runs.delete(sessionId);
    for (const entry of this.#of(sessionId)) this.#watchIdle(entry);
  }

  /** Closes all; nothing is opened after it. Resolves when no process is left. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const entry of [...this.#entries.values()]) void this.#drop(entry);
    this.#wake();
    await Promise.all(this.#closing);
  }

  #of(sessionId: SessionId): readonly Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.sessionId === sessionId);
  }

  async #acquire(sessionId: SessionId, server: McpServer, signal: AbortSignal): Promise<Entry> {
    const key = JSON.stringify([sessionId, server.name]);
    for (;;) {
      signal.throwIfAborted();
      if (this.#closed) throw new McpFault('The server stops.');
      const found = this.#entries.get(key);
      const entry = found && !found.spent ? found : this.#hasRoom() && !found ? this.#begin(key, sessionId, server) : undefined;
      if (entry) {
        entry.users += 1;
        entry.usedAt = this.#uses += 1;
        entry.stopIdle();
        return entry;
      }
      await unlessAborted(signal, new Promise<void>((resolve) => this.#waiting.push(resolve)));
    }
  }

  /** Makes room where an unused connection can be closed: that takes a while, and ends in another try. */
  #hasRoom(): boolean {
    if (this.open < this.#most) return true;
    const unused = [...this.#entries.values()].filter((entry) => entry.users === 0).toSorted((a, b) => a.usedAt - b.usedAt);
    if (unused[0] && this.#closing.size === 0) void this.#drop(unused[0]);
    return false;
  }

  #begin(key: string, sessionId: SessionId, server: McpServer): Entry {
    const opening = open(server, this.#options);
    const entry: Entry = { key, sessionId, opening, users: 0, usedAt: 0, spent: false, stopIdle: () => {} };
    this.#entries.set(key, entry);
    opening.then(
      (connection) => connection.closed.then(() => this.#forget(entry)),
      () => {
        entry.spent = true;
      },
    );
    return entry;
  }

  async #release(entry: Entry): Promise<void> {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (entry.spent) await this.#drop(entry);
    else if (this.#entries.get(entry.key) === entry) this.#watchIdle(entry);
    this.#wake();
  }

  #watchIdle(entry: Entry): void {
    entry.stopIdle();
    if (entry.users > 0 || this.#runs.has(entry.sessionId)) return;
    entry.stopIdle = this.#options.clock.after(this.#idleMs, () => void this.#drop(entry));
  }

  /** It ended by itself. */
  #forget(entry: Entry): void {
    entry.spent = true;
    entry.stopIdle();
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
    this.#wake();
  }

  #drop(entry: Entry): Promise<void> {
    this.#forget(entry);
    const closing = entry.opening
      .then((connection) => connection.close())
      .catch(() => {})
      .finally(() => {
        this.#closing.delete(closing);
        this.#wake();
      });
    this.#closing.add(closing);
    return closing;
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}
