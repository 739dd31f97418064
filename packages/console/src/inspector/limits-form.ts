import type { BudgetRequest, BudgetResource } from '@turnkeeper/core/protocol/wire/budget';

/** As it is written: '' where there is no limit. */
export type LimitsDraft = { readonly tokens: string; readonly cost: string; readonly calls: string };

const written = (limit: number | undefined): string => (limit === undefined ? '' : String(limit));

export const draftOf = ({ max_total_tokens, max_cost, max_model_calls }: BudgetResource): LimitsDraft => ({
  tokens: written(max_total_tokens),
  cost: written(max_cost),
  calls: written(max_model_calls),
});

/** Undefined where it is no number; null where there is no limit. */
const read = (text: string, whole: boolean): number | null | undefined => {
  const trimmed = text.trim().replaceAll(/[,\s_]/g, '');
  if (trimmed === '') return null;
  const value = Number(trimmed);
  return Number.isFinite(value) && value >= 0 && (!whole || Number.isSafeInteger(value)) ? value : undefined;
};

/** All limits at once, the one of a single turn as it was; undefined where something is no number. */
export const requestOf = ({ tokens, cost, calls }: LimitsDraft, before: BudgetResource): BudgetRequest | undefined => {
  const [max_total_tokens, max_cost, max_model_calls] = [read(tokens, true), read(cost, false), read(calls, true)];
  if (max_total_tokens === undefined || max_cost === undefined || max_model_calls === undefined) return undefined;
  return {
    max_total_tokens,
    max_cost,
    max_model_calls,
    ...(max_cost === null || before.currency === undefined ? {} : { currency: before.currency }),
    ...(before.max_tokens_per_turn === undefined ? {} : { max_tokens_per_turn: before.max_tokens_per_turn }),
  };
};
