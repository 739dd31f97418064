/** The operating system's limit on the size of this process's files (`ulimit -f`), where it can be told. */
import { readFileSync } from 'node:fs';

/** In bytes; undefined without a limit, and on systems without /proc. */
export const fileSizeLimit = (): number | undefined => {
  try {
    const soft = /^Max file size\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
};
