/** Bodies that are made to cost: refused before anything dear looks at them. */
import { request as send } from 'node:http';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';
import { parseBody } from './json-body.ts';

const sessions = '/api/v1/agent-sessions';
let server: OpenHttp;
let session: string;
beforeAll(async () => {
  server = await openHttp({ rateLimits: { requests: 1_000_000, failedSignIns: 1_000_000 } });
  session = await server.newSession();
});
afterAll(() => server.close());

const submit = (body: unknown) => server.call('POST', `${sessions}/${session}/turns`, body, { 'idempotency-key': crypto.randomUUID() });
const repeated = (text: string, count: number): string => new Array(count).fill(text).join(',');
const tooMany = { status: 422, body: { code: 'validation_failed', errors: [{ pointer: '', detail: expect.stringContaining(`${limits.jsonNodes} values`) }] } };

describe('values without number', () => {
  test('are refused with the limit, wherever they are', async () => {
    expect(await submit(`{"input":[{"role":"user","content":[${repeated('{"type":"zz"}', 130_000)}]}]}`)).toMatchObject(tooMany);
    expect(await submit(`{"message":"x","metadata":[${repeated('{}', 2_700_000)}]}`)).toMatchObject(tooMany);
    expect(await submit(`{"message":"x","more":[${repeated('1', 30_000)}]}`)).toMatchObject(tooMany);
  });

  test('cost little, parsed or not', () => {
    const names = Array.from({ length: 700_000 }, (_, n) => `"m${n}":0`).join(',');
    for (const text of [`[${repeated('{}', 2_700_000)}]`, `{${names}}`, `[${repeated('"\\u0000"', 900_000)}]`, '['.repeat(8_000_000)]) {
      const bytes = Buffer.from(text);
      const from = process.cpuUsage();
      expect(() => parseBody(bytes)).toThrow('values in all');
      const { user, system } = process.cpuUsage(from);
      // Some 30 ms; parsing alone took seconds.
      expect((user + system) / 1_000).toBeLessThan(500);
    }
  });

  test('up to the limit have few faults told, and content has few blocks', async () => {
    const block = { type: 'zz' };
    const many = await submit({ input: [{ role: 'user', content: new Array(9_000).fill(block) }] });
    expect(many).toMatchObject({ status: 422, body: { errors: [{ pointer: '/input/0/content' }] } });
    const messages = Array.from({ length: 100 }, () => ({ role: 'user', content: new Array(90).fill(block) }));
    const wrong = await submit({ input: messages });
    expect((wrong.body['errors'] as unknown[]).length).toBe(50);
    const content = (count: number) => ({ input: [{ role: 'user', content: new Array(count).fill({ type: 'text', text: 'x' }) }] });
    expect((await submit(content(limits.contentBlocks))).status).toBe(202);
    expect(await submit(content(limits.contentBlocks + 1))).toMatchObject({ status: 422, body: { errors: [{ pointer: '/input/0/content' }] } });
  });
});

describe('signing in', () => {
  const link = (body: unknown, on = server) => on.call('POST', '/api/auth/link', body, { authorization: '' });

  test('takes small bodies only', async () => {
    const refused = { status: 413, body: { code: 'payload_too_large', limit: limits.authBodyBytes } };
    expect(await link(`{"token":[${repeated('{}', 10_000)}]}`)).toMatchObject(refused);
    expect(await server.call('POST', '/api/auth/logout', { x: 'x'.repeat(limits.authBodyBytes) })).toMatchObject(refused);
  });

  test('counts bodies that are none as failures', async () => {
    const small = await openHttp({ rateLimits: { failedSignIns: 3 } });
    const wrong = [await link('{', small), await link({ token: 1 }, small), await link({ token: 'x'.repeat(5_000) }, small)];
    expect(wrong.map(({ status }) => status)).toEqual([400, 422, 413]);
    expect(await link({ token: small.token }, small)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    await small.close();
  });
});

describe('a head', () => {
  const head = (headers: Record<string, string | string[]>, body?: string): Promise<{ status: number; body: Record<string, unknown> }> =>
    new Promise((resolve, reject) => {
      const call = send(`${server.url}${sessions}/${session}/turns`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...headers },
      });
      call.on('error', reject);
      call.on('response', (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += String(chunk);
        });
        answer.on('end', () => {
          call.destroy();
          resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> });
        });
      });
      if (body === undefined) call.flushHeaders();
      else call.end(body);
    });

  test('that announces too much is answered at once', async () => {
    const answer = await head({ 'content-length': String(limits.bodyBytes + 1), 'idempotency-key': 'k' });
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large', limit: limits.bodyBytes } });
  });

  test('with a Content-Encoding is refused, but for identity', async () => {
    const body = '{"message":"x"}';
    expect(await head({ 'content-encoding': 'gzip', 'idempotency-key': 'e1' }, body)).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    expect(await head({ 'content-encoding': 'identity', 'idempotency-key': 'e2' }, body)).toMatchObject({ status: 202 });
  });

  test('with two Idempotency-Keys is refused', async () => {
    const answer = await head({ 'idempotency-key': ['a', 'b'] }, '{"message":"x"}');
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } });
    expect(await head({ 'idempotency-key': 'a, b' }, '{"message":"x"}')).toMatchObject({ status: 202 });
  });
});
