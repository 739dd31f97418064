/** What wrong requests are answered: a problem document each, and never a 5xx. */
import { request as send } from 'node:http';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionStore } from '../ports/session-store.ts';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

const sessions = '/api/v1/agent-sessions';
let server: OpenHttp;
let session: string;
let broken: 'no' | 'throws' | 'unavailable' = 'no';

/** A store whose reads can be broken. */
const breakable = (store: SessionStore): SessionStore =>
  new Proxy(store, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as unknown;
      if (name !== 'list' || typeof method !== 'function') return typeof method === 'function' ? method.bind(target) : method;
      return (...args: unknown[]) => {
        if (broken === 'throws') throw new Error('password=hunter2 at /secret/path');
        if (broken === 'unavailable') throw new TurnkeeperError('storage_unavailable', 'The disk is full.', { outcome: 'unknown' });
        return method.apply(target, args);
      };
    },
  });

beforeAll(async () => {
  server = await openHttp({ wrapStore: breakable });
  session = await server.newSession();
});
afterAll(() => server.close());

const submit = (body: unknown, headers: Record<string, string> = {}) =>
  server.call('POST', `${sessions}/${session}/turns`, body, { 'idempotency-key': crypto.randomUUID(), ...headers });

describe('bodies', () => {
  test('that are no JSON: 400', async () => {
    for (const text of ['{', 'nope', '{"message":"x",}', "{'message':'x'}", '{"message":"\u0001"}']) {
      const answer = await submit(text);
      expect([text, answer.status, answer.body['code']]).toEqual([text, 400, 'invalid_request']);
    }
  });

  test('of another type: 415; too large: 413 with the limit', async () => {
    expect(await submit('message=x', { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
    const large = await submit({ message: 'x', metadata: 'a'.repeat(limits.bodyBytes) });
    expect(large).toMatchObject({ status: 413, body: { code: 'payload_too_large', limit: limits.bodyBytes } });
    const text = await submit({ message: '😀'.repeat(limits.textCharacters + 1) });
    expect(text).toMatchObject({ status: 413, body: { code: 'payload_too_large', limit: limits.textCharacters } });
  });

  test('against their schema: 422 with every fault', async () => {
    const answer = await server.call('POST', '/api/v1/agents', { agentKey: 'UPPER', displayName: '', definition: { system: 1, model: 'none', maxIters: 0 } });
    expect(answer.status).toBe(422);
    const pointers = (answer.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
    expect(pointers.toSorted()).toEqual(['/agentKey', '/definition/maxIters', '/definition/model', '/definition/system', '/displayName']);
    expect(await submit({})).toMatchObject({ status: 422, body: { errors: [{ pointer: '', detail: 'give exactly one of message and input' }] } });
    expect(await submit({ message: 'x', input: [] })).toMatchObject({ status: 422 });
    expect(await submit({ message: ' ' })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/message' }] } });
    expect(await submit([1])).toMatchObject({ status: 422 });
  });

  test('of a union: the faults of the branch that came nearest', async () => {
    const content = [{ type: 'text' }, { type: 'dance' }, { type: 'image', source: { type: 'url', url: 'nowhere' } }];
    const answer = await submit({ input: [{ role: 'user', content }] });
    expect(answer.status).toBe(422);
    expect((answer.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual([
      '/input/0/content/0/text',
      '/input/0/content/1/type',
      '/input/0/content/2/source/url',
    ]);
  });

  test('with what cannot be kept: 422', async () => {
    const wrong: [string, string][] = [
      ['{"message":"a\\u0000b"}', '/message'],
      ['{"message":"\\ud800"}', '/message'],
      ['{"message":"x","metadata":{"a\\u0000":1}}', '/metadata'],
      ['{"__proto__":{"x":1},"message":"y"}', ''],
      ['{"\\u005f_proto__":{"x":1},"message":"y"}', ''],
      ['{"message":"x","metadata":{"a":[{"__pr\\u006fto__":1}]}}', '/metadata/a/0'],
      ['{"message":"x","metadata":1e999}', '/metadata'],
      [`{"message":"x","metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, `/metadata${'/0'.repeat(limits.jsonDepth - 1)}`],
    ];
    for (const [text, pointer] of wrong) expect(await submit(text)).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ pointer }] } });
    expect(await submit({ message: 'a\\u0000b is only text' })).toMatchObject({ status: 202 });
  });

  test('of broken UTF-8: 400', async () => {
    const answer = await fetch(`${server.url}${sessions}/${session}/turns`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', 'idempotency-key': 'utf' },
      body: Buffer.from([...Buffer.from('{"message":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
    });
    expect([answer.status, (await answer.json()) as unknown]).toMatchObject([400, { code: 'invalid_request' }]);
  });

  test('that are empty count as {}', async () => {
    const headers = { authorization: `Bearer ${server.token}` };
    const path = `${server.url}${sessions}/${session}/archive`;
    for (const init of [
      { headers },
      { headers: { ...headers, 'content-type': 'application/json' }, body: '' },
      { headers: { ...headers, 'content-type': 'application/json' }, body: '{}' },
    ]) {
      const answer = await fetch(path, { method: 'POST', ...init });
      expect([answer.status, (await answer.json()) as unknown]).toMatchObject([200, { archived: true }]);
    }
    expect(await submit({ message: 'x' })).toMatchObject({ status: 409, body: { code: 'session_archived' } });
    await server.call('POST', `${sessions}/${session}/restore`);
    expect(await submit('')).toMatchObject({ status: 422 });
  });

  test('with megabytes of base64 are taken, up to the limit of a submission', async () => {
    const other = await server.newSession();
    const submit = (bytes: number) => {
      const source = { type: 'base64', media_type: 'image/png', data: Buffer.alloc(bytes).toString('base64') };
      const input = [{ role: 'user', content: [{ type: 'image', source }] }];
      return server.call('POST', `${sessions}/${other}/turns`, { input }, { 'idempotency-key': `big ${bytes}` });
    };
    expect((await submit(3_000_000)).status).toBe(202);
    expect(await submit(4_000_000)).toMatchObject({ status: 413, body: { code: 'payload_too_large', limit: 4 * 1024 * 1024 } });
  });
});

describe('agents', () => {
  const definition = { system: '', model: 'demo:echo', tools: [] as unknown[] };

  test('are made and changed by admins only', async () => {
    const authorization = `Bearer ${server.otherToken}`;
    const body = { agentKey: 'bobs', displayName: 'Bob’s', definition };
    expect(await server.call('POST', '/api/v1/agents', body, { authorization })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await server.call('GET', '/api/v1/agents/script', undefined, { authorization })).toMatchObject({ status: 200, body: { agent: { version: 1 } } });
    const change = { version: 1, definition };
    expect(await server.call('PATCH', '/api/v1/agents/script/definition', change, { authorization })).toMatchObject({ status: 403 });
    expect(await server.call('GET', '/api/v1/agents/script')).toMatchObject({ body: { agent: { version: 1 } } });
  });

  test('name "owner", "application" or users who are there as approvers of a tool', async () => {
    const create = (agentKey: string, approver: unknown) => {
      const tools = [{ type: 'builtin', name: 'time', approver }];
      return server.call('POST', '/api/v1/agents', { agentKey, displayName: 'A', definition: { ...definition, tools } });
    };
    const wrong: [unknown, string][] = [
      [[], ''],
      ['user_1', ''],
      [['user_1', 'user_9'], '/1'],
    ];
    for (const [approver, at] of wrong) {
      const answer = await create('listed', approver);
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ pointer: `/definition/tools/0/approver${at}` }] } });
    }
    for (const [index, approver] of ['owner', 'application', ['user_1', 'user_2']].entries()) expect((await create(`by-${index}`, approver)).status).toBe(201);
  });
});

describe('paths and queries', () => {
  test('are refused with where the fault is', async () => {
    const bad: [string, string, string][] = [
      [`${sessions}?limit=0`, '/limit', 'query'],
      [`${sessions}?limit=many`, '/limit', 'query'],
      [`${sessions}?offset=-1`, '/offset', 'query'],
      [`${sessions}?status=gone`, '/status', 'query'],
      [`${sessions}?q=%00`, '/q', 'query'],
      [`${sessions}/${session}/turns/turn_x?wait=601`, '/wait', 'query'],
      [`${sessions}/${session}/events?limit=1001`, '/limit', 'query'],
      [`${sessions}/${session}/events?after=a&after=b`, '/after', 'query'],
      [`${sessions}/${session}/resources/secrets`, '/list', 'path'],
      ['/api/v1/agents/script/versions/0', '/version', 'path'],
      ['/api/v1/agents/script/versions/99999999999', '/version', 'path'],
      ['/api/v1/agents/%00', '/agentId', 'path'],
    ];
    for (const [path, pointer, part] of bad) {
      expect([path, await server.call('GET', path)]).toMatchObject([
        path,
        { status: 422, body: { code: 'validation_failed', errors: [{ pointer, in: part }] } },
      ]);
    }
  });

  test('with blanks say nothing, and lists give at most a page', async () => {
    expect(await server.call('GET', `${sessions}/${session}/events?after=&limit=`)).toMatchObject({ status: 200 });
    expect(await server.call('GET', `${sessions}?limit=100000&offset=`)).toMatchObject({ status: 200 });
  });

  test('are never a 5xx', async () => {
    for (const id of ['ses_%F0%9F%98%80', '%2e%2e', 'a'.repeat(5_000), "ses_'--", 'ses_%00', 'ses_%ed%a0%80', '%25', '%', '%ff']) {
      for (const path of [`${sessions}/${id}`, `${sessions}/${session}/turns/${id}`, `${sessions}/${session}/events/${id}`, `/api/v1/agents/${id}`]) {
        const { status } = await server.call('GET', path);
        expect([path, status >= 400 && status < 500]).toEqual([path, true]);
      }
    }
  });
});

describe('cursors', () => {
  test('of another stream, ahead, or none at all', async () => {
    const path = `${sessions}/${session}/events`;
    const page = await server.call('GET', path);
    const own = String(page.body['next_cursor']);
    expect(await server.call('GET', `${path}?after=${own}`)).toMatchObject({ status: 200, body: { has_more: false } });
    const other = await server.newSession();
    for (const tail of ['', '/stream']) {
      expect(await server.call('GET', `${sessions}/${other}/events${tail}?after=${own}`)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
      expect(await server.call('GET', `${path}${tail}?after=nonsense`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_cursor', snapshot_url: `${sessions}/${session}/snapshot` },
      });
    }
    expect(await server.call('GET', `${path}/stream`, undefined, { 'last-event-id': '\xff\xfe' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    });
  });
});

describe('what goes wrong on our side', () => {
  test('is told without a word of what it was', async () => {
    broken = 'throws';
    const answer = await server.call('GET', sessions, undefined, { 'x-request-id': 'find-me' });
    broken = 'no';
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal_error', request_id: 'find-me' } });
    expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|secret|at \//);
  });

  test('for a while: 503 with Retry-After', async () => {
    broken = 'unavailable';
    const answer = await server.call('GET', sessions);
    broken = 'no';
    expect(answer).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.body).not.toHaveProperty('outcome');
  });
});

describe('too many', () => {
  test('unfinished turns: 429 with what the semantics name', async () => {
    const full = await server.newSession();
    await server.submit(full, [[{ hang: true }]]);
    for (let n = 1; n < 20; n += 1) await server.submit(full, [[{ text: 'x' }]]);
    const answer = await server.call('POST', `${sessions}/${full}/turns`, { message: 'x' }, { 'idempotency-key': 'last' });
    expect(answer).toMatchObject({ status: 429, body: { code: 'queue_full', limit: 20, pending_count: 20, retry_after_ms: 1000 } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await server.call('DELETE', `${sessions}/${full}`)).status).toBe(204);
  });

  test('requests of one credential, or failed sign-ins of one address: 429 until the minute is over', async () => {
    const clock = createMovedClock();
    const small = await openHttp({ clock, rateLimits: { requests: 3, failedSignIns: 2 } });
    const get = () => small.call('GET', '/api/v1/models');
    expect([(await get()).status, (await get()).status, (await get()).status]).toEqual([200, 200, 200]);
    const refused = await get();
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited', detail: expect.stringContaining('More than 3 requests a minute') } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const signIn = (token: string) => small.call('POST', '/api/auth/link', { token });
    expect([(await signIn('a')).status, (await signIn('b')).status, (await signIn(small.token)).status]).toEqual([401, 401, 429]);
    clock.move(60_000);
    expect([(await get()).status, (await signIn(small.token)).status]).toEqual([200, 200]);
    await small.close();
  });
});

describe('Idempotency-Key', () => {
  const raw = (key: string | undefined, message: string): Promise<{ status: number; replayed: boolean; code: unknown }> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) };
      const call = send(`${server.url}${sessions}/${session}/turns`, { method: 'POST', headers }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += String(chunk);
        });
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            replayed: answer.headers['idempotency-replayed'] === 'true',
            code: (JSON.parse(text) as { code?: unknown }).code,
          }),
        );
      });
      call.on('error', reject);
      // As bytes: Node would send the headers as UTF-8 together with a text.
      call.end(Buffer.from(JSON.stringify({ message })));
    });

  test('is wanted, and must say something', async () => {
    expect(await raw(undefined, 'x')).toMatchObject({ status: 400, code: 'idempotency_key_required' });
    for (const key of ['', '  ', 'k'.repeat(513)]) expect(await raw(key, 'x')).toMatchObject({ status: 400, code: 'invalid_idempotency_key' });
  });

  test('repeats the answer; other content is a conflict', async () => {
    expect(await raw('once', 'x')).toMatchObject({ status: 202, replayed: false });
    expect(await raw('once', 'x')).toMatchObject({ status: 202, replayed: true });
    expect(await raw('once', 'y')).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  });

  test('is compared by its bytes', async () => {
    const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
    expect(await raw(utf8('schlüssel-😀'), 'x')).toMatchObject({ status: 202, replayed: false });
    expect(await raw(utf8('schlüssel-😀'), 'x')).toMatchObject({ status: 202, replayed: true });
    expect(await raw('schl\xfcssel', 'x')).toMatchObject({ status: 202, replayed: false });
    expect(await raw(utf8('schlüssel'), 'x')).toMatchObject({ status: 202, replayed: false });
    expect(await raw('schl\xfdssel', 'x')).toMatchObject({ status: 202, replayed: false });
    expect(await raw('schl\xfcssel', 'x')).toMatchObject({ status: 202, replayed: true });
    // 512 characters, though more bytes.
    expect(await raw(utf8('ü'.repeat(512)), 'x')).toMatchObject({ status: 202 });
  });
});
