/** How a model is told of those that it may delegate to. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { Tools, ToolTerms } from '../ports/tool.ts';
import type { ToolEntry } from './tool-entries.ts';

export const delegateName = 'delegate';

/** Offered where there is somebody to delegate to, unless its definition says `never`. */
export const delegateEntry = ({ subagents = [], tools: defined }: AgentDefinition, tools: Tools): ToolEntry | undefined => {
  const terms: ToolTerms = defined.find((tool) => tool.type === 'builtin' && tool.name === delegateName) ?? {};
  const tool = tools.builtin(delegateName);
  if (!tool || subagents.length === 0 || terms.permission === 'never') return undefined;
  const { description, inputSchema } = tool.spec;
  const properties = inputSchema['properties'] as JsonObject;
  const name = { ...(properties['name'] as JsonObject), enum: subagents.map((subagent) => subagent.name) };
  const whom = subagents.map((subagent) => `- ${subagent.name}: ${subagent.description}`).join('\n');
  return {
    terms,
    spec: { name: delegateName, description: `${description} There are:\n${whom}`, inputSchema: { ...inputSchema, properties: { ...properties, name } } },
    executor: 'session',
    tool: undefined,
  };
};
