/**
 * Built-in tool: looks for tools that the model is not told of by itself. What runs it is made for each session (the runner's
 * search-entry.ts): which tools it may find is the session's own.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Tool } from '../ports/tool.ts';

const inputSchema: JsonObject = {
  type: 'object',
  properties: { query: { type: 'string', minLength: 1, maxLength: 1_000, description: 'What the tool should do, in a few words.' } },
  required: ['query'],
  additionalProperties: false,
};

export const createSearchToolsTool = (): Tool => ({
  spec: {
    name: 'search_tools',
    description: 'Finds further tools by what they do. Those that are found can be called from your next step on.',
    inputSchema,
  },
  replaySafe: true,
  readOnly: true,
  timeoutMs: 30_000,
  run: () => Promise.reject(new Error('This session has no tools to be found.')),
});
