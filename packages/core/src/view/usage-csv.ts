/** Usage as a table for other programs (RFC 4180). */
import { unreportedCalls } from './usage.ts';
import type { UsageGroup, UsageGrouping } from './usage-report.ts';

/** Where a spreadsheet would see a formula: at the beginning, and behind what some of them take for the end of a cell. */
const formula = /(^|[;\t\r\n])(?=[=+\-@\t\r])/g;

/** What would be taken for a formula is marked as text: names are written by anybody. */
const cell = (value: string | number | boolean | null): string => {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' ? text.replace(formula, "$1'") : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const columns = [
  'key',
  'name',
  'turns',
  'model_calls',
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'estimated_cost',
  'currency',
  'cost_complete',
  'unpriced_calls',
  'unreported_calls',
];

/** Of keys it has one column more: whose each is. */
export const usageCsv = (groups: readonly UsageGroup[], by: UsageGrouping): string => {
  const ofKeys = by === 'key';
  return [
    [...columns, ...(ofKeys ? ['submitted_by'] : [])],
    ...groups.map(({ key, name, turns, usage, submitted_by = null }) => [
      ...[key, name, turns, usage.model_calls, usage.input_tokens, usage.output_tokens, usage.total_tokens],
      // What has no price at all is no zero.
      usage.currency === null && !usage.cost_complete ? null : usage.estimated_cost,
      ...[usage.currency, usage.cost_complete, usage.unpriced_calls, unreportedCalls(usage)],
      ...(ofKeys ? [submitted_by] : []),
    ]),
  ]
    .map((row) => `${row.map(cell).join(',')}\r\n`)
    .join('');
};
