/** `turnkeeper backup`: one file with all that is stored, of either store, while servers run. */
import { resolve } from 'node:path';
import { createPrinter } from '../command-context.ts';
import { dataFolder } from '../data-folder.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { watched } from '../store-progress.ts';

/** Which store: a database that is named wins over a folder that is not. */
export const databaseOf = ({ env }: Pick<Io, 'env'>, { data, database }: { readonly data?: string; readonly database?: string }): string | undefined =>
  database ?? (data === undefined ? env['TURNKEEPER_DATABASE_URL'] || undefined : undefined);

export type BackupOptions = {
  readonly to: string;
  readonly data?: string;
  readonly database?: string;
  readonly withSecretKey?: boolean;
  readonly json?: boolean;
};

const findKey = async (io: Io, folder: string): Promise<string> => {
  const [{ readConfig }, { secretKeyIn }] = await Promise.all([import('@turnkeeper/server/config'), import('@turnkeeper/server/transfer/back-up')]);
  const key = readConfig({ data: folder }, io.env).secretKey?.toString('hex') ?? secretKeyIn(folder);
  if (key === undefined) throw new UsageError(`There is no key for secrets: neither TURNKEEPER_SECRET_KEY nor a file secret.key in ${folder}.`);
  return key;
};

/** Where the bytes of files are, if in a folder: those in S3-compatible storage stay there. */
export const filesFolderOf = async (io: Pick<Io, 'env'>, folder: string): Promise<string | undefined> => {
  const { readConfig } = await import('@turnkeeper/server/config');
  const { files } = readConfig({ data: folder }, io.env);
  return files.type === 'folder' ? files.folder : undefined;
};

export const backup = async (io: Io, options: BackupOptions): Promise<ExitCode> => {
  const { backUpDatabase, backUpFolder } = await import('@turnkeeper/server/transfer/back-up');
  const printer = createPrinter(io, { json: options.json === true });
  const folder = dataFolder(io, options.data);
  const to = resolve(io.cwd, options.to);
  const database = databaseOf(io, options);
  const secretKey = options.withSecretKey ? await findKey(io, folder) : undefined;
  const filesFolder = await filesFolderOf(io, folder);
  const how = { to, madeAt: Date.now(), secretKey, filesFolder };
  const manifest =
    database === undefined
      ? await backUpFolder(folder, how)
      : await watched(io, { quiet: printer.json, interrupted: 'Broken off. Nothing was kept.' }, (watch) => backUpDatabase(database, { ...how, ...watch }));
  const rows = (name: string): string => (manifest.tables[name]?.rows ?? 0).toLocaleString('en');
  if (printer.json) printer.printJson({ file: to, ...manifest });
  else printer.print(`backed up to ${to}: ${rows('sessions')} sessions, ${rows('events')} events`);
  if (filesFolder === undefined) printer.note('The bytes of files are in S3-compatible storage, and stay there: back up the bucket too.');
  if (secretKey === undefined) printer.note('The key for secrets is not in it: keep secret.key, or TURNKEEPER_SECRET_KEY, elsewhere.');
  else printer.note('The key for secrets is in it: whoever has the file can open them.');
  return exitCodes.completed;
};
