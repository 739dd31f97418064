/** Waiting for what happens outside of this process: real time passes, and nobody moves the clock meanwhile. */
export const inRealTime = async <Value>(what: string, look: () => Promise<Value | undefined | false> | Value | undefined | false): Promise<Value> => {
  for (let n = 0; n < 6_000; n += 1) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`waited in vain: ${what}`);
};

/** False when no process of that id runs; one that has ended and was not waited for runs no more either. */
export const runs = async (pid: number): Promise<boolean> => {
  const { readFile } = await import('node:fs/promises');
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat !== undefined) return !/^\d+ \(.*\) [ZX] /s.test(stat);
  try {
    return process.platform === 'linux' ? false : process.kill(pid, 0);
  } catch {
    return false;
  }
};
