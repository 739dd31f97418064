import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { allowNothing, parseAllowList } from '../outbound/allow-list.ts';
import type { WebhookSender } from '../ports/webhooks.ts';
import { ManualClock } from '../testing/harness/manual-clock.ts';
import { eventually } from '../testing/harness/settle.ts';
import { createWebhookSender, type SenderOptions } from './sender.ts';

let server: Server;
let port: number;
let paths: string[] = [];
let hanging = 0;
let sender: WebhookSender;
const clock = new ManualClock();

beforeAll(async () => {
  server = createServer((request, response) => {
    paths.push(`${request.method} ${request.url} ${request.headers['x-test'] ?? ''}`);
    request.resume();
    if (request.url === '/hang') {
      hanging += 1;
      response.on('close', () => {
        hanging -= 1;
      });
      return;
    }
    if (request.url === '/moved') response.writeHead(302, { location: '/fine' }).end();
    else if (request.url === '/endless') {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    } else response.writeHead(Number(request.url?.slice(1)) || 204).end('secret words');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
afterEach(async () => {
  await sender.close();
  paths = [];
});

const open = (options: Partial<SenderOptions> = {}): void => {
  sender = createWebhookSender({ clock, allow: allowNothing, allowPrivate: true, ...options });
};
const send = (path: string, signal?: AbortSignal) => sender.send({ url: `http://127.0.0.1:${port}${path}`, headers: { 'x-test': 'yes' }, body: '{}' }, signal);

test('2xx is taken; anything else is not, in words that hold nothing of the answer', async () => {
  open();
  expect(await send('/204')).toEqual({ ok: true, status: 204, error: null });
  expect(paths).toEqual(['POST /204 yes']);
  expect(await send('/404')).toEqual({ ok: false, status: 404, error: 'answered 404.' });
  expect(await send('/500')).toEqual({ ok: false, status: 500, error: 'answered 500.' });
});

test('a redirect is not followed', async () => {
  open();
  expect(await send('/moved')).toEqual({ ok: false, status: 302, error: 'answered 302: redirects are not followed.' });
  expect(paths).toEqual(['POST /moved yes']);
});

test('SN3: who does not answer within 10 s has not taken it, and the connection is closed', async () => {
  open();
  const sent = send('/hang');
  await eventually('it hangs', () => hanging === 1);
  await clock.advance(9_999);
  expect(hanging).toBe(1);
  await clock.advance(1);
  expect(await sent).toEqual({ ok: false, status: null, error: `127.0.0.1:${port} did not answer within 10 s.` });
  await eventually('it is closed', () => hanging === 0);
  expect(clock.waiting).toBe(0);
});

test('an attempt can be broken off', async () => {
  open();
  const abort = new AbortController();
  const sent = send('/hang', abort.signal);
  await eventually('it hangs', () => hanging === 1);
  abort.abort();
  expect(await sent).toMatchObject({ ok: false, status: null });
  await eventually('it is closed', () => hanging === 0);
});

test('an answer that never ends costs no memory: its status is enough', async () => {
  open();
  expect(await send('/endless')).toEqual({ ok: true, status: 200, error: null });
});

const hint = '(for development the server may be started with TURNKEEPER_WEBHOOK_ALLOW_PRIVATE=1)';

test('SN1: neither http nor a private address, unless it is allowed', async () => {
  open({ allowPrivate: false });
  expect(await send('/204')).toMatchObject({ ok: false, error: `an https:// URL is wanted ${hint}.` });
  expect(sender.fault('https://10.0.0.1/')).toBe(`10.0.0.1 is not a public address ${hint}`);
  expect(sender.fault('https://169.254.169.254/')).toBe('169.254.169.254 is not a public address');
  expect(sender.fault('https://example.com/hook')).toBeUndefined();
  await sender.close();
  open({ allowPrivate: false, allow: parseAllowList([`127.0.0.1:${port}`]).list });
  expect(await send('/204')).toMatchObject({ ok: true });
  expect(sender.fault('http://127.0.0.1:1/')).toBe(`an https:// URL is wanted ${hint}`);
  await sender.close();
  open({ allowPrivate: false, allow: parseAllowList(['127.0.0.0/8']).list });
  expect(await send('/204')).toMatchObject({ ok: true });
});

test('SN1: a name that leads to a private address is refused when it is connected to', async () => {
  open({ allowPrivate: false, lookup: async () => [{ address: '10.1.2.3', family: 4 }] });
  expect(sender.fault('https://inner.example/')).toBeUndefined();
  expect(await sender.send({ url: 'https://inner.example/', headers: {}, body: '{}' })).toMatchObject({
    ok: false,
    status: null,
    error: expect.stringContaining('is not a public address'),
  });
});

test('a metadata service is reached by no switch', async () => {
  open();
  expect(sender.fault('http://169.254.169.254/')).toBeDefined();
  await sender.close();
  open({ lookup: async () => [{ address: '169.254.169.254', family: 4 }] });
  expect(await sender.send({ url: 'http://meta.example/', headers: {}, body: '{}' })).toMatchObject({ ok: false, status: null });
});
