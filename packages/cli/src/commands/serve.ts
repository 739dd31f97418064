/** `turnkeeper serve`: the server in the foreground. Its code is loaded only here: the other commands are clients. */
import type { ServeFlags } from '@turnkeeper/server/config';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';

/**
 * Runs until it is asked to stop. The first SIGTERM or Ctrl+C drains: running turns are handed over to the next start.
 * The second ends the process at once. Flags win over the environment, which the server reads and checks itself.
 */
export const serve = async (io: Io, flags: ServeFlags): Promise<ExitCode> => {
  const [{ readConfig }, { startServer }] = await Promise.all([import('@turnkeeper/server/config'), import('@turnkeeper/server/main')]);
  const server = await startServer(readConfig(flags), (line) => io.stdout.write(`${line}\n`));
  await stopSignal(io);
  await server.stop();
  return exitCodes.completed;
};

const stopSignal = (io: Io): Promise<void> =>
  new Promise((resolve) => {
    let asked = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (asked) process.exit(signal === 'SIGINT' ? 130 : 143);
      asked = true;
      io.stderr.write('stopping … (once more ends at once)\n');
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
