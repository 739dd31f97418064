/** Webhooks (cases 12 and 38; session-api, "Webhooks"): order, retries, pauses, crashes, and who holds up whom. */
import { createHmac } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { App } from '../../app/app.ts';
import { createIdentity } from '../../app/identity.ts';
import { deleteSession } from '../../app/manage-session.ts';
import {
  createWebhook,
  deleteWebhook,
  listAllWebhooks,
  listDeliveries,
  listWebhooks,
  readWebhook,
  redeliverNotice,
  retryWebhook,
  rotateWebhookSecret,
  testWebhook,
  type WebhookAddress,
} from '../../app/manage-webhooks.ts';
import { ann, bob, builtin, createClient, external, fresh } from '../harness/client.ts';
import { createFakeReceiver, type FakeReceiver, refused, taken } from '../harness/fake-receiver.ts';
import { createGate } from '../harness/gate.ts';
import { eventually, settle } from '../harness/settle.ts';
import { openWorld, type World, type WorldOptions } from '../harness/world.ts';

let world: World;
let receiver: FakeReceiver;
const open = async (options: WorldOptions = {}) => {
  receiver = createFakeReceiver();
  world = await openWorld({ webhooks: { sender: receiver, base: () => 'https://turns.example' }, ...options });
  return createClient(world);
};
afterEach(() => world.close());

const administration = () => ({ app: world.engine.app as App, identity: createIdentity(world.engine.app) });
const hook = 'https://hooks.example/in';
const register = async (address: WebhookAddress, event_types: readonly string[] = [], url = hook, caller = ann) =>
  (await createWebhook(administration(), caller, address, { url, event_types: [...event_types] }, fresh('hook'))).answer;
const ofSession = (sessionId: string): WebhookAddress => ({ kind: 'session', sessionId });

const logOf = async (session: string) => {
  const sid = (await world.store.load(session as never))?.head.sid ?? 0;
  return world.store.events({ sid, after: 0, limit: 10_000 });
};
const types = (session?: string) =>
  receiver.received.filter(({ notice }) => session === undefined || notice.session_id === session).map(({ notice }) => notice.type);
const eventuallyTold = (type: string, count = 1) =>
  eventually(`${count} × ${type}`, () => types().filter((each) => each === type).length >= count, { clock: world.clock });
/** Until all that was committed has been told. */
const allTold = async (session: string, from: number) =>
  eventually('all is told', async () => receiver.received.length >= (await logOf(session)).filter(({ seq }) => seq > from).length, { clock: world.clock });

test('every event from the registration on, once and in order, signed in both ways', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const before = (await logOf(session)).length;
  const { signing_secret: secret = '' } = await register(ofSession(session));
  const turn = await client.submit(session, 'hi');
  await client.until(session, turn);
  await allTold(session, before);
  expect(types()).toEqual((await logOf(session)).slice(before).map(({ type }) => type));
  const [first] = receiver.received;
  expect(first?.notice).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: 'turn.accepted',
    session_id: session,
    turn_id: turn,
    cursor: expect.any(String),
    created_at: expect.any(Number),
    event_url: `https://turns.example/api/v1/agent-sessions/${session}/events/${first?.notice.id}`,
  });
  const { headers = {}, body = '' } = first ?? {};
  const at = headers['x-webhook-timestamp'] ?? '';
  expect(Number(at)).toBe(Math.floor(world.clock.now() / 1_000));
  expect(headers['x-webhook-signature']).toBe(`v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const standard = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64');
  expect(headers).toMatchObject({ 'webhook-id': first?.notice.id, 'webhook-timestamp': at, 'webhook-signature': `v1,${standard}` });
});

test('only what is asked for; a turn’s subscription hears of that turn, with cursors of its stream', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  await register(ofSession(session), ['turn.completed']);
  const gate = createGate();
  world.model.when('slow', [{ gate }, { text: 'done' }]);
  const slow = await client.submit(session, 'slow');
  const next = await client.submit(session, 'next');
  await register({ kind: 'turn', sessionId: session, turnId: next }, [], 'https://hooks.example/turn');
  gate.open();
  await client.until(session, next);
  await eventuallyTold('turn.completed', 3);
  const of = (url: string) => receiver.received.filter((one) => one.url === url).map(({ notice }) => [notice.type, notice.turn_id]);
  expect(of(hook)).toEqual([
    ['turn.completed', slow],
    ['turn.completed', next],
  ]);
  const own = of('https://hooks.example/turn');
  expect(own[0]).toEqual(['turn.running', next]);
  expect(own.at(-1)).toEqual(['turn.completed', next]);
  expect(new Set(own.map(([, turn]) => turn))).toEqual(new Set([next]));
  const cursors = receiver.received.map(({ url, notice }) => [url === hook, notice.cursor[0]]);
  expect(cursors.every(([isSession, letter]) => letter === (isSession ? 's' : 't'))).toBe(true);
});

test('a refusal is tried again by the schedule, in order, and over once it is taken', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const { id } = await register(ofSession(session), ['turn.accepted', 'turn.completed']);
  let refusals = 3;
  const at: number[] = [];
  receiver.answer(() => {
    at.push(world.clock.now());
    refusals -= 1;
    return refusals >= 0 ? refused : taken;
  });
  await client.until(session, await client.submit(session, 'hi'));
  await eventuallyTold('turn.completed');
  expect(types()).toEqual(['turn.accepted', 'turn.accepted', 'turn.accepted', 'turn.accepted', 'turn.completed']);
  const [first = 0, second = 0, third = 0, fourth = 0] = at;
  for (const [waited, wanted] of [
    [second - first, 1_000],
    [third - second, 5_000],
    [fourth - third, 30_000],
  ] as const) {
    expect(waited).toBeGreaterThanOrEqual(wanted * 0.8);
    // The sweep may find it a little later than its timer.
    expect(waited).toBeLessThanOrEqual(wanted * 1.2 + 2_000);
  }
  expect(await readWebhook(administration(), ann, ofSession(session), id)).toMatchObject({ failures: 0, last_error: null, status: 'active' });
  const { items } = await listDeliveries(administration(), ann, ofSession(session), id, { offset: 0, limit: 10 });
  expect(items.map(({ event_type, attempts, status }) => [event_type, attempts, status])).toEqual([
    ['turn.completed', 1, 'delivered'],
    ['turn.accepted', 4, 'delivered'],
  ]);
});

test('eight failures in a row pause it; retry goes on with the event that failed', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const { id } = await register(ofSession(session), ['turn.completed']);
  receiver.answer(() => refused);
  await client.until(session, await client.submit(session, 'one'));
  await client.until(session, await client.submit(session, 'two'));
  const now = () => readWebhook(administration(), ann, ofSession(session), id);
  // Hours pass without the sweeps in between.
  for (let tries = 0; tries < 40 && (await now()).status !== 'paused'; tries += 1) {
    world.clock.sleepThrough(5 * 3_600_000);
    await world.clock.advance(1);
  }
  expect(await now()).toMatchObject({ failures: 8, last_error: 'answered 500.', next_attempt_at: null });
  expect(receiver.received).toHaveLength(8);
  world.clock.sleepThrough(86_400_000);
  await world.clock.advance(1);
  expect(receiver.received).toHaveLength(8);
  receiver.answer(() => taken);
  await retryWebhook(administration(), ann, ofSession(session), id);
  await eventually('both are told', () => receiver.received.length === 10, { clock: world.clock });
  expect(new Set(receiver.received.slice(0, 9).map(({ notice }) => notice.id)).size).toBe(1);
  expect(receiver.received[9]?.notice.id).not.toBe(receiver.received[8]?.notice.id);
});

/** Without the attempts that repeat the one before. */
const distinct = () => receiver.received.filter(({ notice }, n) => notice.id !== receiver.received[n - 1]?.notice.id).map(({ notice }) => notice.type);

const points = (['advance', 'release', 'lane'] as const).flatMap((call) =>
  [1, 2, 5].flatMap((nth) => (['before', 'after'] as const).map((when) => ({ call, nth, when }))),
);
test.each(points)('killed $when call $nth of $call: everything is told, in order, and at most one notice again', async (killAt) => {
  const client = await open();
  const session = await client.session(await client.agent());
  const before = (await logOf(session)).length;
  await register(ofSession(session));
  await world.restart(killAt);
  await client.submit(session, 'hi').catch(() => undefined);
  await eventually('it died, or has no more to tell', () => !world.life.alive() || types().includes('session.status_idle'), { clock: world.clock });
  await world.restart();
  await eventually('the session rests', async () => (await world.store.load(session as never))?.row.status === 'idle', { clock: world.clock });
  const log = (await logOf(session)).slice(before);
  await eventually('all is told', () => distinct().length >= log.length, { clock: world.clock });
  expect(distinct()).toEqual(log.map(({ type }) => type));
  expect(receiver.received.length).toBeLessThanOrEqual(log.length + 1);
});

test('what was committed just before a crash, and woke nobody, is found', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  await register(ofSession(session), ['turn.completed']);
  const gate = createGate();
  receiver.answer(() => gate.wait().then(() => taken));
  await client.until(session, await client.submit(session, 'hi'));
  await world.kill();
  receiver.answer(() => taken);
  const told = receiver.received.length;
  await world.open();
  await eventually('it is told after all', () => receiver.received.length > told, { clock: world.clock });
  expect(new Set(receiver.received.map(({ notice }) => notice.id)).size).toBe(1);
  gate.open();
});

test('case 12: a cancelled turn that waited is told as cancelled, and the next one as completed', async () => {
  const client = await open();
  world.model.when('ask', [{ call: 'lookup' }]);
  const session = await client.session(await client.agent({ tools: [external('lookup')] }));
  await register(ofSession(session), ['turn.requires_action', 'turn.cancelled', 'required_action.resolved', 'turn.completed']);
  const waiting = await client.submit(session, 'ask');
  const next = await client.submit(session, 'hi');
  await client.until(session, waiting, 'requires_action');
  await client.cancel(session, waiting);
  await client.until(session, next);
  await eventuallyTold('turn.completed');
  expect(types()).toEqual(['turn.requires_action', 'required_action.resolved', 'turn.cancelled', 'turn.completed']);
});

test('nothing follows the deletion of a session, of a webhook, or a pause of its time', async () => {
  const client = await open();
  const agent = await client.agent();
  const [gone, kept] = [await client.session(agent), await client.session(agent)];
  await register(ofSession(gone));
  const { id } = await register(ofSession(kept));
  await deleteSession(world.engine.app, ann, gone);
  await deleteWebhook(administration(), ann, ofSession(kept), id);
  const told = receiver.received.length;
  await client.until(kept, await client.submit(kept, 'hi'));
  await world.clock.advance(60_000);
  expect(receiver.received.length).toBe(told);
  expect(types(kept)).toEqual([]);
  expect((await listWebhooks(administration(), ann, ofSession(kept), { offset: 0, limit: 10 })).items).toEqual([]);
});

test('an attempt under way when its session is deleted ends, and counts as none', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const { id } = await register(ofSession(session), ['turn.completed']);
  receiver.answer(() => new Promise(() => {}));
  await client.until(session, await client.submit(session, 'hi'));
  await eventually('it is sent', () => receiver.received.length === 1, { clock: world.clock });
  await deleteSession(world.engine.app, ann, session);
  await eventually('it has ended', () => world.engine.background.sending() === 0, { clock: world.clock });
  expect(receiver.received).toHaveLength(1);
  expect(await world.stores.webhooks.webhook(id)).toMatchObject({ failures: 0, note: null });
});

test('case 38: a receiver that hangs holds up nobody else, and no turn', async () => {
  const client = await open();
  const agent = await client.agent();
  const slow = await Promise.all(Array.from({ length: 40 }, () => client.session(agent)));
  for (const session of slow) await register(ofSession(session), ['turn.completed'], 'https://slow.example/in');
  receiver.answer(({ url }) => (url.includes('slow') ? new Promise(() => {}) : taken));
  await Promise.all(slow.map(async (session) => client.until(session, await client.submit(session, 'hi'))));
  const other = createClient(world, bob);
  const session = await other.session(agent);
  await register(ofSession(session), ['turn.completed'], hook, bob);
  await other.until(session, await other.submit(session, 'hi'));
  await eventually('the other is told', () => receiver.received.some(({ url }) => url === hook));
  expect(receiver.received.filter(({ url }) => url.includes('slow')).length).toBeLessThanOrEqual(16);
});

test('an application’s: all its sessions, each in its order; one that fails holds the others back, then all go on', async () => {
  await open();
  const owner = {
    type: 'application',
    id: 'app_1',
    name: 'App',
    credentialId: null,
    scopes: new Set(['invoke', 'read', 'webhooks:write']),
    targets: [{ type: 'agent', id: '*' }],
  } as const;
  const agents = createClient(world);
  const agent = await agents.agent();
  const client = createClient(world, owner as never);
  const early = await client.session(agent);
  const { id } = await register({ kind: 'application', applicationId: 'app_1' }, ['turn.accepted', 'turn.completed'], hook, owner as never);
  const late = await client.session(agent);
  const stranger = await agents.session(agent);
  let failing = true;
  receiver.answer(({ notice }) => (failing && notice.session_id === early ? refused : taken));
  await client.until(early, await client.submit(early, 'one'));
  await eventually('it fails', () => receiver.received.length >= 1, { clock: world.clock, mostMs: 10 });
  await client.until(late, await client.submit(late, 'two'));
  await agents.until(stranger, await agents.submit(stranger, 'three'));
  // One event that fails holds all of it back, however often it is tried.
  await world.clock.advance(20_000);
  expect(types(late)).toEqual([]);
  failing = false;
  await eventually('all is told', () => types(late).length === 2 && types(early).filter((type) => type === 'turn.completed').length === 1, {
    clock: world.clock,
  });
  expect(types(late)).toEqual(['turn.accepted', 'turn.completed']);
  expect(types(early).filter((type, n, all) => type !== all[n - 1])).toEqual(['turn.accepted', 'turn.completed']);
  expect(types(stranger)).toEqual([]);
  expect(await readWebhook(administration(), owner as never, { kind: 'application', applicationId: 'app_1' }, id)).toMatchObject({
    failures: 0,
    status: 'active',
  });
});

test('a failing event whose session is deleted lets the others go on', async () => {
  await open();
  const owner = {
    type: 'application',
    id: 'app_2',
    name: 'App',
    credentialId: null,
    scopes: new Set(['invoke', 'read', 'webhooks:write']),
    targets: [{ type: 'agent', id: '*' }],
  } as const;
  const agent = await createClient(world).agent();
  const client = createClient(world, owner as never);
  const [poisoned, fine] = [await client.session(agent), await client.session(agent)];
  await register({ kind: 'application', applicationId: 'app_2' }, ['turn.completed'], hook, owner as never);
  receiver.answer(({ notice }) => (notice.session_id === poisoned ? refused : taken));
  await client.until(poisoned, await client.submit(poisoned, 'one'));
  await eventually('it fails', () => receiver.received.length >= 1, { clock: world.clock, mostMs: 10 });
  await client.until(fine, await client.submit(fine, 'two'));
  await deleteSession(world.engine.app, owner as never, poisoned);
  await eventually('the other is told', () => types(fine).length === 1, { clock: world.clock });
});

test('a repeated call is answered with the same secret, another content is a conflict', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const make = (event_types: string[]) => createWebhook(administration(), ann, ofSession(session), { url: hook, event_types }, 'the key');
  const [first, again] = [await make(['turn.completed']), await make(['turn.completed'])];
  expect(again).toEqual({ ...first, replayed: true });
  await expect(make(['turn.failed'])).rejects.toMatchObject({ code: 'idempotency_conflict' });
  const { signing_secret: fresh } = await rotateWebhookSecret(administration(), ann, ofSession(session), first.answer.id);
  expect(fresh).not.toBe(first.answer.signing_secret);
  expect((await make(['turn.completed'])).answer.signing_secret).toBeUndefined();
});

test('after a rotation both secrets sign for a day, the newer first', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const { id, signing_secret: old = '' } = await register(ofSession(session), ['turn.completed']);
  const { signing_secret: fresh } = await rotateWebhookSecret(administration(), ann, ofSession(session), id);
  await client.until(session, await client.submit(session, 'hi'));
  await eventuallyTold('turn.completed');
  const signatures = () => {
    const { headers = {}, body = '' } = receiver.received.at(-1) ?? {};
    const sign = (secret: string) => `v1=${createHmac('sha256', secret).update(`${headers['x-webhook-timestamp']}.${body}`).digest('hex')}`;
    return { is: headers['x-webhook-signature'], standard: headers['webhook-signature']?.split(' ').length, of: sign };
  };
  expect(signatures().is).toBe(`${signatures().of(fresh)},${signatures().of(old)}`);
  expect(signatures().standard).toBe(2);
  world.clock.sleepThrough(25 * 3_600_000);
  expect(await testWebhook(administration(), ann, ofSession(session), id)).toEqual({ delivered: true, response_status: 200, error: null });
  expect(receiver.received.at(-1)?.notice.type).toBe('webhook.test');
  expect(signatures().is).toBe(signatures().of(fresh));
});

test('who may only read a session is shown no webhook of it', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const { id } = await register(ofSession(session));
  const reader = { ...bob, admin: true };
  await expect(readWebhook(administration(), reader, ofSession(session), id)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(readWebhook(administration(), bob, ofSession(session), id)).rejects.toMatchObject({ code: 'not_found' });
  const other = await client.session(await client.agent());
  await expect(readWebhook(administration(), ann, ofSession(other), id)).rejects.toMatchObject({ code: 'not_found' });
});

test('a graceful stop leaves nothing under way, and the next start goes on where it ended', async () => {
  const client = await open();
  const session = await client.session(await client.agent({ tools: [builtin('look')] }));
  const before = (await logOf(session)).length;
  await register(ofSession(session));
  await client.until(session, await client.submit(session, 'hi'));
  await settle(4);
  await world.engine.background.stop(0);
  await world.kill();
  const told = receiver.received.length;
  await world.open();
  await allTold(session, before);
  const ids = receiver.received.map(({ notice }) => notice.id);
  expect(new Set(ids).size).toBe((await logOf(session)).length - before);
  expect(ids.length - new Set(ids).size).toBeLessThanOrEqual(1);
  expect(told).toBeLessThanOrEqual(ids.length);
});

test('a delivery is sent once more with its own id, out of order; what one may change is listed in one place', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const address = ofSession(session);
  const { id: webhookId } = await register(address, ['turn.completed']);
  const turn = await client.submit(session, 'hi');
  await client.until(session, turn);
  await eventuallyTold('turn.completed');
  await settle();
  const page = { offset: 0, limit: 10 };
  const [delivery] = (await listDeliveries(administration(), ann, address, webhookId, page)).items;
  const deliveryId = delivery?.id ?? '';
  expect(await redeliverNotice(administration(), ann, address, { webhookId, deliveryId })).toEqual({ delivered: true, response_status: 200, error: null });
  expect(receiver.received.map(({ notice }) => notice)).toEqual([receiver.received[0]?.notice, receiver.received[0]?.notice]);
  expect((await listDeliveries(administration(), ann, address, webhookId, page)).items).toEqual([delivery]);
  await expect(redeliverNotice(administration(), ann, address, { webhookId, deliveryId: 'whd_none' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(redeliverNotice(administration(), bob, address, { webhookId, deliveryId })).rejects.toMatchObject({ code: 'not_found' });
  expect((await listAllWebhooks(administration(), ann, page)).items.map(({ id }) => id)).toEqual([webhookId]);
  expect((await listAllWebhooks(administration(), { ...bob, admin: false }, page)).items).toEqual([]);
});
