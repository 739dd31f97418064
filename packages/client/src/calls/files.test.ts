/** Bytes on the way in and out: what is sent, and what is sent again. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Client, createClient } from '../create-client.ts';

type Got = { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: string };
let got: Got[];
let statuses: number[];
let answer: string;
let client: Client;
let close: () => Promise<void>;

beforeEach(async () => {
  got = [];
  statuses = [];
  answer = '{"id":"file_1"}';
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      got.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() });
      const status = statuses.shift() ?? 200;
      const problem = { code: status === 404 ? 'not_found' : 'storage_unavailable', status, detail: 'no' };
      response.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' });
      response.end(status < 400 ? answer : JSON.stringify(problem));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  client = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't' });
  close = async () => {
    client.close();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
});
afterEach(() => close());

const stream = (...parts: readonly string[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });

test.each([
  ['a Blob', () => new Blob(['abc'], { type: 'text/csv' }), 'text/csv', undefined],
  ['a File', () => new File(['abc'], 'ä b.csv', { type: 'text/csv' }), 'text/csv', '%C3%A4%20b.csv'],
  ['bytes', () => new TextEncoder().encode('abc'), 'application/octet-stream', undefined],
  ['a text', () => 'abc', 'text/plain', undefined],
  ['a stream', () => stream('a', 'bc'), 'application/octet-stream', undefined],
])('%s is sent as it is', async (_, make, type, name) => {
  expect(await client.files.upload('ses_1', make(), { idempotencyKey: 'k' })).toEqual({ id: 'file_1' });
  expect(got).toMatchObject([
    {
      method: 'POST',
      url: '/api/v1/agent-sessions/ses_1/files',
      body: 'abc',
      headers: { 'idempotency-key': 'k', 'content-type': type, authorization: 'Bearer t' },
    },
  ]);
  expect(got[0]?.headers['x-file-name']).toBe(name);
});

test('what the caller says of it counts more', async () => {
  await client.files.upload('ses_1', new File(['x'], 'a.txt', { type: 'text/plain' }), { idempotencyKey: 'k', name: '报告.md', mediaType: 'text/markdown' });
  expect(got[0]?.headers).toMatchObject({ 'x-file-name': '%E6%8A%A5%E5%91%8A.md', 'content-type': 'text/markdown' });
});

test('an upload is tried again with the same key, but a stream is not: it was used up', async () => {
  statuses = [503];
  await client.files.upload('ses_1', 'abc', { idempotencyKey: 'k' });
  expect(got.map(({ body, headers }) => [body, headers['idempotency-key']])).toEqual([
    ['abc', 'k'],
    ['abc', 'k'],
  ]);
  statuses = [503];
  await expect(client.files.upload('ses_1', stream('abc'), { idempotencyKey: 'k' })).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(got).toHaveLength(3);
});

test('a download is the answer itself, or the refusal', async () => {
  answer = 'the bytes';
  expect(await (await client.files.download('ses_1', 'file_1', { range: 'bytes=0-3' })).text()).toBe('the bytes');
  expect(got[0]).toMatchObject({ url: '/api/v1/agent-sessions/ses_1/files/file_1/content', headers: { range: 'bytes=0-3', authorization: 'Bearer t' } });
  expect(await (await client.artifacts.download('ses_1', 'turn_1', 'art/1')).text()).toBe('the bytes');
  expect(got[1]?.url).toBe('/api/v1/agent-sessions/ses_1/turns/turn_1/artifacts/art%2F1');
  statuses = [404];
  await expect(client.files.download('ses_1', 'file_2')).rejects.toMatchObject({ code: 'not_found' });
});

test('artifacts are published with a key, listed and taken back', async () => {
  await client.artifacts.publish('ses_1', { file_id: 'file_1' }, { idempotencyKey: 'k' });
  await client.artifacts.ofTurn('ses_1', 'turn_1', { limit: 2 });
  answer = '';
  await client.artifacts.delete('ses_1', 'art_1');
  expect(got.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
    'POST /api/v1/agent-sessions/ses_1/artifacts {"file_id":"file_1"}',
    'GET /api/v1/agent-sessions/ses_1/turns/turn_1/artifacts?limit=2 ',
    'DELETE /api/v1/agent-sessions/ses_1/artifacts/art_1 ',
  ]);
  expect(got[0]?.headers['idempotency-key']).toBe('k');
});
