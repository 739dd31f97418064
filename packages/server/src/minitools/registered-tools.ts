/**
 * The tools that running mini-tools have registered.
 *
 * RG1 A tool belongs to the process that registered it, and goes with it. Its name is `<mini-tool's id>_<name>`; as ids hold no "_", no
 *     other mini-tool can have it.
 * RG2 A run ends with the process: then its outcome is unknown (`ToolLost`). One that was cancelled and does not stop in `graceMs` is
 *     given up.
 */

import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { toolName } from '@turnkeeper/core/protocol/wire/agents';
import type { RegisteredTool } from '@turnkeeper/minitool/protocol';
import { z } from 'zod';
import { type Clock, sleep } from '../ports/clock.ts';
import { type FoundTool, type MinitoolTool, type MinitoolTools, ToolLost } from '../ports/minitool-tools.ts';
import type { ToolAnswer, ToolRun } from '../ports/tool.ts';
import type { CallsInProgress } from './calls.ts';
import { MinitoolDown, MinitoolFailure } from './host-api.ts';
import type { MinitoolProcess } from './process/minitool-process.ts';
import { toolAnswerOf } from './tool-answer.ts';

type Registered = { readonly process: MinitoolProcess; readonly handle: number; readonly tool: MinitoolTool };
type Provider = { readonly process: MinitoolProcess; readonly minitoolId: string; readonly handle: number; readonly id: string };

export type CallPlace = { readonly spaceId?: string; readonly cwd?: string };

export type RegisteredToolsOptions = {
  readonly calls: CallsInProgress;
  readonly clock: Clock;
  /** Where a session is, as far as its tools are told. */
  readonly placeOf: (sessionId: string) => Promise<CallPlace>;
  /** What a mini-tool's manifest says to models. */
  readonly promptOf?: (minitoolId: string) => string | undefined;
  /** What a mini-tool is called, for people. */
  readonly nameOf?: (minitoolId: string) => string | undefined;
  /** Whether one of these mini-tools is about to run here. */
  readonly isStarting?: (minitoolIds: readonly string[]) => boolean;
  /** Whether another node runs them. */
  readonly areElsewhere?: () => boolean;
  readonly ran: (minitoolId: string, outcome: 'completed' | 'failed' | 'lost') => void;
};

const defaultTimeoutMs = 120_000;
const shortestTimeoutMs = 15_000;
const longestTimeoutMs = 600_000;
const graceMs = 30_000;
const searchMs = 5_000;
const mostTools = 500;

export const clampedTimeout = (ms: number | undefined): number => Math.min(longestTimeoutMs, Math.max(shortestTimeoutMs, ms ?? defaultTimeoutMs));

const found = z.array(
  z.object({
    toolName: z.string().min(1).max(200),
    title: z.string().max(200).optional(),
    description: z.string().max(4_000).optional(),
    source: z.string().max(200).optional(),
  }),
);

export class RegisteredTools implements MinitoolTools {
  readonly #options: RegisteredToolsOptions;
  /** By the name that models are told. */
  readonly #tools = new Map<string, Registered>();
  #providers: readonly Provider[] = [];
  #version = 0;

  constructor(options: RegisteredToolsOptions) {
    this.#options = options;
  }

  get version(): number {
    return this.#version;
  }

  list(): readonly MinitoolTool[] {
    return [...this.#tools.values()].map(({ tool }) => {
      const minitoolName = this.#options.nameOf?.(tool.minitoolId);
      return minitoolName === undefined ? tool : { ...tool, minitoolName };
    });
  }

  /** Mini-tools are called something else from now on: their language is another one (MT3). */
  renamed(): void {
    this.#version += 1;
  }

  areElsewhere(): boolean {
    return this.#options.areElsewhere?.() ?? false;
  }

  isStarting(minitoolIds: readonly string[]): boolean {
    return this.#options.isStarting?.(minitoolIds) ?? false;
  }

  prompt(minitoolId: string): string | undefined {
    return this.#options.promptOf?.(minitoolId);
  }

  searchable(): readonly string[] {
    return [...new Set(this.#providers.map(({ minitoolId }) => minitoolId))];
  }

  register(minitoolId: string, process: MinitoolProcess, tool: RegisteredTool): void {
    const name = `${minitoolId}_${tool.name}`;
    if (!toolName.safeParse(name).success)
      throw new MinitoolFailure('invalid_argument', `name: models would be told "${name}", which has ${name.length} characters; 64 are possible.`);
    if (this.#tools.has(name)) throw new MinitoolFailure('already_exists', `A tool with the name "${tool.name}" is registered already.`);
    if ([...this.#tools.values()].filter((entry) => entry.process === process).length >= mostTools)
      throw new MinitoolFailure('invalid_argument', `More than ${mostTools} tools.`);
    this.#tools.set(name, {
      process,
      handle: tool.handle,
      tool: {
        minitoolId,
        name,
        title: tool.title,
        description: tool.description,
        inputSchema: tool.inputSchema,
        risk: tool.risk ?? 'medium',
        timeoutMs: clampedTimeout(tool.timeoutMs),
        defaultEnabled: tool.defaultEnabled ?? false,
        exposure: tool.exposure ?? 'startup',
        showsProgress: tool.progressMode !== undefined,
        run: (input, run) => this.#run({ minitoolId, process, handle: tool.handle }, input, run),
      },
    });
    this.#version += 1;
  }

  unregister(process: MinitoolProcess, handle: number): void {
    for (const [name, entry] of this.#tools)
      if (entry.process === process && entry.handle === handle) {
        this.#tools.delete(name);
        this.#version += 1;
      }
  }

  registerProvider(provider: Provider): void {
    this.#providers = [...this.#providers, provider];
    this.#version += 1;
  }

  unregisterProvider(process: MinitoolProcess, handle: number): void {
    this.#providers = this.#providers.filter((provider) => provider.process !== process || provider.handle !== handle);
    this.#version += 1;
  }

  /** Everything that a process had registered. */
  drop(process: MinitoolProcess): void {
    for (const [name, entry] of this.#tools)
      if (entry.process === process) {
        this.#tools.delete(name);
        this.#version += 1;
      }
    this.#providers = this.#providers.filter((provider) => provider.process !== process);
    this.#version += 1;
  }

  async search(minitoolIds: readonly string[], query: { readonly query: string; readonly limit: number }, sessionId: string): Promise<readonly FoundTool[]> {
    const place = await this.#options.placeOf(sessionId);
    const asked = this.#providers.filter(({ minitoolId }) => minitoolIds.includes(minitoolId));
    const lists = await Promise.all(asked.map((provider) => this.#ask(provider, query, { sessionId, ...place })));
    return lists.flat().slice(0, query.limit);
  }

  async #ask({ process, handle, id }: Provider, query: JsonObject, context: JsonObject): Promise<readonly FoundTool[]> {
    const enough = new AbortController();
    const late = sleep(this.#options.clock, searchMs, enough.signal).then(
      () => [],
      () => [],
    );
    try {
      const answer = process.request('discovery.search', { handle, query, context }, enough.signal).then((value) => found.parse(value));
      const tools = await Promise.race([answer, late]);
      return tools.map(({ toolName: name, title, description, source = id }) => ({
        toolName: name,
        source,
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description }),
      }));
    } catch {
      return [];
    } finally {
      enough.abort();
    }
  }

  async #run(
    { minitoolId, process, handle }: { readonly minitoolId: string; readonly process: MinitoolProcess; readonly handle: number },
    input: JsonObject,
    run: ToolRun,
  ): Promise<ToolAnswer> {
    const { calls, ran, placeOf } = this.#options;
    const place = await placeOf(run.sessionId);
    const call = calls.begin(minitoolId, run);
    const answered = new AbortController();
    try {
      const execution = { handle, callToken: call.token, input, toolCallId: run.callId, sessionId: run.sessionId, ...place };
      const answer = toolAnswerOf(await Promise.race([process.request('execute', execution, run.signal), this.#givenUp(run.signal, answered.signal)]));
      ran(minitoolId, 'completed');
      return answer;
    } catch (error) {
      ran(minitoolId, error instanceof MinitoolDown ? 'lost' : 'failed');
      if (error instanceof MinitoolDown) throw new ToolLost('The mini-tool’s process ended while its tool ran.');
      throw error;
    } finally {
      answered.abort();
      calls.end(call.token);
    }
  }

  /** Rejects when the run was cancelled and has not stopped in time. */
  #givenUp(cancelled: AbortSignal, answered: AbortSignal): Promise<never> {
    const over = new Promise<never>((_, reject) => {
      const wait = (): void => {
        const giveUp = (): void => reject(new Error(`The tool did not stop within ${graceMs / 1_000} s after it was cancelled.`));
        sleep(this.#options.clock, graceMs, answered).then(giveUp, () => {});
      };
      if (cancelled.aborted) wait();
      else cancelled.addEventListener('abort', () => answered.aborted || wait(), { once: true });
    });
    over.catch(() => {});
    return over;
  }
}
