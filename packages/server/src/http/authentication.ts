/**
 * Who is calling: the credential of a request, and its caller.
 *
 * HA1 Bearer tokens that are refused count as failed sign-ins of their address. While those are used up, nothing is
 *     looked up for a token that was never valid here; one that was goes on working, whoever shares its address.
 */

import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { FastifyRequest } from 'fastify';
import { hashToken } from '../app/identity.ts';
import type { Api, ApiServices } from './api.ts';

/** `Authorization: Bearer …`, or `X-API-Key` for clients that send their credential there. */
export const credentialOf = ({ headers }: FastifyRequest): string | undefined => {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
};

/** Every route registered on `api` from here on wants a credential. */
export const requireCaller = (api: Api, { identity, rateLimits }: ApiServices): void => {
  api.decorateRequest('credential', '');
  // Set before any handler runs; a request without a caller never gets there.
  api.decorateRequest('caller');
  api.addHook('onRequest', async (request) => {
    const token = credentialOf(request);
    if (token === undefined) throw new TurnkeeperError('unauthenticated', 'Send a credential: Authorization: Bearer <token>.');
    request.credential = hashToken(token);
    if (!identity.recognises(request.credential)) rateLimits.failedSignIns.check(request.ip);
    try {
      request.caller = await identity.authenticate(request.credential);
    } catch (error) {
      if (error instanceof TurnkeeperError && error.code === 'unauthenticated') rateLimits.failedSignIns.take(request.ip);
      throw error;
    }
    rateLimits.requests.take(request.credential);
  });
};
