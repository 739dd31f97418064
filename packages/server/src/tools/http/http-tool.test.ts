import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import type { HttpTool } from '@turnkeeper/core/protocol/wire/agents';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllowList } from '../../outbound/allow-list.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import type { ToolRun } from '../../ports/tool.ts';
import { type ApiServer, startApiServer } from '../../testing/tools/api-server.ts';
import { createFetchTool } from '../fetch.ts';
import { createHttpTool } from './http-tool.ts';
import { requestFaults } from './request-faults.ts';

let api: ApiServer;
const token = 'Bearer s3cr3t/"x"';
const secrets = { resolve: async (name: string) => (name === 'API' ? token : undefined) };
const lookup = async (host: string) => [{ address: host === 'inside.example' ? '10.0.0.1' : '127.0.0.1', family: 4 }];
const outbound = createOutbound({ allow: parseAllowList(['api.example']).list, lookup });
const port = () => new URL(api.origin).port;
beforeAll(async () => {
  api = await startApiServer();
});
afterAll(async () => {
  await api.close();
  await outbound.close();
});

const runOf = (signal = new AbortController().signal): ToolRun =>
  ({ sessionId: 's', turnId: 't', callId: 'c', signal, progress: () => {} }) as unknown as ToolRun;
const call = (request: HttpTool['request'], input = {}, signal?: AbortSignal) =>
  createHttpTool({ type: 'http', name: 'api', description: 'x', inputSchema: {}, request }, { outbound, secrets }).run(input, runOf(signal));
const text = (output: readonly OutputBlock[]): string => output.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');

test('the request is filled in, with its secret, which does not come back', async () => {
  const request = {
    method: 'POST',
    url: `${api.origin}/echo/{{input.id}}?q={{input.q}}`,
    headers: { Authorization: { $secret: 'API' }, 'x-who': '{{input.who}}' },
    body: { n: '{{input.n}}' },
  } as const;
  const { output, isError } = await call(request, { id: 'a/b', q: 'x y', who: 'ann', n: 3 });
  expect(isError).toBe(false);
  expect(api.asked.at(-1)).toMatchObject({ method: 'POST', url: '/echo/a%2Fb?q=x%20y', body: '{"n":3}' });
  expect(api.asked.at(-1)?.headers).toMatchObject({ authorization: token, 'x-who': 'ann', 'content-type': 'application/json', 'accept-encoding': 'identity' });
  expect(text(output)).toContain('[secret API]');
  expect(text(output)).not.toContain('s3cr3t');
  await expect(call({ ...request, headers: { a: { $secret: 'NONE' } } }, { id: 1 })).rejects.toThrow('"NONE"');
  await expect(call(request, { id: '..' })).rejects.toThrow('path');
  await call(
    { method: 'POST', url: `${api.origin}/echo`, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: { a: '{{input.a}}' } },
    { a: 'x&y' },
  );
  expect(api.asked.at(-1)?.body).toBe('a=x%26y');
});

test('H4, H9: a secret in the body is sent as its value, and its name stands in all that comes back', async () => {
  const url = `${api.origin}/echo`;
  const body = { auth: { token: { $secret: 'API' } }, list: [{ $secret: 'API' }], who: '{{input.who}}' };
  const { output } = await call({ method: 'POST', url, body }, { who: { $secret: 'API' } });
  expect(JSON.parse(api.asked.at(-1)?.body ?? '')).toEqual({ auth: { token }, list: [token], who: { $secret: 'API' } });
  expect(text(output)).toContain('[secret API]');
  expect(text(output)).not.toContain('s3cr3t');
  const as = (contentType: string, sent: HttpTool['request']['body']) =>
    call({ method: 'POST', url, headers: { 'content-type': contentType }, body: sent }, {});
  for (const answer of [
    await as('application/x-www-form-urlencoded', { token: { $secret: 'API' } }),
    await as('text/plain', { $secret: 'API' }),
    await as('application/json', { $secret: 'API' }),
    await as('text/json', { $secret: 'API' }),
  ])
    expect(text(answer.output)).not.toContain('s3cr3t');
  expect(api.asked.slice(-4).map((asked) => asked.body)).toEqual([
    new URLSearchParams({ token }).toString(),
    token,
    JSON.stringify(token),
    JSON.stringify(token),
  ]);
  const before = api.asked.length;
  await expect(call({ method: 'POST', url, body: { a: { $secret: 'NONE' } } })).rejects.toThrow('The secret "NONE", which "body" needs');
  expect(api.asked).toHaveLength(before);
});

test('H7, H8: what a model fills in is neither framing, nor host, nor syntax of JSON', async () => {
  const url = `${api.origin}/echo`;
  const headers = { Host: '{{input.h}}', 'Content-Length': '3', 'transfer-encoding': 'chunked', connection: '{{input.h}}', 'x-fine': '{{input.h}}' };
  const wanted = { method: 'POST', url, headers, body: { a: '{{input.h}}' } } as const;
  expect(requestFaults(wanted).map(({ pointer }) => pointer)).toEqual(
    ['Host', 'Content-Length', 'transfer-encoding', 'connection'].map((name) => `/headers/${name}`),
  );
  expect((await call(wanted, { h: 'inside.example' })).isError).toBe(false);
  expect(api.asked.at(-1)).toMatchObject({ body: '{"a":"inside.example"}', headers: { host: new URL(url).host, 'x-fine': 'inside.example' } });
  expect(requestFaults({ method: 'GET', url, headers: { host: 'shop.example', authorization: { $secret: 'API' } } })).toEqual([]);
  const json = (contentType: string, body: string) => ({ method: 'POST', url, headers: { 'content-type': contentType }, body }) as const;
  const within = json('text/json; charset=utf-8', '{"who":"{{input.who}}"}');
  expect(requestFaults(within)).toMatchObject([{ pointer: '/body' }]);
  await expect(call(within, { who: '","admin":true,"x":"' })).rejects.toThrow('text/json');
  await call(json('text/json', '{{input.who}}'), { who: '"' });
  expect(api.asked.at(-1)?.body).toBe(JSON.stringify('"'));
  await call(json('application/vnd.api+json', '{"who":"{{input.who}}"}'), { who: '","admin":true,"x":"' });
  expect(typeof JSON.parse(api.asked.at(-1)?.body ?? '')).toBe('string');
  for (const fine of [json('text/json', '{"a":1}'), json('text/plain', 'for {{input.who}}'), json('application/json', '{{input}}')])
    expect(requestFaults(fine)).toEqual([]);
  expect(requestFaults(json('{{input.type}}', 'x'))).toMatchObject([{ pointer: '/headers/content-type' }]);
});

test('a status of failure is an error result with its body; redirects are not followed', async () => {
  const missing = await call({ method: 'GET', url: `${api.origin}/missing`, headers: { authorization: { $secret: 'API' } } });
  expect([missing.isError, text(missing.output)]).toEqual([true, 'HTTP 404\n{"error":"no such order","auth":"[secret API]"}']);
  const before = api.asked.length;
  const moved = await call({ method: 'GET', url: `${api.origin}/moved?to=/echo` });
  expect([moved.isError, text(moved.output), api.asked.length]).toEqual([true, 'HTTP 302: redirects are not followed; it leads to /echo.', before + 1]);
  expect(text((await call({ method: 'DELETE', url: `${api.origin}/empty` })).output)).toBe('HTTP 204, no content');
});

test('answers are shown as what they are, and read up to a bound', async () => {
  const show = async (path: string) => (await call({ method: 'GET', url: `${api.origin}/${path}` })).output;
  expect(await show('image')).toEqual([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } }]);
  expect(text(await show('zip'))).toBe('[left out: application/zip, 2000 bytes]');
  expect(text(await show('latin'))).toBe('grün');
  const endless = text(await show('endless'));
  expect(endless).toContain('[cut: only the first 1048576 bytes were read]');
  expect(endless.length).toBeLessThan(1_100_000);
});

test('failures of the network are told without the request; an abort is the abort', async () => {
  const closed = await startApiServer();
  await closed.close();
  const refused = call({ method: 'GET', url: `${closed.origin}/a?key=hidden`, headers: { authorization: { $secret: 'API' } } });
  await expect(refused).rejects.toThrow(`${new URL(closed.origin).host} refused the connection.`);
  await expect(call({ method: 'GET', url: 'http://169.254.169.254/latest' })).rejects.toThrow('metadata');
  const abort = new AbortController();
  const silent = call({ method: 'GET', url: `${api.origin}/silent` }, {}, abort.signal);
  abort.abort(new Error('stopped by a person'));
  await expect(silent).rejects.toThrow('stopped by a person');
});

const read = (url: string) => createFetchTool(outbound).run({ url }, runOf());
const allowed = (path: string) => `http://api.example:${port()}/${path}`;

test('fetch reads pages as text, follows redirects through the filter, and refuses what it cannot show', async () => {
  expect(text((await read(allowed('page'))).output)).toBe('The title\nHead\nOne & two €\na < b');
  expect((await read(allowed(`moved?to=${encodeURIComponent('/latin')}`))).output).toEqual([{ type: 'text', text: 'grün' }]);
  expect(await read(allowed('zip'))).toEqual({ output: [{ type: 'text', text: '[left out: application/zip, 2000 bytes]' }], isError: true });
  expect(await read(allowed('missing'))).toMatchObject({ isError: true, output: [{ text: 'HTTP 404' }, {}] });
});

test('fetch goes nowhere private, not by a redirect either, nor by other protocols', async () => {
  const before = api.asked.length;
  for (const url of [api.origin, 'http://inside.example/', `http://other.example:${port()}/`, 'http://0x7f.1/', 'http://[::ffff:127.0.0.1]/'])
    await expect(read(url), url).rejects.toThrow('not a public address');
  expect(api.asked).toHaveLength(before);
  for (const to of [api.origin, 'http://inside.example/', 'http://169.254.169.254/', 'http://[::1]/'])
    await expect(read(allowed(`moved?to=${encodeURIComponent(to)}`)), to).rejects.toThrow('not a public address');
  for (const url of ['file:///etc/passwd', 'ftp://api.example/', 'http://ann:pw@api.example/', 'api.example']) await expect(read(url), url).rejects.toThrow();
  await expect(read(allowed(`moved?to=${encodeURIComponent('file:///etc/passwd')}`))).rejects.toThrow('file:');
});

test('fetch gives up a circle of redirects', async () => {
  const before = api.asked.length;
  await expect(read(allowed('circle'))).rejects.toThrow('more than 5 times');
  expect(api.asked).toHaveLength(before + 6);
});
