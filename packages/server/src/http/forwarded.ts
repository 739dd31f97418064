/**
 * Whose request it is where proxies stand in front.
 *
 * HF1 What a header says of the client counts only as far as it was written by proxies that the operator trusts: from the
 *     right, up to the first address that is not one of theirs. Whatever a client wrote before that is never looked at.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** An address of a proxy that is trusted. */
export type TrustedProxies = (address: string) => boolean;

/** Some proxies write the port with it, and IPv6 in brackets. */
const addressIn = (entry: string): string | undefined => {
  const text = entry.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? undefined : bare;
};

/**
 * Leaves in `X-Forwarded-For` what Fastify can read of it: addresses alone, and nothing to the left of what is none (a
 * port counted as part of an address would make each connection another client).
 */
export const tidyForwarded = (headers: IncomingMessage['headers']): void => {
  const given = headers['x-forwarded-for'];
  if (given === undefined) return;
  const entries = (Array.isArray(given) ? given.join(',') : given).split(',');
  const addresses: string[] = [];
  for (const entry of entries.toReversed()) {
    const address = addressIn(entry);
    if (address === undefined) break;
    addresses.unshift(address);
  }
  // It stays where nothing is left: that there is one at all says that a proxy passed the request on (HM1).
  headers['x-forwarded-for'] = addresses.join(', ');
};
