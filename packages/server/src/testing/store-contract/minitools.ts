import type { SessionId } from '@turnkeeper/core/session/ids';
import { describe, expect, it } from 'vitest';
import type { FollowedSession, IngressLimits, IngressRow, MinitoolRow, MinitoolStore, NewMinitoolEvent } from '../../ports/minitools.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, command, createdSession, event, sampleTime, taken, unique } from './samples.ts';

export const sampleMinitool = (over: Partial<MinitoolRow> = {}): MinitoolRow => ({
  id: unique('mt-'),
  version: '1.0.0',
  source: 'folder:/tools/bot',
  folder: '/data/minitools/bot',
  manifest: { id: 'bot', name: { default: 'Bot', 'zh-CN': '机器人' } },
  status: 'enabled',
  reason: null,
  settings: { greeting: 'hé' },
  consent: { sessions: true },
  users: ['user_ann'],
  containerAgents: { inbox: 'agent_1' },
  installedAt: sampleTime,
  updatedAt: sampleTime,
  ...over,
});

const ingressOf = (minitoolId: string, over: Partial<IngressRow> = {}): IngressRow => ({
  id: unique('in_'),
  minitoolId,
  hook: 'chat',
  key: unique('k'),
  orderKey: 'contact-1',
  headers: { 'x-event': 'message' },
  body: 'aGVsbG8=',
  receivedAt: sampleTime,
  attempts: 0,
  notBefore: 0,
  ...over,
});

const atMost = (messages: number, bytes = 1_000_000): IngressLimits => ({ messages, bytes });
const withoutContent = ({ headers: _, body: __, ...row }: IngressRow) => row;

/** The port of mini-tools: MS1 to MS7. */
export const describeMinitools = (open: OpenStore): void => {
  describe('mini-tools', () => {
    const store = useStore(open, 'each');
    const minitools = (): MinitoolStore => store.now().minitools;
    const installed = async (over: Partial<MinitoolRow> = {}): Promise<MinitoolRow> => {
      const row = sampleMinitool(over);
      expect(await minitools().install(row, auditRow())).toBe('installed');
      return row;
    };
    const sessionOf = async (minitoolId: string) => {
      const { head, id } = await createdSession(store.sessions(), { owner: `minitool:${minitoolId}` });
      const followed = await minitools().followed(head.sid);
      if (!followed) throw new Error('a session of a mini-tool has a place');
      return { head, id, followed };
    };
    const eventAt = ({ sessionId }: FollowedSession, n: number, at = sampleTime): NewMinitoolEvent => ({
      sessionId,
      type: 'assistant.message',
      body: JSON.stringify({ n }),
      at,
    });
    const audited = async (subject: string): Promise<number> =>
      (await store.catalog().audit({ limit: 100 })).filter((entry) => entry.subject === subject).length;

    it('MS1 an installation is kept as it was given, and each write with its audit entry or not at all', async () => {
      const row = await installed();
      const other = await installed({ id: `${row.id}-b`, status: 'broken', reason: 'no entry', consent: null, users: [], containerAgents: {} });
      expect(await minitools().minitool(row.id)).toEqual(row);
      expect(await minitools().minitools()).toEqual([row, other]);
      expect(await minitools().minitool('nobody')).toBeUndefined();

      const changes = { status: 'disabled', reason: 'crashed', users: ['user_bob'], settings: {}, consent: null } as const;
      expect(await minitools().change(row.id, changes, sampleTime + 1, auditRow({ subject: 'changed' }))).toBe(true);
      expect(await minitools().minitool(row.id)).toEqual({ ...row, ...changes, updatedAt: sampleTime + 1 });
      expect(await minitools().change('nobody', changes, sampleTime, auditRow({ subject: 'refused' }))).toBe(false);
      expect(await minitools().remove('nobody', auditRow({ subject: 'refused' }))).toBe(false);
      expect([await audited('changed'), await audited('refused')]).toEqual([1, 0]);
    });

    it('MS7 a change is made only where the row is as it was, and its audit entry with it', async () => {
      const row = await installed({ status: 'enabled', version: '1.0.0' });
      const broken = { status: 'broken', reason: 'crashed' } as const;
      const change = (only: Parameters<MinitoolStore['change']>[4]) =>
        minitools().change(row.id, broken, sampleTime + 1, auditRow({ subject: `only:${row.id}` }), only);
      expect(await change({ status: 'disabled' })).toBe(false);
      expect(await change({ status: 'enabled', version: '2.0.0' })).toBe(false);
      expect(await change({ status: 'enabled', folder: '/elsewhere' })).toBe(false);
      expect(await minitools().minitool(row.id)).toEqual(row);
      expect(await change({ status: 'enabled', version: '1.0.0', folder: row.folder })).toBe(true);
      expect(await minitools().minitool(row.id)).toMatchObject(broken);
      expect(await audited(`only:${row.id}`)).toBe(1);
    });

    it('MS2 an id is installed once, and what a mini-tool keeps goes with it; its sessions stay', async () => {
      const row = await installed();
      expect(await minitools().install({ ...row, version: '2.0.0' }, auditRow({ subject: 'twice' }))).toBe('already_exists');
      expect((await minitools().minitool(row.id))?.version).toBe('1.0.0');
      expect(await audited('twice')).toBe(0);
      const kept = await installed();
      for (const { id } of [row, kept]) {
        await minitools().setValue(id, 'a', '1', 100);
        await minitools().setSecret(id, 'token', 'cipher', sampleTime);
        const { followed, id: sessionId } = await sessionOf(id);
        await minitools().addEvents(followed, 1, [eventAt(followed, 1)]);
        await minitools().moveCursor(id, { name: 'main', sessionId, after: 1 });
        await minitools().receive(ingressOf(id), atMost(10));
        await minitools().claimSlot(id, 'daily', sampleTime);
        await minitools().mark({ sessionId, minitoolId: id, container: 'inbox', unreadSince: sampleTime });
      }
      expect(await minitools().remove(row.id, auditRow())).toBe(true);
      const left = async (id: string) => [
        await minitools().value(id, 'a'),
        await minitools().secret(id, 'token'),
        (await minitools().events(id, { after: 0, limit: 10 })).length,
        (await minitools().cursors(id, 'main')).length,
        (await minitools().waiting(id, 'chat', sampleTime, 10)).length,
        await minitools().lastSlot(id, 'daily'),
        (await minitools().marks(id)).length,
      ];
      expect(await left(row.id)).toEqual([undefined, undefined, 0, 0, 0, undefined, 0]);
      expect(await left(kept.id)).toEqual(['1', 'cipher', 1, 1, 1, sampleTime, 1]);
      expect(await store.sessions().list({ owner: `minitool:${row.id}`, status: 'all', order: 'created', offset: 0, limit: 10 })).toHaveLength(1);
      // Nothing is kept for one that is not there.
      await minitools().setValue(row.id, 'a', '1', 100);
      await minitools().setSecret(row.id, 'token', 'cipher', sampleTime);
      expect((await left(row.id)).slice(0, 2)).toEqual([undefined, undefined]);
      expect(await minitools().claimSlot(row.id, 'daily', sampleTime)).toBe(false);
    });

    it('values are a mini-tool’s own, and together no more than they may be', async () => {
      const [{ id }, other] = [await installed(), await installed()];
      expect(await minitools().setValue(id, 'b', '"ü"', 100)).toBe('set');
      expect(await minitools().setValue(id, 'a', '"1"', 100)).toBe('set');
      expect(await minitools().keys(id)).toEqual(['a', 'b']);
      expect([await minitools().value(id, 'b'), await minitools().value(other.id, 'b')]).toEqual(['"ü"', undefined]);
      // 4 + 5 bytes are there: a value that is replaced gives its place back.
      expect(await minitools().setValue(id, 'c', 'x'.repeat(10), 19)).toBe('full');
      expect(await minitools().setValue(id, 'a', 'x'.repeat(13), 19)).toBe('set');
      expect(await minitools().setValue(other.id, 'c', 'x'.repeat(18), 19)).toBe('set');
      await minitools().deleteValue(id, 'a');
      expect(await minitools().keys(id)).toEqual(['b']);
      await minitools().clearValues(id);
      expect([await minitools().keys(id), await minitools().keys(other.id)]).toEqual([[], ['c']]);
    });

    it('values that are set at once are no more together than they may be', async () => {
      const { id } = await installed();
      const set = await Promise.all(Array.from({ length: 10 }, (_, n) => minitools().setValue(id, `k${n}`, 'x'.repeat(8), 35)));
      expect(set.filter((result) => result === 'set')).toHaveLength(3);
    });

    it('secrets are set, replaced and taken away', async () => {
      const { id } = await installed();
      await minitools().setSecret(id, 'token', 'one', sampleTime);
      await minitools().setSecret(id, 'token', 'two', sampleTime);
      expect(await minitools().secret(id, 'token')).toBe('two');
      await minitools().setSecret(id, 'token', null, sampleTime);
      expect(await minitools().secret(id, 'token')).toBeUndefined();
    });

    it('MS3 events are numbered by mini-tool without a gap, and each is added once', async () => {
      const [{ id }, other] = [await installed(), await installed()];
      const [one, two] = [await sessionOf(id), await sessionOf(id)];
      const elsewhere = await sessionOf(other.id);
      expect(one.followed).toEqual({ sid: one.head.sid, sessionId: one.id, minitoolId: id, after: 0 });
      const added = await minitools().addEvents(one.followed, 3, [eventAt(one.followed, 1), eventAt(one.followed, 2)]);
      expect(added).toEqual([1, 2].map((n) => ({ sequence: n, ...eventAt(one.followed, n) })));
      await minitools().addEvents(elsewhere.followed, 1, [eventAt(elsewhere.followed, 1)]);
      await minitools().addEvents(two.followed, 5, [eventAt(two.followed, 3)]);
      // Somebody reads the same piece of the log again.
      expect(await minitools().addEvents(one.followed, 3, [eventAt(one.followed, 1)])).toBeUndefined();
      expect((await minitools().followed(one.head.sid))?.after).toBe(3);
      // A piece that comes to nothing moves the place alone.
      expect(await minitools().addEvents({ ...one.followed, after: 3 }, 9, [])).toEqual([]);
      expect((await minitools().followed(one.head.sid))?.after).toBe(9);

      const numbers = async (of: string, query: { sessionId?: SessionId; after: number; limit: number }) =>
        (await minitools().events(of, query)).map(({ sequence }) => sequence);
      expect(await numbers(id, { after: 0, limit: 10 })).toEqual([1, 2, 3]);
      expect(await numbers(id, { after: 1, limit: 1 })).toEqual([2]);
      expect(await numbers(id, { sessionId: two.id, after: 0, limit: 10 })).toEqual([3]);
      expect(await numbers(other.id, { after: 0, limit: 10 })).toEqual([1]);
      expect([await minitools().oldestEvent(id), await minitools().newestEvent(id)]).toEqual([1, 3]);
      expect([await minitools().oldestEvent('nobody'), await minitools().newestEvent('nobody')]).toEqual([undefined, 0]);
    });

    it('MS3 events that many add at once have all numbers, each once', async () => {
      const { id } = await installed();
      const sessions = await Promise.all(Array.from({ length: 8 }, () => sessionOf(id)));
      const twice = [...sessions, ...sessions];
      const added = await Promise.all(twice.map(({ followed }) => minitools().addEvents(followed, 1, [eventAt(followed, 1), eventAt(followed, 2)])));
      expect(added.filter((rows) => rows === undefined)).toHaveLength(8);
      const numbers = (await minitools().events(id, { after: 0, limit: 100 })).map(({ sequence }) => sequence);
      expect(numbers).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
    });

    it('MS3 sessions whose log went on are found, until it was read', async () => {
      const { id } = await installed();
      const [one, two] = [await sessionOf(id), await sessionOf(id)];
      await createdSession(store.sessions());
      await sessionOf(`${id}-other`);
      const look = (after: number, most: number) => minitools().behind(id, { after, most });
      const behind = async () => (await look(0, 10)).sessions.map(({ sessionId }) => sessionId);
      expect(await behind()).toEqual([one.id, two.id]);
      // Each look goes on behind the one before it.
      expect(await look(0, 1)).toEqual({ sessions: [one.followed], next: one.head.sid });
      expect(await look(one.head.sid, 1)).toEqual({ sessions: [two.followed], next: two.head.sid });
      expect(await look(two.head.sid, 1)).toEqual({ sessions: [], next: undefined });
      await minitools().addEvents(one.followed, one.head.seq, []);
      expect(await behind()).toEqual([two.id]);
      taken(await store.sessions().write(command(one.head, { events: [event('turn.accepted')] })));
      expect(await behind()).toEqual([one.id, two.id]);
      expect((await look(0, 1)).sessions[0]?.after).toBe(one.head.seq);
      await minitools().addEvents({ ...one.followed, after: one.head.seq }, one.head.seq + 1, []);
      expect(await look(0, 1)).toEqual({ sessions: [], next: one.head.sid });
    });

    it('the newest events are kept, and none from before; numbers go on', async () => {
      const { id } = await installed();
      const { followed } = await sessionOf(id);
      const old = [1, 2].map((n) => eventAt(followed, n, sampleTime - 100));
      await minitools().addEvents(followed, 1, [...old, ...[3, 4, 5].map((n) => eventAt(followed, n))]);
      const left = async () => (await minitools().events(id, { after: 0, limit: 10 })).map(({ sequence }) => sequence);
      expect(await minitools().pruneEvents(4, 0)).toBe(1);
      expect(await left()).toEqual([2, 3, 4, 5]);
      expect(await minitools().pruneEvents(4, sampleTime)).toBe(1);
      expect(await left()).toEqual([3, 4, 5]);
      expect(await minitools().oldestEvent(id)).toBe(3);
      expect(await minitools().pruneEvents(4, sampleTime + 1)).toBe(3);
      expect([await minitools().oldestEvent(id), await minitools().newestEvent(id)]).toEqual([undefined, 5]);
      expect((await minitools().addEvents({ ...followed, after: 1 }, 2, [eventAt(followed, 6)]))?.[0]?.sequence).toBe(6);
    });

    it('MS4 a cursor moves forward only', async () => {
      const { id } = await installed();
      const sessionId = 'ses_a' as SessionId;
      for (const after of [3, 7, 5]) await minitools().moveCursor(id, { name: 'main', sessionId, after });
      await minitools().moveCursor(id, { name: 'other', sessionId, after: 1 });
      expect(await minitools().cursors(id, 'main')).toEqual([{ name: 'main', sessionId, after: 7 }]);
      const [mark, later] = ['' as SessionId, 'ses_b' as SessionId];
      for (const [of, after] of [
        [mark, 7],
        [later, 8],
      ] as const)
        await minitools().moveCursor(id, { name: 'main', sessionId: of, after });
      await minitools().dropCursors(id, 'main', 7);
      expect((await minitools().cursors(id, 'main')).map((cursor) => cursor.sessionId)).toEqual([mark, later]);
      expect(await minitools().cursors(id, 'other')).toHaveLength(1);
    });

    it('MS5 a delivery is there once for its key, also after it was delivered', async () => {
      const { id } = await installed();
      const row = ingressOf(id);
      const again = { ...row, id: unique('in_') };
      expect(await minitools().receive(row, atMost(10))).toBe('received');
      expect(await minitools().receive(again, atMost(10))).toBe('taken');
      expect(await minitools().receive({ ...again, hook: 'other' }, atMost(10))).toBe('received');
      expect(await minitools().waiting(id, 'chat', sampleTime, 10)).toEqual([withoutContent(row)]);
      expect(await minitools().ingressContent(row.id)).toEqual({ headers: row.headers, body: row.body });
      await minitools().delivered(row.id);
      expect(await minitools().ingressContent(row.id)).toBeUndefined();
      expect(await minitools().waiting(id, 'chat', sampleTime, 10)).toEqual([]);
      expect(await minitools().receive(again, atMost(10))).toBe('taken');
    });

    it('MS5 so many bytes wait for a hook, and no more', async () => {
      const { id } = await installed();
      const of = (characters: number, over: Partial<IngressRow> = {}) => ingressOf(id, { headers: {}, body: 'x'.repeat(characters), ...over });
      const [first, second] = [of(48), of(48)];
      expect(await minitools().receive(first, atMost(10, 100))).toBe('received');
      expect(await minitools().receive(second, atMost(10, 100))).toBe('received');
      expect(await minitools().receive(of(0), atMost(10, 100))).toBe('full');
      expect(await minitools().receive({ ...second, id: unique('in_') }, atMost(10, 100))).toBe('taken');
      expect(await minitools().receive(of(48, { hook: 'other' }), atMost(10, 100))).toBe('received');
      await minitools().delivered(first.id);
      expect(await minitools().receive(of(49), atMost(10, 100))).toBe('full');
      expect(await minitools().receive(of(48), atMost(10, 100))).toBe('received');
    });

    it('keys of what was delivered are forgotten in pieces; what waits never is', async () => {
      const { id } = await installed();
      const rows = [0, 1, 2, 3].map((n) => ingressOf(id, { receivedAt: sampleTime + n, orderKey: `o${n}` }));
      for (const row of rows) await minitools().receive(row, atMost(10));
      for (const row of rows.slice(1)) await minitools().delivered(row.id);
      const forget = (before: number, limit: number) => store.retention().forgetHookKeys(sampleTime + before, limit);
      expect([await forget(3, 1), await forget(3, 10), await forget(3, 10)]).toEqual([1, 1, 0]);
      const again = await Promise.all(rows.map((row) => minitools().receive({ ...row, id: unique('in_') }, atMost(10))));
      expect(again).toEqual(['taken', 'received', 'received', 'taken']);
    });

    it('MS5 those of one order key are handed out one at a time, the oldest first', async () => {
      const { id } = await installed();
      const rows = [0, 1, 2].map((n) => ingressOf(id, { receivedAt: sampleTime + n, orderKey: n === 2 ? 'contact-2' : 'contact-1' }));
      for (const row of rows.toReversed()) expect(await minitools().receive(row, atMost(3))).toBe('received');
      expect(await minitools().receive(ingressOf(id), atMost(3))).toBe('full');
      const waiting = async (now = sampleTime) => (await minitools().waiting(id, 'chat', now, 10)).map((row) => rows.findIndex((entry) => entry.id === row.id));
      expect(await waiting()).toEqual([0, 2]);
      // One that is put off holds back those behind it.
      await minitools().postpone(rows[0]?.id ?? '', 1, sampleTime + 50);
      expect(await waiting()).toEqual([2]);
      expect(await waiting(sampleTime + 50)).toEqual([0, 2]);
      expect((await minitools().waiting(id, 'chat', sampleTime + 50, 1))[0]?.attempts).toBe(1);
      await minitools().delivered(rows[0]?.id ?? '');
      expect(await waiting()).toEqual([1, 2]);
    });

    it('MS6 a slot is claimed once', async () => {
      const { id } = await installed();
      const claims = await Promise.all([1, 2, 3].map(() => minitools().claimSlot(id, 'daily', sampleTime)));
      expect(claims.filter((claimed) => claimed)).toHaveLength(1);
      expect(await minitools().claimSlot(id, 'weekly', sampleTime)).toBe(true);
      expect(await minitools().claimSlot(id, 'daily', sampleTime + 60_000)).toBe(true);
      expect(await minitools().claimSlot(id, 'daily', sampleTime)).toBe(false);
      expect([await minitools().lastSlot(id, 'daily'), await minitools().lastSlot(id, 'none')]).toEqual([sampleTime + 60_000, undefined]);
    });

    it('a mark says since when there is something new, until somebody looked', async () => {
      const { id } = await installed();
      const { id: sessionId } = await sessionOf(id);
      const mark = { sessionId, minitoolId: id, container: 'inbox', unreadSince: sampleTime };
      await minitools().mark(mark);
      await minitools().mark({ ...mark, unreadSince: sampleTime + 5 });
      expect(await minitools().marks(id)).toEqual([mark]);
      await minitools().unmark(sessionId);
      expect(await minitools().marks(id)).toEqual([]);
    });

    it('marks are counted by mini-tool, and looked up by session; not of what is archived', async () => {
      const [{ id }, other, none] = [await installed(), await installed(), await installed()];
      const [a, b, c, unmarked] = [await sessionOf(id), await sessionOf(id), await sessionOf(other.id), await sessionOf(none.id)];
      const mark = (minitoolId: string, sessionId: SessionId) => minitools().mark({ sessionId, minitoolId, container: 'inbox', unreadSince: sampleTime });
      await Promise.all([mark(id, a.id), mark(id, b.id), mark(other.id, c.id)]);
      const counts = async () =>
        [id, other.id, none.id].map(
          (
            (known) => (each: string) =>
              known.get(each)
          )(await minitools().markCounts()),
        );
      expect(await counts()).toEqual([2, 1, undefined]);
      expect(await minitools().marked([a.head.sid, unmarked.head.sid, c.head.sid])).toEqual(new Set([a.head.sid, c.head.sid]));
      expect(await minitools().marked([])).toEqual(new Set());
      taken(await store.sessions().write(command(b.head, { session: { archivedAt: 5 } })));
      taken(await store.sessions().write(command(c.head, { session: { deletedAt: 5 } })));
      expect(await counts()).toEqual([1, undefined, undefined]);
      expect((await minitools().marks(id)).map(({ sessionId }) => sessionId)).toEqual([a.id]);
    });

    it('one node hosts at a time', async () => {
      const now = sampleTime;
      expect(await minitools().hostedBy()).toBeUndefined();
      expect(await minitools().host('a', now, now + 10)).toBe(true);
      expect(await minitools().hostedBy()).toEqual({ node: 'a', until: now + 10 });
      expect(await minitools().host('b', now + 9, now + 20)).toBe(false);
      expect(await minitools().host('a', now + 9, now + 20)).toBe(true);
      expect(await minitools().host('b', now + 20, now + 30)).toBe(true);
    });
  });
};
