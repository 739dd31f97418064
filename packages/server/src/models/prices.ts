/**
 * What a model call costs.
 *
 * The operator's own prices first, then the table that comes with @pydantic/genai-prices (never fetched: its
 * updates are opt-in and not used). A model of which not both prices are known is unpriced, never free by guess.
 */
import { calcPrice } from '@pydantic/genai-prices';
import type { Cost, TokenUsage } from '@turnkeeper/core/session/events';
import { type ModelPrice, type ModelsConfig, parseModelName } from './models-config.ts';

/** Only where the name of the provider says whose price holds; the same model elsewhere may cost anything. */
const tableNames: Readonly<Record<string, string>> = { openai: 'openai', anthropic: 'anthropic', google: 'google' };

const million = 1_000_000;

/** Floating-point noise below a ten-billionth is not money. */
const rounded = (amount: number): number => Number(amount.toFixed(10));

const byPrice = ({ input, output, cachedInput = input, currency = 'USD' }: ModelPrice, usage: TokenUsage): Cost => {
  const cached = Math.min(usage.cached_input_tokens ?? 0, usage.input_tokens);
  const amount = ((usage.input_tokens - cached) * input + cached * cachedInput + usage.output_tokens * output) / million;
  return { amount: rounded(amount), currency };
};

const byTable = (provider: string, model: string, usage: TokenUsage, at: number): Cost | undefined => {
  const cached = Math.min(usage.cached_input_tokens ?? 0, usage.input_tokens);
  try {
    const found = calcPrice({ input_tokens: usage.input_tokens, output_tokens: usage.output_tokens, cache_read_tokens: cached }, model, {
      providerId: provider,
      timestamp: new Date(at),
    });
    if (found?.model_price.input_mtok === undefined || found.model_price.output_mtok === undefined) return undefined;
    return { amount: rounded(found.total_price), currency: 'USD' };
  } catch {
    // A table that cannot price these counts has no price for them.
    return undefined;
  }
};

export type Pricing = (model: string, usage: TokenUsage, at: number) => Cost | undefined;

/** `at` is Unix milliseconds: prices change over time and over the day. */
export const createPricing =
  (prices: ModelsConfig['prices'] = {}): Pricing =>
  (name, usage, at) => {
    const own = Object.hasOwn(prices, name) ? prices[name] : undefined;
    if (own === null) return undefined;
    if (own !== undefined) return byPrice(own, usage);
    const parsed = parseModelName(name);
    if (parsed === undefined) return undefined;
    // The scripted models run in this process and cost nothing.
    if (parsed.provider === 'demo') return { amount: 0, currency: 'USD' };
    const table = Object.hasOwn(tableNames, parsed.provider) ? tableNames[parsed.provider] : undefined;
    return table === undefined ? undefined : byTable(table, parsed.model, usage, at);
  };
