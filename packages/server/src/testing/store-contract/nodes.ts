import { describe, expect, it } from 'vitest';
import { type OpenStore, useStore } from './opened-store.ts';
import { createdSession, runWrite, waitMs } from './samples.ts';

/** Nodes: who lives, and what becomes of the sessions of one that does not. */
export const describeNodes = (open: OpenStore): void => {
  describe('nodes', () => {
    const store = useStore(open, 'each');
    const claim = async (node: string) => store.sessions().claim({ node, now: 1000, limit: 10 });

    it('a node that renews its lease keeps its sessions', async () => {
      await store.sessions().heartbeat('b', 60_000);
      /** False where the machine paused for so long that no renewal could be in time. */
      const keeps = async (node: string, leaseMs: number): Promise<boolean> => {
        let renewed = performance.now();
        const isLate = (): boolean => performance.now() - renewed > leaseMs;
        await store.sessions().heartbeat(node, leaseMs);
        await createdSession(store.sessions(), { due: 0 });
        const held = await claim(node);
        if (isLate()) return false;
        expect(held).toHaveLength(1);
        for (let n = 0; n < 6; n += 1) {
          await waitMs(leaseMs / 4);
          const before = performance.now();
          const lives = await store.sessions().heartbeat(node, leaseMs);
          const claimed = await claim('b');
          if (isLate()) return false;
          expect([lives, claimed]).toEqual([true, []]);
          renewed = before;
        }
        return true;
      };
      let leaseMs = 1_000;
      for (; !(await keeps(`a${leaseMs}`, leaseMs)); leaseMs *= 2) {
        if (leaseMs > 16_000) expect.fail('the machine stands still');
        await store.sessions().leave(`a${leaseMs}`);
        await claim('b');
      }
    });

    it('a node whose lease ran out loses its sessions to another, as orphans, and is told so', async () => {
      await store.sessions().heartbeat('b', 60_000);
      const { id } = await createdSession(store.sessions(), { due: 0 });
      // Long enough for it to claim something, on this machine.
      let leaseMs = 50;
      const claimed = async () => {
        await store.sessions().heartbeat(`a${leaseMs}`, leaseMs);
        return (await claim(`a${leaseMs}`))[0];
      };
      let first = await claimed();
      for (; !first && leaseMs < 10_000; first = await claimed()) leaseMs *= 3;
      if (!first) expect.fail('it claims nothing');
      const node = `a${leaseMs}`;
      await waitMs(leaseMs + 70);
      const [second] = await claim('b');
      expect(second).toMatchObject({ orphaned: true, loaded: { row: { id }, head: { node: 'b', fence: 2, wn: 0 } } });
      expect(await store.sessions().write(runWrite(first.loaded.head))).toEqual({ ok: false, reason: 'fenced' });
      expect(await store.sessions().heartbeat(node, 60_000)).toBe(false);
      // From then on it is a new node of the same name.
      expect(await store.sessions().heartbeat(node, 60_000)).toBe(true);
      expect(await claim(node)).toEqual([]);
    });

    it('a node that never announced itself is not living', async () => {
      await store.sessions().heartbeat('b', 60_000);
      await createdSession(store.sessions(), { due: 0, write: { hold: { kind: 'claim', node: 'ghost' } } });
      expect(await claim('b')).toMatchObject([{ orphaned: true, loaded: { head: { node: 'b', fence: 2 } } }]);
    });

    it('what a node that left still held goes to others at once', async () => {
      await store.sessions().heartbeat('a', 60_000);
      await store.sessions().heartbeat('b', 60_000);
      const { id } = await createdSession(store.sessions(), { due: 0 });
      await claim('a');
      expect(await claim('b')).toEqual([]);
      await store.sessions().leave('a');
      expect(await claim('b')).toMatchObject([{ orphaned: true, loaded: { row: { id } } }]);
    });

    it('what was dropped by a process that says that it lives is told from what one that is gone has lost', async () => {
      for (const node of ['a', 'b', 'c']) await store.sessions().heartbeat(node, 60_000);
      await createdSession(store.sessions(), { due: 0, write: { hold: { kind: 'claim', node: 'a' } } });
      await store.sessions().leave('a', true);
      expect(await claim('c')).toMatchObject([{ orphaned: true, dropped: true }]);
      await createdSession(store.sessions(), { due: 0, write: { hold: { kind: 'claim', node: 'b' } } });
      await store.sessions().leave('b');
      await createdSession(store.sessions(), { due: 5 });
      const claimed = (await claim('c')).toSorted((x, y) => Number(x.orphaned) - Number(y.orphaned));
      expect(claimed).toMatchObject([
        { orphaned: false, dropped: false },
        { orphaned: true, dropped: false },
      ]);
      // What others hold by now is not marked.
      await store.sessions().leave('a', true);
      await store.sessions().leave('c');
      await store.sessions().heartbeat('d', 60_000);
      expect((await claim('d')).map(({ dropped }) => dropped)).toEqual([false, false, false]);
    });

    it('what nobody needs is not handed out, though its node died', async () => {
      await store.sessions().heartbeat('a', 60_000);
      await store.sessions().heartbeat('b', 60_000);
      await createdSession(store.sessions(), { due: null, write: { hold: { kind: 'claim', node: 'a' } } });
      await createdSession(store.sessions(), { due: 5000, write: { hold: { kind: 'claim', node: 'a' } } });
      await store.sessions().leave('a');
      expect(await claim('b')).toEqual([]);
    });

    it('what a node that died held counts as held by nobody when the next due time is asked for', async () => {
      await store.sessions().heartbeat('a', 60_000);
      await store.sessions().heartbeat('b', 60_000);
      await createdSession(store.sessions(), { due: 5000, write: { hold: { kind: 'claim', node: 'a' } } });
      expect(await store.sessions().nextDue(1000)).toBeNull();
      await store.sessions().leave('a');
      expect(await store.sessions().nextDue(1000)).toBe(5000);
    });
  });
};
