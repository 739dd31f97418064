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
  /** Calls that may have used tokens which nobody reported. Absent from what was counted before there were budgets. */
  readonly unreported_calls?: number;
};
export type UsageBody = UsageSums & {
  /** What the newest call that was reported had in its context, with its answer. Not a sum: absent where several sessions are summed. */
  readonly context_tokens?: number;
  readonly by_model: { readonly [model: string]: UsageSums };
};

export const noSums: UsageSums = {
  model_calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  estimated_cost: 0,
  currency: null,
  cost_complete: true,
  unpriced_calls: 0,
  unreported_calls: 0,
};
export const noUsage: UsageBody = { ...noSums, by_model: {} };

/** Of what was counted before there were budgets, each call without a price may be one without a report. They stand in `unpriced_calls`, too, but for those of models that cost nothing. */
export const unreportedCalls = ({ unreported_calls, unpriced_calls }: UsageSums): number => unreported_calls ?? unpriced_calls;

/** Those that said what they used, and have no price. */
export const reportedUnpricedCalls = (sums: UsageSums): number => Math.max(sums.unpriced_calls - unreportedCalls(sums), 0);

type ModelCallEvent = Extract<LoggedEvent, { type: 'usage.recorded' | 'model.completed' }>;

/** A millionth of a unit is enough, and keeps sums of many small prices free of float dust. */
const money = (amount: number): number => Math.round(amount * 1e9) / 1e9;

const addCall = (sums: UsageSums, event: ModelCallEvent): UsageSums => {
  const unreported_calls = unreportedCalls(sums);
  if (event.type === 'model.completed') {
    // It used nothing: its cost is known.
    if (event.data.unused) return { ...sums, model_calls: sums.model_calls + 1, unreported_calls };
    const counted = { ...sums, model_calls: sums.model_calls + 1, unreported_calls: unreported_calls + 1 };
    const { cost } = event.data;
    // Of a model that costs nothing: what it used is not known, what it cost is.
    if (cost) return { ...counted, estimated_cost: money(sums.estimated_cost + cost.amount), currency: cost.currency };
    return { ...counted, cost_complete: false, unpriced_calls: sums.unpriced_calls + 1 };
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
    unreported_calls,
  };
};

export const addUsage = (body: UsageBody, event: ModelCallEvent): UsageBody => {
  const { by_model, context_tokens: before, ...sums } = body;
  const { model } = event.data;
  const context_tokens = event.type === 'usage.recorded' ? event.data.usage.input_tokens + event.data.usage.output_tokens : before;
  return {
    ...addCall(sums, event),
    ...(context_tokens === undefined ? {} : { context_tokens }),
    by_model: { ...by_model, [model]: addCall(by_model[model] ?? noSums, event) },
  };
};

const both = (one: UsageSums, other: UsageSums): UsageSums => ({
  model_calls: one.model_calls + other.model_calls,
  input_tokens: one.input_tokens + other.input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  total_tokens: one.total_tokens + other.total_tokens,
  estimated_cost: money(one.estimated_cost + other.estimated_cost),
  currency: one.currency ?? other.currency,
  // Two currencies are no sum.
  cost_complete: one.cost_complete && other.cost_complete && (one.currency ?? other.currency) === (other.currency ?? one.currency),
  unpriced_calls: one.unpriced_calls + other.unpriced_calls,
  unreported_calls: unreportedCalls(one) + unreportedCalls(other),
});

/** What two sessions used together. */
export const sumUsage = (one: UsageBody, other: UsageBody): UsageBody => {
  const models = [...new Set([...Object.keys(one.by_model), ...Object.keys(other.by_model)])];
  const by_model = Object.fromEntries(models.map((model) => [model, both(one.by_model[model] ?? noSums, other.by_model[model] ?? noSums)]));
  return { ...both(one, other), by_model };
};
