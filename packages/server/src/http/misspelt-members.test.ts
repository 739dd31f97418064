/** A member that is misspelt is not left out unnoticed: what it asks for would not be done. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

const sessions = '/api/v1/agent-sessions';
let server: OpenHttp;
let session: string;
beforeAll(async () => {
  server = await openHttp();
  session = `${sessions}/${await server.newSession()}`;
});
afterAll(() => server.close());

const fault = (pointer: string, meant?: string) => ({
  status: 422,
  body: { code: 'validation_failed', errors: [{ pointer, detail: `unknown member${meant === undefined ? '' : `; did you mean ${meant}?`}` }] },
});
const post = (path: string, body: object) => server.call('POST', path, body, { 'idempotency-key': crypto.randomUUID() });

describe('a body whose members bound something', () => {
  test('of a budget has no others: no limit is cleared by a slip', async () => {
    const put = (body: object) => server.call('PUT', `${session}/budget`, body);
    expect((await put({ max_total_tokens: 500 })).status).toBe(200);
    expect(await put({ max_calls: 3 })).toMatchObject(fault('/max_calls'));
    expect(await put({ maxTotalTokens: 3 })).toMatchObject(fault('/maxTotalTokens', 'max_total_tokens'));
    expect((await server.call('GET', `${session}/budget`)).body).toMatchObject({ max_total_tokens: 500 });
  });

  test('of a client token, a schedule and a webhook has no others', async () => {
    expect(await post(`${session}/client-tokens`, { scope: ['read'] })).toMatchObject(fault('/scope', 'scopes'));
    const schedule = { cron: '0 7 * * *', message: 'hello' };
    expect(await post(`${session}/schedules`, { ...schedule, timezon: 'Europe/Berlin' })).toMatchObject(fault('/timezon', 'timezone'));
    const made = await post(`${session}/schedules`, schedule);
    const change = { version: made.body['version'], enabeld: false };
    expect(await server.call('PATCH', `${session}/schedules/${made.body['id']}`, change)).toMatchObject(fault('/enabeld', 'enabled'));
    expect(await post(`${session}/webhooks`, { url: 'https://example.com/', eventTypes: [] })).toMatchObject(fault('/eventTypes', 'event_types'));
    expect(await post(`${session}/webhooks`, { url: 'https://example.com/', colour: 'red' })).toMatchObject(fault('/colour'));
  });
});

describe('a body, or a query, that may hold others', () => {
  test('holds none that nearly has the name of one that is missing', async () => {
    expect(await post(`${session}/turns`, { message: 'x', onbusy: 'reject' })).toMatchObject(fault('/onbusy', 'onBusy'));
    expect(await post(`${session}/turns`, { message: 'x', on_busy: 'reject' })).toMatchObject(fault('/on_busy', 'onBusy'));
    expect(await post(sessions, { agent: 'script', outputschema: {} })).toMatchObject(fault('/outputschema', 'outputSchema'));
    const listed = await server.call('GET', `${sessions}?activty=running`);
    expect(listed).toMatchObject({ status: 422, body: { errors: [{ pointer: '/activty', in: 'query', detail: 'unknown member; did you mean activity?' }] } });
    const answer = { request_id: 'act_0', paylod: { answers: {} } };
    expect(await post(`${session}/turns/turn_0/actions`, answer)).toMatchObject(fault('/paylod', 'payload'));
  });

  test('holds what existing clients send besides, and what older ones put beside', async () => {
    const created = await post(sessions, { agent: 'script', environmentId: 'env_1', title: 'T', titel: 'said already' });
    expect(created.status).toBe(201);
    expect((await post(`${sessions}/${created.body['id']}/turns`, { message: 'x', environmentId: 'env_1' })).status).toBe(202);
    expect((await server.call('GET', `${sessions}?colour=red&metadata.activty=x`)).status).toBe(200);
    // None of these is refused for its members: there is no such turn.
    for (const beside of [{ allow: true }, { answers: {} }, { outcome: 'failed', reason: 'x' }, { output: 1, is_error: true }, { answer: 3 }])
      expect((await post(`${session}/turns/turn_0/actions`, { request_id: 'act_0', ...beside })).status, JSON.stringify(beside)).toBe(404);
  });
});

test('a webhook is for events that there are', async () => {
  const make = (...event_types: string[]) => post(`${session}/webhooks`, { url: 'https://example.com/', event_types });
  const refused = await make('turn.completed', 'turn.finished');
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/event_types/1' }] } });
  expect(JSON.stringify(refused.body['errors'])).toMatch(/there are: .*turn\.accepted.*required_action\.created/);
  expect((await make('toString')).status).toBe(422);
});
