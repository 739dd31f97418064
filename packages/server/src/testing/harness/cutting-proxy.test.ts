import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';

let server: Server;
let proxy: CuttingProxy;
beforeEach(async () => {
  server = createServer((_request, response) => response.end('0123456789'.repeat(1_000)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startCuttingProxy((server.address() as AddressInfo).port);
});
afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  server.close();
});

test('hands on whole answers in fair weather, and in blocks', async () => {
  expect(await (await fetch(proxy.url)).text()).toHaveLength(10_000);
  proxy.weather({ blockBytes: 4_096, delayMs: 1 });
  expect(await (await fetch(proxy.url, { headers: { connection: 'close' } })).text()).toHaveLength(10_000);
});

test('cuts in the middle of an answer', async () => {
  proxy.weather({ cutAfter: 5_000 });
  await expect(fetch(proxy.url, { headers: { connection: 'close' } }).then((answer) => answer.text())).rejects.toThrow();
});
