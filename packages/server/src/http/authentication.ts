/**
 * Who is calling: the credential of a request, and its caller.
 *
 * HA1 Bearer tokens that are refused count as failed sign-ins of their address. While those are used up, nothing is
 *     looked up for a token that was never valid here; one that was goes on working, whoever shares its address.
 */

import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../app/caller.ts';
import { refuseOutside } from '../app/client-reach.ts';
import { hashToken } from '../app/tokens.ts';
import type { Api, ApiServices } from './api.ts';

/** `Authorization: Bearer …`, or `X-API-Key` for clients that send their credential there. */
export const credentialOf = ({ headers }: FastifyRequest): string | undefined => {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
};

/** Who comes with the credential of this hash (HA1); throws `unauthenticated`, `rate_limited`. */
export const authenticate = async ({ identity, rateLimits }: ApiServices, credential: string, address: string): Promise<Caller> => {
  if (!identity.recognises(credential)) rateLimits.failedSignIns.check(address);
  try {
    const caller = { ...(await identity.authenticate(credential)), address };
    rateLimits.requests.take(credential);
    return caller;
  } catch (error) {
    if (error instanceof TurnkeeperError && error.code === 'unauthenticated') rateLimits.failedSignIns.take(address);
    throw error;
  }
};

/** Every route registered on `api` from here on wants a credential. */
export const requireCaller = (api: Api, services: ApiServices): void => {
  api.decorateRequest('credential', '');
  // Set before any handler runs; a request without a caller never gets there.
  api.decorateRequest('caller');
  api.addHook('onRequest', async (request) => {
    const token = credentialOf(request);
    if (token === undefined) throw new TurnkeeperError('unauthenticated', 'Send a credential: Authorization: Bearer <token>, or X-API-Key: <key>.');
    request.credential = hashToken(token);
    request.caller = await authenticate(services, request.credential, request.ip);
  });
};

/** A client's token opens its session, and no route of `api` that is of no session or of another [CT1]. */
export const keepClientsInside = (api: Api): void => {
  api.addHook('onRequest', async ({ caller, params }) => refuseOutside(caller, (params as { readonly sessionId?: string } | undefined)?.sessionId));
};
