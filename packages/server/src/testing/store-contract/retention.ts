import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import { describe, expect, it } from 'vitest';
import { sampleMinitool } from './minitools.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { rebuildCheck } from './rebuild-check.ts';
import { auditRow, command, createdSession, event, headOf, itemDelta, logOf, sampleTime, taken } from './samples.ts';
import { sampleWebhook } from './webhooks.ts';

const at = (seq: number) => event('session.status_idle', { seq }, 0, sampleTime + seq * 1_000);

/** The port of what is forgotten: RT1 to RT5. */
export const describeRetention = (open: OpenStore): void => {
  describe('retention', () => {
    const store = useStore(open, 'each');
    /** A session with events at 1 to `count` s. */
    const session = async (count: number) => createdSession(store.sessions(), { write: { events: Array.from({ length: count }, (_, n) => at(n + 1)) } });

    it('RT1: a lease is one node’s until it is over', async () => {
      const lease = (node: string, now: number, until: number) => store.retention().lease('purge', node, now, until);
      expect((await Promise.all(['a', 'b', 'c'].map((node) => lease(node, 10, 20)))).filter(Boolean)).toHaveLength(1);
      const holds = (await lease('a', 11, 20)) ? 'a' : (await lease('b', 11, 20)) ? 'b' : 'c';
      expect(await lease('d', 19, 40)).toBe(false);
      expect(await lease(holds, 19, 30)).toBe(true);
      expect(await lease('d', 29, 40)).toBe(false);
      expect(await lease('d', 30, 40)).toBe(true);
    });

    it('finds how far a log is older than a moment', async () => {
      const { head } = await session(5);
      const older = (after: number, upto: number, before: number) => store.retention().lastOlder(head.sid, after, upto, sampleTime + before);
      expect(await older(0, 5, 3_000)).toBe(2);
      expect(await older(0, 5, 99_000)).toBe(5);
      expect(await older(0, 3, 99_000)).toBe(3);
      expect(await older(0, 5, 1_000)).toBe(0);
      expect(await older(2, 5, 2_000)).toBe(2);
    });

    it('RT2: the horizon moves forward only, and what lies below it goes in pieces', async () => {
      const { head } = await session(6);
      expect(await store.retention().raise(head.sid, 4)).toBe(true);
      expect(await store.retention().raise(head.sid, 4)).toBe(false);
      expect(await store.retention().raise(head.sid, 3)).toBe(false);
      expect((await headOf(store.sessions(), head.sid)).horizon).toBe(4);
      expect(await logOf(store.sessions(), head.sid)).toHaveLength(6);
      expect(await store.retention().prune(head.sid, 4, 3)).toBe(3);
      expect(await store.retention().prune(head.sid, 4, 3)).toBe(1);
      expect(await store.retention().prune(head.sid, 4, 3)).toBe(0);
      expect((await logOf(store.sessions(), head.sid)).map(({ seq }) => seq)).toEqual([5, 6]);
      expect(await rebuildCheck(store.sessions(), head.sid)).toEqual([]);
    });

    it('the session goes on above its horizon', async () => {
      const { head } = await session(3);
      await store.retention().raise(head.sid, 3);
      await store.retention().prune(head.sid, 3, 10);
      const next = taken(await store.sessions().write(command(await headOf(store.sessions(), head.sid))));
      expect(next).toMatchObject({ seq: 4, horizon: 3 });
      expect((await store.sessions().events({ sid: head.sid, after: 3, limit: 10 })).map(({ seq }) => seq)).toEqual([4]);
    });

    it('deltas go, what stands between them stays', async () => {
      const { head } = await createdSession(store.sessions(), {
        write: { events: [at(1), itemDelta('i', 'a'), itemDelta('i', 'b'), at(4), itemDelta('i', 'c')] },
      });
      expect(await store.retention().pruneDeltas(head.sid, 0, 4, 10)).toBe(2);
      expect((await logOf(store.sessions(), head.sid)).map(({ seq }) => seq)).toEqual([1, 4, 5]);
      expect((await headOf(store.sessions(), head.sid)).horizon).toBe(0);
    });

    it('candidates are those that are due, with how far they are', async () => {
      const { head } = await session(2);
      const { sid } = head;
      const candidates = (now: number) => store.retention().candidates({ after: sid - 1, span: 1, now });
      expect(await store.retention().lastSid()).toBe(sid);
      expect(await candidates(1)).toEqual([{ sid, seq: 2, horizon: 0, pruned: 0, deltas: 0 }]);
      await store.retention().looked(sid, { pruned: 1, deltas: 2, nextAt: 50 });
      await store.retention().looked(sid, { pruned: 1, deltas: 2, nextAt: 100 });
      expect(await candidates(99)).toEqual([]);
      expect(await candidates(100)).toEqual([{ sid, seq: 2, horizon: 0, pruned: 1, deltas: 2 }]);
      expect(await store.retention().candidates({ after: sid, span: 10, now: 100 })).toEqual([]);
      const other = await session(1);
      expect(await store.retention().nextSid(0)).toBe(sid);
      expect(await store.retention().nextSid(sid)).toBe(other.head.sid);
      expect(await store.retention().nextSid(other.head.sid)).toBeUndefined();
    });

    it('keys of creation and turns stay, others go when they are old', async () => {
      const { head } = await session(1);
      const other = await session(1);
      const receipts = ['create', 'submit', 'cancel', 'actions', 'fork'].map((kind, n) => ({
        scope: `user:a|${kind}|s`,
        key: 'k',
        hash: 'h',
        answer: '{}',
        at: n * 10,
      }));
      taken(await store.sessions().write(command(head, { receipts })));
      const theirs = { scope: 'user:a|cancel|other', key: 'k', hash: 'h', answer: '{}', at: 0 };
      taken(await store.sessions().write(command(other.head, { receipts: [theirs] })));
      const left = async () => {
        const found = await Promise.all(receipts.map(({ scope, key }) => store.sessions().receipt(scope, key)));
        return found.flatMap((receipt) => receipt?.scope ?? []);
      };
      expect(await store.retention().pruneReceipts(head.sid, 30, 10)).toBe(1);
      expect(await left()).toEqual(['user:a|create|s', 'user:a|submit|s', 'user:a|actions|s', 'user:a|fork|s']);
      expect(await store.retention().pruneReceipts(head.sid, 1_000, 10)).toBe(1);
      expect(await left()).toEqual(['user:a|create|s', 'user:a|submit|s', 'user:a|fork|s']);
      expect(await store.sessions().receipt(theirs.scope, theirs.key)).toMatchObject(theirs);
    });

    it('receipts that are forgotten go in pieces', async () => {
      const { head } = await session(1);
      const receipts = Array.from({ length: 5 }, (_, n) => ({ scope: 'user:a|cancel|s', key: `k${n}`, hash: 'h', answer: '{}', at: n }));
      taken(await store.sessions().write(command(head, { receipts })));
      const piece = () => store.retention().pruneReceipts(head.sid, 4, 2);
      expect([await piece(), await piece(), await piece()]).toEqual([2, 2, 0]);
      expect(await store.sessions().receipt('user:a|cancel|s', 'k4')).toBeDefined();
    });

    it('old audit entries go in pieces', async () => {
      for (const n of [1, 2, 3]) await store.catalog().addAudit(auditRow({ id: `aud_0${n}`, at: n }));
      expect(await store.retention().pruneAudit(3, 1)).toBe(1);
      expect(await store.retention().pruneAudit(3, 5)).toBe(1);
      expect((await store.catalog().audit({ limit: 10 })).map(({ id }) => id)).toEqual(['aud_03']);
    });

    it('what webhooks are owed holds the log, unless they are paused or deleted', async () => {
      const { head, id } = await session(2);
      expect(await store.retention().owedFloor(head.sid)).toBeUndefined();
      const row = sampleWebhook({ subject: { kind: 'session', sid: head.sid, sessionId: id } });
      await store.webhooks().create(row, { scope: 's', key: row.id, hash: 'h' }, auditRow());
      taken(await store.sessions().write(command(head)));
      expect(await store.retention().owedFloor(head.sid)).toBe(2);
      await store.webhooks().remove(row.id, sampleTime, auditRow());
      expect(await store.retention().owedFloor(head.sid)).toBeUndefined();
    });

    it('RT4: nothing is left of a deleted session but its audit entries; its neighbour stays', async () => {
      const { head, id } = await createdSession(store.sessions(), {
        write: {
          events: [at(1), at(2), at(3)],
          resources: [{ kind: 'turn', id: 'turn_1', first: 0, last: 0, base: 0, body: '{}' }],
          context: [{ at: 0, body: '{}' }],
          payloads: [{ n: 1, body: '{}' }],
          audit: [auditRow({ sessionId: 'gone' })],
        },
      });
      const other = await session(2);
      const [own, kept] = [
        sampleWebhook({ subject: { kind: 'session', sid: head.sid, sessionId: id } }),
        sampleWebhook({ subject: { kind: 'application', applicationId: 'app_1' } }),
      ];
      const bot = sampleMinitool();
      await store.now().minitools.install(bot, auditRow());
      const cursors = async (): Promise<readonly string[]> => (await store.now().minitools.cursors(bot.id, 'main')).map(({ sessionId }) => sessionId);
      for (const sessionId of [id, other.id]) await store.now().minitools.moveCursor(bot.id, { name: 'main', sessionId, after: 1 });
      const { budgets } = store.now();
      const linked = async (root: SessionId): Promise<readonly SessionId[]> =>
        (await budgets.uses(root)).toSorted((a, b) => (a.id === root ? -1 : b.id === root ? 1 : 0)).map((use) => use.id);
      const below = await session(1);
      const turnId = 'turn_1' as TurnId;
      // It was made by one and has made another.
      await budgets.link(id, [{ root: other.id, path: '', turnId }]);
      await budgets.link(below.id, [{ root: id, path: '', turnId }]);
      expect([await linked(other.id), await linked(id)]).toEqual([
        [other.id, id],
        [id, below.id],
      ]);
      for (const row of [own, kept]) await store.webhooks().create(row, { scope: 's', key: row.id, hash: 'h' }, auditRow());
      expect(await store.retention().deletedBefore(sampleTime + 1, 10)).toEqual([]);
      taken(await store.sessions().write(command(head, { session: { deletedAt: sampleTime } })));
      expect(await store.retention().deletedBefore(sampleTime, 10)).toEqual([]);
      expect(await store.retention().deletedBefore(sampleTime + 1, 10)).toEqual([head.sid]);
      let pieces = 0;
      while (!(await store.retention().purge(head.sid, 2))) pieces += 1;
      expect(pieces).toBeGreaterThan(1);
      expect(await store.sessions().load(id)).toBeUndefined();
      expect(await logOf(store.sessions(), head.sid)).toEqual([]);
      expect(await store.sessions().context(head.sid)).toEqual([]);
      expect(await store.sessions().payload(head.sid, 1)).toBeUndefined();
      expect(await store.sessions().resource(head.sid, 'turn_1')).toBeUndefined();
      expect(await store.webhooks().byKey('s', own.id)).toBeUndefined();
      expect(await store.webhooks().webhook(kept.id)).toEqual(kept);
      expect(await store.catalog().audit({ limit: 10, sessionId: 'gone' })).toHaveLength(1);
      expect(await logOf(store.sessions(), other.head.sid)).toHaveLength(2);
      expect(await cursors()).toEqual([other.id]);
      expect([await linked(other.id), await linked(id)]).toEqual([[other.id], []]);
      expect(await store.retention().deletedBefore(sampleTime + 1, 10)).toEqual([]);
    });

    it('RT5: sessions below a root go with it, also those that its deletion missed, and before it', async () => {
      const root = await session(1);
      const below = (n: number) => createdSession(store.sessions(), { row: { root: root.id, path: `helper:${n}` } });
      const [missed, deleted] = [await below(1), await below(2)];
      await session(1);
      const due = () => store.retention().deletedBefore(sampleTime + 1, 10);
      taken(await store.sessions().write(command(root.head, { session: { deletedAt: sampleTime } })));
      taken(await store.sessions().write(command(deleted.head, { session: { deletedAt: sampleTime + 5 } })));
      expect(await due()).toEqual([missed.head.sid, deleted.head.sid]);
      expect(await store.retention().purge(missed.head.sid, 100)).toBe(true);
      expect(await due()).toEqual([deleted.head.sid]);
      expect(await store.retention().purge(deleted.head.sid, 100)).toBe(true);
      expect(await due()).toEqual([root.head.sid]);
      expect(await store.retention().purge(root.head.sid, 100)).toBe(true);
      expect(await due()).toEqual([]);
    });
  });
};
