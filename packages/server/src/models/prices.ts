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

/** What of the input came from the provider's cache and what went into it: together never more than there was. */
const cacheShares = ({ input_tokens, cached_input_tokens = 0, cache_creation_input_tokens = 0 }: TokenUsage) => {
  const read = Math.min(cached_input_tokens, input_tokens);
  return { read, written: Math.min(cache_creation_input_tokens, input_tokens - read) };
};

const byPrice = ({ input, output, cachedInput = input, cacheCreationInput = input, currency = 'USD' }: ModelPrice, usage: TokenUsage): Cost => {
  const { read, written } = cacheShares(usage);
  const plain = usage.input_tokens - read - written;
  const amount = (plain * input + read * cachedInput + written * cacheCreationInput + usage.output_tokens * output) / million;
  return { amount: rounded(amount), currency };
};

const byTable = (provider: string, model: string, usage: TokenUsage, at: number): Cost | undefined => {
  const { input_tokens, output_tokens } = usage;
  const { read, written } = cacheShares(usage);
  try {
    const counts = { input_tokens, output_tokens, cache_read_tokens: read, cache_write_tokens: written };
    const found = calcPrice(counts, model, { providerId: provider, timestamp: new Date(at) });
    if (found?.model_price.input_mtok === undefined || found.model_price.output_mtok === undefined) return undefined;
    return { amount: rounded(found.total_price), currency: 'USD' };
  } catch {
    // A table that cannot price these counts has no price for them.
    return undefined;
  }
};

/** Without a usage only what a model costs that costs nothing, whatever it uses. */
export type Pricing = (model: string, usage: TokenUsage | undefined, at: number) => Cost | undefined;

/** Some of all that is paid for. */
const someOfAll: TokenUsage = {
  input_tokens: 3 * million,
  output_tokens: million,
  total_tokens: 4 * million,
  cached_input_tokens: million,
  cache_creation_input_tokens: million,
};

/** `at` is Unix milliseconds: prices change over time and over the day. */
const priceOf =
  (prices: ModelsConfig['prices'] = {}) =>
  (name: string, usage: TokenUsage, at: number): Cost | undefined => {
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

export const createPricing = (prices?: ModelsConfig['prices']): Pricing => {
  const price = priceOf(prices);
  return (name, usage, at) => {
    if (usage) return price(name, usage, at);
    const cost = price(name, someOfAll, at);
    return cost?.amount === 0 ? cost : undefined;
  };
};
