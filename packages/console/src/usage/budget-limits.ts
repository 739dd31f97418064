/** A budget as a form has it: texts, of which an empty one is no limit. */
import type { BudgetRequest, BudgetResource } from '@turnkeeper/core/protocol/wire/budget';

export const limitNames = ['max_cost', 'max_total_tokens', 'max_model_calls', 'max_tokens_per_turn'] as const;
export type LimitName = (typeof limitNames)[number];
export type LimitTexts = { readonly [Name in LimitName]: string };

export const textsOf = (budget: BudgetResource): LimitTexts => ({
  max_cost: budget.max_cost?.toString() ?? '',
  max_total_tokens: budget.max_total_tokens?.toString() ?? '',
  max_model_calls: budget.max_model_calls?.toString() ?? '',
  max_tokens_per_turn: budget.max_tokens_per_turn?.toString() ?? '',
});

const isLimit = (name: LimitName, text: string): boolean => (name === 'max_cost' ? /^\d{1,9}(?:\.\d{1,6})?$/ : /^\d{1,15}$/).test(text);

/** Undefined where a text is no number. */
export const budgetOf = (texts: LimitTexts, currency: string): BudgetRequest | undefined => {
  const given = limitNames.map((name) => [name, texts[name].trim()] as const).filter(([, text]) => text !== '');
  if (!given.every(([name, text]) => isLimit(name, text))) return undefined;
  const limits = Object.fromEntries(given.map(([name, text]) => [name, Number(text)]));
  return { ...limits, ...(limits['max_cost'] === undefined ? {} : { currency }) };
};
