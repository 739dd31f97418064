/** What is forgotten, when, and what stays (semantics, sections 3, 5 and 10). */
import { afterEach, expect, test } from 'vitest';
import { forkSession } from '../../app/fork-session.ts';
import { keyedCall, type Operation } from '../../app/idempotency.ts';
import { createIdentity } from '../../app/identity.ts';
import { deleteSession } from '../../app/manage-session.ts';
import { createWebhook, readWebhook } from '../../app/manage-webhooks.ts';
import { readEvents } from '../../app/read-events.ts';
import { readSnapshot } from '../../app/read-snapshot.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { ann, createClient, external, fresh } from '../harness/client.ts';
import { createFakeReceiver, refused } from '../harness/fake-receiver.ts';
import { settle } from '../harness/settle.ts';
import { openWorld, type World, type WorldOptions } from '../harness/world.ts';
import { rebuildCheck } from '../store-contract/rebuild-check.ts';

const dayMs = 86_400_000;
let world: World;
const open = async (options: WorldOptions = {}) => {
  world = await openWorld({ retention: { historyDays: 30, deletedDays: 7, auditDays: 0 }, ...options });
  return createClient(world);
};
afterEach(() => world.close());

const headOf = async (session: string) => (await world.store.load(session as never))?.head ?? { sid: 0, seq: 0, horizon: -1 };
const logOf = async (session: string) => world.store.events({ sid: (await headOf(session)).sid, after: 0, limit: 10_000 });
/** Days pass; then what is due to be forgotten is forgotten: a pass that moves the horizon, and the one after it that deletes. */
const pass = async (days: number): Promise<void> => {
  world.clock.sleepThrough(days * dayMs);
  for (let n = 0; n < 4; n += 1) {
    await world.clock.advance(1);
    await settle(40);
    world.clock.sleepThrough(15 * 60_000);
  }
  await world.clock.advance(1);
  await settle(40);
};

test('the history of settled turns goes after 30 days, whole; the snapshot stays, and the cursor has expired', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  await client.until(session, await client.submit(session, 'one'));
  const first = await readEvents(world.engine.app, ann, session, undefined, { limit: 3 });
  const snapshot = await readSnapshot(world.engine.app, ann, session, 50);
  await pass(29);
  expect((await headOf(session)).horizon).toBe(0);
  await pass(2);
  const { seq, horizon, sid } = await headOf(session);
  expect(horizon).toBe(seq);
  expect(await logOf(session)).toEqual([]);
  expect(await readSnapshot(world.engine.app, ann, session, 50)).toEqual(snapshot);
  expect(await rebuildCheck(world.store, sid)).toEqual([]);
  await expect(readEvents(world.engine.app, ann, session, undefined, { after: first.next_cursor, limit: 3 })).rejects.toMatchObject({
    code: 'cursor_expired',
    details: { snapshot_url: `/api/v1/agent-sessions/${session}/snapshot` },
  });
  expect(await readEvents(world.engine.app, ann, session, undefined, { limit: 3 })).toMatchObject({ data: [], has_more: false });
  expect(await readEvents(world.engine.app, ann, session, undefined, { after: snapshot.as_of, limit: 3 })).toMatchObject({ data: [] });
});

test('it never passes the first event of an unfinished turn, however old', async () => {
  const client = await open();
  world.model.when('ask', [{ call: 'lookup' }]);
  const session = await client.session(await client.agent({ tools: [external('lookup')] }));
  const done = await client.submit(session, 'one');
  await client.until(session, done);
  const waiting = await client.submit(session, 'ask');
  await client.until(session, waiting, 'requires_action');
  const firstSeq = (await world.store.resource((await headOf(session)).sid, waiting))?.n ?? 0;
  await pass(60);
  expect((await headOf(session)).horizon).toBe(firstSeq - 1);
  const log = await logOf(session);
  expect(log[0]?.seq).toBe(firstSeq);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, n) => firstSeq + n));
});

test('a turn that was settled lately is kept whole, though it began long ago', async () => {
  const client = await open();
  world.model.when('ask', [{ call: 'lookup' }], [{ text: 'done' }]);
  const session = await client.session(await client.agent({ tools: [external('lookup')] }));
  const turn = await client.submit(session, 'ask');
  await client.until(session, turn, 'requires_action');
  world.clock.sleepThrough(40 * dayMs);
  await world.clock.advance(1);
  await client.cancel(session, turn);
  await client.until(session, turn);
  await pass(1);
  const firstSeq = (await world.store.resource((await headOf(session)).sid, turn))?.n ?? 0;
  expect((await headOf(session)).horizon).toBe(firstSeq - 1);
  await pass(31);
  expect((await headOf(session)).horizon).toBe((await headOf(session)).seq);
});

test('a session goes on after its history went: turns run, and their keys are remembered', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const turn = await client.submit(session, 'one', 'the key');
  await client.until(session, turn);
  await pass(40);
  expect((await submitTurn(world.engine.app, ann, session, { message: 'one' }, 'the key')).answer.id).toBe(turn);
  const next = await client.submit(session, 'two');
  expect((await client.until(session, next)).outputText).toBe('echo: two');
  expect((await logOf(session))[0]?.type).toBe('turn.accepted');
});

test('pieces of answers go a day after their turn, and no cursor expires by it', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  world.model.when('long', [{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
  await client.until(session, await client.submit(session, 'long'));
  const isPiece = ({ type }: { readonly type: string }) => type === 'item.delta';
  const before = await logOf(session);
  expect(before.some(isPiece)).toBe(true);
  await pass(2);
  expect(await logOf(session)).toEqual(before.filter((row) => !isPiece(row)));
  expect((await headOf(session)).horizon).toBe(0);
});

test('0 days: nothing is ever forgotten', async () => {
  const client = await open({ retention: { historyDays: 0, deletedDays: 0, auditDays: 0 } });
  const session = await client.session(await client.agent());
  await client.until(session, await client.submit(session, 'one'));
  const before = await logOf(session);
  await pass(4_000);
  expect(await logOf(session)).toEqual(before);
});

test('PG4 keys are good for 7 days and not much longer; those of a creation, a fork and turns as long as the session', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  world.model.when('hang', [{ hang: true }]);
  const turn = await client.submit(session, 'hang', 'the submit');
  await client.cancel(session, turn, 'the cancel');
  await client.until(session, turn);
  const fork = () => forkSession(world.engine.app, ann, session, { reason: 'a trial' }, 'the fork');
  const forked = (await fork()).answer.id;
  const of = (operation: Operation) => {
    const { scope, key } = keyedCall('user:ann', operation, session, `the ${operation}`, {});
    return world.store.receipt(scope, key);
  };
  await pass(6);
  expect(await of('cancel')).toBeDefined();
  // A session is looked at once a day.
  await pass(2);
  expect(await of('cancel')).toBeUndefined();
  await pass(40);
  expect(await of('submit')).toBeDefined();
  expect(await fork()).toMatchObject({ replayed: true, answer: { id: forked } });
});

test('audit entries are kept as long as is configured, and for ever unless it is', async () => {
  const client = await open({ retention: { historyDays: 30, deletedDays: 7, auditDays: 10 } });
  const session = await client.session(await client.agent());
  await deleteSession(world.engine.app, ann, session);
  const entries = async () => (await world.engine.app.catalog.audit({ limit: 10, sessionId: session })).map(({ action }) => action);
  await pass(9);
  expect(await entries()).toEqual(['session.deleted']);
  await pass(1);
  expect(await entries()).toEqual([]);
  await world.close();
  const other = await open();
  const kept = await other.session(await other.agent());
  await deleteSession(world.engine.app, ann, kept);
  await pass(4_000);
  expect((await world.engine.app.catalog.audit({ limit: 10, sessionId: kept })).map(({ action }) => action)).toEqual(['session.deleted']);
});

test('nothing is left of a deleted session after its grace but its audit entry', async () => {
  const client = await open();
  const agent = await client.agent();
  const [gone, kept] = [await client.session(agent), await client.session(agent)];
  await client.until(gone, await client.submit(gone, 'one'));
  const { sid } = await headOf(gone);
  await deleteSession(world.engine.app, ann, gone);
  await pass(6);
  expect(await world.store.loadBySid(sid)).toBeDefined();
  await pass(2);
  expect(await world.store.loadBySid(sid)).toBeUndefined();
  expect(await world.store.load(kept as never)).toBeDefined();
  expect((await world.engine.app.catalog.audit({ limit: 10, sessionId: gone })).map(({ action }) => action)).toEqual(['session.deleted']);
});

test('what a webhook is owed stays a week longer; then it is left out, and the subscription says so', async () => {
  const receiver = createFakeReceiver();
  const client = await open({ webhooks: { sender: receiver } });
  const session = await client.session(await client.agent());
  const administration = { app: world.engine.app, identity: createIdentity(world.engine.app) };
  const address = { kind: 'session', sessionId: session } as const;
  receiver.answer(() => refused);
  const { id } = (await createWebhook(administration, ann, address, { url: 'https://a.example/', event_types: [] }, fresh('hook'))).answer;
  const owed = (await headOf(session)).seq;
  await client.until(session, await client.submit(session, 'one'));
  await world.engine.app.webhooks.store.resume(id, {
    id: fresh('aud'),
    at: 0,
    actor: 'system',
    actorName: '',
    credentialId: null,
    address: null,
    action: 'webhook.resumed',
    subject: '',
    sessionId: null,
    details: {},
  });
  world.clock.sleepThrough(31 * dayMs);
  // Tried so seldom that it is not paused yet.
  await pass(0);
  expect((await headOf(session)).horizon).toBe(owed);
  await pass(8);
  expect((await headOf(session)).horizon).toBe((await headOf(session)).seq);
  receiver.answer(() => ({ ok: true, status: 200, error: null }));
  await client.until(session, await client.submit(session, 'two'));
  world.engine.app.webhooks.registered((await world.engine.app.webhooks.store.webhook(id)) as never);
  await pass(0);
  expect(receiver.received.at(-1)?.notice.type).toBe('session.status_idle');
  expect(await readWebhook(administration, ann, address, id)).toMatchObject({ last_error: 'Events that were older than the server keeps were left out.' });
});
