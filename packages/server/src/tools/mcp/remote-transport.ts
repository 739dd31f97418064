/** MCP over streamable HTTP, through the outbound filter. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Dispatcher, fetch as fetchThrough, type RequestInit as UndiciInit } from 'undici';
import { bounded } from './event-bounds.ts';

const throughFilter =
  (dispatcher: Dispatcher, passed: (fault: string) => void): typeof fetch =>
  async (url, init) => {
    const headers = new Headers(init?.headers);
    // What unfolds to a thousand times its size is not asked for; what is sent all the same is bounded as it unfolds.
    headers.set('accept-encoding', 'identity');
    // A redirect could lead where the definition does not, with its headers.
    const options = { ...(init as unknown as UndiciInit), headers: [...headers] as [string, string][], dispatcher, redirect: 'manual' } as const;
    const response = (await fetchThrough(url as string | URL, options)) as unknown as Response;
    if (!response.body) return response;
    const isEvents = /^text\/event-stream\b/i.test(response.headers.get('content-type')?.trim() ?? '');
    const isEndless = isEvents && response.ok && init?.method !== 'POST';
    const body = bounded(response.body, { isEndless, isEvents, passed });
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  };

export type RemoteTransport = {
  readonly transport: StreamableHTTPClientTransport;
  /** Why it was closed: the server sent more than it may. */
  readonly fault: () => string | undefined;
};

export const createRemoteTransport = (url: string, headers: Readonly<Record<string, string>>, dispatcher: Dispatcher): RemoteTransport => {
  let fault: string | undefined;
  const passed = (why: string): void => {
    fault ??= why;
    void transport.close().catch(() => {});
  };
  const transport: StreamableHTTPClientTransport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: throughFilter(dispatcher, passed),
  });
  return { transport, fault: () => fault };
};
