import { describe, expect, it } from 'vitest';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, event, headOf, logOf, quotaMove, runWrite, taken, unique } from './samples.ts';

/** W2 and W7: many writers at once. */
export const describeConcurrency = (open: OpenStore): void => {
  describe('concurrent writers', () => {
    const store = useStore(open, 'all');

    it('W3 of commands decided on the same state exactly one is taken', async () => {
      const { head } = await createdSession(store.sessions());
      const results = await Promise.all(Array.from({ length: 20 }, (_, index) => store.sessions().write(command(head, { events: [event(`try.${index}`)] }))));
      expect(results.filter((result) => result.ok)).toHaveLength(1);
      expect(results.filter((result) => !result.ok && result.reason === 'conflict')).toHaveLength(19);
      expect(await logOf(store.sessions(), head.sid)).toHaveLength(2);
    });

    it('W2 commands that decide again on conflict all come through: no gap, no repeat, no loss', async () => {
      const { head } = await createdSession(store.sessions());
      const writer = async (name: string): Promise<void> => {
        for (let done = 0; done < 10; ) {
          const now = await headOf(store.sessions(), head.sid);
          const result = await store.sessions().write(command(now, { events: [event(`${name}.a`), event(`${name}.b`)] }));
          if (result.ok) done += 1;
          else expect(result.reason).toBe('conflict');
        }
      };
      await Promise.all(['p', 'q', 'r', 's'].map(writer));
      const log = await logOf(store.sessions(), head.sid);
      expect(log.map((row) => row.seq)).toEqual(Array.from({ length: 81 }, (_, index) => index + 1));
      for (const name of ['p', 'q', 'r', 's']) {
        const own = log.filter((row) => row.type === `${name}.a`);
        expect(own).toHaveLength(10);
        for (const row of own) expect(log[row.seq]?.type).toBe(`${name}.b`);
      }
      expect((await headOf(store.sessions(), head.sid)).seq).toBe(81);
    });

    it('W2 a holder streams deltas while commands are written: both go on, in one gapless log', async () => {
      const { head } = await createdSession(store.sessions(), { write: { hold: { kind: 'claim', node: 'n' } } });
      const stream = async (): Promise<void> => {
        let wn = 0;
        while (wn < 40) wn = taken(await store.sessions().write({ ...runWrite(head), guard: { kind: 'run', fence: 1, wn } })).wn;
      };
      const decide = async (): Promise<void> => {
        let stateSeq = head.stateSeq;
        for (let n = 0; n < 20; n += 1) stateSeq = taken(await store.sessions().write({ ...command(head), guard: { kind: 'command', stateSeq } })).stateSeq;
      };
      await Promise.all([stream(), decide()]);
      const log = await logOf(store.sessions(), head.sid);
      expect(log.map((row) => row.seq)).toEqual(Array.from({ length: 61 }, (_, index) => index + 1));
      const after = await headOf(store.sessions(), head.sid);
      expect(after).toMatchObject({ seq: 61, wn: 40 });
      expect(after.stateSeq).toBe(log.findLast((row) => row.type !== 'item.delta')?.seq);
    });

    it('W7 a refused write never hurts those that arrive with it', async () => {
      const sessions = await Promise.all(Array.from({ length: 12 }, () => createdSession(store.sessions())));
      const receipt = { scope: unique('s'), key: 'k', hash: 'h', answer: '0', at: 0 };
      const [first] = sessions;
      if (!first) expect.fail('no session');
      const used = taken(await store.sessions().write(command(first.head, { receipts: [receipt] })));
      const writes = sessions.flatMap(({ head, owner }, index) => {
        const good = command(index === 0 ? used : head);
        const bad = [
          command({ ...head, sid: 2_000_000_000 }),
          command({ ...head, stateSeq: 999 }),
          { ...runWrite(head), guard: { kind: 'run' as const, fence: 9, wn: 9 } },
          command(good.sid === head.sid ? head : used, { receipts: [receipt] }),
          command({ ...head, stateSeq: index === 0 ? used.stateSeq : head.stateSeq }, { quota: quotaMove(owner, { unfinished: 1, unfinishedLimit: 0 }) }),
        ];
        return [...bad.slice(0, 3), bad[3], bad[4], good].flatMap((write) => (write ? [write] : []));
      });
      const results = await Promise.all(writes.map((write) => store.sessions().write(write)));
      const reasons = results.map((result) => (result.ok ? 'ok' : result.reason));
      expect(reasons).toEqual(sessions.flatMap(() => ['gone', 'conflict', 'fenced', 'receipt', 'quota', 'ok']));
      for (const { head } of sessions) {
        const log = await logOf(store.sessions(), head.sid);
        expect(log).toHaveLength(head.sid === first.head.sid ? 3 : 2);
      }
    });

    it('W7 a write that cannot be carried out at all rejects alone', async () => {
      const [good, bad] = await Promise.all([createdSession(store.sessions()), createdSession(store.sessions())]);
      const twice = { kind: 'run' as const, first: 0, last: 0, base: 0, body: '{}' };
      const broken = command(bad.head, {
        resources: [
          { ...twice, id: 'a' },
          { ...twice, id: 'b' },
        ],
      });
      const [refused, taken1] = await Promise.allSettled([store.sessions().write(broken), store.sessions().write(command(good.head))]);
      expect(refused.status).toBe('rejected');
      expect(taken1).toMatchObject({ status: 'fulfilled', value: { ok: true } });
      expect(await headOf(store.sessions(), bad.head.sid)).toEqual(bad.head);
      expect(await store.sessions().resource(bad.head.sid, 'a')).toBeUndefined();
    });

    it('a write that was answered is seen by every read that follows', async () => {
      const { head, id } = await createdSession(store.sessions());
      let now = head;
      for (let n = 0; n < 20; n += 1) {
        now = taken(await store.sessions().write(command(now, { state: { body: `{"n":${n}}`, due: n } })));
        const loaded = await store.sessions().load(id);
        expect(loaded?.head).toEqual(now);
        expect(loaded?.state).toBe(`{"n":${n}}`);
      }
    });
  });
};
