/** A proxy in front, trusted or not: whose address counts for limits and the audit log (HF1). */
import { request as ask, createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';
import { tidyForwarded } from './forwarded.ts';

type Sent = { readonly from?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };
type Got = { readonly status: number; readonly body: Record<string, unknown> };

let behind: OpenHttp;
let plain: OpenHttp;
const proxies: Server[] = [];

/** Passes everything on, from 127.0.0.1; says of each request where it came from as `forwarded` has it. */
const startProxy = async (to: OpenHttp, forwarded: (peer: string, given: string | undefined) => string): Promise<number> => {
  const proxy = createServer((request, response) => {
    const given = request.headers['x-forwarded-for'];
    const headers = { ...request.headers, 'x-forwarded-for': forwarded(request.socket.remoteAddress ?? '', typeof given === 'string' ? given : undefined) };
    const onward = ask({ host: '127.0.0.1', port: to.port, localAddress: '127.0.0.1', method: request.method, path: request.url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxies.push(proxy);
  return (proxy.address() as AddressInfo).port;
};
const appending = (peer: string, given: string | undefined): string => (given === undefined ? peer : `${given}, ${peer}`);

/** `from`: the client's own address. */
const send = (port: number, method: string, path: string, { from = '127.0.0.1', headers = {}, body }: Sent = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const given: IncomingHttpHeaders = {
      ...headers,
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    };
    const request = ask({ host: '127.0.0.1', port, localAddress: from, method, path, headers: given }, async (answer) => {
      let all = '';
      for await (const part of answer) all += part;
      resolve({ status: answer.statusCode ?? 0, body: all === '' ? {} : (JSON.parse(all) as Record<string, unknown>) });
    });
    request.on('error', reject);
    request.end(text);
  });

beforeAll(async () => {
  behind = await openHttp({ trustedProxies: (address) => address === '127.0.0.1', rateLimits: { failedSignIns: 2 } });
  plain = await openHttp({ rateLimits: { failedSignIns: 2 } });
});
afterAll(async () => {
  for (const proxy of proxies) await new Promise((resolve) => proxy.close(resolve));
  await behind.close();
  await plain.close();
});

let made = 0;
/** The address that the audit log has of a call that came by this port. */
const audited = async (server: OpenHttp, port: number, sent: Sent): Promise<unknown> => {
  made += 1;
  const headers = { authorization: `Bearer ${server.token}`, ...sent.headers };
  const name = `SECRET_${made}`;
  expect((await send(port, 'PUT', `/api/v1/secrets/${name}`, { ...sent, headers, body: { value: 'x' } })).status).toBeLessThan(300);
  const { body } = await server.call('GET', '/api/v1/audit?limit=50');
  const entries = (body['items'] ?? body['data']) as readonly { readonly subject: string; readonly address: string | null }[];
  return entries.find(({ subject }) => subject === `secret:${name}`)?.address;
};
const signIn = (port: number, sent: Sent) => send(port, 'POST', '/api/auth/login', { ...sent, body: { username: 'nobody', password: 'guess' } });

test('HF1: by a trusted proxy the client counts, whatever it wrote itself', async () => {
  const port = await startProxy(behind, appending);
  expect(await audited(behind, port, { from: '127.0.0.7' })).toBe('127.0.0.7');
  expect(await audited(behind, port, { from: '127.0.0.7', headers: { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' } })).toBe('127.0.0.7');
  // Two proxies that are trusted: what the first of them saw.
  const outer = await startProxy(behind, (peer, given) => `${appending(peer, given)}, 127.0.0.1`);
  expect(await audited(behind, outer, { from: '127.0.0.8' })).toBe('127.0.0.8');
  // With a port, in brackets, or not an address at all.
  expect(await audited(behind, await startProxy(behind, (peer) => `${peer}:4711`), { from: '127.0.0.9' })).toBe('127.0.0.9');
  expect(await audited(behind, await startProxy(behind, () => '203.0.113.9, [2001:db8::1]:80'), {})).toBe('2001:db8::1');
  expect(await audited(behind, await startProxy(behind, () => '203.0.113.9, unknown'), {})).toBe('127.0.0.1');
});

test('HF1: from anybody else the header is not looked at, nor from a proxy where none is trusted', async () => {
  const forged = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', forwarded: 'for=203.0.113.9' };
  expect(await audited(behind, behind.port, { from: '127.0.0.6', headers: forged })).toBe('127.0.0.6');
  expect(await audited(plain, await startProxy(plain, appending), { from: '127.0.0.6', headers: forged })).toBe('127.0.0.1');
});

test('limits are the client’s behind a trusted proxy; another address in a forged header gives no new tries', async () => {
  const port = await startProxy(behind, appending);
  const from = '127.0.0.20';
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await signIn(port, { from, headers: { 'x-forwarded-for': `203.0.113.${n}` } })).status);
  expect(statuses).toEqual([401, 401, 429, 429]);
  expect((await signIn(port, { from: '127.0.0.21' })).status).toBe(401);
  const direct: number[] = [];
  for (let n = 0; n < 4; n += 1) direct.push((await signIn(behind.port, { from: '127.0.0.22', headers: { 'x-forwarded-for': `203.0.113.${n}` } })).status);
  expect(direct).toEqual([401, 401, 429, 429]);
});

test('what is left of what is no address is not looked at; that there was a header stays to be seen', () => {
  const tidied = (given: string | undefined): string | undefined => {
    const headers = given === undefined ? {} : { 'x-forwarded-for': given };
    tidyForwarded(headers);
    return (headers as { 'x-forwarded-for'?: string })['x-forwarded-for'];
  };
  expect([undefined, '1.1.1.1', 'x, 1.1.1.1', '1.1.1.1,, 2.2.2.2:80', '1.1.1.1, x', '[::1]', '::1'].map(tidied)).toEqual([
    ...[undefined, '1.1.1.1', '1.1.1.1', '2.2.2.2', '', '::1', '::1'],
  ]);
});
