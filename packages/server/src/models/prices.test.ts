import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import { createModels } from './create-models.ts';
import { costBy, createPriceInForce, createPricing } from './prices.ts';

const usage = { input_tokens: 1_000_000, output_tokens: 1_000_000, total_tokens: 2_000_000 };
const at = Date.parse('2026-11-29T12:00:00Z');

afterEach(() => vi.restoreAllMocks());

describe('prices', () => {
  it('come from the built-in table, cached input at its own price, and never from the network', () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const price = createPricing();
    expect(price('openai:gpt-5-mini', usage, at)).toEqual({ amount: 2.25, currency: 'USD' });
    expect(price('openai:gpt-5-mini', { ...usage, cached_input_tokens: 500_000 }, at)?.amount).toBe(2.1375);
    expect(price('anthropic:claude-haiku-4-5', usage, at)?.amount).toBe(6);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('an unknown model is unpriced, never free; so is a known one at another provider', () => {
    const price = createPricing();
    for (const model of ['openai:nope', 'local:gpt-5-mini', 'openai-compatible:gpt-5-mini', 'gpt-5-mini', 'constructor:x', 'openai:'])
      expect(price(model, usage, at)).toBeUndefined();
  });

  it('the operator has the last word', () => {
    const price = createPricing({ 'local:qwen': { input: 1, output: 2, cachedInput: 0.5, currency: 'EUR' }, 'openai:gpt-5-mini': null });
    expect(price('local:qwen', { ...usage, cached_input_tokens: 400_000 }, at)).toEqual({ amount: 2.8, currency: 'EUR' });
    expect(price('openai:gpt-5-mini', usage, at)).toBeUndefined();
    expect(price('demo:welcome', usage, at)).toEqual({ amount: 0, currency: 'USD' });
  });

  it('what goes into the cache has its own price, in the table as with the operator', () => {
    const written = { ...usage, cached_input_tokens: 600_000, cache_creation_input_tokens: 200_000 };
    expect(createPricing()('anthropic:claude-haiku-4-5', written, at)?.amount).toBeCloseTo(0.2 + 0.06 + 0.25 + 5);
    const own = { input: 1, output: 5, cachedInput: 0.1 };
    expect(createPricing({ 'a:b': { ...own, cacheCreationInput: 1.25 } })('a:b', written, at)?.amount).toBeCloseTo(5.51);
    expect(createPricing({ 'a:b': own })('a:b', written, at)?.amount).toBeCloseTo(5.46);
    expect(createPricing()('anthropic:claude-haiku-4-5', { ...written, cache_creation_input_tokens: 9_000_000 }, at)?.amount).toBeCloseTo(0.06 + 0.5 + 5);
  });

  it('counts that cannot be are not more cached than there is', () => {
    expect(createPricing()('openai:gpt-5-mini', { ...usage, cached_input_tokens: 9_000_000 }, at)?.amount).toBeCloseTo(2.025);
  });

  it('without a usage only what costs nothing is known: no member of its price is paid for', () => {
    const price = createPricing({
      'a:free': { input: 0, output: 0, currency: 'EUR' },
      'a:cached': { input: 0, output: 0, cachedInput: 1 },
      'a:out': { input: 0, output: 1 },
    });
    expect([price('demo:welcome', undefined, at), price('a:free', undefined, at)]).toEqual([
      { amount: 0, currency: 'USD' },
      { amount: 0, currency: 'EUR' },
    ]);
    for (const model of ['a:cached', 'a:out', 'openai:gpt-5-mini', 'openai:nope']) expect(price(model, undefined, at)).toBeUndefined();
  });

  it('every model that is offered has a price', () => {
    const keys = { apiKey: 'k' };
    const models = createModels({ openai: keys, anthropic: keys, google: keys, demo: true }, { clock: systemClock });
    expect(models.list().filter((model) => models.price(model, usage, at) === undefined)).toEqual([]);
    expect(models.list().length).toBeGreaterThan(8);
  });
});

describe('a price that is kept', () => {
  const kept = (model: string, prices: Parameters<typeof createPriceInForce>[0] = {}) => {
    const price = createPriceInForce(prices)(model, at);
    return price && (JSON.parse(JSON.stringify(price)) as typeof price);
  };

  it('reckons as the one that was in force, tiers and cache included', () => {
    const counts = [1_000, 150_000, 400_000].flatMap((input) =>
      [0, input / 2].map((cached) => ({ input_tokens: input, output_tokens: 5_000, total_tokens: input + 5_000, cached_input_tokens: cached })),
    );
    for (const model of ['openai:gpt-5-mini', 'anthropic:claude-sonnet-4-5', 'google:gemini-2.5-pro', 'demo:welcome']) {
      const price = kept(model);
      expect(price, model).toBeDefined();
      for (const count of counts) expect(price && costBy(price, count), model).toEqual(createPricing()(model, count, at));
    }
  });

  it('is the operator’s own where there is one, and none where none is known', () => {
    const own = { input: 1, output: 2, currency: 'EUR' };
    expect(kept('openai:gpt-5-mini', { 'openai:gpt-5-mini': own })).toEqual(own);
    expect(kept('openai:gpt-5-mini', { 'openai:gpt-5-mini': null })).toBeUndefined();
    for (const model of ['openai:nope', 'local:qwen', 'constructor:x', 'nonsense']) expect(kept(model)).toBeUndefined();
  });

  it('is known without a usage only where nothing of it is paid for', () => {
    expect(costBy({ input: 0, output: 0 }, undefined)).toEqual({ amount: 0, currency: 'USD' });
    expect(costBy({ input: 0, output: 0, cachedInput: 1 }, undefined)).toBeUndefined();
    expect(costBy(kept('openai:gpt-5-mini') ?? { input: 0, output: 0 }, undefined)).toBeUndefined();
  });
});
