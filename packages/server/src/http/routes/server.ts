/**
 * Is the server alive, is it ready: for load balancers and for whoever waits for its start.
 *
 * HH3 `/healthz` asks nobody: a process that runs is alive, whatever its disk does. To restart it would not help.
 */
import { z } from 'zod';
import type { Api } from '../api.ts';
import { operation } from '../openapi/operation.ts';
import type { Health } from '../store-health.ts';

const answer = z.object({ status: z.enum(['ok', 'unavailable', 'stopping']), detail: z.string().optional() });
const describe = (summary: string) => operation({ summary, tag: 'server', answers: { 200: answer, 503: answer }, open: true }, {});

export const registerHealth = (api: Api, health: () => Health | Promise<Health>, draining: () => boolean): void => {
  api.get('/healthz', { schema: describe('Is the process alive?') }, async () => ({ status: 'ok' }));
  api.get('/readyz', { schema: describe('Does the server take work?') }, async (_request, reply) => {
    if (draining()) return reply.code(503).send({ status: 'stopping' });
    const { ready, detail } = await health();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', ...(detail === undefined ? {} : { detail }) });
  });
};
