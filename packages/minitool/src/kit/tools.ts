/** Runs the tools that a mini-tool has registered, as an agent's turn would. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { z } from 'zod';
import type { MiniToolFormResult, MiniToolFormSpec } from '../context/forms.ts';
import type { ToolProgressUpdate, ToolResult } from '../context/tools.ts';
import { MinitoolError } from '../failure.ts';
import type { RegisteredTool } from '../protocol.ts';
import type { HostPeer } from '../rpc/peer.ts';
import type { KitClock } from './clock.ts';
import type { KitCall } from './sessions.ts';

export type ExecuteOptions = {
  /** The session that the call is in; one of a person unless given. */
  readonly sessionId?: string;
  readonly spaceId?: string;
  readonly cwd?: string;
  /** The session is one that nobody watches: forms are not shown. */
  readonly background?: boolean;
  readonly signal?: AbortSignal;
  /** What a person does with a form; cancels it unless given. */
  readonly onForm?: (spec: MiniToolFormSpec) => MiniToolFormResult | Promise<MiniToolFormResult>;
  readonly onProgress?: (update: ToolProgressUpdate) => void;
};

type Running = { readonly call: KitCall; readonly options: ExecuteOptions };

const usualTimeoutMs = 120_000;
const shortestTimeoutMs = 15_000;
const longestTimeoutMs = 600_000;

const failed = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true });

/** What of an input does not fit a schema; undefined where it fits, or where the schema is one that cannot be read. */
const misfit = (schema: JsonObject, input: unknown): string | undefined => {
  let read: z.ZodType;
  try {
    read = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return undefined;
  }
  const parsed = read.safeParse(input);
  return parsed.success ? undefined : parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).join('; ');
};

export class KitTools {
  readonly #clock: KitClock;
  readonly #peer: () => HostPeer;
  readonly #tools = new Map<number, RegisteredTool>();
  readonly #running = new Map<string, Running>();
  #calls = 0;

  constructor(clock: KitClock, peer: () => HostPeer) {
    this.#clock = clock;
    this.#peer = peer;
  }

  list(): readonly RegisteredTool[] {
    return [...this.#tools.values()];
  }

  add(tool: RegisteredTool): void {
    this.#tools.set(tool.handle, tool);
  }

  remove(handle: number): void {
    this.#tools.delete(handle);
  }

  clear(): void {
    this.#tools.clear();
  }

  /** The call of a token, while it runs. */
  callOf(token: string | undefined): KitCall | undefined {
    return token === undefined ? undefined : this.#running.get(token)?.call;
  }

  async form(token: string, spec: MiniToolFormSpec): Promise<MiniToolFormResult> {
    const running = this.#running.get(token);
    if (!running) throw new MinitoolError('caller_context_unavailable', 'The call has ended');
    const { background, onForm } = running.options;
    if (background) return { submitted: false, values: {}, reason: 'background' };
    return onForm ? onForm(spec) : { submitted: false, values: {}, reason: 'cancelled' };
  }

  progress(token: string, update: ToolProgressUpdate): void {
    this.#running.get(token)?.options.onProgress?.(update);
  }

  async execute(name: string, input: Readonly<Record<string, unknown>>, options: ExecuteOptions): Promise<ToolResult> {
    const tool = this.list().find((each) => each.name === name);
    if (!tool)
      throw new MinitoolError(
        'not_found',
        `No tool "${name}" is registered; there is ${
          this.list()
            .map((each) => each.name)
            .join(', ') || 'none'
        }`,
      );
    const wrong = misfit(tool.inputSchema, input);
    if (wrong !== undefined) return failed(`The input does not fit the schema of the tool: ${wrong}`);
    this.#calls += 1;
    const callToken = `call_${this.#calls}`;
    const { sessionId = 'ses_of_a_person', spaceId, cwd, signal } = options;
    this.#running.set(callToken, { call: { sessionId, spaceId }, options });
    const timeoutMs = Math.min(Math.max(tool.timeoutMs ?? usualTimeoutMs, shortestTimeoutMs), longestTimeoutMs);
    const overdue = new AbortController();
    const stop = this.#clock.after(timeoutMs, () => overdue.abort());
    const late = new Promise<ToolResult>((resolve) =>
      overdue.signal.addEventListener('abort', () => resolve(failed(`The tool did not answer in ${timeoutMs / 1_000} s.`))),
    );
    const said = { ...(spaceId === undefined ? {} : { spaceId }), ...(cwd === undefined ? {} : { cwd }) };
    try {
      const execution = { handle: tool.handle, callToken, toolCallId: callToken, sessionId, input: input as JsonObject, ...said };
      const result = this.#peer().ask('execute', execution, AbortSignal.any([overdue.signal, ...(signal ? [signal] : [])]));
      return (await Promise.race([result, late])) as ToolResult;
    } finally {
      stop();
      this.#running.delete(callToken);
    }
  }
}
