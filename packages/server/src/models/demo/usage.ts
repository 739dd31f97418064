import type { TokenUsage } from '@turnkeeper/core/session/events';
import type { ModelRequest } from '../../ports/model.ts';

/** About four UTF-8 bytes a token, as with real models. */
const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

export const usageOf = (input: number, output: number): TokenUsage => ({ input_tokens: input, output_tokens: output, total_tokens: input + output });

export const inputTokens = ({ system, messages, tools }: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): number =>
  tokensIn(system) + tokensIn(JSON.stringify(messages)) + (tools.length === 0 ? 0 : tokensIn(JSON.stringify(tools)));

/** What a real model might have reported; the same for the same request and answer. */
export const estimateUsage = (request: ModelRequest, said: string): TokenUsage => usageOf(inputTokens(request), tokensIn(said));
