/** How much memory a process holds: buffers lie outside the heap that Node limits, so it is looked at from outside. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const bytesOf = (kilobytes: string | undefined): number | undefined => {
  const count = Number(kilobytes?.trim() || Number.NaN);
  return Number.isFinite(count) ? count * 1_024 : undefined;
};

/** Resident bytes, by a process's `status` file as Linux writes it. */
const residentBytes = (status: string): number | undefined => bytesOf(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);

const fromPs = (pid: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, stdout) => resolve(error ? undefined : bytesOf(stdout)));
  });

/** Resident bytes; undefined where that cannot be told. */
export const memoryOf = async (pid: number): Promise<number | undefined> => {
  if (process.platform === 'win32') return undefined;
  if (process.platform !== 'linux') return fromPs(pid);
  return readFile(`/proc/${pid}/status`, 'utf8').then(residentBytes, () => undefined);
};
