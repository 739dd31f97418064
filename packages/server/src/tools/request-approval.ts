/**
 * Built-in tool: waits until whoever the definition names approves, or rejects. It is never run.
 *
 * RA1 Who approves, and the question, are the definition's: nothing that a model writes decides whom it is asked, and what it
 *     writes stands below the question, never in its place.
 */
import type { Tool } from '../ports/tool.ts';

const plainPrompt = 'The agent asks for approval.';

export const createRequestApprovalTool = (): Tool => ({
  spec: {
    name: 'request_approval',
    description: 'Asks the person in charge to approve what you are about to do, and waits for the decision. Go on only when it is approved.',
    inputSchema: {
      type: 'object',
      properties: { details: { type: 'string', maxLength: 10_000, description: 'What is to be approved, and all that is needed to decide.' } },
      additionalProperties: false,
    },
  },
  replaySafe: true,
  readOnly: true,
  timeoutMs: 5_000,
  inquiry: ({ details }, { prompt = plainPrompt }) => ({
    kind: 'approval',
    prompt: typeof details === 'string' && details.trim() !== '' ? `${prompt}\n\n${details}` : prompt,
  }),
  run: () => Promise.reject(new Error('Nothing is approved by running this tool.')),
});
