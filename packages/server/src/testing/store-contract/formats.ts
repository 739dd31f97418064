import { describe, expect, it } from 'vitest';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, headOf, runWrite, taken, unique } from './samples.ts';

const state = (v: number, due: number | null = 0) => ({ body: `{"v":${v},"x":1}`, due });

/** Formats: what a node of an older release is given while newer ones share its store. */
export const describeFormats = (open: OpenStore): void => {
  describe('formats', () => {
    const store = useStore(open, 'each');
    const announce = async (node = 'a'): Promise<boolean> => store.sessions().heartbeat(node, 60_000);
    const claim = async (reads: number | undefined, limit = 10) =>
      store.sessions().claim({ node: 'a', now: 1000, limit, ...(reads === undefined ? {} : { reads }) });

    it('W10 a session is claimed only by those who read its format', async () => {
      await announce();
      const third = await createdSession(store.sessions(), { write: { state: state(3) } });
      const second = await createdSession(store.sessions(), { write: { state: state(2) } });
      expect(await claim(undefined)).toEqual([]);
      expect((await claim(2)).map(({ loaded }) => loaded.row.id)).toEqual([second.id]);
      expect((await claim(3)).map(({ loaded }) => loaded.row.id)).toEqual([third.id]);
    });

    it('a queue full of newer sessions hides none of the older ones behind them, of the same owner or of others', async () => {
      await announce();
      const owners = [unique('user:'), unique('user:')];
      for (const owner of owners) {
        for (let n = 0; n < 12; n += 1) await createdSession(store.sessions(), { owner, write: { state: state(2, 0) } });
      }
      const old = [];
      for (const owner of owners) old.push(await createdSession(store.sessions(), { owner, write: { state: state(1, 500) } }));
      expect((await claim(1, 2)).map(({ loaded }) => loaded.row.id).toSorted()).toEqual(old.map(({ id }) => id as string).toSorted());
      expect(await claim(1, 2)).toEqual([]);
      expect(await claim(2, 100)).toHaveLength(24);
    });

    it('what a node that died held is left to those who read it', async () => {
      await announce();
      await createdSession(store.sessions(), { write: { state: state(2), hold: { kind: 'claim', node: 'ghost' } } });
      expect(await claim(1)).toEqual([]);
      expect(await claim(2)).toMatchObject([{ orphaned: true }]);
    });

    it('W10 a session becomes newer by a write, and never older again', async () => {
      await announce();
      const { head } = await createdSession(store.sessions(), { write: { state: state(1, null) } });
      taken(await store.sessions().write(command(head, { state: state(2) })));
      taken(await store.sessions().write(command(await headOf(store.sessions(), head.sid), { state: state(1) })));
      expect(await claim(1)).toEqual([]);
      expect(await claim(2)).toHaveLength(1);
    });

    it('the next due time is one of what is read', async () => {
      await createdSession(store.sessions(), { write: { state: state(2, 2000) } });
      await createdSession(store.sessions(), { write: { state: state(1, 3000) } });
      expect(await store.sessions().nextDue(1000)).toBe(3000);
      expect(await store.sessions().nextDue(1000, 2)).toBe(2000);
    });

    it('a holder lets a session go without a word of its state', async () => {
      await announce();
      const { head } = await createdSession(store.sessions(), { write: { state: state(1), hold: { kind: 'claim', node: 'a' } } });
      const newer = taken(await store.sessions().write(command(head, { state: state(2) })));
      expect(newer.node).toBe('a');
      const free = taken(await store.sessions().write(runWrite(newer, { events: [], state: undefined, hold: { kind: 'release' } })));
      expect(free).toMatchObject({ node: null, due: 0, stateSeq: newer.stateSeq, seq: newer.seq });
      expect((await claim(2)).map(({ loaded }) => loaded.state)).toEqual([state(2).body]);
    });

    it('the lowest format that living nodes read is what the oldest of them said', async () => {
      const { sessions } = store;
      expect(await sessions().lowestReads()).toBe(1);
      await sessions().heartbeat('new', 60_000, 3);
      expect(await sessions().lowestReads()).toBe(3);
      await sessions().heartbeat('old', 60_000, 2);
      expect(await sessions().lowestReads()).toBe(2);
      await announce('oldest');
      expect(await sessions().lowestReads()).toBe(1);
      await sessions().leave('oldest');
      await sessions().leave('old');
      expect(await sessions().lowestReads()).toBe(3);
    });
  });
};
