import { expect, test } from 'vitest';
import { createTransport, type Fetch } from './transport.ts';

const answers = (...list: (Response | Error)[]) => {
  const calls: { url: string; init: RequestInit }[] = [];
  const fetch: Fetch = async (url, init) => {
    calls.push({ url, init });
    const next = list.shift();
    if (!next || next instanceof Error) throw next ?? new TypeError('fetch failed');
    return next;
  };
  return { calls, transport: createTransport({ baseUrl: 'http://host/', token: 't', fetch }) };
};
const problem = (status: number, code: string, members = {}) => new Response(JSON.stringify({ code, detail: 'why', ...members }), { status });
const ok = () => new Response('{"fine":true}');

test('GETs and keyed POSTs are tried again on lost connections and 503; the key stays the same', async () => {
  const get = answers(new TypeError('cut'), problem(503, 'shutting_down'), ok());
  expect(await get.transport.request('GET', '/x', { query: { a: 1, b: undefined } })).toEqual({ fine: true });
  expect(get.calls.map((call) => call.url)).toEqual(Array(3).fill('http://host/x?a=1'));
  const post = answers(new TypeError('cut'), ok());
  await post.transport.request('POST', '/x', { body: {}, idempotencyKey: 'k' });
  expect(post.calls.map((call) => new Headers(call.init.headers).get('idempotency-key'))).toEqual(['k', 'k']);
});

test('what could have a second effect is never tried again', async () => {
  const post = answers(new TypeError('cut'), ok());
  await expect(post.transport.request('POST', '/x', { body: {} })).rejects.toMatchObject({ code: 'unreachable' });
  expect(post.calls).toHaveLength(1);
});

test('a refusal is final, and carries its code and members', async () => {
  const full = answers(problem(429, 'queue_full', { limit: 20, scope: 'session', retry_after_ms: 1000 }));
  const error = await full.transport.request('POST', '/x', { idempotencyKey: 'k' }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'TurnkeeperError', code: 'queue_full', message: 'why', details: { limit: 20, scope: 'session', status: 429 } });
  expect(full.calls).toHaveLength(1);
});

test('an answer that is not ours is told by its status', async () => {
  const page = answers(new Response('<html>', { status: 404 }));
  await expect(page.transport.request('GET', '/x')).rejects.toMatchObject({ code: 'not_found' });
});

test("an abort is the caller's own reason", async () => {
  const controller = new AbortController();
  const fetch: Fetch = (_, init) => new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
  const { request } = createTransport({ baseUrl: '', fetch });
  const call = request('GET', '/x', { signal: controller.signal });
  controller.abort(new Error('mine'));
  await expect(call).rejects.toThrow('mine');
});
