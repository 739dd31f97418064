/**
 * `turnkeeper config`: what `serve` would run with, and where each value comes from. Secrets are masked. A server that runs
 * already goes by what it was started with: it is named, so that nobody takes the one for the other.
 */
import type { ServeFlags } from '@turnkeeper/server/config';
import { createPrinter } from '../command-context.ts';
import { dataFolder, localServer } from '../data-folder.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { oneLine } from '../output/printable.ts';
import { tableLines } from '../output/table.ts';

/** Throws `validation_failed` with every fault, as `serve` would. */
export const config = async (io: Io, flags: ServeFlags, options: { readonly json?: boolean }): Promise<ExitCode> => {
  const { listConfig } = await import('@turnkeeper/server/config');
  const { json, print, printJson, note, style } = createPrinter(io, options);
  const entries = listConfig(flags, io.env);
  const folder = dataFolder(io, entries.find(({ name }) => name === 'data folder')?.value);
  const running = localServer(folder);
  if (json) {
    printJson({ settings: entries, running: running ?? null });
    return exitCodes.completed;
  }
  const rows = entries.map(({ name, value, source, flag, variable }) => {
    const how = [flag, variable].filter((way) => way !== undefined).join(', ');
    return [name, oneLine(value, 80), { text: source, paint: source === 'default' ? style.dim : style.green }, { text: how, paint: style.dim }];
  });
  for (const line of tableLines(rows)) print(line);
  if (running) note(`A server runs on ${folder}: ${running.url} (process ${running.pid}). It goes by what it was started with, not by what stands here.`);
  return exitCodes.completed;
};
