/** Built-in tool: waits for something that happens outside. It is never run: what is sent with the signal is its result. */
import type { Tool } from '../ports/tool.ts';

export const createWaitForSignalTool = (): Tool => ({
  spec: {
    name: 'wait_for_signal',
    description: 'Waits until the signal of this name is sent from outside, and returns what was sent with it.',
    inputSchema: {
      type: 'object',
      properties: { signalName: { type: 'string', minLength: 1, maxLength: 200, description: 'The name by which the signal is known.' } },
      required: ['signalName'],
      additionalProperties: false,
    },
  },
  replaySafe: true,
  readOnly: true,
  timeoutMs: 5_000,
  inquiry: ({ signalName }) => ({ kind: 'signal', signalName: String(signalName) }),
  run: () => Promise.reject(new Error('A signal is sent from outside.')),
});
