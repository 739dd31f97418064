/** An MCP server over streamable HTTP: one conversation for each session that a client opens. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { createMcpTestServer } from './mcp-test-tools.ts';
import { requestBody } from './request-body.ts';

export type McpHttpServer = {
  readonly url: string;
  /** Conversations that were opened, and those that their clients have ended. */
  readonly opened: () => number;
  readonly ended: () => number;
  /** The values of this header, in the order of the requests. */
  readonly headers: (name: string) => readonly (string | undefined)[];
  /** Forgets all conversations, as a restart does. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
};

/** With `token` only requests that carry it as `authorization` are answered; others get 401. With `redirect` all are sent there. */
export const startMcpHttpServer = async (options: { readonly token?: string; readonly redirect?: string } = {}): Promise<McpHttpServer> => {
  const conversations = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const seen: IncomingMessage['headers'][] = [];
  let opened = 0;
  let ended = 0;
  const conversation = async (id: string | undefined): Promise<WebStandardStreamableHTTPServerTransport | undefined> => {
    if (id !== undefined) return conversations.get(id);
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => `conversation-${opened}`,
      onsessioninitialized: (name) => void conversations.set(name, transport),
      onsessionclosed: () => {
        ended += 1;
      },
    });
    opened += 1;
    await createMcpTestServer({ token: options.token ?? '' }).connect(transport);
    return transport;
  };
  const answer = async (request: IncomingMessage): Promise<Response> => {
    seen.push(request.headers);
    if (options.redirect !== undefined) return new Response(null, { status: 307, headers: { location: options.redirect } });
    if (options.token !== undefined && request.headers.authorization !== options.token)
      return new Response(`not ${request.headers.authorization}`, { status: 401 });
    const id = request.headers['mcp-session-id'] as string | undefined;
    const transport = await conversation(id);
    if (!transport) return new Response('no such conversation', { status: 404 });
    const body = await requestBody(request);
    const headers = Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : []));
    return transport.handleRequest(new Request('http://127.0.0.1/', { method: request.method ?? 'GET', headers, ...(body.length > 0 ? { body } : {}) }));
  };
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, headers, body }) => {
        response.writeHead(status, Object.fromEntries(headers));
        if (body)
          Readable.fromWeb(body as never)
            .on('error', () => response.destroy())
            .pipe(response);
        else response.end();
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    opened: () => opened,
    ended: () => ended,
    headers: (name) => seen.map((headers) => headers[name] as string | undefined),
    forget: () => conversations.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
