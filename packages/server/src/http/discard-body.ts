/**
 * Reads what is left of a body that is refused, and forgets it.
 *
 * Answering and closing at once would reset the connection under a client that still sends: it would see a broken pipe
 * and never the answer.
 */
import type { IncomingMessage } from 'node:http';

const mostBytes = 64 * 1024 * 1024;

/** Resolves when the body is at its end, or beyond what one listens to for politeness. */
export const discardBody = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    if (request.complete || request.destroyed) return resolve();
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > mostBytes) done();
    };
    const done = (): void => {
      request.off('data', count);
      for (const event of ['end', 'close', 'error']) request.off(event, done);
      resolve();
    };
    request.on('data', count);
    for (const event of ['end', 'close', 'error']) request.on(event, done);
    request.resume();
  });
