/** An API for HTTP tools: answers by its paths, and keeps what it was asked. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestBody } from './request-body.ts';

export type AskedApi = { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: string };
export type ApiServer = { readonly origin: string; readonly asked: readonly AskedApi[]; readonly close: () => Promise<void> };

type Reply = { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Buffer };

const replies = (asked: AskedApi): Reply | undefined => {
  const json = (value: unknown, status = 200): Reply => ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
  switch (new URL(asked.url, 'http://x').pathname.split('/')[1]) {
    case 'echo':
      return json({ method: asked.method, url: asked.url, body: asked.body, auth: asked.headers.authorization ?? null });
    case 'missing':
      return json({ error: 'no such order', auth: asked.headers.authorization ?? null }, 404);
    case 'moved':
      return { status: 302, headers: { location: new URL(asked.url, 'http://x').searchParams.get('to') ?? '/echo' } };
    case 'circle':
      return { status: 301, headers: { location: '/circle' } };
    case 'empty':
      return { status: 204 };
    case 'image':
      return { headers: { 'content-type': 'image/png' }, body: Buffer.from([137, 80, 78, 71]) };
    case 'zip':
      return { headers: { 'content-type': 'application/zip' }, body: Buffer.alloc(2_000) };
    case 'latin':
      return { headers: { 'content-type': 'text/plain; charset=iso-8859-1' }, body: Buffer.from([0x67, 0x72, 0xfc, 0x6e]) };
    case 'page':
      return {
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: '<html><head><title>The title</title><style>p{}</style></head><body><script>alert(1)</script><h1>Head</h1><p>One &amp; two&nbsp;&#8364;</p><!-- no --><p>a < b</p></body></html>',
      };
    case 'endless':
    case 'silent':
      return undefined;
    default:
      return json({ error: 'no such path' }, 404);
  }
};

export const startApiServer = async (): Promise<ApiServer> => {
  const asked: AskedApi[] = [];
  const server = createServer(async (request, response) => {
    const body = (await requestBody(request)).toString();
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    asked.push(one);
    const reply = replies(one);
    if (reply) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
    else if (one.url.startsWith('/endless')) {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
