/**
 * The tools of an agent, as its model is told of them and as its calls are treated.
 *
 * Owns: what a tool request of the model becomes: who runs it, what is refused. Whether people are asked first is
 * `tool-permission.ts`.
 *
 * Arguments that a model wrote are held to what may come in from anywhere (core F2), and to the tool's own schema (L6): a
 * tool never sees others. What is wrong with them is the call's result, so that the model can try again.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { type Fault, wireFaults } from '@turnkeeper/core/protocol/wire-faults';
import type { RequestedCall } from '@turnkeeper/core/session/commands';
import type { PermissionMode } from '@turnkeeper/core/session/events';
import type { Inquiry } from '@turnkeeper/core/session/inquiry';
import { maxCallsPerStep } from '@turnkeeper/core/session/state';
import type { ToolSpec } from '../ports/model.ts';
import type { McpTool, Tool, ToolOwner, Tools } from '../ports/tool.ts';
import type { FormTerms } from './call-forms.ts';
import { uniqueCallId } from './call-ids.ts';
import { type ToolEntry, toolEntries } from './tool-entries.ts';
import { answeringOf, asksEachTime, asksFirst, mayRepeat, noteOf } from './tool-permission.ts';

/** A whole tool call as the model wrote it. */
export type WrittenCall = { readonly id: string; readonly name: string; readonly arguments: string };

/** A call whose arguments were looked at: they fit, or `refusal` says why they do not. */
export type CheckedCall = { readonly id: string; readonly name: string; readonly input: JsonObject; readonly refusal?: string };

export type ToolSet = {
  readonly specs: readonly ToolSpec[];
  /** What stands behind the agent's system prompt because of these tools (TO7). */
  readonly prompt: string;
  /** What runs the calls of this name; also of calls that were recorded before a restart. */
  readonly tool: (name: string) => Tool | undefined;
  /** Who is asked what a call of this name asks while it runs. */
  readonly formTerms: (name: string, at: number) => FormTerms;
  /** Reads the arguments of a step's calls and holds them to their tools' schemas. Never rejects. */
  readonly check: (calls: readonly WrittenCall[]) => Promise<readonly CheckedCall[]>;
  /** What the calls of a turn's n-th model call become, at time `at` (Unix ms). `mode`: the session's, where one was set. */
  readonly requests: (
    calls: readonly CheckedCall[],
    when: { readonly n: number; readonly at: number; readonly mode?: PermissionMode | undefined },
  ) => readonly RequestedCall[];
};

/**
 * `mcp`: the tools of the agent's MCP servers; `place`: whose roles an approver may have (app/role-place.ts); `more`: the tools of
 * mini-tools; `own`: those that the session has by itself; `prompt`: what these and those say to the model.
 */
export const createToolSet = (
  agent: ToolOwner,
  tools: Tools,
  mcp: readonly McpTool[],
  place = '',
  {
    entries: more = [],
    own = [],
    prompt = '',
  }: { readonly entries?: readonly ToolEntry[]; readonly own?: readonly ToolEntry[]; readonly prompt?: string } = {},
): ToolSet => {
  const all = toolEntries(agent, tools, mcp, more, own);
  const entries = new Map([...all].filter(([, { hidden }]) => hidden !== true));
  const { permissionMode } = agent.definition;
  return {
    specs: [...entries.values()].map((entry) => entry.spec),
    prompt,
    tool: (name) => all.get(name)?.tool,
    formTerms: (name, at) => {
      const entry = all.get(name);
      const note = entry && noteOf(entry);
      return { ...answeringOf(entry?.terms, at, place), ...(note ? { note } : {}) };
    },
    check: async (calls) => {
      const checked: CheckedCall[] = [];
      for (const [index, call] of calls.entries()) {
        const { id, name } = call;
        const read = readInput(call);
        const refusal = read.refusal ?? (await refusalOf(entries.get(name), { name, index, input: read.input }, tools));
        checked.push({ id, name, input: read.input, ...(refusal === undefined ? {} : { refusal }) });
      }
      return checked;
    },
    requests: (calls, { n, at, mode = permissionMode }) => {
      const used = new Set<string>();
      return calls.map((call) => requestOf(entries.get(call.name), { ...call, id: uniqueCallId(call.id, n, used) }, { at, mode, place }));
    },
  };
};

/** The arguments as they can be kept. */
const readInput = (call: WrittenCall): { readonly input: JsonObject; readonly refusal?: string } => {
  const parsed = parseArguments(call.arguments);
  if (parsed === undefined) return { input: {}, refusal: 'The arguments are not a JSON object. Call the tool again with valid JSON.' };
  const unfit = wireFaults(parsed)[0];
  // What cannot be kept is not told either: the request says what was wrong with it instead.
  return unfit ? { input: {}, refusal: `The arguments cannot be used: ${faultText(unfit)}. Call the tool again without that.` } : { input: parsed };
};

type Readable = { readonly name: string; readonly index: number; readonly input: JsonObject };

/** Why the call is not made, though its arguments could be read. */
const refusalOf = async (entry: ToolEntry | undefined, { name, index, input }: Readable, tools: Tools): Promise<string | undefined> => {
  if (!entry) return noTool(name);
  if (index >= maxCallsPerStep) return `Not run: at most ${maxCallsPerStep} tool calls are made in one step.`;
  const faults = await tools.inputFaults(entry.spec.inputSchema, input);
  return faults.length === 0 ? undefined : `${inputRefusal(faults)} Call the tool again with arguments that fit.`;
};

const noTool = (name: string): string => `There is no tool "${name}".`;

type Situation = { readonly at: number; readonly mode: AgentDefinition['permissionMode']; readonly place: string };

const requestOf = (entry: ToolEntry | undefined, { id, name, input, refusal }: CheckedCall, { at, mode, place }: Situation): RequestedCall => {
  const base = { id, name, input, executor: 'server', replaySafe: true, asks: false, approver: 'owner' } as const;
  if (!entry) return { ...base, refusal: noTool(name) };
  if (refusal !== undefined) return { ...base, refusal };
  const asked = askedBy(entry, input);
  if (typeof asked === 'string') return { ...base, refusal: asked };
  return {
    ...base,
    executor: entry.executor,
    replaySafe: mayRepeat(entry),
    asks: asksFirst(entry, mode),
    ...(asksEachTime(entry) ? { alwaysAsks: true } : {}),
    ...notedOf(entry),
    ...(asked ? { inquiry: asked } : {}),
    ...answeringOf(entry.terms, at, place),
  };
};

const notedOf = (entry: ToolEntry): Pick<RequestedCall, 'note'> => {
  const note = noteOf(entry);
  return note ? { note } : {};
};

/** Says what a tool's schema refuses of its arguments. */
export const inputRefusal = (faults: readonly Fault[]): string => `The arguments do not fit the tool's schema: ${faults.map(faultText).join('; ')}.`;

const faultText = ({ pointer, detail }: Fault): string => `${pointer || 'the object'}: ${detail}`;

/** What people are asked by the call, or what is wrong with it. */
const askedBy = ({ tool, terms }: ToolEntry, input: JsonObject): Inquiry | string | undefined => {
  try {
    return tool?.inquiry?.(input, terms);
  } catch (error) {
    return error instanceof Error ? error.message : 'Nothing can be asked by these arguments.';
  }
};

const parseArguments = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
};
