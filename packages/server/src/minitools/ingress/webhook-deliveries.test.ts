/** From the door to the handler: kept once, delivered in order, at least once, whatever ends in between. */
import { createHmac } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SentDelivery } from '@turnkeeper/minitool/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually, settle } from '../../testing/harness/settle.ts';
import { type DurableWorld, openDurableWorld } from '../../testing/minitools/durable-world.ts';
import { WebhookDeliveries } from './webhook-deliveries.ts';
import { WebhookIngress } from './webhook-ingress.ts';

let world: DurableWorld;
let deliveries: WebhookDeliveries;
let ingress: WebhookIngress;
let inbox: string;
let secrets: Record<string, string>;

const hooks = [
  { id: 'open', verify: 'none', dedupe: '/id', orderKey: '/chat' },
  { id: 'one-lane', verify: 'none', dedupe: '/id' },
  { id: 'slack', verify: 'slack' },
  { id: 'telegram', verify: 'telegram' },
  { id: 'github', verify: 'github' },
  { id: 'large', verify: 'none', dedupe: '/id', maxBodyBytes: 1_000_000 },
];

const create = (mostWaiting?: number, mostWaitingBytes?: number): void => {
  const { store, minitools, clock, report, ids, log } = world;
  deliveries = new WebhookDeliveries({ store, minitools, clock, report, inbox: () => inbox });
  ingress = new WebhookIngress({
    store,
    clock,
    ids,
    secret: async (_, key) => secrets[key],
    received: (id, hook) => deliveries.received(id, hook),
    log: (id, level, message) => void log.push(`${id} ${level} ${message}`),
    ...(mostWaiting === undefined ? {} : { mostWaiting }),
    ...(mostWaitingBytes === undefined ? {} : { mostWaitingBytes }),
  });
};
beforeEach(async () => {
  world = await openDurableWorld();
  inbox = await mkdtemp(join(tmpdir(), 'inbox-'));
  secrets = { 'webhook.slack': 's1', 'webhook.telegram': 's2', 'webhook.github': 's3' };
  await world.install('bot', { contributes: { webhooks: hooks }, permissions: { secrets: ['webhook.*'] } });
  create();
});
afterEach(async () => {
  world.minitools.kill('bot');
  await deliveries.stop();
  expect(world.clock.waiting).toBe(0);
  await world.close();
  await rm(inbox, { recursive: true });
});

const send = async (hook: string, body: unknown, headers: Record<string, string> = {}) => {
  const found = await ingress.hook('bot', hook);
  if (!found) throw new Error('no such hook');
  const answer = await found.receive({ headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) });
  await settle(12);
  return answer;
};
const run = async (...ids: readonly string[]): Promise<void> => {
  for (const id of ids.length > 0 ? ids : ['open']) await deliveries.api['webhooks.begin'](world.asking('bot'), { id });
  world.minitools.activate('bot');
  await settle(12);
};
/** The next life of the server. */
const restart = async (): Promise<void> => {
  world.minitools.kill('bot');
  await deliveries.stop();
  create();
};
const told = (): readonly SentDelivery[] => world.minitools.calls.map(({ params }) => (params as { readonly delivery: SentDelivery }).delivery);
const bodies = (): readonly string[] => told().map(({ body }) => Buffer.from(body, 'base64').toString());
const idsTold = (): readonly unknown[] => bodies().map((body) => JSON.parse(body).id);

describe('a message', () => {
  it('is answered as taken, and delivered as it came, with a key made from the platform’s id', async () => {
    await run();
    expect(await send('open', '{"id":"m1", "chat":7}', { 'x-trace': 't', 'content-type': 'application/json', cookie: 'c', authorization: 'a' })).toEqual({
      status: 202,
    });
    expect(told()).toEqual([
      {
        id: expect.stringMatching(/^whm_/),
        idempotencyKey: 'open:m1',
        orderKey: '7',
        headers: { 'x-trace': 't', 'content-type': 'application/json' },
        body: Buffer.from('{"id":"m1", "chat":7}').toString('base64'),
        receivedAt: new Date(world.clock.now()).toISOString(),
        attempt: 1,
      },
    ]);
  });

  it('that comes again is answered the same, and delivered once: before, between and after the delivery (IG1)', async () => {
    expect(await send('open', { id: 1 })).toEqual({ status: 202 });
    expect(await send('open', { id: 1 })).toEqual({ status: 202 });
    await run();
    expect(await send('open', { id: 1 })).toEqual({ status: 202 });
    await restart();
    expect(await send('open', { id: 1 })).toEqual({ status: 202 });
    await run();
    await world.clock.advance(10_000);
    expect(idsTold()).toEqual([1]);
  });

  it('waits while the mini-tool is down, and while it has given up (ID3)', async () => {
    await world.store.change('bot', { status: 'broken' }, 0);
    await send('open', { id: 1 });
    await world.clock.advance(100_000);
    expect(told()).toEqual([]);
    await run();
    expect(idsTold()).toEqual([1]);
  });

  it('that another node has received is found', async () => {
    await run();
    const elsewhere = deliveries;
    create();
    await send('open', { id: 1 });
    deliveries = elsewhere;
    expect(told()).toEqual([]);
    await world.clock.advance(2_000);
    expect(idsTold()).toEqual([1]);
  });
});

describe('what a message brought (ID4)', () => {
  it('is read once for each delivery, however often is looked', async () => {
    const read: unknown[] = [];
    world.faults.before = (method, [id]) => {
      if (method === 'ingressContent') read.push(id);
    };
    world.minitools.answer = () => new Promise<void>(() => {});
    for (const [id, chat] of ['a', 'b', 'a', 'b'].entries()) await send('open', { id, chat });
    await run();
    await world.clock.advance(10_000);
    expect(told()).toHaveLength(2);
    expect(read).toEqual(told().map(({ id }) => id));
    expect(await world.store.waiting('bot', 'open', world.clock.now(), 10)).toEqual([
      expect.not.objectContaining({ body: expect.anything() }),
      expect.anything(),
    ]);
  });

  it('is delivered no more where it was taken elsewhere meanwhile', async () => {
    await send('open', { id: 1 });
    const { store, minitools, clock, report, log } = world;
    const { waiting, delivered, postpone } = store;
    const taken = { waiting, delivered, postpone, ingressContent: async () => undefined };
    deliveries = new WebhookDeliveries({ store: taken, minitools, clock, report, inbox: () => inbox });
    await run();
    await clock.advance(5_000);
    expect([told(), log]).toEqual([[], []]);
  });
});

describe('order (ID2)', () => {
  it('holds within an order key: one at a time; others go side by side', async () => {
    const open: (() => void)[] = [];
    world.minitools.answer = () => new Promise<void>((resolve) => void open.push(resolve));
    for (const [id, chat] of [
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
      [4, 'a'],
    ])
      await send('open', { id, chat });
    await run();
    expect(idsTold()).toEqual([1, 3]);
    open[0]?.();
    await settle(12);
    expect(idsTold()).toEqual([1, 3, 2]);
    open[2]?.();
    await settle(12);
    expect(idsTold()).toEqual([1, 3, 2, 4]);
  });

  it('is that of arrival for a whole hook without an order key', async () => {
    for (let id = 1; id <= 5; id += 1) await send('one-lane', { id });
    await run('one-lane');
    await settle(60);
    expect(idsTold()).toEqual([1, 2, 3, 4, 5]);
  });

  it('holds also where the first is not taken: it comes again after 1, 2, 4 s …, the others after it', async () => {
    const at: number[] = [];
    const start = world.clock.now();
    world.minitools.answer = () => {
      at.push((world.clock.now() - start) / 1_000);
      if (at.length < 9) throw new Error('queue_full');
    };
    await run();
    await send('open', { id: 1, chat: 'a' });
    await send('open', { id: 2, chat: 'a' });
    await world.clock.advance(245_000);
    expect(at.map(Math.floor)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 183]);
    expect(idsTold()).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
    expect(told().map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 1]);
    expect(
      new Set(
        told()
          .slice(0, 9)
          .map(({ idempotencyKey }) => idempotencyKey),
      ),
    ).toEqual(new Set(['open:1']));
    expect(world.log[0]).toMatch(/^webhook "open": whm_\w+ was not taken \(attempt 1\): queue_full; again in 1 s$/);
  });

  it('of many lanes: so many at once, and those that hang keep no place from the others', async () => {
    world.minitools.answer = ({ params }) =>
      JSON.parse(Buffer.from((params as { delivery: SentDelivery }).delivery.body, 'base64').toString()).id <= 8 ? new Promise(() => {}) : undefined;
    for (let id = 1; id <= 20; id += 1) await send('open', { id, chat: id });
    await run();
    expect(told()).toHaveLength(8);
    await world.clock.advance(30_000);
    expect(idsTold().toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });
});

describe('a crash (ID1)', () => {
  it('of the mini-tool while it handles a message: it comes again under the same key', async () => {
    world.minitools.answer = () => new Promise(() => {});
    await run();
    await send('open', { id: 1 });
    world.minitools.kill('bot');
    await settle(12);
    world.minitools.answer = () => {};
    await world.clock.advance(1_000);
    await run();
    expect(told().map(({ idempotencyKey, attempt }) => [idempotencyKey, attempt])).toEqual([
      ['open:1', 1],
      ['open:1', 2],
    ]);
  });

  it('of the server after the handler and before it was noted: it comes again', async () => {
    world.faults.before = (method) => {
      if (method === 'delivered') throw new Error('the server is dying');
    };
    await run();
    await send('open', { id: 1 });
    await restart();
    world.faults.before = () => {};
    await run();
    expect(idsTold()).toEqual([1, 1]);
  });

  it('of the store alone: what was taken is not told again, nothing of its lane before it is noted', async () => {
    let failures = 2;
    world.faults.before = (method) => {
      if (method === 'delivered' && failures-- > 0) throw new Error('no store');
    };
    await run();
    await send('open', { id: 1, chat: 'a' });
    await send('open', { id: 2, chat: 'a' });
    expect(idsTold()).toEqual([1]);
    await world.clock.advance(3_000);
    expect(idsTold()).toEqual([1, 2]);
  });

  it('of the store while a failure is noted does not make it hotter', async () => {
    world.faults.before = (method) => {
      if (method === 'postpone') throw new Error('no store');
    };
    world.minitools.answer = () => {
      throw new Error('no');
    };
    await run();
    await send('open', { id: 1 });
    await world.clock.advance(10_000);
    expect(told().length).toBeGreaterThan(2);
    expect(told().length).toBeLessThan(13);
  });
});

describe('verification at the door', () => {
  const slackHeaders = (body: string, at = world.clock.now() / 1_000): Record<string, string> => ({
    'x-slack-request-timestamp': String(at),
    'x-slack-signature': `v0=${createHmac('sha256', 's1').update(`v0:${at}:${body}`).digest('hex')}`,
  });

  it('Slack: its question is answered and goes no further; its events are taken with 200, once', async () => {
    await run('slack');
    const question = '{"type":"url_verification","challenge":"3eZbrw1a"}';
    expect(await send('slack', question, slackHeaders(question))).toEqual({ status: 200, text: '3eZbrw1a' });
    await expect(send('slack', question, slackHeaders(`${question} `))).rejects.toMatchObject({ code: 'unauthenticated' });
    const event = '{"type":"event_callback","event_id":"Ev1"}';
    expect(await send('slack', event, slackHeaders(event))).toEqual({ status: 200 });
    await world.clock.advance(60_000);
    // Signed anew by Slack when it tries again.
    expect(await send('slack', event, { ...slackHeaders(event), 'x-slack-retry-num': '1' })).toEqual({ status: 200 });
    expect(told().map(({ idempotencyKey }) => idempotencyKey)).toEqual(['slack:Ev1']);
  });

  it('what is refused is not kept (IG2)', async () => {
    await run('slack', 'github');
    const event = '{"event_id":"Ev1"}';
    const old = slackHeaders(event, world.clock.now() / 1_000 - 301);
    await expect(send('slack', event, old)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(send('github', event, { 'x-hub-signature-256': 'sha256=00', 'x-github-delivery': 'd' })).rejects.toMatchObject({ code: 'unauthenticated' });
    await world.clock.advance(10_000);
    expect(told()).toEqual([]);
  });

  it('the header that holds a secret is kept nowhere, and no secret is logged (IG3)', async () => {
    world.minitools.answer = () => {
      throw new Error('no');
    };
    await run('telegram');
    expect(await send('telegram', { update_id: 5 }, { 'x-telegram-bot-api-secret-token': 's2' })).toEqual({ status: 200 });
    expect(told()[0]?.headers).toEqual({});
    secrets = {};
    for (let n = 0; n < 3; n += 1)
      await expect(send('telegram', { update_id: 6 }, { 'x-telegram-bot-api-secret-token': 's2' })).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(world.log.filter((line) => line.startsWith('bot warn'))).toEqual([
      'bot warn webhook "telegram" refuses everything: the secret "webhook.telegram" is not set',
    ]);
    expect(world.log.join()).not.toContain('s2');
  });

  it('an unknown mini-tool, one that is switched off, and an unknown hook are not there', async () => {
    expect(await ingress.hook('nobody', 'open')).toBeUndefined();
    expect(await ingress.hook('bot', 'constructor')).toBeUndefined();
    await world.store.change('bot', { status: 'disabled' }, 0);
    expect(await ingress.hook('bot', 'open')).toBeUndefined();
  });
});

describe('a full hook (IG4)', () => {
  it('takes no more bytes than it may', async () => {
    create(undefined, 1_000);
    await send('open', { id: 1, text: 'x'.repeat(600) });
    await expect(send('open', { id: 2, text: 'x'.repeat(600) })).rejects.toMatchObject({ code: 'rate_limited', details: { limit_bytes: 1_000 } });
    expect(await send('open', { id: 3 })).toEqual({ status: 202 });
    expect(await send('one-lane', { id: 2, text: 'x'.repeat(600) })).toEqual({ status: 202 });
    await run();
    expect(await send('open', { id: 2, text: 'x'.repeat(600) })).toEqual({ status: 202 });
  });

  it('takes no more, but knows what it has', async () => {
    create(2);
    for (const id of [1, 2]) await send('open', { id });
    await expect(send('open', { id: 3 })).rejects.toMatchObject({ code: 'rate_limited', details: { limit: 2, retry_after_ms: 30_000 } });
    expect(await send('open', { id: 2 })).toEqual({ status: 202 });
    expect(await send('one-lane', { id: 3 })).toEqual({ status: 202 });
    await run();
    expect(await send('open', { id: 3 })).toEqual({ status: 202 });
  });
});

describe('a large body (LB1)', () => {
  it('reaches the process as a file, which goes with the delivery', async () => {
    await writeFile(join(inbox, 'left-by-an-earlier-server'), 'x');
    const body = JSON.stringify({ id: 1, text: 'ü'.repeat(200_000) });
    let read = '';
    world.minitools.answer = async ({ params }) => {
      const { delivery } = params as { delivery: SentDelivery };
      expect(delivery.body).toBe('');
      expect(await readdir(inbox)).toEqual([delivery.id]);
      read = await readFile(String(delivery.file), 'utf8');
    };
    await run('large');
    await send('large', body);
    await eventually('its end', async () => read !== '' && (await readdir(inbox)).length === 0);
    expect(read).toBe(body);
    expect((await ingress.hook('bot', 'large'))?.maxBodyBytes).toBe(1_000_000);
    expect((await ingress.hook('bot', 'open'))?.maxBodyBytes).toBe(1_048_576);
  });
});
