/**
 * A port for a server that is stopped and started again on it.
 *
 * It lies below those that systems give out by themselves: nobody's outgoing connection has it while the server is away.
 */
import { createServer } from 'node:net';

const [lowest, count] = [20_000, 12_000];

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = lowest + Math.floor(Math.random() * count);
    if (await isFree(port)) return port;
  }
  throw new Error('No free port was found.');
};
