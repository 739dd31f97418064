/** Who is looked at, from where on, and whose turn it is: the dispatcher on a store, without an engine. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WebhookRow, WebhookStore } from '../../ports/webhooks.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { type CreateWebhooksOptions, createWebhooks } from '../../webhooks/create-webhooks.ts';
import { createFakeReceiver, type FakeReceiver, taken } from '../harness/fake-receiver.ts';
import { createGate } from '../harness/gate.ts';
import { ManualClock } from '../harness/manual-clock.ts';
import { eventually, settle } from '../harness/settle.ts';
import { auditRow, command, createdSession, event, headOf, taken as takenWrite, unique } from '../store-contract/samples.ts';
import { sampleWebhook } from '../store-contract/webhooks.ts';

let store: Awaited<ReturnType<typeof openSqliteStore>>;
let receiver: FakeReceiver;
let clock: ManualClock;
let reports: unknown[];
beforeEach(async () => {
  clock = new ManualClock();
  receiver = createFakeReceiver();
  reports = [];
  store = await openSqliteStore({ folder: ':memory:', clock });
});
afterEach(() => store.close());

const open = (over: Partial<CreateWebhooksOptions> = {}) =>
  createWebhooks({
    store: store.webhooks,
    sessions: store.sessions,
    sender: receiver,
    clock,
    ids: { next: unique },
    box: { seal: (_, text) => text, open: (_, sealed) => sealed },
    base: () => '',
    node: () => 'n1',
    shared: false,
    telemetry: { webhookAttempted: () => {}, webhookPaused: () => {} } as never,
    report: (error) => reports.push(error),
    ...over,
  });
const register = async (over: Partial<WebhookRow> & Pick<WebhookRow, 'subject'>): Promise<WebhookRow> => {
  const row = sampleWebhook({ secrets: [{ sealed: `whsec_${Buffer.alloc(24).toString('base64')}`, until: null }], ...over });
  expect(await store.webhooks.create(row, { scope: 's', key: row.id, hash: 'h' }, auditRow())).toBe(true);
  return row;
};
const commit = async (sid: number, type: string, count = 1) =>
  takenWrite(await store.sessions.write(command(await headOf(store.sessions, sid), { events: Array.from({ length: count }, () => event(type)) })));

test('WD4: an owner has so many lanes and no more; another’s are delivered meanwhile, and its own afterwards', async () => {
  const gate = createGate();
  receiver.answer(async ({ url }) => {
    if (url.includes('slow')) await gate.wait();
    return taken;
  });
  const many = await register({ subject: { kind: 'application', applicationId: 'app_a' }, owner: 'app:app_a', url: 'https://slow.example/' });
  const other = await register({ subject: { kind: 'application', applicationId: 'app_b' }, owner: 'app:app_b' });
  const { dispatcher } = open({ ownerLanes: 4, limits: { all: 100, owner: 50, host: 50 } });
  for (let n = 0; n < 10; n += 1) await createdSession(store.sessions, { owner: 'app:app_a' });
  dispatcher.registered(many);
  await settle(50);
  await createdSession(store.sessions, { owner: 'app:app_b' });
  dispatcher.registered(other);
  await eventually('the other is told', () => receiver.received.some(({ url }) => url === other.url));
  expect(receiver.received.filter(({ url }) => url === many.url)).toHaveLength(4);
  gate.open();
  await settle(50);
  dispatcher.start();
  await eventually('all is told', () => receiver.received.filter(({ url }) => url === many.url).length === 10, { clock });
  await dispatcher.stop(0);
});

test('DL4: what nobody wants is read once, however often the session moves', async () => {
  const { head, id } = await createdSession(store.sessions);
  const { sid } = head;
  const row = await register({ subject: { kind: 'session', sid, sessionId: id }, eventTypes: ['turn.completed'] });
  const read: number[] = [];
  const events: typeof store.sessions.events = async (query) => {
    const rows = await store.sessions.events(query);
    read.push(...rows.map(({ seq }) => seq));
    return rows;
  };
  const { dispatcher } = open({ sessions: { events } });
  dispatcher.registered(row);
  await settle(20);
  for (let n = 0; n < 5; n += 1) {
    await commit(sid, 'session.status_idle', 30);
    dispatcher.moved({ sid, gone: false });
    await settle(50);
  }
  expect(read).toEqual(Array.from({ length: 150 }, (_, n) => head.seq + 1 + n));
  await commit(sid, 'turn.completed');
  dispatcher.moved({ sid, gone: false });
  await eventually('it is told', () => receiver.received.length === 1);
  await dispatcher.stop(0);
  expect(await store.webhooks.lane({ webhookId: row.id, sid })).toMatchObject({ seq: head.seq + 151 });
});

test('DL2: a subscription that was deleted before its lane was claimed is sent nothing', async () => {
  const { head, id } = await createdSession(store.sessions);
  const { sid } = head;
  const row = await register({ subject: { kind: 'session', sid, sessionId: id } });
  const claim: WebhookStore['claim'] = async (...asked) => {
    const claimed = await store.webhooks.claim(...asked);
    await store.webhooks.remove(row.id, 5, auditRow());
    return claimed;
  };
  const { dispatcher } = open({ store: { ...store.webhooks, claim } });
  await commit(sid, 'turn.completed');
  dispatcher.registered(row);
  await settle(100);
  await dispatcher.stop(0);
  expect(receiver.received).toEqual([]);
  expect(await store.webhooks.webhook(row.id)).toBeUndefined();
});

test('SL1: a test has a slot, as any delivery', async () => {
  const gate = createGate();
  receiver.answer(async () => {
    await gate.wait();
    return taken;
  });
  const { head, id } = await createdSession(store.sessions);
  const row = await register({ subject: { kind: 'session', sid: head.sid, sessionId: id } });
  await commit(head.sid, 'turn.completed');
  const { dispatcher, webhooks } = open({ limits: { all: 9, owner: 1, host: 9 } });
  dispatcher.registered(row);
  await eventually('one is under way', () => receiver.received.length === 1);
  const testing = webhooks.test(row);
  await settle(50);
  expect(receiver.received).toHaveLength(1);
  gate.open();
  expect(await testing).toEqual(taken);
  await dispatcher.stop(0);
});

test('WD3: what a subscription is owed and could not be looked up is reported, and nobody waited for it', async () => {
  const row = await register({ subject: { kind: 'application', applicationId: 'app_a' } });
  const broken = new Error('no database');
  const { dispatcher } = open({ store: { ...store.webhooks, owed: () => Promise.reject(broken) } });
  dispatcher.registered(row);
  await dispatcher.stop(0);
  expect(reports).toEqual([broken]);
});
