/**
 * What a model call costs.
 *
 * The operator's own prices first, then the table that comes with @pydantic/genai-prices (never fetched: its
 * updates are opt-in and not used). A model of which not both prices are known is unpriced, never free by guess.
 */
import { calcPrice, type ModelPrice as TablePrice } from '@pydantic/genai-prices';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { ModelPrice } from '@turnkeeper/core/protocol/wire/prices';
import type { Cost, TokenUsage } from '@turnkeeper/core/session/events';
import type { FrozenPrice } from '../ports/model.ts';
import { type ModelsConfig, parseModelName } from './models-config.ts';

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

const inTable = (model: string, usage: TokenUsage, where: Parameters<typeof calcPrice>[2]): { readonly cost: Cost; readonly price: TablePrice } | undefined => {
  const { input_tokens, output_tokens } = usage;
  const { read, written } = cacheShares(usage);
  try {
    const counts = { input_tokens, output_tokens, cache_read_tokens: read, cache_write_tokens: written };
    const found = calcPrice(counts, model, where);
    if (found?.model_price['input_mtok'] === undefined || found.model_price['output_mtok'] === undefined) return undefined;
    return { cost: { amount: rounded(found.total_price), currency: 'USD' }, price: found.model_price };
  } catch {
    // A table that cannot price these counts has no price for them.
    return undefined;
  }
};

/** A provider whose one model has this price: the table's own way to reckon, with prices that do not change. */
const kept = (price: JsonObject) => {
  const models = [{ id: 'kept', match: { equals: 'kept' }, prices: price as TablePrice }];
  return { provider: { id: 'kept', name: 'kept', api_pattern: '', models } };
};

const byFrozen = (price: FrozenPrice, usage: TokenUsage): Cost | undefined =>
  'table' in price ? inTable('kept', usage, kept(price.table))?.cost : byPrice(price, usage);

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

/** Where the table is asked about a model, and under which name. */
const placeInTable = (name: string): { readonly provider: string; readonly model: string } | undefined => {
  const parsed = parseModelName(name);
  const provider = parsed && Object.hasOwn(tableNames, parsed.provider) ? tableNames[parsed.provider] : undefined;
  return provider === undefined ? undefined : { provider, model: parsed?.model ?? '' };
};

/** `at` is Unix milliseconds: prices change over time and over the day. */
export const createPriceInForce =
  (prices: ModelsConfig['prices'] = {}) =>
  (name: string, at: number): FrozenPrice | undefined => {
    const own = Object.hasOwn(prices, name) ? prices[name] : undefined;
    if (own !== undefined) return own ?? undefined;
    // The scripted models run in this process and cost nothing.
    if (parseModelName(name)?.provider === 'demo') return { input: 0, output: 0 };
    const place = placeInTable(name);
    const found = place && inTable(place.model, someOfAll, { providerId: place.provider, timestamp: new Date(at) });
    // As JSON: it is stored.
    return found && { table: JSON.parse(JSON.stringify(found.price)) as JsonObject };
  };

/** By one price, whenever it was in force. */
export const costBy = (price: FrozenPrice, usage: TokenUsage | undefined): Cost | undefined => {
  if (usage) return byFrozen(price, usage);
  const cost = byFrozen(price, someOfAll);
  return cost?.amount === 0 ? cost : undefined;
};

export const createPricing = (prices?: ModelsConfig['prices']): Pricing => {
  const inForce = createPriceInForce(prices);
  return (name, usage, at) => {
    const price = inForce(name, at);
    return price && costBy(price, usage);
  };
};
