/**
 * What of a context another session may begin with.
 *
 * FK3 Nothing in it points out of the fork: a file of the other session is named, not referred to. Each message stays one.
 */
import type { InputBlock } from '@turnkeeper/core/protocol/content';
import { closedPrompt, type PromptMessage } from '@turnkeeper/core/session/context';

const withoutFile = (block: InputBlock): InputBlock =>
  block.type === 'file' ? { type: 'text', text: '[A file stood here. It is not part of this session.]' } : block;

/** By value, so that it does not rest on the session that it comes from. */
export const forkedContext = (prompt: readonly PromptMessage[]): readonly PromptMessage[] =>
  closedPrompt(prompt, 'left').map((message) => (message.role === 'user' ? { ...message, content: message.content.map(withoutFile) } : message));
