/**
 * Tools that count how often they really ran: what a tool did outlives every crash of the engine.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Tool, ToolAnswer, ToolRun } from '../../ports/tool.ts';
import { createGate, type Gate } from './gate.ts';

export type ToolRecord = {
  readonly name: string;
  readonly turnId: string;
  readonly callId: string;
  readonly input: JsonObject;
  readonly aborted: () => boolean;
};

export type FakeTools = {
  readonly tools: readonly Tool[];
  /** Every run that began, of all tools, in order. */
  readonly runs: readonly ToolRecord[];
  readonly count: (name: string, turnId?: string) => number;
  /** Where `slow` and `slowLook` wait. */
  readonly gate: Gate;
};

const answer = (text: string, isError = false): ToolAnswer => ({ output: [{ type: 'text', text }], isError });

type Behaviour = { readonly safe?: true; readonly timeoutMs?: number; readonly run: (input: JsonObject, run: ToolRun) => Promise<ToolAnswer> };

export const createFakeTools = (): FakeTools => {
  const runs: ToolRecord[] = [];
  const gate = createGate();
  const behaviours: Readonly<Record<string, Behaviour>> = {
    /** Has an effect; must never run twice for one call. */
    effect: { run: async (input) => answer(`effect ${JSON.stringify(input)}`) },
    /** Reads only: may run again. */
    look: { safe: true, run: async (input) => answer(`looked ${JSON.stringify(input)}`) },
    /** Ignores its signal and never returns. */
    stuck: { timeoutMs: 3_600_000, run: () => new Promise<never>(() => {}) },
    /** Never returns by itself, but stops when told. */
    polite: { timeoutMs: 3_600_000, run: (_input, { signal }) => untilAborted(signal) },
    broken: { run: () => Promise.reject(new Error('it broke')) },
    /** Throws before it gives a promise. */
    rude: {
      run: () => {
        throw new Error('it threw');
      },
    },
    /** Has an effect and waits at the gate before it answers. */
    slow: {
      timeoutMs: 3_600_000,
      run: async (_input, run) => {
        run.progress([{ type: 'text', text: 'half way' }]);
        await gate.wait();
        return answer('slow and sure');
      },
    },
    /** Reads only, waits at the gate. */
    slowLook: {
      safe: true,
      timeoutMs: 3_600_000,
      run: async () => {
        await gate.wait();
        return answer('looked slowly');
      },
    },
    huge: { safe: true, run: async () => answer('😀'.repeat(150_000)) },
  };
  const toolOf = ([name, { safe, timeoutMs = 60_000, run }]: readonly [string, Behaviour]): Tool => ({
    spec: { name, description: `the fake tool ${name}`, inputSchema: { type: 'object' } },
    replaySafe: safe === true,
    readOnly: safe === true,
    timeoutMs,
    run: (input, ctx) => {
      runs.push({ name, turnId: ctx.turnId, callId: ctx.callId, input, aborted: () => ctx.signal.aborted });
      return run(input, ctx);
    },
  });
  return {
    tools: Object.entries(behaviours).map(toolOf),
    runs,
    gate,
    count: (name, turnId) => runs.filter((run) => run.name === name && (turnId === undefined || run.turnId === turnId)).length,
  };
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
