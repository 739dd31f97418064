/** `turnkeeper serve`: the server in the foreground. Its own code is loaded only here: the other commands are clients. */
import { InvalidArgumentError } from 'commander';

export type ServeOptions = {
  readonly port?: number;
  readonly host?: string;
  readonly data?: string;
  readonly database?: string;
  readonly publicUrl?: string;
  readonly corsOrigins?: readonly string[];
  readonly demo?: boolean;
};

export const parsePort = (text: string): number => {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('a port is a number from 0 to 65535 (0 = any free one).');
  return port;
};

/** Flags win over the environment, which the server reads itself; what was not given is left out. */
export const serve = async (options: ServeOptions): Promise<void> => {
  const { startServer } = await import('@turnkeeper/server/main');
  await startServer(options);
};
