/**
 * Asks what JSON Schemas that users and MCP servers wrote say, without letting any of them stop this process.
 *
 * Q5 What is not plain [Q4] is compiled and used in a thread of its own, within `limitMs` and a bound of memory. One that takes
 *    longer, or ends the thread, has that as its fault; the thread is replaced, and the next question goes on there.
 * Q6 Questions are answered one after the other, in their order: a caller with many asks them one by one, and so takes turns
 *    with others. A schema whose compilation took too long, or ended the thread, is not tried again for
 *    `restMs`.
 */
import { Worker } from 'node:worker_threads';
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import type { Fault } from '@turnkeeper/core/protocol/wire-faults';
import type { Clock } from '../ports/clock.ts';
import { inputFaults, schemaFaults } from './input-schema.ts';
import { isLittleWork, isPlainSchema } from './plain-schema.ts';
import type { SchemaAnswer, SchemaQuestion } from './schema-messages.ts';

/** A hundred times what a large schema takes: machines are busy. */
const limitMs = 1_000;
/** For the thread to begin. */
const startMs = 30_000;
const restMs = 60_000;
/** Schemas that are remembered as slow. */
const mostSlow = 200;

export type SchemaChecker = {
  /** What of the arguments, or of any other value, the schema refuses. Never rejects. */
  readonly inputFaults: (schema: JsonObject, input: Json) => Promise<readonly Fault[]>;
  /** Why the schema cannot be used; none = it can. Never rejects. */
  readonly schemaFaults: (schema: JsonObject) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

type Asked = { readonly question: SchemaQuestion; readonly answer: (faults: readonly Fault[]) => void; compiled: boolean };
type Thread = { readonly worker: Worker; ready: boolean };

const because = (detail: string): readonly Fault[] => [{ pointer: '', detail }];
const tooLong = because('takes too long to check');

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

const startThread = (): Worker =>
  new Worker(new URL(`./schema-thread.${extension}`, import.meta.url), {
    execArgv: [],
    name: 'schema-thread',
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });

class ThreadQueue {
  readonly #clock: Clock;
  readonly #waiting: Asked[] = [];
  /** Until when a schema is not tried again. */
  readonly #slow = new Map<string, number>();
  #asked: Asked | undefined;
  #thread: Thread | undefined;
  #stopTimer = (): void => {};
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ask(question: SchemaQuestion): Promise<readonly Fault[]> {
    if (this.#closed) return Promise.resolve(because('cannot be checked: the server stops'));
    if ((this.#slow.get(question.schema) ?? 0) > this.#clock.elapsed()) return Promise.resolve(tooLong);
    return new Promise((answer) => {
      this.#waiting.push({ question, answer, compiled: false });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#thread?.worker;
    this.#thread = undefined;
    for (const { answer } of this.#waiting.splice(0)) answer(because('cannot be checked: the server stops'));
    this.#settle(because('cannot be checked: the server stops'));
    await worker?.terminate();
  }

  #next(): void {
    if (this.#asked) return;
    this.#asked = this.#waiting.shift();
    if (!this.#asked) {
      this.#thread?.worker.unref();
      return;
    }
    this.#thread ??= this.#start();
    this.#thread.worker.ref();
    if (this.#thread.ready) this.#post(this.#thread, this.#asked);
    else this.#limit(this.#thread, startMs);
  }

  #post(thread: Thread, { question }: Asked): void {
    this.#limit(thread, limitMs);
    thread.worker.postMessage(question);
  }

  #limit(thread: Thread, ms: number): void {
    this.#stopTimer();
    this.#stopTimer = this.#clock.after(ms, () => this.#lose(thread, tooLong));
  }

  #remember(schema: string): void {
    this.#slow.delete(schema);
    this.#slow.set(schema, this.#clock.elapsed() + restMs);
    const [oldest] = this.#slow.keys();
    if (this.#slow.size > mostSlow && oldest !== undefined) this.#slow.delete(oldest);
  }

  #start(): Thread {
    const thread: Thread = { worker: startThread(), ready: false };
    thread.worker.on('message', (answer: SchemaAnswer) => {
      if (this.#thread === thread) this.#take(thread, answer);
    });
    thread.worker.on('error', (error: Error) => this.#lose(thread, because(`cannot be checked: ${error.message}`)));
    thread.worker.on('exit', () => this.#lose(thread, because('cannot be checked: its thread ended')));
    return thread;
  }

  #take(thread: Thread, answer: SchemaAnswer): void {
    switch (answer.kind) {
      case 'ready':
        thread.ready = true;
        if (this.#asked) this.#post(thread, this.#asked);
        return;
      case 'compiled':
        if (this.#asked) this.#asked.compiled = true;
        return;
      case 'done':
        this.#settle(answer.faults);
    }
  }

  /** The thread is of no use any more: what it was asked is answered with why, the next question goes to a new one. */
  #lose(thread: Thread, faults: readonly Fault[]): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    if (thread.ready && this.#asked && !this.#asked.compiled) this.#remember(this.#asked.question.schema);
    void thread.worker.terminate();
    this.#settle(faults);
  }

  #settle(faults: readonly Fault[]): void {
    this.#stopTimer();
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.answer(faults);
    this.#next();
  }
}

/** Arguments that the server's own tools are given: up to here no thread is asked. */
const shortInput = 4_000;

/** `own`: the schemas of the server's own tools. */
export const createSchemaChecker = (clock: Clock, own: readonly JsonObject[] = []): SchemaChecker => {
  const queue = new ThreadQueue(clock);
  const known = new Set(own);
  return {
    inputFaults: async (schema, input) => {
      const text = JSON.stringify(schema);
      const given = JSON.stringify(input);
      const isQuick = known.has(schema) ? given.length <= shortInput : isLittleWork(text, given) && isPlainSchema(schema, text);
      return isQuick ? inputFaults(text, input) : queue.ask({ schema: text, input: given });
    },
    schemaFaults: async (schema) => {
      const text = JSON.stringify(schema);
      if (isPlainSchema(schema, text)) return schemaFaults(text);
      return (await queue.ask({ schema: text })).map(({ detail }) => detail);
    },
    close: () => queue.close(),
  };
};
