/** `turnkeeper budget [session]` and `turnkeeper usage [session]`: what a session may use, and what it used; or, over a time, what all did. */
import type { BudgetRequest, BudgetResource } from '@turnkeeper/core/protocol/wire/budget';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { tableLines } from '../output/table.ts';
import { number, usageRow } from '../output/usage-row.ts';
import { resolveSession } from '../session-ref.ts';
import { type UsageReportOptions, usageReport } from './usage-report.ts';

/** `none` takes a limit away. */
export type LimitOption = number | 'none';
export type BudgetOptions = {
  readonly calls?: LimitOption;
  readonly tokens?: LimitOption;
  readonly cost?: LimitOption;
  readonly currency?: string;
  readonly perTurn?: LimitOption;
  readonly clear?: boolean;
};

export const budget = async (context: CommandContext, ref: string | undefined, options: BudgetOptions): Promise<ExitCode> => {
  const { client } = context;
  const { calls, tokens, cost, currency, perTurn, clear } = options;
  const changes = [calls, tokens, cost, currency, perTurn].some((option) => option !== undefined);
  if (clear && changes) throw new UsageError('Either --clear or limits.');
  const { id } = await resolveSession(client, ref);
  if (clear) return printBudget(context, await client.budgets.set(id, {}));
  const before = await client.budgets.get(id);
  return printBudget(context, changes ? await client.budgets.set(id, changed(before, options)) : before);
};

const kept = (before: number | undefined, option: LimitOption | undefined): number | null => (option === 'none' ? null : (option ?? before ?? null));

/** The limits are set all at once: those that are not named stay. */
const changed = (before: BudgetResource, { calls, tokens, cost, currency, perTurn }: BudgetOptions): BudgetRequest => {
  const max_cost = kept(before.max_cost, cost);
  return {
    max_model_calls: kept(before.max_model_calls, calls),
    max_total_tokens: kept(before.max_total_tokens, tokens),
    max_cost,
    currency: currency ?? (max_cost === null ? null : (before.currency ?? null)),
    max_tokens_per_turn: kept(before.max_tokens_per_turn, perTurn),
  };
};

const limit = (max: number | undefined, unit = ''): string => (max === undefined ? 'no limit' : `${number(max)}${unit}`);
const unknown = (count: number, what: string): readonly string[] => (count > 0 ? [`${count} ${what}`] : []);

const printBudget = ({ json, print, printJson, style }: CommandContext, found: BudgetResource): ExitCode => {
  const { used } = found;
  if (json) printJson(found);
  else {
    const turn = used.turn_tokens === null ? 'no turn is under way' : number(used.turn_tokens);
    const unit = found.currency === undefined ? '' : ` ${found.currency}`;
    for (const line of tableLines([
      ['', 'used', 'limit'].map((text) => ({ text, paint: style.dim })),
      ['model calls', number(used.model_calls), limit(found.max_model_calls)],
      ['tokens', number(used.total_tokens), limit(found.max_total_tokens), ...unknown(used.unreported_calls, 'call(s) without a report')],
      ['cost', `${number(used.cost)}${unit}`, limit(found.max_cost, unit), ...unknown(used.unpriced_calls, 'call(s) without a price')],
      ['tokens of the turn', turn, limit(found.max_tokens_per_turn)],
    ]))
      print(line);
  }
  return exitCodes.completed;
};

export type UsageOptions = UsageReportOptions & { readonly children?: boolean };

export const usage = async (context: CommandContext, ref: string | undefined, { children, ...over }: UsageOptions): Promise<ExitCode> => {
  if (over.by !== undefined || over.since !== undefined || over.csv) {
    if (ref !== undefined || children) throw new UsageError('Either of one session, or over a time: --by, --since and --csv are of all sessions.');
    return usageReport(context, over);
  }
  const { client, json, print, printJson } = context;
  const { id } = await resolveSession(client, ref);
  const found = await client.sessions.usage(id, { includeChildren: children === true });
  if (json) {
    printJson(found);
    return exitCodes.completed;
  }
  const { by_model, ...all } = found.data;
  const rows = [...Object.entries(by_model), ['in all', all] as const];
  for (const line of tableLines(rows.map(([name, sums]) => usageRow(name, sums)))) print(line);
  return exitCodes.completed;
};
