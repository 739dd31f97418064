import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import { describe, expect, it } from 'vitest';
import type { SessionStore } from '../../ports/session-store.ts';
import type { Attempt, LaneRef, OwedPlace, Sending, WebhookKey, WebhookRow, WebhookStore } from '../../ports/webhooks.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, command, createdSession, event, headOf, sampleTime, taken, unique } from './samples.ts';

const key = (): WebhookKey => ({ scope: 'user:ann|webhooks|x', key: unique('k'), hash: 'h' });

export const sampleWebhook = (over: Partial<WebhookRow> & Pick<WebhookRow, 'subject'>): WebhookRow => ({
  id: unique('whk_'),
  owner: 'user:ann',
  url: 'https://example.com/hook',
  eventTypes: [],
  secrets: [{ sealed: 'v1.sealed', until: null }],
  status: 'active',
  failures: 0,
  failingSid: null,
  nextAt: null,
  note: null,
  createdAt: sampleTime,
  createdBy: 'user:ann',
  ...over,
});

const sendingAt = (at: number, over: Partial<Sending> = {}): Sending => ({
  at,
  ms: 12,
  status: 200,
  error: null,
  request: { url: 'https://example.com/hook', headers: { 'webhook-id': 'evt_1' }, body: '{"type":"é\\n"}' },
  ...over,
});

const attemptAt = ({ webhookId, sid }: LaneRef, seq: number, over: Partial<Attempt> = {}): Attempt => ({
  id: unique('whd_'),
  webhookId,
  sid,
  seq,
  sessionId: 'ses_x',
  turnId: null,
  eventId: `evt_${seq}`,
  eventType: 'turn.completed',
  responseStatus: 200,
  error: null,
  at: sampleTime + seq,
  sending: sendingAt(sampleTime + seq),
  ...over,
});

const until = sampleTime + 30_000;
const holder = (node: string, now = sampleTime) => ({ node, now, until });

/** All that a walk finds, page by page. */
const walked = async (store: WebhookStore): Promise<readonly LaneRef[]> => {
  const found: LaneRef[] = [];
  let place: OwedPlace | undefined;
  do {
    const page = await store.owed(place, 3);
    found.push(...page.lanes);
    place = page.next;
  } while (place);
  return found;
};

const registered = async (sessions: SessionStore, store: WebhookStore, over: Partial<WebhookRow> = {}) => {
  const { head, id } = await createdSession(sessions);
  const row = sampleWebhook({ subject: { kind: 'session', sid: head.sid, sessionId: id }, ...over });
  expect(await store.create(row, key(), auditRow())).toBe(true);
  return { row, head, ref: { webhookId: row.id, sid: head.sid } };
};

/** Commits one event that moves the state. */
const moved = async (sessions: SessionStore, sid: number): Promise<number> => taken(await sessions.write(command(await headOf(sessions, sid)))).seq;

/** The port of webhooks: WH1 to WH5. */
export const describeWebhooks = (open: OpenStore): void => {
  describe('webhooks', () => {
    const store = useStore(open, 'each');

    it('WH6: many at once are no more than there may be, a session’s and its turns’ together', async () => {
      const { head, id } = await createdSession(store.sessions());
      const session = { kind: 'session', sid: head.sid, sessionId: id } as const;
      const turn = { ...session, kind: 'turn', turn: 1, turnId: 'turn_1' } as const;
      const add = (subject: WebhookRow['subject']) => store.webhooks().create(sampleWebhook({ subject }), key(), auditRow(), 3);
      const made = await Promise.all(Array.from({ length: 12 }, (_, n) => add(n % 2 === 0 ? session : turn)));
      expect(made.filter(Boolean)).toHaveLength(3);
      expect(await store.webhooks().list({ kind: 'session', sid: head.sid }, { offset: 0, limit: 10 })).toHaveLength(3);
      // Others have room of their own, and their lanes.
      const application = { kind: 'application', applicationId: unique('app_') } as const;
      for (const room of [true, true, true, false]) expect(await add(application)).toBe(room);
      expect(await store.webhooks().lanesOf([head.sid])).toHaveLength(3);
    });

    it('a subscription is kept as it was given, of a session, a turn and an application', async () => {
      const { head, id } = await createdSession(store.sessions());
      const rows = [
        sampleWebhook({ subject: { kind: 'session', sid: head.sid, sessionId: id }, eventTypes: ['turn.completed'] }),
        sampleWebhook({ subject: { kind: 'turn', sid: head.sid, sessionId: id, turn: 2, turnId: 'turn_2' as TurnId }, createdAt: sampleTime + 1 }),
        sampleWebhook({ subject: { kind: 'application', applicationId: 'app_1' }, owner: 'app:app_1', createdAt: sampleTime + 2 }),
      ];
      for (const row of rows) expect(await store.webhooks().create(row, key(), auditRow())).toBe(true);
      for (const row of rows) expect(await store.webhooks().webhook(row.id)).toEqual(row);
      const page = { offset: 0, limit: 10 };
      expect(await store.webhooks().list({ kind: 'session', sid: head.sid }, page)).toEqual(rows.slice(0, 2));
      expect(await store.webhooks().list({ kind: 'turn', sid: head.sid, turn: 2 }, page)).toEqual(rows.slice(1, 2));
      expect(await store.webhooks().list({ kind: 'application', applicationId: 'app_1' }, page)).toEqual(rows.slice(2));
      expect(await store.webhooks().list({ kind: 'session', sid: head.sid }, { offset: 1, limit: 1 })).toEqual(rows.slice(1, 2));
    });

    it('a key makes one subscription, also when two come at once, and keeps it in mind after it was deleted', async () => {
      const { head, id } = await createdSession(store.sessions());
      const same = key();
      const rows = [1, 2, 3].map(() => sampleWebhook({ subject: { kind: 'session', sid: head.sid, sessionId: id } }));
      const made = await Promise.all(rows.map((row) => store.webhooks().create(row, same, auditRow())));
      expect(made.filter(Boolean)).toHaveLength(1);
      const first = rows[made.indexOf(true)];
      expect(await store.webhooks().byKey(same.scope, same.key)).toEqual({ row: first, hash: same.hash });
      expect(await store.webhooks().remove(first?.id ?? '', sampleTime, auditRow())).toBe(true);
      expect(await store.webhooks().remove(first?.id ?? '', sampleTime, auditRow())).toBe(false);
      expect(await store.webhooks().webhook(first?.id ?? '')).toBeUndefined();
      expect((await store.webhooks().byKey(same.scope, same.key))?.row).toMatchObject({ id: first?.id, secrets: [] });
      await store.webhooks().forget(sampleTime + 1);
      expect(await store.webhooks().byKey(same.scope, same.key)).toBeUndefined();
    });

    it('WH2: a lane begins where the log was at the registration', async () => {
      const { ref, head } = await registered(store.sessions(), store.webhooks());
      expect(await store.webhooks().lane(ref)).toMatchObject({ seq: head.seq, headSeq: head.seq, leaseUntil: 0 });
      expect(await walked(store.webhooks())).toEqual([]);
      const seq = await moved(store.sessions(), head.sid);
      expect(await store.webhooks().lane(ref)).toMatchObject({ seq: head.seq, headSeq: seq });
      expect(await walked(store.webhooks())).toEqual([expect.objectContaining(ref)]);
      expect(await store.webhooks().lanesOf([head.sid, 999_999])).toEqual([{ ...ref, owner: 'user:ann', url: 'https://example.com/hook' }]);
    });

    it('WH2: an application’s covers its sessions: those that are there from now on, later ones from the beginning', async () => {
      const owner = 'app:app_7';
      const before = await createdSession(store.sessions(), { owner });
      const other = await createdSession(store.sessions(), { owner: 'app:app_8' });
      const row = sampleWebhook({ subject: { kind: 'application', applicationId: 'app_7' }, owner });
      await store.webhooks().create(row, key(), auditRow());
      const later = await createdSession(store.sessions(), { owner });
      expect(await walked(store.webhooks())).toEqual([expect.objectContaining({ webhookId: row.id, sid: later.head.sid })]);
      await moved(store.sessions(), before.head.sid);
      await moved(store.sessions(), other.head.sid);
      expect((await walked(store.webhooks())).map(({ sid }) => sid)).toEqual([before.head.sid, later.head.sid]);
      expect((await store.webhooks().lanesOf([before.head.sid, later.head.sid, other.head.sid])).map(({ sid }) => sid).toSorted((a, b) => a - b)).toEqual([
        before.head.sid,
        later.head.sid,
      ]);
      expect(await store.webhooks().claim({ webhookId: row.id, sid: later.head.sid }, holder('n1'))).toEqual({ fence: 1, seq: 0 });
      expect(await store.webhooks().claim({ webhookId: row.id, sid: before.head.sid }, holder('n1'))).toEqual({ fence: 1, seq: before.head.seq });
    });

    it('the walk finds every lane once, whatever the pages', async () => {
      const refs: LaneRef[] = [];
      for (let n = 0; n < 4; n += 1) {
        const { ref, head } = await registered(store.sessions(), store.webhooks());
        await moved(store.sessions(), head.sid);
        refs.push(ref);
      }
      const owner = 'app:app_9';
      const row = sampleWebhook({ subject: { kind: 'application', applicationId: 'app_9' }, owner });
      await store.webhooks().create(row, key(), auditRow());
      for (let n = 0; n < 7; n += 1) refs.push({ webhookId: row.id, sid: (await createdSession(store.sessions(), { owner })).head.sid });
      const found = (await walked(store.webhooks())).map(({ webhookId, sid }) => `${webhookId}/${sid}`);
      expect(found.toSorted()).toEqual(refs.map(({ webhookId, sid }) => `${webhookId}/${sid}`).toSorted());
    });

    it('those of some owners are listed whatever they are on, the newest first; a delivery is found by its id', async () => {
      const [hooks, sessions] = [store.webhooks(), store.sessions()];
      const [ann, app] = [`user:${unique('u')}`, `app:${unique('a')}`];
      const { row: first, ref } = await registered(sessions, hooks, { owner: ann });
      const { row: second } = await registered(sessions, hooks, { owner: app, createdAt: sampleTime + 1 });
      const ids = async (owners: readonly string[] | undefined, limit = 10) => (await hooks.listOf(owners, { offset: 0, limit })).map(({ id }) => id);
      expect(await ids([ann, app])).toEqual([second.id, first.id]);
      expect([await ids([ann]), await ids([]), await ids([ann, app], 1)]).toEqual([[first.id], [], [second.id]]);
      expect(await ids(undefined, 1_000)).toEqual(expect.arrayContaining([first.id, second.id]));
      const fence = (await hooks.claim(ref, holder('n1')))?.fence ?? 0;
      const seq = await moved(sessions, ref.sid);
      const attempt = attemptAt(ref, seq);
      await hooks.advance(ref, fence, until, attempt);
      expect(await hooks.delivery(ref.webhookId, attempt.id)).toMatchObject({ id: attempt.id, seq, sid: ref.sid, eventType: 'turn.completed' });
      expect([await hooks.delivery(second.id, attempt.id), await hooks.delivery(ref.webhookId, 'whd_none')]).toEqual([undefined, undefined]);
      await hooks.remove(second.id, sampleTime + 2, auditRow());
      expect(await ids([ann, app])).toEqual([first.id]);
    });

    it('WH1: one at a time holds a lane; who lost it moves nothing', async () => {
      const { ref, head } = await registered(store.sessions(), store.webhooks());
      const claims = await Promise.all(['n1', 'n2', 'n3'].map((node) => store.webhooks().claim(ref, holder(node))));
      const [claim, ...others] = claims.filter((found) => found !== undefined);
      expect(others).toEqual([]);
      expect(claim).toEqual({ fence: 1, seq: head.seq });
      expect(await store.webhooks().claim(ref, holder('n4', until - 1))).toBeUndefined();
      expect(await store.webhooks().orphans(until - 1, 10)).toEqual([]);
      expect(await store.webhooks().orphans(until, 10)).toEqual([expect.objectContaining(ref)]);
      expect(await store.webhooks().claim(ref, { node: 'n4', now: until, until: until + 30_000 })).toEqual({ fence: 2, seq: head.seq });
      const stale = 1;
      expect(await store.webhooks().advance(ref, stale, until, attemptAt(ref, 5))).toBe(false);
      expect(await store.webhooks().release(ref, stale, 5)).toBe(false);
      expect(await store.webhooks().failed(ref, stale, { failures: 0, nextAt: 1, note: 'n', attempt: attemptAt(ref, 5) })).toBe(false);
      expect(await store.webhooks().lane(ref)).toMatchObject({ seq: head.seq, webhook: { failures: 0 } });
      expect(await store.webhooks().deliveries(ref.webhookId, { offset: 0, limit: 10 })).toEqual([]);
    });

    it('WH1: what was delivered is noted with the position, and a released lane never goes back', async () => {
      const { ref } = await registered(store.sessions(), store.webhooks());
      await store.webhooks().claim(ref, holder('n1'));
      for (const seq of [4, 5, 6]) expect(await store.webhooks().advance(ref, 1, until + seq, attemptAt(ref, seq))).toBe(true);
      expect(await store.webhooks().lane(ref)).toMatchObject({ seq: 6, leaseUntil: until + 6 });
      expect(await store.webhooks().release(ref, 1, 3)).toBe(true);
      expect(await store.webhooks().lane(ref)).toMatchObject({ seq: 6, leaseUntil: 0 });
      const [newest, ...older] = await store.webhooks().deliveries(ref.webhookId, { offset: 0, limit: 10 });
      expect(newest).toMatchObject({ seq: 6, status: 'delivered', attempts: 1, responseStatus: 200, firstAt: sampleTime + 6 });
      expect(older.map(({ seq }) => seq)).toEqual([5, 4]);
      await store.webhooks().trim(ref.webhookId, 2);
      expect((await store.webhooks().deliveries(ref.webhookId, { offset: 0, limit: 10 })).map(({ seq }) => seq)).toEqual([6, 5]);
    });

    it('WS1: what was sent is kept with its delivery, in order and bounded', async () => {
      const { ref } = await registered(store.sessions(), store.webhooks());
      const hooks = store.webhooks();
      const outcome = { failures: 0, nextAt: sampleTime, note: 'answered 500.' };
      const failing = attemptAt(ref, 4, { sending: sendingAt(1, { status: 500, error: 'answered 500.' }) });
      await hooks.claim(ref, holder('n1'));
      await hooks.failed(ref, 1, { ...outcome, attempt: failing });
      const { fence } = (await hooks.claim(ref, holder('n1'))) ?? expect.fail('it is free');
      await hooks.advance(ref, fence, until, attemptAt(ref, 4, { sending: sendingAt(2) }));
      await hooks.sentAgain(ref.webhookId, failing.id, sendingAt(3, { again: true }));
      expect(await hooks.sendings(ref.webhookId, failing.id)).toEqual([failing.sending, sendingAt(2), sendingAt(3, { again: true })]);
      expect(await hooks.delivery(ref.webhookId, failing.id)).toMatchObject({ attempts: 2, status: 'delivered' });
      const long = sendingAt(4, { request: { url: '', headers: {}, body: 'x'.repeat(20_000) } });
      for (let n = 0; n < 10; n += 1) await hooks.sentAgain(ref.webhookId, failing.id, long);
      expect(await hooks.sendings(ref.webhookId, failing.id)).toHaveLength(6);
      expect(await hooks.sendings(ref.webhookId, 'whd_none')).toEqual([]);
    });

    it('WH3: a failure counts once for all who tried at the same time, and is over with the event that failed', async () => {
      const owner = 'app:app_5';
      const row = sampleWebhook({ subject: { kind: 'application', applicationId: 'app_5' }, owner });
      await store.webhooks().create(row, key(), auditRow());
      const refs = await Promise.all([1, 2].map(async () => ({ webhookId: row.id, sid: (await createdSession(store.sessions(), { owner })).head.sid })));
      const [a, b] = refs as [LaneRef, LaneRef];
      for (const ref of refs) await store.webhooks().claim(ref, holder('n1'));
      const outcome = { failures: 0, nextAt: sampleTime + 1_000, note: 'answered 500.' };
      for (const ref of refs) expect(await store.webhooks().failed(ref, 1, { ...outcome, attempt: attemptAt(ref, 1, { error: 'answered 500.' }) })).toBe(true);
      expect(await store.webhooks().webhook(row.id)).toMatchObject({ failures: 1, failingSid: a.sid, nextAt: sampleTime + 1_000, note: 'answered 500.' });
      expect(await store.webhooks().due(sampleTime + 999, 10)).toEqual([]);
      expect(await store.webhooks().due(sampleTime + 1_000, 10)).toEqual([expect.objectContaining({ id: row.id })]);
      // Another lane's success says nothing of the event that fails.
      expect(await store.webhooks().claim(b, holder('n1'))).toMatchObject({ fence: 2 });
      await store.webhooks().advance(b, 2, until, attemptAt(b, 1));
      expect(await store.webhooks().webhook(row.id)).toMatchObject({ failures: 1, failingSid: a.sid });
      await store.webhooks().claim(a, holder('n1'));
      await store.webhooks().advance(a, 2, until, attemptAt(a, 1));
      expect(await store.webhooks().webhook(row.id)).toMatchObject({ failures: 0, failingSid: null, nextAt: null, note: null });
      expect(await store.webhooks().deliveries(row.id, { offset: 0, limit: 10 })).toEqual([
        expect.objectContaining({ sid: expect.any(Number), status: 'delivered', attempts: 2, error: null }),
        expect.objectContaining({ status: 'delivered', attempts: 2 }),
      ]);
    });

    it('a paused one is owed nothing until it goes on', async () => {
      const { row, ref, head } = await registered(store.sessions(), store.webhooks());
      await moved(store.sessions(), head.sid);
      await store.webhooks().claim(ref, holder('n1'));
      await store.webhooks().failed(ref, 1, { failures: 0, nextAt: null, note: 'answered 500.', attempt: attemptAt(ref, 2) });
      expect(await store.webhooks().webhook(row.id)).toMatchObject({ status: 'paused', failures: 1 });
      expect(await walked(store.webhooks())).toEqual([]);
      expect(await store.webhooks().lanesOf([head.sid])).toEqual([]);
      expect(await store.webhooks().interest()).toEqual({ any: false, deltas: false });
      expect(await store.webhooks().resume(row.id, auditRow())).toBe(true);
      expect(await store.webhooks().webhook(row.id)).toMatchObject({ status: 'active', failures: 0, failingSid: null });
      expect(await walked(store.webhooks())).toHaveLength(1);
    });

    it('WH5: nothing is delivered to what is deleted, nor of a session that is gone', async () => {
      const one = await registered(store.sessions(), store.webhooks());
      const two = await registered(store.sessions(), store.webhooks());
      await moved(store.sessions(), one.head.sid);
      await store.webhooks().remove(one.row.id, sampleTime, auditRow());
      await store.sessions().write(command(two.head, { session: { deletedAt: sampleTime } }));
      for (const { ref } of [one, two]) expect(await store.webhooks().lane(ref)).toBeUndefined();
      expect(await store.webhooks().claim(one.ref, holder('n1'))).toBeUndefined();
    });

    it('WH5: subscriptions of sessions that are gone are no reason to look', async () => {
      const { head, id } = await createdSession(store.sessions());
      const child = await createdSession(store.sessions(), { row: { root: id, path: 'helper:1' } });
      for (const [sid, sessionId] of [
        [head.sid, id],
        [child.head.sid, child.id],
      ] as const)
        await store.webhooks().create(sampleWebhook({ subject: { kind: 'session', sid, sessionId } }), key(), auditRow());
      await moved(store.sessions(), child.head.sid);
      expect(await walked(store.webhooks())).toMatchObject([{ sid: child.head.sid }]);
      expect(await store.webhooks().interest()).toEqual({ any: true, deltas: true });
      taken(await store.sessions().write(command(head, { session: { deletedAt: sampleTime } })));
      expect(await walked(store.webhooks())).toEqual([]);
      expect(await store.webhooks().interest()).toEqual({ any: false, deltas: false });
    });

    it('secrets are replaced by whoever knows those that are there', async () => {
      const { row } = await registered(store.sessions(), store.webhooks());
      const next = [
        { sealed: 'v1.new', until: null },
        { sealed: 'v1.sealed', until: sampleTime + 1 },
      ];
      const both = await Promise.all([0, 1].map(() => store.webhooks().replaceSecrets(row.id, row.secrets, next, auditRow())));
      expect(both.toSorted()).toEqual([false, true]);
      expect((await store.webhooks().webhook(row.id))?.secrets).toEqual(next);
    });

    it('interest tells whether deltas are wanted', async () => {
      expect(await store.webhooks().interest()).toEqual({ any: false, deltas: false });
      await registered(store.sessions(), store.webhooks(), { eventTypes: ['turn.completed'] });
      expect(await store.webhooks().interest()).toEqual({ any: true, deltas: false });
      await registered(store.sessions(), store.webhooks(), { eventTypes: ['item.delta'] });
      expect(await store.webhooks().interest()).toEqual({ any: true, deltas: true });
    });

    it('leases of the only process end at once', async () => {
      const { ref } = await registered(store.sessions(), store.webhooks());
      await store.webhooks().claim(ref, holder('n1'));
      await store.webhooks().releaseAll();
      expect(await store.webhooks().claim(ref, holder('n2'))).toMatchObject({ fence: 2 });
    });

    it('a write of a subscription and its audit entry are one', async () => {
      const { row } = await registered(store.sessions(), store.webhooks());
      const refused = auditRow({ subject: 'webhook:none' });
      expect(await store.webhooks().resume('whk_none', refused)).toBe(false);
      expect(await store.catalog().audit({ limit: 10, subject: 'webhook:none' })).toEqual([]);
      const noted = auditRow({ subject: `webhook:${row.id}` });
      await store.webhooks().resume(row.id, noted);
      expect(await store.catalog().audit({ limit: 10, subject: noted.subject })).toEqual([noted]);
    });

    it('a session’s id and events are told with its lane', async () => {
      const { head, id } = await createdSession(store.sessions(), { write: { events: [event('session.status_created'), event('turn.accepted', {}, 1)] } });
      const row = sampleWebhook({ subject: { kind: 'session', sid: head.sid, sessionId: id as SessionId } });
      await store.webhooks().create(row, key(), auditRow());
      expect(await store.webhooks().lane({ webhookId: row.id, sid: head.sid })).toMatchObject({ sessionId: id, headSeq: 2, horizon: 0, webhook: row });
    });
  });
};
