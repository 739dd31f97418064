/**
 * Built-in tool: delegates to another agent. It is never run here: a child session works on it, and its outcome is the result.
 * What the model is told names those that this agent may delegate to.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Tool } from '../ports/tool.ts';

/** Characters of a delegated message: those of any message. */
const mostCharacters = 100_000;

const inputSchema: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 64, description: 'Whom to delegate to.' },
    message: { type: 'string', minLength: 1, maxLength: mostCharacters, description: 'The whole task: nothing else of this conversation is seen there.' },
    background: { type: 'boolean', description: 'Go on at once, and be told the result later.' },
  },
  required: ['name', 'message'],
  additionalProperties: false,
};

export const createDelegateTool = (): Tool => ({
  spec: { name: 'delegate', description: 'Delegates a task to another agent and waits for its result.', inputSchema },
  replaySafe: true,
  readOnly: true,
  timeoutMs: 5_000,
  run: () => Promise.reject(new Error('Nobody is delegated to by running this tool.')),
});
