/** What can be told without a server: Node, the data folder, the room on its disk. */
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { localServer } from '../data-folder.ts';
import { type Finding, fail, messageOf, ok, warn } from './finding.ts';

const neededMajor = 26;
const mebibyte = 1_048_576;

export const checkNode = (version: string): Finding =>
  Number.parseInt(version, 10) >= neededMajor
    ? ok('node', version)
    : fail('node', `${version} is too old`, `Install Node ${neededMajor}; on Linux "npm ci" in the checkout brings it along.`);

/** The folder holds tokens and conversations: nobody else on the machine is to read it. */
export const checkFolder = (folder: string): Finding => {
  const check = 'data folder';
  if (!existsSync(folder)) return warn(check, `${folder} is not there yet`, 'The first "turnkeeper serve" makes it; name another with --data.');
  const stats = statSync(folder);
  if (!stats.isDirectory()) return fail(check, `${folder} is not a folder`, 'Choose another with --data or TURNKEEPER_DATA_DIR.');
  const mode = stats.mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    return warn(check, `${folder} is open to others (mode ${mode.toString(8)})`, `Close it: chmod 700 '${folder}'`);
  return ok(check, folder);
};

/** Who has the folder, by the file that a running server keeps in it. */
export const checkLock = (folder: string): Finding => {
  const check = 'server on it';
  const running = localServer(folder);
  if (running) return ok(check, `${running.url}, pid ${running.pid}`);
  const marker = join(folder, 'server.json');
  if (!existsSync(marker)) return ok(check, 'none runs');
  const advice = 'Nothing is lost: the next start takes over where it was.';
  return warn(check, `a server was here and ended without a word (${readFileSync(marker, 'utf8').trim().slice(0, 120)})`, advice);
};

export const checkDisk = (folder: string): Finding => {
  const check = 'disk space';
  try {
    const { bavail, bsize } = statfsSync(folder);
    const free = Math.floor((bavail * bsize) / mebibyte);
    const text = `${free.toLocaleString('en')} MiB free`;
    if (free < 100) return fail(check, text, 'Make room: a store on a full disk takes no writes (503 storage_unavailable).');
    return free < 1_024 ? warn(check, text, 'Make room soon: a store on a full disk takes no writes.') : ok(check, text);
  } catch (error) {
    return warn(check, messageOf(error), 'Look at the disk of the data folder by hand.');
  }
};
