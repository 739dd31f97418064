/**
 * `GET /metrics`, for Prometheus.
 *
 * HM1 It says how much goes on here, so not everyone may read it: admins by their token, scrapers by one of their own, and,
 *     unless such a token is set or a public address says that others get here through a proxy, whoever asks from this
 *     very machine. A request that a proxy has passed on is not from this machine, whatever its socket says.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { FastifyRequest } from 'fastify';
import { hashToken } from '../../app/tokens.ts';
import type { Api, ApiServices } from '../api.ts';
import { authenticate, credentialOf } from '../authentication.ts';

export type MetricsSource = {
  readonly read: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** Opens the metrics, and nothing else. */
  readonly token?: string;
};

const hidden = { schema: { hide: true } as never };
const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;
const signsOfProxies = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** Not by a page of another site either, whose name leads here: its requests carry that name. */
const isFromHere = ({ socket, headers }: FastifyRequest): boolean =>
  loopback.test(socket.remoteAddress ?? '') && loopbackHost.test(headers.host ?? '') && !signsOfProxies.some((name) => headers[name] !== undefined);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export const registerMetrics = (api: Api, services: ApiServices, { read, token, behindProxy }: MetricsSource & { readonly behindProxy: boolean }): void => {
  const wanted = token === undefined ? undefined : digest(token);
  const admit = async (request: FastifyRequest): Promise<void> => {
    const given = credentialOf(request);
    if (given === undefined) {
      if (wanted === undefined && !behindProxy && isFromHere(request)) return;
      throw new TurnkeeperError('unauthenticated', 'Send a credential: Authorization: Bearer <token of an admin, or TURNKEEPER_METRICS_TOKEN>.');
    }
    if (wanted && timingSafeEqual(wanted, digest(given))) return;
    const caller = await authenticate(services, hashToken(given), request.ip);
    if (caller.type !== 'user' || !caller.admin) throw new TurnkeeperError('forbidden', 'Only admins may read the metrics.');
  };
  api.get('/metrics', hidden, async (request, reply) => {
    await admit(request);
    const { contentType, text } = await read();
    return reply.type(contentType).header('cache-control', 'no-store').send(text);
  });
};
