/** What a remote MCP server that means ill sends. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { McpServer } from '@turnkeeper/core/protocol/wire/agents';
import { wireFaults } from '@turnkeeper/core/protocol/wire-faults';
import type { SessionId } from '@turnkeeper/core/session/ids';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { allowNothing } from '../../outbound/allow-list.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import { systemClock } from '../../ports/clock.ts';
import { requestBody } from '../../testing/tools/request-body.ts';
import { McpConnections } from './connections.ts';
import { resultBlocks } from './result-blocks.ts';

type Message = { readonly id?: number; readonly method: string; readonly params: { readonly _meta?: { readonly progressToken?: number } } };
type Reply = (response: ServerResponse, message: Message) => void;

const secret = 'tok-0123456789-secret';
let outbound = createOutbound({ allow: allowNothing });
let connections: McpConnections;
let onCall: Reply = () => {};
let onGet: (response: ServerResponse) => void = (response) => response.writeHead(405).end();

const json = (response: ServerResponse, id: number | undefined, result: string): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
};
const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.method === 'GET') return onGet(response);
  if (request.method !== 'POST') return void response.writeHead(200).end();
  const message = JSON.parse((await requestBody(request)).toString()) as Message;
  const hello = '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}';
  if (message.method === 'initialize') json(response, message.id, hello);
  else if (message.method === 'tools/call') onCall(response, message);
  else response.writeHead(202).end();
};
const http = createServer((request, response) => void answer(request, response));
let server: McpServer;
beforeEach(async () => {
  if (!http.listening) await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  server = { name: 's', url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, headers: { authorization: { $secret: 'KEY' } } };
  onGet = (response) => response.writeHead(405).end();
  outbound = createOutbound({ allow: allowNothing });
  connections = new McpConnections({ clock: systemClock, secrets: { resolve: async () => secret }, outbound, environment: {} });
});
afterEach(async () => {
  await connections.close();
  await outbound.close();
});
afterAll(() => {
  http.closeAllConnections();
  http.close();
});

const { signal } = new AbortController();
const call = (told: string[] = []) =>
  connections.use('ses_one' as SessionId, server, signal, async (connection) =>
    connection.redaction.output(resultBlocks(await connection.call('t', {}, { signal, progress: (text) => told.push(text) }))),
  );
/** Sends the same bytes for as long as they are taken. */
const endlessly = (response: ServerResponse, bytes: Buffer): void => {
  const more = (): void => {
    while (!response.destroyed && response.write(bytes));
  };
  response.on('drain', more);
  response.on('error', () => {});
  more();
};

test('R10: an event without an end, on whatever stream, ends the connection and says why', async () => {
  onCall = () => {};
  onGet = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: ');
    endlessly(response, Buffer.alloc(65_536, 'x'));
  };
  await expect(call()).rejects.toThrow('It sent an event of more than 4 MB.');
  // One of many lines has no end either.
  onGet = (response) => endlessly(response.writeHead(200, { 'content-type': 'text/event-stream' }), Buffer.from('data: x\r\n'.repeat(8_000)));
  await expect(call()).rejects.toThrow('It sent an event of more than 4 MB.');
  onGet = (response) => response.writeHead(405).end();
  onCall = (response) => endlessly(response.writeHead(200, { 'content-type': 'text/event-stream' }), Buffer.alloc(65_536, 'x'));
  await expect(call()).rejects.toThrow('It sent an event of more than 4 MB.');
});

test('R10: a stream of many events is no large one', async () => {
  onGet = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let n = 0; n < 100; n += 1) response.write(`: ${'x'.repeat(65_536)}\r\n\r\n`);
  };
  onCall = (response, { id }) => setTimeout(() => json(response, id, '{"content":[{"type":"text","text":"fine"}]}'), 300);
  expect(await call()).toEqual([{ type: 'text', text: 'fine' }]);
});

test('R10: what unfolds is bounded as it unfolds', async () => {
  const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024, ' '));
  onCall = (response) => response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
  await expect(call()).rejects.toThrow('more than 10 MB');
});

test('R3: a secret that lies across a cut, or comes in pieces, is not shown', async () => {
  const long = `${'x'.repeat(500 - secret.length + 2)}${secret} end`;
  onCall = (response, { id }) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: long } }));
  const fault = (await call().catch((error: unknown) => error)) as Error;
  expect(fault.message).toContain('xxx');
  expect(fault.message).not.toContain('tok-');
  const told: string[] = [];
  onCall = (response, { id, params }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (body: object): void => void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...body })}\n\n`);
    const progress = (message: string, n: number): void =>
      send({ method: 'notifications/progress', params: { progressToken: params._meta?.progressToken, progress: n, message } });
    [long, `it is ${secret.slice(0, 9)}`, `${secret.slice(9)} \ud800\0`].forEach(progress);
    send({ id, result: { content: [{ type: 'text', text: 'ok' }] } });
    response.end();
  };
  await call(told);
  expect(told).toHaveLength(3);
  expect(told.join('\n')).not.toMatch(/tok-|6789/);
  expect(told[2]).toBe('[secret KEY] \ufffd\ufffd');
});

test('results are held to what can be kept', async () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const results = [
    `{"content":[],"structuredContent":${nested(3_000)}}`,
    // Deeper than any reader's stack.
    `{"content":[],"structuredContent":${nested(200_000)}}`,
    '{"content":[],"structuredContent":{"\\u0000k\\ud800":"\\u0000","n":1e999}}',
    '{"content":[{"type":"image","mimeType":"\\ud800\\u0000","data":"AAAA"},{"type":"text","text":"\\ud800 \\u0000"}]}',
  ];
  for (const result of results) {
    onCall = (response, { id }) => json(response, id, result);
    const blocks = await call();
    expect(blocks[0]).toMatchObject({ type: 'text', text: expect.stringContaining('left out') });
    expect(wireFaults(blocks)).toEqual([]);
  }
});
