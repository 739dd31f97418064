/** `turnkeeper usage --by <what>`: what was used over a time, of all sessions that one may read. */
import type { UsageReportAnswer } from '@turnkeeper/core/protocol/wire/usage-report';
import type { UsageGrouping } from '@turnkeeper/core/view/usage-report';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { oneLine, printable } from '../output/printable.ts';
import { tableLines } from '../output/table.ts';
import { usageRow } from '../output/usage-row.ts';

export type UsageReportOptions = { readonly by?: UsageGrouping; readonly since?: number; readonly csv?: boolean };

const dayMs = 86_400_000;
const usualMs = 30 * dayMs;

type Group = UsageReportAnswer['groups'][number];

/** What has a name is told by it; a key also by whose it is. */
const nameOf = (by: UsageGrouping, { key, name, submitted_by: holder }: Group): string => {
  if (by !== 'key') return oneLine(name || key, 60);
  if (holder === undefined) return 'not noted';
  return oneLine(holder === key ? `${holder}, without a key` : `${holder} ${name || key}`, 60);
};

export const usageReport = async (context: CommandContext, { by = 'day', since, csv }: UsageReportOptions): Promise<ExitCode> => {
  const { client, io, json, print, printJson, note } = context;
  const now = Date.now();
  // Half a day more than now: a clock that is behind the server's would leave out what has just begun.
  const query = { from: since ?? now - usualMs, to: now + dayMs / 2, group_by: by, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  const incomplete = 'There is more than was looked through: ask for a shorter time, with --since.';
  if (csv) {
    const { table, complete } = await client.usage.csv(query);
    // A file gets it as it is.
    print((io.stdout.isTTY ? printable(table) : table).trimEnd());
    if (!complete) note(incomplete);
    return exitCodes.completed;
  }
  const report = await client.usage.report(query);
  if (json) {
    printJson(report);
    return exitCodes.completed;
  }
  if (report.turns === 0) note('No model was called in this time.');
  const rows = [...report.groups.map((group) => [nameOf(by, group), group.usage] as const), ['in all', report.total] as const];
  if (report.turns > 0) for (const line of tableLines(rows.map(([name, sums]) => usageRow(name, sums)))) print(line);
  if (report.left_out > 0) note(`And ${report.left_out} more.`);
  if (!report.complete) note(incomplete);
  return exitCodes.completed;
};
