/** Sums of usage: nothing unknown is counted as zero. */
import { describe, expect, it } from 'vitest';
import { turn } from '../testing/commands.ts';
import { sample } from '../testing/samples.ts';
import { addUsage, noUsage } from './usage.ts';

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
  it('says when a price is not known, and when a call reported nothing', () => {
    expect(sum(recorded({}))).toMatchObject({ cost_complete: false, unpriced_calls: 1, total_tokens: 5, currency: null });
    expect(sum(unreported)).toMatchObject({ model_calls: 1, cost_complete: false, unpriced_calls: 1, total_tokens: 0 });
    expect(sum(unreported, recorded({ cost: { amount: 1, currency: 'EUR' } }))).toMatchObject({ cost_complete: false, unpriced_calls: 1, estimated_cost: 1 });
  });
});
