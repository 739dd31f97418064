/** The id by which a request is found in the logs: the client's own if it is sane, else a fresh one. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const sane = /^[A-Za-z0-9._:-]{1,128}$/;

export const createRequestIds = (): ((request: IncomingMessage) => string) => {
  // Random for the process, counted within it: no randomness is drawn for each request.
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && sane.test(given)) return given;
    count += 1;
    return `req_${prefix}${count.toString(36)}`;
  };
};
