import { describe, expect, it } from 'vitest';
import type { QuotaMove } from '../../ports/session-store.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, headOf, newSession, quotaMove, taken, unique } from './samples.ts';

/** An owner's counters: unfinished turns, running turns, tokens. */
export const describeQuotas = (open: OpenStore): void => {
  describe('quotas', () => {
    const store = useStore(open, 'all');
    const move = async (sid: number, quota: QuotaMove) => store.sessions().write(command(await headOf(store.sessions(), sid), { quota }));

    it('an owner that was never counted is at zero', async () => {
      expect(await store.sessions().quota(unique('app:'))).toEqual({ unfinished: 0, running: 0, tokens: 0 });
    });

    it('of several owners, in the order that they were asked for', async () => {
      const { head, owner } = await createdSession(store.sessions());
      taken(await store.sessions().write(command(head, { quota: quotaMove(owner, { running: 1, tokens: 3 }) })));
      const [nobody, it] = [
        { unfinished: 0, running: 0, tokens: 0 },
        { unfinished: 0, running: 1, tokens: 3 },
      ];
      expect(await store.sessions().quotas([unique('app:'), owner, unique('app:'), owner])).toEqual([nobody, it, nobody, it]);
      expect(await store.sessions().quotas([])).toEqual([]);
    });

    it('W6 a write that is taken moves all three, one that is refused none', async () => {
      const { head, owner } = await createdSession(store.sessions());
      const all = quotaMove(owner, { unfinished: 2, running: 1, tokens: 5_000_000_000 });
      const one = taken(await store.sessions().write(command(head, { quota: all })));
      expect(await store.sessions().write(command(head, { quota: all }))).toEqual({ ok: false, reason: 'conflict' });
      const full = { ...all, unfinishedLimit: 9, runningLimit: 1 };
      expect(await store.sessions().write(command(one, { quota: full }))).toEqual({ ok: false, reason: 'quota', quota: 'running', count: 1 });
      expect(await store.sessions().quota(owner)).toEqual({ unfinished: 2, running: 1, tokens: 5_000_000_000 });
      taken(await store.sessions().write(command(one, { quota: quotaMove(owner, { unfinished: -1, running: -1, tokens: 7 }) })));
      expect(await store.sessions().quota(owner)).toEqual({ unfinished: 1, running: 0, tokens: 5_000_000_007 });
    });

    it('a positive move never passes its limit; one that does not grow is never refused', async () => {
      const { owner, head } = await createdSession(store.sessions());
      for (const quota of ['unfinished', 'running'] as const) {
        const grow = (by: number, limit?: number) => quotaMove(owner, { [quota]: by, ...(limit === undefined ? {} : { [`${quota}Limit`]: limit }) });
        taken(await move(head.sid, grow(2, 3)));
        expect(await move(head.sid, grow(2, 3))).toEqual({ ok: false, reason: 'quota', quota, count: 2 });
        taken(await move(head.sid, grow(1, 3)));
        expect(await move(head.sid, grow(1, 3))).toEqual({ ok: false, reason: 'quota', quota, count: 3 });
        taken(await move(head.sid, { ...grow(0, 1), tokens: 1 }));
        taken(await move(head.sid, grow(-1, 0)));
        taken(await move(head.sid, grow(5)));
        expect(await move(head.sid, grow(1, 7))).toEqual({ ok: false, reason: 'quota', quota, count: 7 });
      }
      expect(await store.sessions().quota(owner)).toEqual({ unfinished: 7, running: 7, tokens: 2 });
    });

    it('of two limits that are passed the unfinished one is told', async () => {
      const { owner, head } = await createdSession(store.sessions());
      const both = quotaMove(owner, { unfinished: 1, running: 1, unfinishedLimit: 0, runningLimit: 0 });
      expect(await move(head.sid, both)).toEqual({ ok: false, reason: 'quota', quota: 'unfinished', count: 0 });
      expect(await move(head.sid, { ...both, unfinishedLimit: 1 })).toEqual({ ok: false, reason: 'quota', quota: 'running', count: 0 });
    });

    it('a new session counts as any write, and is not made when it is one too many', async () => {
      const owner = unique('app:');
      const first = newSession({ owner, write: { quota: quotaMove(owner, { unfinished: 1, running: 1, unfinishedLimit: 2, runningLimit: 1 }) } });
      taken(await store.sessions().create(first));
      const second = newSession({ owner, write: { quota: quotaMove(owner, { unfinished: 1, running: 1, unfinishedLimit: 2, runningLimit: 1 }) } });
      expect(await store.sessions().create(second)).toEqual({ ok: false, reason: 'quota', quota: 'running', count: 1 });
      expect(await store.sessions().load(second.row.id)).toBeUndefined();
      expect(await store.sessions().quota(owner)).toEqual({ unfinished: 1, running: 1, tokens: 0 });
    });

    it('W7 counts over all sessions of its owner, also for writes of the same moment, and refuses only what is too many', async () => {
      const [owner, other] = [unique('app:'), unique('app:')];
      const sessions = await Promise.all(
        Array.from({ length: 10 }, (_, index) => createdSession(store.sessions(), { owner: index % 5 === 4 ? other : owner })),
      );
      const results = await Promise.all(
        sessions.map(({ head, owner: own }) => store.sessions().write(command(head, { quota: quotaMove(own, { running: 1, tokens: 10, runningLimit: 4 }) }))),
      );
      expect(results.filter((result) => result.ok)).toHaveLength(6);
      for (const result of results) if (!result.ok) expect(result).toEqual({ ok: false, reason: 'quota', quota: 'running', count: 4 });
      expect(await store.sessions().quota(owner)).toEqual({ unfinished: 0, running: 4, tokens: 40 });
      expect(await store.sessions().quota(other)).toEqual({ unfinished: 0, running: 2, tokens: 20 });
    });
  });
};
