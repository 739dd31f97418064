/** Built-in tool: what time it is. */
import type { Clock } from '../ports/clock.ts';
import type { Tool } from '../ports/tool.ts';

export const createTimeTool = (clock: Clock): Tool => ({
  spec: {
    name: 'time',
    description: 'The current date and time in UTC (ISO 8601).',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
  replaySafe: true,
  readOnly: true,
  timeoutMs: 5_000,
  run: async () => ({ output: [{ type: 'text', text: new Date(clock.now()).toISOString() }], isError: false }),
});
