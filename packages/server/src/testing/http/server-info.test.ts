/** What admins are told of the server, and a model that is tried. */
import { serverInfo, testModelAnswer } from '@turnkeeper/core/protocol/wire/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listProviders } from '../../models/provider-list.ts';
import { type OpenHttp, openHttp } from './open-http.ts';

const facts = {
  version: '9.9.9',
  pid: 4711,
  dataFolder: '/srv/turnkeeper',
  store: 'embedded' as const,
  startedAt: 1,
  retention: { historyDays: 30, deletedDays: 7, auditDays: 0 },
};
let server: OpenHttp;
beforeAll(async () => {
  server = await openHttp({ facts, providers: () => [...listProviders({ demo: true, openai: { apiKey: 'sk-hidden-0123' } })] });
});
afterAll(() => server.close());
const asBob = () => ({ authorization: `Bearer ${server.otherToken}` });

test('admins are told what the server is and how it is; names of settings, no values', async () => {
  const answer = await server.call('GET', '/api/v1/server');
  expect(answer.status).toBe(200);
  expect(serverInfo.strict().parse(answer.body)).toMatchObject({
    version: '9.9.9',
    pid: 4711,
    dataFolder: '/srv/turnkeeper',
    ready: true,
    detail: null,
    openStreams: 0,
    retention: facts.retention,
  });
  expect(answer.body['providers']).toContainEqual({ name: 'openai', on: true, setting: 'OPENAI_API_KEY' });
  expect(answer.body['providers']).toContainEqual({ name: 'anthropic', on: false, setting: 'ANTHROPIC_API_KEY' });
  expect(JSON.stringify(answer.body)).not.toContain('sk-hidden');
  expect(await server.call('GET', '/api/v1/server', undefined, asBob())).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(JSON.stringify((await server.call('GET', '/api/v1/server', undefined, asBob())).body)).not.toContain('/srv');
});

test('a model is tried by admins: one that answers, one that fails, one that is not there', async () => {
  const ask = (model: string, headers = {}) => server.call('POST', '/api/v1/models/test', { model }, headers);
  const fine = await ask('demo:welcome');
  expect(testModelAnswer.strict().parse(fine.body)).toMatchObject({ ok: true, error: null });
  expect(String(fine.body['text'])).not.toBe('');
  expect(String(fine.body['text']).length).toBeLessThanOrEqual(400);
  expect((await ask('anthropic:claude')).body).toMatchObject({ ok: false, text: '', error: expect.stringContaining('ANTHROPIC_API_KEY') });
  expect((await ask('demo:none')).body).toMatchObject({ ok: false, error: expect.stringContaining('demo:welcome') });
  expect(await ask('demo:welcome', asBob())).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});
