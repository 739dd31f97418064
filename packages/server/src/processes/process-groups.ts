/**
 * Groups of processes that this one started: signals to all of one, and their end with this process.
 *
 * Owns: what is alike of every program that is started, a tool's server or a mini-tool. How each is asked to stop is theirs.
 */

/** False where no process of the group is left (or none may be told). `0` only looks. */
export const signalGroup = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
};

const groups = new Set<number>();
let watches = false;

/** At the exit of this process nothing can be waited for any more: then what is left of the group is killed. */
export const endWithThisProcess = (pid: number): void => {
  groups.add(pid);
  if (watches) return;
  watches = true;
  process.on('exit', () => {
    for (const group of groups) signalGroup(group, 'SIGKILL');
  });
};

/**
 * What was made to end is gone a moment later; then it is nobody's any more. Bounded: where nobody reaps orphans, those that have
 * ended still count as there.
 */
export const vanished = async (pid: number): Promise<void> => {
  for (let looks = 0; looks < 2_000 && signalGroup(pid, 0); looks += 1) await new Promise((resolve) => setImmediate(resolve));
  groups.delete(pid);
};
