/** The two ends of a process's channel as vscode-jsonrpc wants them: lines of JSON, as Node's own IPC writes and reads them. */
import type { Duplex } from 'node:stream';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from 'vscode-jsonrpc/node';
import type { Clock } from '../../ports/clock.ts';
import { type IncomingMessage, isRequest } from './incoming-message.ts';
import { type LineLimits, type LineReader, readLines } from './message-lines.ts';

type Id = string | number;

export type ReaderRules = {
  readonly lines: LineLimits;
  readonly broken: (why: string) => void;
  /** One more request may come in beside those that wait for their answer. */
  readonly mayCall: (inFlight: number) => boolean;
  readonly refuse: (id: Id) => void;
};

export class ChannelReader extends AbstractMessageReader implements MessageReader {
  readonly #channel: Duplex;
  readonly #clock: Clock;
  readonly #rules: ReaderRules;
  /** Requests of the process that have no answer yet. */
  readonly #open = new Set<Id>();
  #lines: LineReader | undefined;

  constructor(channel: Duplex, clock: Clock, rules: ReaderRules) {
    super();
    this.#channel = channel;
    this.#clock = clock;
    this.#rules = rules;
  }

  answered(id: Id): void {
    this.#open.delete(id);
  }

  listen(callback: DataCallback): Disposable {
    const { lines, broken } = this.#rules;
    const pass = (message: IncomingMessage): void => {
      if (this.#passes(message)) callback(message as Message);
    };
    this.#lines = readLines(this.#channel, this.#clock, lines, { message: pass, broken });
    return { dispose: () => this.#lines?.stop() };
  }

  override dispose(): void {
    this.#lines?.stop();
    super.dispose();
  }

  /** What the library has no limit for is looked at before it sees it. */
  #passes(message: IncomingMessage): boolean {
    if (isRequest(message)) return this.#begins(message.id);
    if (!('method' in message)) return true;
    if (!message.method.startsWith('$/')) return true;
    // It remembers what was cancelled before it came, for ever.
    const id = message.params?.['id'];
    return message.method === '$/cancelRequest' && (typeof id === 'string' || typeof id === 'number') && this.#open.has(id);
  }

  #begins(id: Id): boolean {
    if (this.#open.has(id)) {
      this.#lines?.stop();
      this.#rules.broken(`two calls under one id (${id})`);
      return false;
    }
    if (!this.#rules.mayCall(this.#open.size)) {
      this.#rules.refuse(id);
      return false;
    }
    this.#open.add(id);
    return true;
  }
}

const mostUnread = 16 * 1024 * 1024;

export class ChannelWriter extends AbstractMessageWriter implements MessageWriter {
  answered: (id: Id) => void = () => {};
  readonly #channel: Duplex;
  readonly #maxBytes: number;
  readonly #broken: (why: string) => void;

  constructor(channel: Duplex, maxBytes: number, broken: (why: string) => void) {
    super();
    this.#channel = channel;
    this.#maxBytes = maxBytes;
    this.#broken = broken;
  }

  async write(message: Message): Promise<void> {
    const answer = message as { readonly id?: Id; readonly method?: string };
    if (answer.method === undefined && answer.id !== undefined) this.answered(answer.id);
    if (!this.#channel.writable) throw new Error('the channel is closed');
    const text = this.#textOf(message);
    this.#channel.write(`${text}\n`);
    if (this.#channel.writableLength > mostUnread) this.#broken('it does not read what it is sent');
  }

  /** An answer that is too large becomes an error, so that whoever waits for it hears of that. */
  #textOf(message: Message): string {
    const text = JSON.stringify(message);
    const bytes = Buffer.byteLength(text);
    if (bytes <= this.#maxBytes) return text;
    const { id, method } = message as { readonly id?: Id; readonly method?: string };
    const data = { code: 'payload_too_large', message: `The answer has ${bytes} bytes; ${this.#maxBytes} are possible.` };
    if (method !== undefined) throw new Error(`a message of ${bytes} bytes, of which ${this.#maxBytes} are possible`);
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: data.message, data } });
  }

  end(): void {}
}
