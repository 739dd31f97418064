/** Budgets on the wire: what a session may use, and what it used. */
import { z } from 'zod';
import { currencyWanted, isCurrency } from './prices.ts';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const maxCost = 1e12;

/** Strict: a limit that is misspelt would not be set, and `PUT` ends those that are not named. */
export const budgetRequest = z
  .strictObject({
    max_model_calls: count.nullish(),
    max_total_tokens: count.nullish(),
    max_cost: z.number().min(0).max(maxCost).nullish(),
    /** Of `max_cost`; USD where it is missing. */
    currency: z.string().refine(isCurrency, { error: currencyWanted }).nullish(),
    /** Tokens of one turn, with all that it spawns; in place of the limit of the session's creation. */
    max_tokens_per_turn: count.nullish(),
  })
  .refine((body) => typeof body.max_cost === 'number' || typeof body.currency !== 'string', { error: 'goes with max_cost', path: ['currency'] });

/** Limits that are not set are missing. */
export const budgetResource = z.object({
  max_model_calls: z.int().optional(),
  max_total_tokens: z.int().optional(),
  max_cost: z.number().optional(),
  currency: z.string().optional(),
  max_tokens_per_turn: z.int().optional(),
  used: z.object({
    /** Calls that were taken under a limit count from the moment at which they were. */
    model_calls: z.int(),
    total_tokens: z.int(),
    cost: z.number(),
    /** Calls that may have used tokens which nobody reported. */
    unreported_calls: z.int(),
    /** Calls whose cost in the budget's currency is not known. */
    unpriced_calls: z.int(),
    /** Of the turn that is under way. */
    turn_tokens: z.int().nullable(),
  }),
});

export type BudgetRequest = z.infer<typeof budgetRequest>;
export type BudgetResource = z.infer<typeof budgetResource>;
