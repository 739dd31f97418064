/** `turnkeeper restore --from`: puts a backup back, into a data folder or into an empty database. */
import { resolve } from 'node:path';
import type { Manifest } from '@turnkeeper/server/transfer/backup-file';
import { createPrinter, type Printer } from '../command-context.ts';
import { dataFolder } from '../data-folder.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { watched } from '../store-progress.ts';
import { atText } from '../time.ts';
import { databaseOf, filesFolderOf } from './backup.ts';
import { printCompared } from './migrate.ts';

export type RestoreOptions = {
  readonly from?: string;
  readonly data?: string;
  readonly database?: string;
  readonly force?: boolean;
  readonly resume?: boolean;
  readonly json?: boolean;
};

const tell = ({ print, note }: Printer, where: string, { madeAt, tables }: Manifest): void => {
  print(`restored ${(tables['sessions']?.rows ?? 0).toLocaleString('en')} sessions to ${where}, as they were at ${atText(madeAt)}`);
  note('It is an earlier moment: clients that have seen more get 409 cursor_ahead, and read a new snapshot.');
};

const intoFolder = async (printer: Printer, file: string, folder: string, force: boolean): Promise<ExitCode> => {
  const { restoreFolder } = await import('@turnkeeper/server/transfer/restore');
  const { manifest, movedTo, secretKey } = restoreFolder(file, folder, { force, now: Date.now(), filesFolder: await filesFolderOf(printer.io, folder) });
  if (printer.json) printer.printJson({ from: file, to: folder, madeAt: manifest.madeAt, moved_to: movedTo ?? null, secret_key: secretKey });
  else tell(printer, folder, manifest);
  if (movedTo !== undefined) printer.note(`What was there is in ${movedTo} now.`);
  if (secretKey === 'none') printer.note('Put back secret.key, or set TURNKEEPER_SECRET_KEY: without the key of before, secrets cannot be opened.');
  return exitCodes.completed;
};

const intoDatabase = async (
  printer: Printer,
  file: string,
  { url, folder, resume }: { readonly url: string; readonly folder: string; readonly resume: boolean },
): Promise<ExitCode> => {
  const { restoreDatabase } = await import('@turnkeeper/server/transfer/restore');
  const filesFolder = await filesFolderOf(printer.io, folder);
  const interrupted = 'Broken off. No server starts on the half-made copy; go on with the same command and --resume.';
  const result = await watched(printer.io, { quiet: printer.json, interrupted }, (watch) => restoreDatabase(file, { url, resume, filesFolder, ...watch }));
  const { manifest, target, same, tables } = result;
  if (printer.json) printer.printJson({ from: file, to: target, madeAt: manifest.madeAt, same, tables });
  else printCompared(printer, tables);
  if (!same) {
    printer.note(`The copy in ${target} differs from ${file}. It is marked, and no server starts on it. Make an empty database, and try again.`);
    return exitCodes.failed;
  }
  if (!printer.json) tell(printer, target, manifest);
  printer.note('Secrets are opened by the key that they were set with: give every server the TURNKEEPER_SECRET_KEY of before.');
  return exitCodes.completed;
};

export const restoreBackup = async (io: Io, session: string | undefined, options: RestoreOptions & { readonly from: string }): Promise<ExitCode> => {
  if (session !== undefined) throw new UsageError('Either a session or --from: a backup is restored as a whole.');
  const printer = createPrinter(io, { json: options.json === true });
  const file = resolve(io.cwd, options.from);
  const folder = dataFolder(io, options.data);
  const database = databaseOf(io, options);
  return database === undefined
    ? intoFolder(printer, file, folder, options.force === true)
    : intoDatabase(printer, file, { url: database, folder, resume: options.resume === true });
};
