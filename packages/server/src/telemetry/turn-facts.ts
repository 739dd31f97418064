/** What ids and definitions say of a turn without anything being read. */
import { type AgentDefinition, namedTools } from '@turnkeeper/core/protocol/wire/agents';

/** A turn's id is a UUIDv7 (system-ids.ts): its first 48 bits are when it was accepted (Unix ms). Undefined for others. */
export const acceptedAt = (turnId: string): number | undefined => {
  const found = /^turn_([0-9a-f]{12})7[0-9a-f]{19}$/.exec(turnId)?.[1];
  return found === undefined ? undefined : Number.parseInt(found, 16);
};

export type ToolKind = 'builtin' | 'http' | 'application' | 'minitool' | 'mcp' | 'unknown';

/** Whose tool a call was of: what a definition does not name is of a mini-tool, of one of its MCP servers, or the model's invention. */
export const toolKindOf = (definition: AgentDefinition, name: string): ToolKind => {
  const type = namedTools(definition.tools).find((tool) => tool.name === name)?.type;
  switch (type) {
    case 'builtin':
    case 'http':
      return type;
    case 'function':
      return 'application';
    case undefined:
      if (definition.tools.some((tool) => tool.type === 'minitool' && name.startsWith(`${tool.id}_`))) return 'minitool';
      return definition.mcpServers?.length ? 'mcp' : 'unknown';
  }
};
