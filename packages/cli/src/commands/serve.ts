/** `turnkeeper serve`: the server in the foreground. Its code is loaded only here: the other commands are clients. */
import type { ServeFlags } from '@turnkeeper/server/config';
import type { ExitCode } from '../exit-codes.ts';
import { exitCodes } from '../exit-codes.ts';

/** Flags win over the environment, which the server reads and checks itself; what was not given is left out. */
export const serve = async (flags: ServeFlags): Promise<ExitCode> => {
  const [{ readConfig }, { startServer }] = await Promise.all([import('@turnkeeper/server/config'), import('@turnkeeper/server/main')]);
  await startServer(readConfig(flags));
  return exitCodes.completed;
};
