/**
 * Budgets: what a session, with all that it spawned, may use, and how near it is to that.
 *
 * Owns: the arithmetic of limits. What was used is read elsewhere, from what models reported.
 *
 * BU1 A limit is reached when as much was used as it allows; the next model call is refused, none is cut in flight.
 * BU2 What is unknown is never zero: a call without a report makes limits of tokens refuse, one without a price (or with one
 *     in another currency) the limit of cost, until the limit is taken away.
 */

const budgetLimits = ['max_model_calls', 'max_total_tokens', 'max_cost', 'max_tokens_per_turn'] as const;
export type BudgetLimit = (typeof budgetLimits)[number];

/** As it stands on the wire; `currency` goes with `max_cost`. */
export type Budget = { readonly [limit in BudgetLimit]?: number } & { readonly currency?: string };

/** What was used, by reports. */
export type Spent = {
  readonly model_calls: number;
  readonly total_tokens: number;
  /** Calls that may have used tokens which nobody reported. */
  readonly unreported_calls: number;
  readonly cost: number;
  /** Calls whose cost in the budget's currency is not known. */
  readonly unpriced_calls: number;
};
/** In all, and in the turn that is under way. */
export type Spending = { readonly all: Spent; readonly turn: Spent };

export const nothingSpent: Spent = { model_calls: 0, total_tokens: 0, unreported_calls: 0, cost: 0, unpriced_calls: 0 };
export const addSpent = (one: Spent, other: Spent): Spent => ({
  model_calls: one.model_calls + other.model_calls,
  total_tokens: one.total_tokens + other.total_tokens,
  unreported_calls: one.unreported_calls + other.unreported_calls,
  cost: one.cost + other.cost,
  unpriced_calls: one.unpriced_calls + other.unpriced_calls,
});

/** Why a limit lets no call through: it is used up, or nobody can say how much of it is. */
export type BudgetReason = 'reached' | 'unreported' | 'unpriced';
export type Exceeded = {
  readonly limit: BudgetLimit;
  readonly reason: BudgetReason;
  readonly used: number;
  readonly max: number;
  readonly currency?: string;
};

/** What a limit counts of it, and how many calls it cannot count. */
const counted = (limit: BudgetLimit, { all, turn }: Spending): { readonly used: number; readonly unknown: number } => {
  switch (limit) {
    case 'max_model_calls':
      return { used: all.model_calls, unknown: 0 };
    case 'max_total_tokens':
      return { used: all.total_tokens, unknown: all.unreported_calls };
    case 'max_cost':
      return { used: money(all.cost), unknown: all.unpriced_calls };
    case 'max_tokens_per_turn':
      return { used: turn.total_tokens, unknown: turn.unreported_calls };
  }
};

/** Sums of many small prices, free of float dust. */
const money = (amount: number): number => Math.round(amount * 1e9) / 1e9;

const inCurrency = (limit: BudgetLimit, { currency }: Budget) => (limit === 'max_cost' && currency !== undefined ? { currency } : {});

/** The first limit that lets no further call through (BU1, BU2). */
export const exceeded = (budget: Budget, spending: Spending): Exceeded | undefined => {
  for (const limit of budgetLimits) {
    const max = budget[limit];
    if (max === undefined) continue;
    const { used, unknown } = counted(limit, spending);
    const of = { limit, used, max, ...inCurrency(limit, budget) };
    if (used >= max) return { ...of, reason: 'reached' };
    if (unknown > 0) return { ...of, reason: limit === 'max_cost' ? 'unpriced' : 'unreported' };
  }
  return undefined;
};

export const warningPercents = [50, 80, 100] as const;
export type WarningPercent = (typeof warningPercents)[number];
/** Of each limit the highest percentage that is passed; without those of which none is. */
export type WarningLevels = { readonly [limit in BudgetLimit]?: WarningPercent };

export type LimitUse = { readonly limit: BudgetLimit; readonly used: number; readonly max: number; readonly currency?: string };

/** How much of each limit is used. */
export const usesOf = (budget: Budget, spending: Spending): readonly LimitUse[] =>
  budgetLimits.flatMap((limit): LimitUse[] => {
    const max = budget[limit];
    return max === undefined ? [] : [{ limit, used: counted(limit, spending).used, max, ...inCurrency(limit, budget) }];
  });

export const percentPassed = ({ used, max }: Pick<LimitUse, 'used' | 'max'>): WarningPercent | undefined =>
  warningPercents.findLast((percent) => used * 100 >= max * percent);

export const levelsOf = (uses: readonly LimitUse[]): WarningLevels =>
  Object.fromEntries(uses.flatMap((use) => (percentPassed(use) === undefined ? [] : [[use.limit, percentPassed(use)]])));

/** Known by now, when a limit is set anew: what lies above what is passed under it will be warned of again. */
export const rearmed = (warned: WarningLevels, passed: WarningLevels): WarningLevels =>
  Object.fromEntries(
    budgetLimits.flatMap((limit) => {
      const level = Math.min(warned[limit] ?? 0, passed[limit] ?? 0);
      return level > 0 ? [[limit, level]] : [];
    }),
  );
