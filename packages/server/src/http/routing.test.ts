/** Which routes there are, who may call them, and what everything else is answered. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

const sessions = '/api/v1/agent-sessions';
const console = mkdtempSync(join(tmpdir(), 'tk-console-'));
mkdirSync(join(console, 'assets'));
writeFileSync(join(console, 'index.html'), '<!doctype html><title>console</title>');
writeFileSync(join(console, 'assets', 'app-1a2b.js'), '1;');
const large = 'export const text = "hello";\n'.repeat(200);
writeFileSync(join(console, 'assets', 'large-3c4d.js'), large);
writeFileSync(join(console, 'assets', 'large-3c4d.js.br'), brotliCompressSync(large));
writeFileSync(join(console, 'assets', 'large-3c4d.js.gz'), gzipSync(large));

let server: OpenHttp;
let session: string;
let turn: string;
beforeAll(async () => {
  server = await openHttp({ consoleFolder: console, corsOrigins: ['https://app.example'] });
  session = await server.newSession();
  turn = await server.submit(session, [[{ text: 'hi' }]]);
  await server.settled(session, turn);
});
afterAll(async () => {
  await server.close();
  rmSync(console, { recursive: true });
});

const plain = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, init);

describe('credentials', () => {
  const paths = () => [sessions, `${sessions}/${session}`, `${sessions}/${session}/events/stream`, '/api/v1/models', '/api/v1/agents', '/api/auth/me'];

  test('are wanted everywhere', async () => {
    for (const path of paths()) {
      for (const authorization of [undefined, 'Bearer wrong', 'Basic abc', 'Bearer']) {
        const answer = await plain(path, authorization === undefined ? {} : { headers: { authorization } });
        expect([path, authorization, answer.status]).toEqual([path, authorization, 401]);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
        expect(await answer.json()).toMatchObject({ code: 'unauthenticated', error: 'unauthenticated', status: 401 });
      }
    }
  });

  test('may come as X-API-Key, and the scheme in any case', async () => {
    expect((await plain('/api/auth/me', { headers: { 'x-api-key': server.token } })).status).toBe(200);
    expect((await plain('/api/auth/me', { headers: { authorization: `bearer ${server.token}` } })).status).toBe(200);
  });

  test('a link is good once; signing out ends the token', async () => {
    const link = await server.identity.newSignInLink('user_1', 60_000);
    const first = await server.call('POST', '/api/auth/link', { token: link }, { authorization: '' });
    expect(first).toMatchObject({ status: 200, body: { user: { id: 'user_1', username: 'ann' } } });
    expect(await server.call('POST', '/api/auth/link', { token: link }, { authorization: '' })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated', detail: expect.stringContaining('This link was used or has expired') },
    });
    const authorization = `Bearer ${String(first.body['token'])}`;
    expect(await server.call('GET', '/api/auth/me', undefined, { authorization })).toMatchObject({ status: 200, body: { user: { id: 'user_1' } } });
    expect((await server.call('POST', '/api/auth/logout', {}, { authorization })).status).toBe(204);
    expect((await server.call('GET', '/api/auth/me', undefined, { authorization })).status).toBe(401);
  });
});

describe("another user's session", () => {
  test('is answered like one that does not exist', async () => {
    const authorization = `Bearer ${server.otherToken}`;
    const body = ({ request_id: _id, ...rest }: Record<string, unknown>) => rest;
    for (const tail of ['', '/turns', '/snapshot', '/events', '/events/stream', '/items', '/usage', '/required-actions', '/capabilities', `/turns/${turn}`]) {
      const mine = await server.call('GET', `${sessions}/${session}${tail}`, undefined, { authorization });
      const none = await server.call('GET', `${sessions}/ses_none${tail}`, undefined, { authorization });
      expect([tail, mine.status, body(mine.body)]).toEqual([tail, 404, body(none.body)]);
    }
    const submit = await server.call('POST', `${sessions}/${session}/turns`, { message: 'x' }, { authorization, 'idempotency-key': 'k' });
    expect(submit).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('answers', () => {
  test('carry a request id: the client’s own if it is sane', async () => {
    expect((await plain('/healthz')).headers.get('x-request-id')).toMatch(/^req_/);
    const own = await plain('/api/v1/none', { headers: { 'x-request-id': 'mine-1', authorization: `Bearer ${server.token}` } });
    expect(own.headers.get('x-request-id')).toBe('mine-1');
    expect(await own.json()).toMatchObject({ request_id: 'mine-1' });
    expect((await plain('/healthz', { headers: { 'x-request-id': 'a b<script>' } })).headers.get('x-request-id')).toMatch(/^req_/);
  });

  test('to HEAD have no body, also for streams', async () => {
    const headers = { authorization: `Bearer ${server.token}` };
    for (const path of ['/healthz', '/', sessions, `${sessions}/${session}`, `${sessions}/${session}/events/stream`]) {
      const answer = await plain(path, { method: 'HEAD', headers });
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, '']);
    }
    expect(server.http.openStreams()).toBe(0);
  });

  test('of the API are not kept or sniffed', async () => {
    const { headers } = await server.call('GET', sessions);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('to other sites are allowed for configured origins only', async () => {
    const preflight = (origin: string) =>
      plain(sessions, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,idempotency-key' },
      });
    const allowed = await preflight('https://app.example');
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.example']);
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
    const stream = await plain(`${sessions}/${session}/turns/${turn}/events/stream`, {
      headers: { origin: 'https://app.example', authorization: `Bearer ${server.token}` },
    });
    expect(stream.headers.get('access-control-allow-origin')).toBe('https://app.example');
    await stream.text();
  });
});

describe('pages', () => {
  test('the console: hashed files for ever, views by its own router, nothing invented', async () => {
    const asset = await plain('/assets/app-1a2b.js');
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    for (const path of ['/', '/sessions/ses_1', '/agents?x=1.5']) {
      const view = await plain(path);
      expect([path, view.status, view.headers.get('cache-control'), await view.text()]).toEqual([
        path,
        200,
        'no-cache',
        '<!doctype html><title>console</title>',
      ]);
      expect(view.headers.get('content-security-policy')).toBe(
        "default-src 'self';img-src 'self' data:;style-src 'self' 'unsafe-inline';connect-src 'self';object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'",
      );
    }
    for (const path of ['/assets/gone.js', '/../package.json', '/%2e%2e/%2e%2e/etc/passwd.txt', '/assets/..%2f..%2fpackage.json']) {
      expect([path, (await plain(path)).status]).toEqual([path, 404]);
    }
    expect((await plain('/', { method: 'POST' })).status).toBe(404);
  });

  /** As it is on the wire: `fetch` would decompress. */
  const raw = (path: string, headers: Record<string, string>, method = 'GET'): Promise<{ headers: IncomingHttpHeaders; status: number; bytes: Buffer }> =>
    new Promise((resolve, reject) => {
      get(`${server.url}${path}`, { headers, method }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () => resolve({ headers: answer.headers, status: answer.statusCode ?? 0, bytes: Buffer.concat(pieces) }));
      }).on('error', reject);
    });

  test('HC1: files go out as the build has compressed them, to whoever takes that', async () => {
    const path = '/assets/large-3c4d.js';
    const whole = { br: brotliCompressSync(large), gzip: gzipSync(large), none: Buffer.from(large) };
    const etags = new Set<unknown>();
    for (const [accept, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['identity', 'none'],
      ['', 'none'],
    ] as const) {
      const headers: Record<string, string> = accept === '' ? {} : { 'accept-encoding': accept };
      const { headers: got, status, bytes } = await raw(path, headers);
      expect([accept, status, got['content-encoding']]).toEqual([accept, 200, encoding === 'none' ? undefined : encoding]);
      expect(bytes.equals(whole[encoding])).toBe(true);
      expect(got).toMatchObject({
        'content-type': 'application/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: expect.stringMatching(/accept-encoding/i),
        'content-length': String(bytes.length),
        'content-security-policy': expect.stringContaining("default-src 'self'"),
      });
      etags.add(got.etag);
      const head = await raw(path, headers, 'HEAD');
      expect([head.status, head.bytes.length, head.headers['content-length'], head.headers.etag]).toEqual([200, 0, String(bytes.length), got.etag]);
      expect((await raw(path, { ...headers, 'if-none-match': String(got.etag) })).status).toBe(304);
      // A range counts in the bytes that this client would get as a whole.
      const part = await raw(path, { ...headers, range: 'bytes=2-5' });
      expect([part.status, part.headers['content-range'], part.headers['content-encoding']]).toEqual([
        206,
        `bytes 2-5/${bytes.length}`,
        got['content-encoding'],
      ]);
      expect(part.bytes.equals(bytes.subarray(2, 6))).toBe(true);
    }
    expect(etags.size).toBe(3);
    for (const ending of ['.br', '.gz']) expect((await raw(`${path}${ending}`, {})).status).toBe(404);
    // What was not worth compressing goes out as it is, views too.
    const view = await raw('/sessions/ses_1', { 'accept-encoding': 'br' });
    expect([view.status, view.headers['content-encoding'], view.headers['cache-control'], view.headers['content-type']]).toEqual([
      200,
      undefined,
      'no-cache',
      'text/html; charset=utf-8',
    ]);
  });

  test('unknown paths under /api are problems, by any method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      for (const path of ['/api', '/api/v1/none', '/api/v2']) {
        const answer = await plain(path, { method });
        expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 404, 'application/problem+json; charset=utf-8']);
      }
    }
  });

  test('the API’s own page is whole without its script, which is a file of its own; nothing comes from elsewhere', async () => {
    const docs = await plain('/docs');
    const text = await docs.text();
    const policy = String(docs.headers.get('content-security-policy'));
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain('script-src');
    expect(text).toContain('/api/v1/agent-sessions/{sessionId}/turns');
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/docs/page.js" defer>']);
    expect(text).not.toMatch(/\son\w+=|javascript:|(src|href)="(?!#|\/|data:,")/);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    expect(ids).toEqual([...new Set(ids)]);
    const links = [...text.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
    const script = await plain('/docs/page.js');
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    const code = await script.text();
    expect(() => new Script(code)).not.toThrow();
    expect(code).not.toMatch(/innerHTML|insertAdjacent|document\.write|Storage/);
  });

  test('without a console a page says how to build it', async () => {
    const bare = await openHttp({ consoleFolder: join(console, 'none') });
    const page = await fetch(`${bare.url}/sessions/x`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('npm run build:console')]);
    await bare.close();
  });
});

describe('health', () => {
  test('is alive and ready, and says when it is not', async () => {
    const state = { ready: true };
    let stopping = false;
    const other = await openHttp({ health: () => state, draining: () => stopping });
    const status = async (path: string) => (await fetch(`${other.url}${path}`)).status;
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200]);
    stopping = true;
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
    stopping = false;
    state.ready = false;
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
    await other.close();
  });
});

describe('bytes that are no request', () => {
  const send = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect({ port: server.port, host: '127.0.0.1' });
      let got = '';
      socket.on('data', (chunk) => {
        got += chunk.toString();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(got));
      socket.write(text);
    });

  test('are refused as a problem', async () => {
    expect(await send('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json/s);
    expect(await send(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s);
    expect(await send('GET /%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 (400|404) /);
  });
});
