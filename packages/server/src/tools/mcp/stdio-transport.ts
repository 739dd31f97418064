/**
 * MCP over a program's standard input and output. The SDK's own transport ends only the program itself, and gives it more
 * of this server's environment than it needs (R1, R2).
 */
import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../../ports/clock.ts';
import { ProcessTree, type Program } from './process-tree.ts';

/** Of one message. */
const messageBytes = 10 * 1024 * 1024;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #program: Program;
  readonly #clock: Clock;
  readonly #read = new ReadBuffer({ maxBufferSize: messageBytes });
  #tree: ProcessTree | undefined;
  #closed = false;

  constructor(program: Program, clock: Clock) {
    this.#program = program;
    this.#clock = clock;
  }

  /** What the program says of itself, for messages about its end. */
  get stderr(): string {
    return this.#tree?.stderr ?? '';
  }

  /** It said more before. */
  get stderrIsCut(): boolean {
    return this.#tree?.stderrIsCut ?? false;
  }

  get pid(): number | undefined {
    return this.#tree?.pid;
  }

  async start(): Promise<void> {
    const tree = new ProcessTree(this.#program, this.#clock);
    this.#tree = tree;
    const { child } = tree;
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (bytes: Buffer) => this.#take(bytes));
    child.once('exit', () => void this.close());
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.on('error', (error) => this.onerror?.(error));
  }

  #take(bytes: Buffer): void {
    try {
      this.#read.append(bytes);
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    for (let more = true; more; ) {
      try {
        const message = this.#read.readMessage();
        if (message === null) more = false;
        else this.onmessage?.(message);
      } catch (error) {
        // One line that is no message: programs print what they should not.
        this.onerror?.(error as Error);
      }
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#tree?.child ?? {};
    if (!stdin || this.#closed || !stdin.writable) throw new Error('the program has ended');
    if (!stdin.write(serializeMessage(message))) await new Promise<void>((resolve) => this.#drained(stdin, resolve));
  }

  #drained(stdin: NodeJS.WritableStream, resolve: () => void): void {
    stdin.once('drain', resolve);
    stdin.once('close', resolve);
  }

  async close(): Promise<void> {
    const first = !this.#closed;
    this.#closed = true;
    await this.#tree?.end();
    this.#read.clear();
    if (first) this.onclose?.();
  }
}
