/** How far something is: a bar that is redrawn on a terminal, a line at every tenth elsewhere. On stderr. */
import type { Io } from '../io.ts';
import { isInteractive } from './style.ts';

export type ProgressLine = {
  readonly show: (what: string, done: number, all: number) => void;
  /** Takes the bar away. */
  readonly end: () => void;
};

const width = 30;
const clearLine = '\r\u001b[2K';

export const createProgressLine = ({ stderr, env }: Pick<Io, 'stderr' | 'env'>): ProgressLine => {
  const drawn = isInteractive(stderr, env);
  const steps = drawn ? 1_000 : 10;
  let last = '';
  return {
    show: (what, done, all) => {
      const part = all === 0 ? 1 : Math.min(done / all, 1);
      const step = `${what} ${Math.floor(part * steps)}`;
      if (step === last) return;
      last = step;
      const percent = `${Math.floor(part * 100)}%`.padStart(4);
      const bar = '█'.repeat(Math.round(part * width)).padEnd(width, '░');
      stderr.write(
        drawn
          ? `${clearLine}${what.padEnd(9)} ${bar} ${percent}  ${done.toLocaleString('en')} of ${all.toLocaleString('en')} rows`
          : `${what} ${percent.trim()}\n`,
      );
    },
    end: () => {
      if (drawn && last !== '') stderr.write(clearLine);
    },
  };
};
