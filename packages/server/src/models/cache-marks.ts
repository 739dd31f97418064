/**
 * Where a provider that caches only what it is told to is told so.
 *
 * A mark asks for all that stands before it and at it, tools first, then the system prompt, then the messages; what was cached is
 * found again at the mark itself, or a few blocks before one.
 *
 * PC1 At most three marks: what all calls of an agent begin with; the end of the prompt before this one, which is found there however
 *     much one step has added; and the end of this one. Marks move from call to call and change nothing that is said.
 */
import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Adapter } from './adapter.ts';

type Mark = NonNullable<Adapter['cacheMark']>;

/** What the model was shown last ended before what it answered then. */
const marked = (prompt: LanguageModelV4Prompt): ReadonlySet<number> => {
  const answer = prompt.findLastIndex(({ role }) => role === 'assistant');
  return new Set([prompt[0]?.role === 'system' ? 0 : -1, answer - 1, prompt.length - 1]);
};

export const markPrompt = (prompt: LanguageModelV4Prompt, mark: Mark): LanguageModelV4Prompt => {
  const at = marked(prompt);
  return prompt.map((message, index): LanguageModelV4Message => (at.has(index) ? { ...message, providerOptions: mark } : message));
};

/** The last of the tools, where no system prompt stands behind them. */
export const markTools = (tools: readonly LanguageModelV4FunctionTool[], prompt: LanguageModelV4Prompt, mark: Mark): LanguageModelV4FunctionTool[] =>
  tools.map((tool, index) => (index === tools.length - 1 && prompt[0]?.role !== 'system' ? { ...tool, providerOptions: mark } : tool));
