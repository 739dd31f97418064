/**
 * How a server lets go of its connections when it closes.
 *
 * CZ1 A close ends: what is idle is closed, also what became so meanwhile, and a connection that says nothing (a client that went
 *     without a word, one that only connected) holds it up for `mostMs` at most. What is cut then was answered by nobody, and its
 *     client asks again, as after a crash.
 */
import type { Server } from 'node:http';
import type { App } from '../app/app.ts';

const everyMs = 200;
/** Longer than any answer takes that does not wait for a store. */
const mostMs = 10_000;

/** Waits for `close`, which begins to close the server. */
export const closeConnections = async (server: Server, clock: App['clock'], close: () => Promise<unknown>): Promise<void> => {
  let stop = (): void => {};
  const sweep = (): void => {
    server.closeIdleConnections();
    stop = clock.after(everyMs, sweep);
  };
  const stopLast = clock.after(mostMs, () => server.closeAllConnections());
  stop = clock.after(everyMs, sweep);
  try {
    await close();
  } finally {
    stop();
    stopLast();
  }
};
