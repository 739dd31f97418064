import { describe, expect, it } from 'vitest';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, headOf, runWrite, taken, unique } from './samples.ts';

/** `claim` and `nextDue`: which sessions a runner gets. */
export const describeClaims = (open: OpenStore): void => {
  describe('claims', () => {
    const store = useStore(open, 'each');
    const claim = async (node: string, limit = 10, now = 1000) => store.sessions().claim({ node, now, limit });
    const announce = async (...nodes: readonly string[]): Promise<void> => {
      for (const node of nodes) expect(await store.sessions().heartbeat(node, 60_000)).toBe(true);
    };

    it('gives what is due: fence + 1, wn = 0, held by this node, once', async () => {
      await announce('a', 'b');
      const due = await createdSession(store.sessions(), { due: 1000 });
      await createdSession(store.sessions(), { due: 1001 });
      await createdSession(store.sessions(), { due: null });
      const claimed = await claim('a');
      expect(claimed.map((entry) => [entry.loaded.row.id, entry.orphaned])).toEqual([[due.id, false]]);
      expect(claimed[0]?.loaded.head).toEqual({ ...due.head, fence: 1, wn: 0, node: 'a' });
      expect(claimed[0]?.loaded.state).toBe('{"v":1}');
      expect(await headOf(store.sessions(), due.head.sid)).toEqual(claimed[0]?.loaded.head);
      expect(await claim('b')).toEqual([]);
      expect(await claim('a')).toEqual([]);
    });

    it('fences the one before: its writes are refused, those of the new holder taken', async () => {
      await announce('a', 'b');
      const { head } = await createdSession(store.sessions(), { due: 0, write: { hold: { kind: 'claim', node: 'a' } } });
      const on = taken(await store.sessions().write(runWrite(head)));
      const free = taken(await store.sessions().write(runWrite(on, { hold: { kind: 'release' } })));
      const [claimed] = await claim('b');
      expect(claimed?.orphaned).toBe(false);
      expect(claimed?.loaded.head).toMatchObject({ fence: 2, wn: 0, node: 'b' });
      expect(await store.sessions().write(runWrite(free))).toEqual({ ok: false, reason: 'fenced' });
      if (claimed) taken(await store.sessions().write(runWrite(claimed.loaded.head)));
    });

    it('a claim moves no state: a command decided before it is still good', async () => {
      await announce('a');
      const { head } = await createdSession(store.sessions(), { due: 0 });
      expect(await claim('a')).toHaveLength(1);
      const after = taken(await store.sessions().write(command(head, { state: { body: '{}', due: 0 } })));
      expect(after).toMatchObject({ node: 'a', fence: 1, wn: 0 });
    });

    it('goes round the owners within one claim', async () => {
      await announce('a');
      const owners = [unique('user:'), unique('user:'), unique('user:')];
      for (let n = 0; n < 3; n += 1) await createdSession(store.sessions(), { owner: owners[0] ?? '', due: 0 });
      for (const owner of owners.slice(1)) await createdSession(store.sessions(), { owner, due: 0 });
      const first = await claim('a', 3);
      expect(first.map((entry) => entry.loaded.row.owner).toSorted()).toEqual(owners.toSorted());
      expect((await claim('a', 10)).map((entry) => entry.loaded.row.owner)).toEqual([owners[0], owners[0]]);
    });

    it('passes over what waits of owners that are left out, and nothing else of theirs', async () => {
      await announce('a', 'b');
      const [full, other] = [unique('app:'), unique('app:')];
      await createdSession(store.sessions(), { owner: full, due: 0 });
      const timed = await createdSession(store.sessions(), { owner: full, due: 500 });
      const orphan = await createdSession(store.sessions(), { owner: full, due: 0, write: { hold: { kind: 'claim', node: 'b' } } });
      const free = await createdSession(store.sessions(), { owner: other, due: 0 });
      await store.sessions().leave('b');
      const claimed = await store.sessions().claim({ node: 'a', now: 1000, limit: 10, except: [full] });
      expect(claimed.map(({ loaded }) => loaded.row.id).toSorted()).toEqual([timed.id, orphan.id, free.id].toSorted());
      expect(await claim('a')).toHaveLength(1);
    });

    it('leaves sessions of mini-tools, and those whose configuration names their tools, where it is told to', async () => {
      await announce('a', 'b');
      const minitool = unique('minitool:');
      const named = async (body: string) =>
        createdSession(store.sessions(), { owner: unique('user:minitool:'), due: 0, config: { ref: unique('config'), body } });
      const owned = await createdSession(store.sessions(), { owner: minitool, due: 0 });
      const orphan = await createdSession(store.sessions(), { owner: minitool, due: 0, write: { hold: { kind: 'claim', node: 'b' } } });
      const using = await named('{"tools":[{"type":"minitool","id":"bot"}]}');
      const saying = await named(JSON.stringify({ system: 'like "type":"minitool"', tools: [] }));
      await store.sessions().leave('b');
      const claimed = await store.sessions().claim({ node: 'a', now: 1000, limit: 10, leaveHosted: true });
      expect(claimed.map(({ loaded }) => loaded.row.id)).toEqual([saying.id]);
      expect((await claim('a')).map(({ loaded }) => loaded.row.id).toSorted()).toEqual([owned.id, orphan.id, using.id].toSorted());
    });

    it('goes round the owners from claim to claim, so that slots that come free one by one are shared', async () => {
      await announce('a');
      const [many, few] = [unique('user:'), unique('user:')];
      for (let n = 0; n < 4; n += 1) await createdSession(store.sessions(), { owner: many, due: 0 });
      await createdSession(store.sessions(), { owner: few, due: 5 });
      const owners: (string | undefined)[] = [];
      for (let n = 0; n < 2; n += 1) owners.push((await claim('a', 1))[0]?.loaded.row.owner);
      expect(owners.toSorted()).toEqual([few, many].toSorted());
    });

    it('of an owner the one that is due first comes first', async () => {
      await announce('a');
      const owner = unique('user:');
      const dues = [30, 10, 20];
      for (const due of dues) await createdSession(store.sessions(), { owner, due });
      expect((await claim('a', 2)).map((entry) => entry.loaded.head.due)).toEqual([10, 20]);
    });

    it('racing claims share the sessions: each goes to one, and none is left', async () => {
      const nodes = ['a', 'b', 'c', 'd'];
      await announce(...nodes);
      const made = await Promise.all(Array.from({ length: 30 }, () => createdSession(store.sessions(), { due: 0 })));
      const claimed = new Map<string, string[]>();
      const race = async (node: string): Promise<void> => {
        for (let empty = 0; empty < 2; ) {
          const got = await claim(node, 3);
          empty = got.length === 0 ? empty + 1 : 0;
          for (const { loaded, orphaned } of got) {
            expect(orphaned).toBe(false);
            expect(loaded.head).toMatchObject({ node, fence: 1, wn: 0 });
            claimed.set(loaded.row.id, [...(claimed.get(loaded.row.id) ?? []), node]);
          }
        }
      };
      await Promise.all(nodes.map(race));
      expect([...claimed.keys()].toSorted()).toEqual(made.map(({ id }) => id as string).toSorted());
      for (const holders of claimed.values()) expect(holders).toHaveLength(1);
    });

    it('a deleted session is not claimed', async () => {
      await announce('a');
      const { head } = await createdSession(store.sessions(), { due: 0 });
      taken(await store.sessions().write(command(head, { state: { body: '{}', due: 0 }, session: { deletedAt: 1 } })));
      expect(await claim('a')).toEqual([]);
    });

    it('nextDue is the earliest due in the future that nobody holds', async () => {
      await announce('a');
      expect(await store.sessions().nextDue(1000)).toBeNull();
      await createdSession(store.sessions(), { due: 1000 });
      await createdSession(store.sessions(), { due: 1001, write: { hold: { kind: 'claim', node: 'a' } } });
      await createdSession(store.sessions(), { due: 3000 });
      await createdSession(store.sessions(), { due: 2000 });
      expect(await store.sessions().nextDue(1000)).toBe(2000);
      expect(await store.sessions().nextDue(2000)).toBe(3000);
      expect(await store.sessions().nextDue(3000)).toBeNull();
    });

    it('workload counts what is due and held by nobody, and what is held; never what is idle, waits or is deleted', async () => {
      await announce('a');
      const { queued, running } = await store.sessions().workload(1000);
      for (const due of [0, 1000, 1001, null]) await createdSession(store.sessions(), { due });
      const held = await createdSession(store.sessions(), { due: 0, write: { hold: { kind: 'claim', node: 'a' } } });
      const gone = await createdSession(store.sessions(), { due: 0 });
      taken(await store.sessions().write(command(gone.head, { state: { body: '{}', due: 0 }, session: { deletedAt: 1 } })));
      expect(await store.sessions().workload(1000)).toMatchObject({ queued: queued + 2, running: running + 1 });
      expect(await store.sessions().workload(2000)).toMatchObject({ queued: queued + 3, running: running + 1 });
      taken(await store.sessions().write(runWrite(held.head, { hold: { kind: 'release' } })));
      expect(await store.sessions().workload(999)).toMatchObject({ queued: queued + 2, running });
    });
  });
};
