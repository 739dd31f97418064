/** Sums of usage: nothing unknown is counted as zero. */
import { describe, expect, it } from 'vitest';
import { turn } from '../testing/commands.ts';
import { sample } from '../testing/samples.ts';
import { addUsage, noUsage, sumUsage } from './usage.ts';

type ModelCall = Parameters<typeof addUsage>[1];
const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
const recorded = (more: Record<string, unknown>): ModelCall => {
  const event = sample('usage.recorded', turn('a')) as ModelCall;
  return { ...event, data: { ...event.data, usage, ...more } } as ModelCall;
};
const unreported = sample('model.completed') as ModelCall;
const sum = (...events: readonly ModelCall[]) => events.reduce(addUsage, noUsage);

describe('usage', () => {
  it('is summed in all and by model', () => {
    const cost = { amount: 0.1, currency: 'USD' };
    expect(sum(recorded({ cost }), recorded({ cost, model: 'other:m' }), recorded({ cost }))).toMatchObject({
      model_calls: 3,
      input_tokens: 9,
      output_tokens: 6,
      total_tokens: 15,
      estimated_cost: 0.3,
      currency: 'USD',
      cost_complete: true,
      unpriced_calls: 0,
      by_model: { 'demo:test': { model_calls: 2, estimated_cost: 0.2 }, 'other:m': { model_calls: 1 } },
    });
  });
  it('says what the newest reported call had in its context, which is no sum', () => {
    const both = sum(recorded({ usage: { input_tokens: 70, output_tokens: 30, total_tokens: 100 } }), recorded({}), unreported);
    expect(both.context_tokens).toBe(5);
    expect(sum(unreported).context_tokens).toBeUndefined();
    expect(sumUsage(both, both).context_tokens).toBeUndefined();
  });
  it('counts a call that the provider refused before it answered, and knows that it used nothing', () => {
    const unused = { ...unreported, data: { ...unreported.data, unused: true } } as ModelCall;
    expect(sum(unused)).toMatchObject({ model_calls: 1, cost_complete: true, unpriced_calls: 0, unreported_calls: 0 });
  });
  it('knows what a call cost that reported nothing where its model costs nothing; what it used stays unknown', () => {
    const free = { ...unreported, data: { ...unreported.data, cost: { amount: 0, currency: 'USD' } } } as ModelCall;
    const known = { model_calls: 1, estimated_cost: 0, currency: 'USD', cost_complete: true, unpriced_calls: 0, unreported_calls: 1 };
    expect(sum(free)).toMatchObject({ ...known, by_model: { 'demo:test': known } });
    expect(sum(free, unreported)).toMatchObject({ cost_complete: false, unpriced_calls: 1, unreported_calls: 2 });
  });
  it('takes calls without a price for calls without a report where both were counted as one', () => {
    const { unreported_calls: _, ...old } = { ...noUsage, model_calls: 2, unpriced_calls: 2, cost_complete: false };
    expect(addUsage(old, unreported)).toMatchObject({ unpriced_calls: 3, unreported_calls: 3 });
    expect(sumUsage(old, sum(unreported))).toMatchObject({ unpriced_calls: 3, unreported_calls: 3 });
  });
  it('says when a price is not known, and when a call reported nothing', () => {
    expect(sum(recorded({}))).toMatchObject({ cost_complete: false, unpriced_calls: 1, total_tokens: 5, currency: null });
    expect(sum(unreported)).toMatchObject({ model_calls: 1, cost_complete: false, unpriced_calls: 1, total_tokens: 0, unreported_calls: 1 });
    expect(sum(recorded({})).unreported_calls).toBe(0);
    expect(sum(unreported, recorded({ cost: { amount: 1, currency: 'EUR' } }))).toMatchObject({ cost_complete: false, unpriced_calls: 1, estimated_cost: 1 });
  });
});
