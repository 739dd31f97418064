import type { SessionId } from '@turnkeeper/core/session/ids';
import { describe, expect, it } from 'vitest';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, taken, unique } from './samples.ts';

/** Child sessions: found below their root, left out of lists, claimed though their owner is passed over. */
export const describeDescendants = (open: OpenStore): void => {
  describe('descendants', () => {
    const store = useStore(open, 'each');
    const family = async (owner = unique('user:')) => {
      const root = unique('ses_') as SessionId;
      const add = (id: string, path: string, due: number | null = null) =>
        createdSession(store.sessions(), { id, owner, due, row: { title: `at ${path}`, ...(path === '' ? {} : { root, path }) } });
      return { owner, root, add };
    };
    const below = async (root: SessionId, under = '', more: { readonly after?: number; readonly limit?: number } = {}): Promise<string[]> =>
      (await store.sessions().descendants({ root, under, limit: 100, ...more })).map(({ path }) => path);

    it('are those whose path begins with a whole one, in the order of creation', async () => {
      const { root, add } = await family();
      await add(root, '');
      for (const path of ['a:1', 'a:1/b:1', 'a:10', 'c:2', 'a:1/b:1/c:1']) await add(unique('ses_'), path);
      const other = await family();
      await other.add(other.root, '');
      await other.add(unique('ses_'), 'a:1');
      expect(await below(root)).toEqual(['a:1', 'a:1/b:1', 'a:10', 'c:2', 'a:1/b:1/c:1']);
      expect(await below(root, 'a:1')).toEqual(['a:1/b:1', 'a:1/b:1/c:1']);
      expect(await below(root, 'c:2')).toEqual([]);
      const first = await store.sessions().descendants({ root, under: '', limit: 2 });
      expect(await below(root, '', { after: first.at(-1)?.sid ?? 0, limit: 2 })).toEqual(['a:10', 'c:2']);
    });

    it('are not in lists, and gone when they are deleted', async () => {
      const { owner, root, add } = await family();
      await add(root, '');
      const child = await add(unique('ses_'), 'a:1');
      expect((await store.sessions().list({ owner, status: 'all', offset: 0, limit: 9 })).map(({ path }) => path)).toEqual(['']);
      taken(await store.sessions().write(command(child.head, { session: { deletedAt: 1 } })));
      expect(await below(root)).toEqual([]);
    });

    it('are claimed though what is due of their owner is passed over', async () => {
      const { owner, root, add } = await family();
      await add(root, '', 0);
      const child = await add(unique('ses_'), 'a:1', 0);
      await store.sessions().heartbeat('n1', 60_000);
      const claimed = await store.sessions().claim({ node: 'n1', now: 1, limit: 9, except: [owner] });
      expect(claimed.map(({ loaded }) => loaded.head.sid)).toEqual([child.head.sid]);
    });
  });
};
