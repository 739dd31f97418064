/** What the scripted models look at in a prompt. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '@turnkeeper/core/protocol/json';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { PromptMessage, ToolResult } from '@turnkeeper/core/session/context';
import type { ModelRequest } from '../../ports/model.ts';

type UserPrompt = Extract<PromptMessage, { role: 'user' }>;

const lastUserMessage = ({ messages }: Pick<ModelRequest, 'messages'>): UserPrompt | undefined => messages.findLast((message) => message.role === 'user');

export const lastUserText = (request: Pick<ModelRequest, 'messages'>): string => textOf(lastUserMessage(request)?.content ?? []);

/** The results that the model is asked to go on from; empty when the last word is the user's. */
export const freshResults = ({ messages }: Pick<ModelRequest, 'messages'>): readonly ToolResult[] => {
  const last = messages.at(-1);
  return last?.role === 'tool' ? last.results : [];
};

export const resultText = (result: ToolResult): string =>
  result.output
    .map((block) => (block.type === 'text' ? block.text : block.type === 'data' ? JSON.stringify(block.data) : `[${block.type}]`))
    .join(' ')
    .trim();

/** Same prompt, same hash: what makes ids and counters of the scripted models repeatable. */
export const promptHash = ({ model, system, messages }: Pick<ModelRequest, 'model' | 'system' | 'messages'>): string =>
  createHash('sha256').update(canonicalJson({ model, system, messages })).digest('hex').slice(0, 16);
