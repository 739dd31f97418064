/** Usage as a sum: each model call counts once; what has no report or price is said, never counted as zero. */
import type { LoggedEvent } from '../session/events.ts';

export type UsageSums = {
  readonly model_calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly estimated_cost: number;
  readonly currency: string | null;
  readonly cost_complete: boolean;
  readonly unpriced_calls: number;
};
export type UsageBody = UsageSums & { readonly by_model: { readonly [model: string]: UsageSums } };

export const noSums: UsageSums = {
  model_calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  estimated_cost: 0,
  currency: null,
  cost_complete: true,
  unpriced_calls: 0,
};
export const noUsage: UsageBody = { ...noSums, by_model: {} };

type ModelCallEvent = Extract<LoggedEvent, { type: 'usage.recorded' | 'model.completed' }>;

/** A millionth of a unit is enough, and keeps sums of many small prices free of float dust. */
const money = (amount: number): number => Math.round(amount * 1e9) / 1e9;

const addCall = (sums: UsageSums, event: ModelCallEvent): UsageSums => {
  if (event.type === 'model.completed') {
    return { ...sums, model_calls: sums.model_calls + 1, cost_complete: false, unpriced_calls: sums.unpriced_calls + 1 };
  }
  const { usage, cost } = event.data;
  return {
    model_calls: sums.model_calls + 1,
    input_tokens: sums.input_tokens + usage.input_tokens,
    output_tokens: sums.output_tokens + usage.output_tokens,
    total_tokens: sums.total_tokens + usage.total_tokens,
    estimated_cost: money(sums.estimated_cost + (cost?.amount ?? 0)),
    currency: cost?.currency ?? sums.currency,
    cost_complete: sums.cost_complete && cost !== undefined,
    unpriced_calls: sums.unpriced_calls + (cost === undefined ? 1 : 0),
  };
};

export const addUsage = (body: UsageBody, event: ModelCallEvent): UsageBody => {
  const { by_model, ...sums } = body;
  const { model } = event.data;
  return { ...addCall(sums, event), by_model: { ...by_model, [model]: addCall(by_model[model] ?? noSums, event) } };
};
