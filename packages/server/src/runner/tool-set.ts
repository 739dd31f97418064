/**
 * The tools of an agent, as its model is told of them and as its calls are treated.
 *
 * Owns: what a tool request of the model becomes: who runs it, whether a person is asked first, what is refused.
 * Rules: semantics, section 6 ("Tool permission").
 *
 * Arguments that a model wrote are held to what may come in from anywhere (core F2): a tool never sees others.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AgentDefinition, ToolDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { wireFaults } from '@turnkeeper/core/protocol/wire-faults';
import type { RequestedCall } from '@turnkeeper/core/session/commands';
import { maxCallsPerStep } from '@turnkeeper/core/session/state';
import type { ToolSpec } from '../ports/model.ts';
import type { Tool, Tools } from '../ports/tool.ts';

/** A whole tool call as the model wrote it. */
export type WrittenCall = { readonly id: string; readonly name: string; readonly arguments: string };

/** Who may answer an action, and when it expires. */
type Answering = Pick<RequestedCall, 'approver' | 'expiresAt'>;

export type ToolSet = {
  readonly specs: readonly ToolSpec[];
  readonly tool: (name: string) => Tool | undefined;
  /** Who answers a call that its application executes, and until when (Unix ms). */
  readonly answering: (name: string, at: number) => Answering;
  /** What the calls of a turn's n-th step become, at time `at` (Unix ms). */
  readonly requests: (calls: readonly WrittenCall[], when: { readonly step: number; readonly at: number }) => readonly RequestedCall[];
};

type Entry = { readonly definition: ToolDefinition; readonly spec: ToolSpec; readonly tool: Tool | undefined };

export const createToolSet = (definition: AgentDefinition, tools: Tools): ToolSet => {
  const entries = new Map<string, Entry>();
  for (const entry of definition.tools) {
    if (entry.permission === 'never') continue;
    if (entry.type === 'function') {
      entries.set(entry.name, {
        definition: entry,
        spec: { name: entry.name, description: entry.description, inputSchema: entry.inputSchema as JsonObject },
        tool: undefined,
      });
      continue;
    }
    const tool = tools.builtin(entry.name);
    if (tool)
      entries.set(entry.name, { definition: entry, spec: tool.spec, tool: entry.timeoutMs === undefined ? tool : { ...tool, timeoutMs: entry.timeoutMs } });
  }
  return {
    specs: [...entries.values()].map((entry) => entry.spec),
    tool: (name) => entries.get(name)?.tool,
    answering: (name, at) => answeringOf(entries.get(name)?.definition, at),
    requests: (calls, { step, at }) => {
      const used = new Set<string>();
      return calls.map((call, index) =>
        requestOf(entries.get(call.name), { ...call, id: uniqueId(call.id, step, used) }, { index, at, mode: definition.permissionMode }),
      );
    },
  };
};

/** The last moment of a `Date`. Definitions of before there was a bound may name later ones, which no store could read back. */
const latest = 8.64e15;

/** By the tool's definition; the owner, without an end, where it says nothing. */
const answeringOf = (definition: ToolDefinition | undefined, at: number): Answering => ({
  approver: definition?.approver ?? 'owner',
  ...(definition?.expiresSeconds === undefined ? {} : { expiresAt: Math.min(at + definition.expiresSeconds * 1_000, latest) }),
});

/** Ids at least this long are taken to be random, as those of the large providers are. */
const randomIdLength = 16;
/** Longer ones are cut: the state counts on short ids. */
const longestId = 80;

/**
 * A tool call is known by its turn and its id, but some models count their calls from 0 in every answer: such an id
 * gets its step's number, a repeated one a suffix.
 */
const uniqueId = (id: string, step: number, used: Set<string>): string => {
  const base = id.length >= randomIdLength ? id.slice(0, longestId) : `${id === '' ? 'call' : id}_${step}`;
  let unique = base;
  for (let n = 2; used.has(unique); n += 1) unique = `${base}_${n}`;
  used.add(unique);
  return unique;
};

type Situation = { readonly index: number; readonly at: number; readonly mode: AgentDefinition['permissionMode'] };

const requestOf = (entry: Entry | undefined, call: WrittenCall, { index, at, mode }: Situation): RequestedCall => {
  const parsed = parseArguments(call.arguments);
  const unfit = wireFaults(parsed)[0];
  // What cannot be kept is not told either: the request says what was wrong with it instead.
  const input = unfit ? {} : parsed;
  const base = { id: call.id, name: call.name, input: input ?? {}, executor: 'server', replaySafe: true, asks: false, approver: 'owner' } as const;
  if (!entry) return { ...base, refusal: `There is no tool "${call.name}".` };
  if (input === undefined) return { ...base, refusal: 'The arguments are not a JSON object. Call the tool again with valid JSON.' };
  if (unfit) return { ...base, refusal: `The arguments cannot be used: ${unfit.pointer || 'the object'}: ${unfit.detail}. Call the tool again without that.` };
  if (index >= maxCallsPerStep) return { ...base, refusal: `Not run: at most ${maxCallsPerStep} tool calls are made in one step.` };
  const { definition, tool } = entry;
  return {
    ...base,
    executor: tool ? 'server' : 'application',
    replaySafe: definition.readOnly === true || definition.idempotent === true || tool?.replaySafe === true,
    asks: asks(entry, mode),
    ...answeringOf(definition, at),
  };
};

const asks = ({ definition, tool }: Entry, mode: AgentDefinition['permissionMode']): boolean => {
  if (definition.permission === 'always_ask') return true;
  if (definition.permission === 'always_allow') return false;
  if (definition.destructive === true) return true;
  // The application that executes a function tool is asked by that alone.
  if (definition.type === 'function') return false;
  return mode === 'ask' && definition.readOnly !== true && tool?.readOnly !== true;
};

const parseArguments = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
};
