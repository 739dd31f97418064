/** What was used, as a row of a table. */
import { reportedUnpricedCalls, type UsageSums, unreportedCalls } from '@turnkeeper/core/view/usage';

export const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 6 });

/** Which calls are not in the cost: one that was stopped before it reported is another thing than a model without a price. */
const missing = (sums: UsageSums): string => {
  const unreported = unreportedCalls(sums);
  const unpriced = reportedUnpricedCalls(sums);
  const said = [...(unreported > 0 ? [`${number(unreported)} unreported`] : []), ...(unpriced > 0 ? [`${number(unpriced)} without a price`] : [])];
  return said.length === 0 ? '' : ` (call(s): ${said.join(', ')})`;
};

const costOf = (sums: UsageSums): string => {
  if (sums.currency !== null) return `${sums.cost_complete ? '' : 'at least '}${number(sums.estimated_cost)} ${sums.currency}${missing(sums)}`;
  // Of calls that used nothing there is nothing to price.
  if (sums.cost_complete) return 'nothing used';
  return reportedUnpricedCalls(sums) > 0 ? `no price known${missing(sums)}` : 'no use reported';
};

export const usageRow = (name: string, sums: UsageSums): string[] => {
  const tokens = `${number(sums.total_tokens)} tokens (${number(sums.input_tokens)} in, ${number(sums.output_tokens)} out)`;
  return [name, `${number(sums.model_calls)} call(s)`, tokens, sums.model_calls === 0 ? '' : costOf(sums)];
};
