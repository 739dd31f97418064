/** The public door over HTTP: what platforms are answered. */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ArrivalLog } from '../../minitools/ingress/arrival-log.ts';
import { WebhookIngress } from '../../minitools/ingress/webhook-ingress.ts';
import { eventually } from '../harness/settle.ts';
import { type OpenHttp, openHttp } from '../http/open-http.ts';
import { type DurableWorld, openDurableWorld } from './durable-world.ts';

let server: OpenHttp;
let world: DurableWorld;
let door: WebhookIngress;
const received: string[] = [];

beforeAll(async () => {
  world = await openDurableWorld();
  const webhooks = [
    { id: 'github', verify: 'github', maxBodyBytes: 1_000 },
    { id: 'slack', verify: 'slack' },
    { id: 'open', verify: 'none', maxBodyBytes: 2_000_000 },
  ];
  await world.install('bot', { contributes: { webhooks }, permissions: { secrets: ['webhook.*'] } });
  const { store, clock, ids } = world;
  door = new WebhookIngress({
    store,
    clock,
    ids,
    secret: async () => 'the-secret',
    received: (_, hook) => void received.push(hook),
    log: () => {},
    mostWaiting: 5,
  });
  server = await openHttp({ webhookDoor: { hook: (id, hook) => door.hook(id, hook) } });
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const path = (hook: string, minitool = 'bot'): string => `/api/v1/minitools/${minitool}/webhooks/${hook}`;
const post = (hook: string, body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}${path(hook)}`, { method: 'POST', body, headers });
const hex = (text: string | Buffer): string => createHmac('sha256', 'the-secret').update(text).digest('hex');

describe('the door', () => {
  test('takes bytes of any content type, signed over what came, without a credential; again it says the same', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x0d, 0x0a]);
    for (const type of ['application/octet-stream', 'application/json', 'text/plain; charset=latin1', undefined]) {
      const answer = await post('github', bytes, {
        ...(type === undefined ? {} : { 'content-type': type }),
        'x-hub-signature-256': `sha256=${hex(bytes)}`,
        'x-github-delivery': 'd1',
      });
      expect([answer.status, await answer.text()]).toEqual([202, '']);
    }
    expect(received).toEqual(['github']);
    const [row] = await world.store.waiting('bot', 'github', world.clock.now(), 10);
    expect(Buffer.from((await world.store.ingressContent(row?.id ?? ''))?.body ?? '', 'base64')).toEqual(bytes);
  });

  test('answers 401 to a wrong signature', async () => {
    const answer = await post('github', 'x', { 'x-hub-signature-256': `sha256=${hex('y')}` });
    expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ code: 'unauthenticated' })]);
  });

  test('answers Slack’s question with its challenge, as text', async () => {
    const body = '{"type":"url_verification","challenge":"c<b>"}';
    const at = Math.floor(world.clock.now() / 1_000);
    const answer = await post('slack', body, { 'x-slack-request-timestamp': String(at), 'x-slack-signature': `v0=${hex(`v0:${at}:${body}`)}` });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'text/plain; charset=utf-8', 'c<b>']);
  });

  test('answers whatever is not there alike', async () => {
    const answers = await Promise.all(
      [path('none'), path('open', 'nobody'), path('x'.repeat(64)), path('..%2Fopen')].map(async (at) => {
        const answer = await fetch(`${server.url}${at}`, { method: 'POST', body: 'x' });
        const { request_id: _, ...body } = (await answer.json()) as Record<string, unknown>;
        return JSON.stringify([answer.status, body]);
      }),
    );
    expect([...new Set(answers)]).toEqual([expect.stringContaining('[404,')]);
    expect((await fetch(`${server.url}${path('open')}`, { method: 'PUT' })).status).toBe(405);
  });

  test('takes as many bytes as the hook says, said before or not', async () => {
    for (const [size, status] of [
      [1_000, 401],
      [1_001, 413],
    ] as const) {
      expect((await post('github', 'x'.repeat(size))).status).toBe(status);
      const chunks = new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('x'.repeat(size)));
          controller.close();
        },
      });
      const answer = await fetch(`${server.url}${path('github')}`, { method: 'POST', body: chunks, duplex: 'half' } as RequestInit);
      expect(answer.status).toBe(status);
    }
    expect((await post('open', Buffer.alloc(2_000_000, 'a'))).status).toBe(202);
    expect((await post('open', 'x', { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  test('says when to come back while too much waits', async () => {
    for (let n = 0; n < 4; n += 1) expect((await post('open', `m${n}`)).status).toBe(202);
    const answer = await post('open', 'm4');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '30']);
  });

  test('tells who looks after the mini-tool what came in and how it was answered, and never what it said (IG5)', async () => {
    const told = (n: number) => door.arrivals.of('bot').slice(0, n).toReversed();
    const body = '{"hush":1}';
    await post('github', body, { 'x-hub-signature-256': `sha256=${hex(body)}`, 'x-github-delivery': 'told' });
    await post('github', body, { 'x-hub-signature-256': `sha256=${hex(body)}`, 'x-github-delivery': 'told' });
    await post('github', body, { 'x-hub-signature-256': 'sha256=00' });
    await post('github', 'x'.repeat(1_001));
    const kept = { hook: 'github', signature: 'verified', status: 202, code: null, bytes: body.length };
    expect(told(4)).toEqual([
      { id: expect.any(String), at: world.clock.now(), durationMs: 0, ...kept, outcome: 'kept', messageId: expect.stringMatching(/^whm_/) },
      expect.objectContaining({ ...kept, outcome: 'repeated', messageId: null }),
      expect.objectContaining({ signature: 'wrong', status: 401, code: 'unauthenticated', outcome: 'refused', bytes: body.length }),
      expect.objectContaining({ signature: 'not_checked', status: 413, code: 'payload_too_large', outcome: 'refused' }),
    ]);
    expect(JSON.stringify(door.arrivals.of('bot'))).not.toMatch(/hush|the-secret/);
    expect(door.arrivals.of('nobody')).toEqual([]);
  });

  test('keeps of what was refused and of what was taken the newest 100, apart (VN2)', async () => {
    const log = new ArrivalLog();
    const arrival = (n: number, outcome: 'kept' | 'refused') =>
      ({
        id: `arr_${String(n).padStart(4, '0')}`,
        at: n,
        hook: 'open',
        status: 202,
        code: null,
        outcome,
        signature: 'not_wanted',
        bytes: 1,
        durationMs: 0,
        messageId: null,
      }) as const;
    for (let n = 0; n < 3; n += 1) log.add('bot', arrival(n, 'kept'));
    for (let n = 3; n < 500; n += 1) log.add('bot', arrival(n, 'refused'));
    expect(log.of('bot').map(({ at }) => at)).toEqual([...Array.from({ length: 100 }, (_, n) => 499 - n), 2, 1, 0]);
    for (let n = 500; n < 700; n += 1) log.add('bot', arrival(n, 'kept'));
    expect(log.of('bot')).toHaveLength(200);
    log.forget('bot');
    expect(log.of('bot')).toEqual([]);
  });

  test('keeps nothing of a request that is cut off', async () => {
    await new Promise<void>((resolve) => {
      const cut = request(`${server.url}${path('slack')}`, { method: 'POST', headers: { 'content-length': '100' } });
      cut.on('error', () => resolve());
      cut.write('x', () => cut.destroy(new Error('cut')));
    });
    expect(await world.store.waiting('bot', 'slack', world.clock.now(), 10)).toEqual([]);
  });
});

test('who tries names too often is stopped before anything is looked up; hooks that are there are not touched by it', async () => {
  let looked = 0;
  const limited = await openHttp({
    rateLimits: { requests: 3 },
    webhookDoor: {
      hook: async (_, hook) => {
        looked += 1;
        return hook === 'there' ? { maxBodyBytes: 10, receive: async () => ({ status: 202 }) } : undefined;
      },
    },
  });
  const status = async (hook: string): Promise<number> => (await fetch(`${limited.url}${path(hook)}`, { method: 'POST', body: 'x' })).status;
  expect([await status('a'), await status('b'), await status('c'), await status('d')]).toEqual([404, 404, 404, 429]);
  expect(looked).toBe(3);
  await limited.close();
});

test('all that comes in at once takes so much memory and no more (HW3)', async () => {
  const arrived: (() => void)[] = [];
  const narrow = await openHttp({
    webhookDoor: {
      mostHeldBytes: 1_500,
      hook: async () => ({ maxBodyBytes: 1_000, receive: () => new Promise((resolve) => void arrived.push(() => resolve({ status: 202 }))) }),
    },
  });
  const send = (): Promise<Response> => fetch(`${narrow.url}${path('any')}`, { method: 'POST', body: 'x'.repeat(1_000) });
  const first = send();
  await eventually('the first', () => arrived.length === 1);
  const second = await send();
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '5']);
  arrived[0]?.();
  expect((await first).status).toBe(202);
  const third = send();
  await eventually('the third', () => arrived.length === 2);
  arrived[1]?.();
  expect((await third).status).toBe(202);
  await narrow.close();
});
