import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { TokenUsage } from '@turnkeeper/core/session/events';

/** Token counts as reported; undefined when the provider did not say both input and output. Never zero by guess. */
export const translateUsage = ({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenUsage | undefined => {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return undefined;
  return {
    input_tokens: inputTokens.total,
    output_tokens: outputTokens.total,
    total_tokens: inputTokens.total + outputTokens.total,
    ...(inputTokens.cacheRead === undefined ? {} : { cached_input_tokens: inputTokens.cacheRead }),
    ...(outputTokens.reasoning === undefined ? {} : { reasoning_tokens: outputTokens.reasoning }),
  };
};
