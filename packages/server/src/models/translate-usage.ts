import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { TokenUsage } from '@turnkeeper/core/session/events';

/** No model has counted further in one call; more is nonsense, and sums of it would be too. */
const mostTokens = 1_000_000_000_000;

const isCount = (value: number | undefined): value is number => value !== undefined && Number.isInteger(value) && value >= 0 && value <= mostTokens;

/** The AI SDK takes a count that is null (NaN, as JSON writes it) for zero. */
const saysNull = (raw: LanguageModelV4Usage['raw']): boolean =>
  ['prompt_tokens', 'completion_tokens', 'input_tokens', 'output_tokens'].some((name) => raw?.[name] === null);

/** Token counts as reported; undefined when the provider did not say both input and output, or said nonsense. Never zero by guess. */
export const translateUsage = ({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): TokenUsage | undefined => {
  if (saysNull(raw) || !isCount(inputTokens.total) || !isCount(outputTokens.total)) return undefined;
  return {
    input_tokens: inputTokens.total,
    output_tokens: outputTokens.total,
    total_tokens: inputTokens.total + outputTokens.total,
    ...(isCount(inputTokens.cacheRead) ? { cached_input_tokens: inputTokens.cacheRead } : {}),
    ...(isCount(inputTokens.cacheWrite) ? { cache_creation_input_tokens: inputTokens.cacheWrite } : {}),
    ...(isCount(outputTokens.reasoning) ? { reasoning_tokens: outputTokens.reasoning } : {}),
  };
};

/** The last chunk of a chat completion, which says only what was used: it comes when the answer is complete. */
export const isUsageReport = (chunk: unknown): boolean => {
  const { choices, usage } = (typeof chunk === 'object' && chunk !== null ? chunk : {}) as Readonly<Record<string, unknown>>;
  return Array.isArray(choices) && choices.length === 0 && typeof usage === 'object' && usage !== null;
};
