/** Shows how far a copy of a store is, and lets Ctrl+C stop it between two pages. */
import type { Watch } from '@turnkeeper/server/transfer/side';
import { InterruptedError } from './exit-codes.ts';
import type { Io } from './io.ts';
import { createProgressLine } from './output/progress-line.ts';

const words = { copy: 'copying', verify: 'comparing' } as const;

/** `interrupted`: what is said when it is stopped. With `quiet` nothing is shown. */
export const watched = async <Result>(
  io: Io,
  { quiet, interrupted }: { readonly quiet: boolean; readonly interrupted: string },
  run: (watch: Watch) => Promise<Result>,
): Promise<Result> => {
  const line = createProgressLine(io);
  const signal = io.interrupted;
  try {
    return await run({ signal, ...(quiet ? {} : { onProgress: ({ phase, done, all }) => line.show(words[phase], done, all) }) });
  } catch (error) {
    if (signal.aborted && error === signal.reason) throw new InterruptedError(interrupted);
    throw error;
  } finally {
    line.end();
  }
};
