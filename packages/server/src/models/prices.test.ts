import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import { createModels } from './create-models.ts';
import { createPricing } from './prices.ts';

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

  it('counts that cannot be are not more cached than there is', () => {
    expect(createPricing()('openai:gpt-5-mini', { ...usage, cached_input_tokens: 9_000_000 }, at)?.amount).toBeCloseTo(2.025);
  });

  it('every model that is offered has a price', () => {
    const keys = { apiKey: 'k' };
    const models = createModels({ openai: keys, anthropic: keys, google: keys, demo: true }, { clock: systemClock });
    expect(models.list().filter((model) => models.price(model, usage, at) === undefined)).toEqual([]);
    expect(models.list().length).toBeGreaterThan(8);
  });
});
