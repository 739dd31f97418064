/**
 * Where the files of mini-tools are: `<data>/minitools/<id>/`, with the installations (`<version>-<n>`), `storage`, `outbox`, `inbox` and `log`.
 */
import { mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

export type MinitoolFolders = {
  /** All that is kept of it here. */
  readonly root: string;
  readonly storage: string;
  readonly outbox: string;
  /** What its process may read and not write: large bodies of webhooks. */
  readonly inbox: string;
  readonly log: string;
};

export const foldersOf = (dataFolder: string, id: string): MinitoolFolders => {
  const root = join(dataFolder, 'minitools', id);
  return { root, storage: join(root, 'storage'), outbox: join(root, 'outbox'), inbox: join(root, 'inbox'), log: join(root, 'log', 'current.log') };
};

/** Makes what its process writes to and reads; the paths are those that links lead to, as permissions go by them. */
export const makeFolders = (dataFolder: string, id: string): MinitoolFolders => {
  const { storage, outbox, inbox } = foldersOf(dataFolder, id);
  for (const folder of [storage, outbox, inbox]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return foldersOf(realpathSync(dataFolder), id);
};

/** The folder of an installation that `folder` is in: it holds the packages that the mini-tool uses, too. A linked one is its own. */
export const installationOf = (dataFolder: string, id: string, folder: string): string => {
  const { root } = foldersOf(dataFolder, id);
  const [first] = relative(root, folder).split(sep);
  return first === undefined || first === '' || first === '..' || dirname(folder) === folder ? folder : join(root, first);
};
