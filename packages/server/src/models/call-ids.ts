import { createHash } from 'node:crypto';
import type { PromptMessage } from '@turnkeeper/core/session/context';

export type CallIds = (given: string) => string;

/**
 * Gives out the id of a tool call: the provider's, unless it is empty or already in the prompt or this answer, as
 * with local servers that number the calls of each answer from zero. Tool calls are keyed by (turn, id), so such an
 * id would take the result of an earlier call. The replacement is deterministic.
 */
export const createCallIds = (messages: readonly PromptMessage[]): CallIds => {
  const used = new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])) : [])),
  );
  return (given) => {
    let id = given;
    for (let n = used.size; id === '' || used.has(id); n += 1) {
      id = `call_${createHash('sha256').update(`${given}/${n}`).digest('hex').slice(0, 20)}`;
    }
    used.add(id);
    return id;
  };
};
