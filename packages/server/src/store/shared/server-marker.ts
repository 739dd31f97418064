/**
 * `server.json` in the data folder: where the server that runs on it listens, and its pid. The command line reads it.
 *
 * SM1 A server takes away its own marker only: when the folder was moved from under it, another may have begun there.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type ServerMarker = { readonly url: string; readonly pid: number };

const fileIn = (folder: string): string => join(folder, 'server.json');

export const writeMarker = (folder: string, marker: ServerMarker): void => {
  const file = fileIn(folder);
  writeFileSync(file, JSON.stringify(marker), { mode: 0o600 });
  chmodSync(file, 0o600);
};

/** Undefined when there is none, or none that can be read. */
export const readMarker = (folder: string): ServerMarker | undefined => {
  try {
    const { url, pid } = JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Partial<ServerMarker>;
    return typeof url === 'string' && typeof pid === 'number' ? { url, pid } : undefined;
  } catch {
    return undefined;
  }
};

export const removeMarker = (folder: string, own: ServerMarker): void => {
  // In containers every server may have the same pid.
  const found = readMarker(folder);
  if (found?.pid === own.pid && found.url === own.url) rmSync(fileIn(folder), { force: true });
};
