/**
 * The tools of an agent by the names that its model is told, each with the terms that its definition gives.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { namedTools, type ToolDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { ToolExecutor } from '@turnkeeper/core/session/events';
import type { ToolSpec } from '../ports/model.ts';
import type { McpTool, Tool, ToolOwner, Tools, ToolTerms } from '../ports/tool.ts';
import { delegateEntry, delegateName } from './delegate-entry.ts';
import { searchName } from './search-entry.ts';

export type ToolEntry = {
  readonly terms: ToolTerms;
  readonly spec: ToolSpec;
  readonly executor: ToolExecutor;
  /** What runs it, or asks; undefined where its application does. */
  readonly tool: Tool | undefined;
  /** It is there for calls that were made, and the model is not told of it (TO3). */
  readonly hidden?: true;
};

const withTimeout = (tool: Tool, timeoutMs: number | undefined): Tool => (timeoutMs === undefined ? tool : { ...tool, timeoutMs });

const definedEntry = (definition: ToolDefinition, tools: Tools): ToolEntry | undefined => {
  switch (definition.type) {
    case 'function': {
      const { name, description } = definition;
      return { terms: definition, spec: { name, description, inputSchema: definition.inputSchema as JsonObject }, executor: 'application', tool: undefined };
    }
    case 'http': {
      const tool = tools.http(definition);
      return { terms: definition, spec: tool.spec, executor: 'server', tool };
    }
    case 'minitool':
      return undefined;
    case 'builtin': {
      if (definition.name === delegateName || definition.name === searchName) return undefined;
      const tool = tools.builtin(definition.name);
      if (!tool) return undefined;
      return { terms: definition, spec: tool.spec, executor: tool.inquiry ? 'person' : 'server', tool: withTimeout(tool, definition.timeoutMs) };
    }
  }
};

/**
 * `never` is not offered and not runnable, whoever gave the name. `more`: those of mini-tools; a name that the agent's own definition or
 * servers gave is not theirs. `own`: of the session itself, in place of whatever else has these names.
 */
export const toolEntries = (
  { definition }: ToolOwner,
  tools: Tools,
  mcp: readonly McpTool[],
  more: readonly ToolEntry[] = [],
  own: readonly ToolEntry[] = [],
): ReadonlyMap<string, ToolEntry> => {
  const entries = new Map<string, ToolEntry>();
  for (const defined of namedTools(definition.tools)) {
    const entry = defined.permission === 'never' ? undefined : definedEntry(defined, tools);
    if (entry) entries.set(defined.name, entry);
  }
  const delegate = delegateEntry(definition, tools);
  if (delegate) entries.set(delegateName, delegate);
  for (const { tool, terms } of mcp) {
    if (terms.permission !== 'never') entries.set(tool.spec.name, { terms, spec: tool.spec, executor: 'server', tool });
  }
  const taken = new Set(namedTools(definition.tools).map(({ name }) => name));
  for (const entry of more) {
    const { name } = entry.spec;
    if (!entries.has(name) && (name === searchName || !taken.has(name))) entries.set(name, entry);
  }
  for (const entry of own) entries.set(entry.spec.name, entry);
  return entries;
};
