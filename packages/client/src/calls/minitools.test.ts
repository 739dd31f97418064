import { expect, test } from 'vitest';
import { createClient } from '../create-client.ts';

const permissions = { filesystem: 'none', network: false, shell: false, secrets: [], oauth: [], sessions: true, sessionInteractions: false } as const;

test('every call goes where the protocol says', async () => {
  const requests: string[] = [];
  const client = createClient({
    baseUrl: 'http://host',
    token: 't',
    fetch: async (url, init) => {
      const body = typeof init.body === 'string' ? ` ${init.body}` : '';
      const headers = new Headers(init.headers);
      const said = ['x-file-name', 'accept-language', 'idempotency-key'].flatMap((name) => (headers.has(name) ? [`${name}=${headers.get(name)}`] : []));
      requests.push([`${init.method} ${url.replace('http://host/api/v1', '')}${body}`, ...said].join(' '));
      return new Response('{}');
    },
  });
  const { minitools } = client;
  await minitools.list();
  await minitools.install({ source: 'folder:/a b', link: true });
  await minitools.upload(new Uint8Array([1]), 'tool é.tgz');
  await minitools.get('a/b');
  await minitools.patch('a', { settings: { x: null } });
  await minitools.enable('a', { ...permissions, secrets: [], oauth: [] });
  await minitools.disable('a');
  await minitools.delete('a');
  await minitools.logs('a', 5);
  await minitools.putSecret('a', 'mcp.x/y', 'v');
  await minitools.deleteSecret('a', 'k');
  await minitools.containers('a', { locale: 'zh-CN' });
  await minitools.openSession('a', 'desk', { title: 'T' }, { idempotencyKey: 'k' });
  await minitools.defaults();
  await minitools.putDefaults({ defaultAgent: 'guide' });
  await minitools.seen('ses_1');
  await minitools.ui.answer('show/1', { action: 'save', values: { a: 1 } });
  expect(requests).toEqual([
    'GET /minitools',
    'POST /minitools {"source":"folder:/a b","link":true}',
    'POST /minitools/upload x-file-name=tool%20%C3%A9.tgz',
    'GET /minitools/a%2Fb',
    'PATCH /minitools/a {"settings":{"x":null}}',
    `POST /minitools/a/enable ${JSON.stringify({ consent: permissions })}`,
    'POST /minitools/a/disable',
    'DELETE /minitools/a',
    'GET /minitools/a/logs?lines=5',
    'PUT /minitools/a/secrets/mcp.x%2Fy {"value":"v"}',
    'DELETE /minitools/a/secrets/k',
    'GET /minitools/a/containers accept-language=zh-CN',
    'POST /minitools/a/containers/desk/sessions {"title":"T"} idempotency-key=k',
    'GET /minitool-defaults',
    'PUT /minitool-defaults {"defaultAgent":"guide"}',
    'POST /agent-sessions/ses_1/seen',
    'POST /minitool-shows/show%2F1/answer {"action":"save","values":{"a":1}}',
  ]);
});

test('a log that is followed is told entry by entry, however the bytes are cut, and ends with the signal', async () => {
  const bytes = new TextEncoder().encode(
    ': heartbeat\n\ndata: {"time":"1","level":"info","message":"é"}\n\ndata: {"time":"2","level":"warn","message":"b"}\n\n',
  );
  let asked: AbortSignal | undefined;
  const client = createClient({
    baseUrl: 'http://host',
    token: 't',
    fetch: async (_url, init) => {
      asked = init.signal ?? undefined;
      const body = new ReadableStream({
        start: (controller) => {
          for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
          asked?.addEventListener('abort', () => controller.error(asked?.reason));
        },
      });
      return new Response(body);
    },
  });
  const leave = new AbortController();
  const heard: string[] = [];
  for await (const { message } of client.minitools.followLogs('a', { signal: leave.signal })) {
    heard.push(message);
    if (heard.length === 2) leave.abort();
  }
  expect(heard).toEqual(['é', 'b']);
  expect(asked?.aborted).toBe(true);
});
