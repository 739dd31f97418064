/** What of an agent's definition could never work, or not safely, though it is well-formed. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AgentDefinition, ToolDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { Fault } from '@turnkeeper/core/protocol/wire-faults';
import { requestFaults } from './http/request-faults.ts';
import type { SchemaChecker } from './schema-checker.ts';

const faultsOfTool = async (tool: ToolDefinition, at: string, checker: SchemaChecker): Promise<readonly Fault[]> => {
  switch (tool.type) {
    case 'builtin':
    case 'minitool':
      return [];
    case 'function':
    case 'http': {
      const ofSchema = (await checker.schemaFaults(tool.inputSchema as JsonObject)).map((detail) => ({ pointer: `${at}/inputSchema`, detail }));
      const ofRequest = tool.type === 'http' ? requestFaults(tool.request) : [];
      return [...ofSchema, ...ofRequest.map(({ pointer, detail }) => ({ pointer: `${at}/request${pointer}`, detail }))];
    }
  }
};

/** By JSON pointer within the definition. */
export const definitionFaults = async ({ tools }: AgentDefinition, checker: SchemaChecker): Promise<readonly Fault[]> => {
  const faults: Fault[] = [];
  // One by one [Q6].
  for (const [index, tool] of tools.entries()) faults.push(...(await faultsOfTool(tool, `/tools/${index}`, checker)));
  return faults;
};
