/** `turnkeeper migrate`: moves the store of a stopped server to PostgreSQL. The server's code is loaded only here. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Compared } from '@turnkeeper/server/transfer/copy';
import { createPrinter, type Printer } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { tableLines } from '../output/table.ts';
import { watched } from '../store-progress.ts';

export type MigrateOptions = { readonly from: string; readonly to: string; readonly resume?: boolean; readonly json?: boolean };

/** What was compared, table by table. */
export const printCompared = ({ print, style }: Printer, tables: readonly Compared[]): void => {
  const rows = tables.map(({ table, source, target, same }) => [
    table,
    source.rows.toLocaleString('en'),
    target.rows.toLocaleString('en'),
    source.hash.slice(0, 12),
    target.hash.slice(0, 12),
    same ? { text: 'same', paint: style.green } : { text: 'DIFFERENT', paint: style.red },
  ]);
  for (const line of tableLines([['table', 'rows here', 'there', 'hash here', 'there', ''], ...rows])) print(line);
};

/** What no database holds. */
const noteSecretKey = ({ note }: Printer, folder: string): void => {
  if (existsSync(join(folder, 'secret.key')))
    note(`Secrets are opened by the key that they were set with: give every server the content of ${join(folder, 'secret.key')} as TURNKEEPER_SECRET_KEY.`);
  else note('Secrets are opened by the key that they were set with: give every server the TURNKEEPER_SECRET_KEY of before.');
};

/** Exit code 1 when both sides differ. */
export const migrate = async (io: Io, { from, to, resume, json }: MigrateOptions): Promise<ExitCode> => {
  const { moveFolder } = await import('@turnkeeper/server/transfer/move');
  const printer = createPrinter(io, { json: json === true });
  const folder = resolve(io.cwd, from);
  const interrupted = 'Broken off. No server starts on the half-made copy; go on with the same command and --resume.';
  const result = await watched(io, { quiet: printer.json, interrupted }, (watch) => moveFolder(folder, { url: to, resume: resume === true, ...watch }));
  if (printer.json) printer.printJson({ from: folder, to: result.target, same: result.same, tables: result.tables });
  else printCompared(printer, result.tables);
  if (!result.same) {
    printer.note(`The copy in ${result.target} differs from ${folder}. It is marked, and no server starts on it. Make an empty database, and try again.`);
    return exitCodes.failed;
  }
  if (!printer.json) printer.print(`moved ${folder} to ${result.target}`);
  noteSecretKey(printer, folder);
  if (existsSync(join(folder, 'turnkeeper.config.json'))) printer.note('turnkeeper.config.json is read from the data folder of each server: copy it there.');
  printer.note(`Start servers with --database, and none on ${folder} any more: what is written there does not come along.`);
  return exitCodes.completed;
};
