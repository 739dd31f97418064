import { describe, expect, it } from 'vitest';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, type SampleSession, taken, unique } from './samples.ts';

/** `list`: newest first, by owner, status, placement and words of the title. */
export const describeList = (open: OpenStore): void => {
  describe('list', () => {
    const store = useStore(open, 'each');
    const titled = async (title: string, sample: SampleSession = {}, at = 0) =>
      createdSession(store.sessions(), { ...sample, row: { title, createdAt: 1000 + at, ...sample.row } });
    const titles = async (query: Partial<Parameters<ReturnType<typeof store.sessions>['list']>[0]>): Promise<string[]> =>
      (await store.sessions().list({ status: 'all', offset: 0, limit: 100, ...query })).map((row) => row.title);

    it('gives the newest first, page by page', async () => {
      for (let n = 1; n <= 5; n += 1) await titled(`t${n}`, {}, n);
      expect(await titles({})).toEqual(['t5', 't4', 't3', 't2', 't1']);
      expect(await titles({ offset: 1, limit: 2 })).toEqual(['t4', 't3']);
      expect(await titles({ offset: 5 })).toEqual([]);
    });

    it('of these owners only; an empty list of owners is nobody', async () => {
      const [a, b, c] = [unique('user:'), unique('user:'), unique('app:')];
      await titled('a1', { owner: a }, 1);
      await titled('b1', { owner: b }, 2);
      await titled('c1', { owner: c }, 3);
      await titled('a2', { owner: a }, 4);
      expect(await titles({ owners: [a] })).toEqual(['a2', 'a1']);
      expect(await titles({ owners: [a, c] })).toEqual(['a2', 'c1', 'a1']);
      expect(await titles({ owners: [] })).toEqual([]);
    });

    it('by status, without the deleted ones', async () => {
      const one = await titled('archived', {}, 1);
      const two = await titled('deleted', {}, 2);
      await titled('active', {}, 3);
      taken(await store.sessions().write(command(one.head, { session: { archivedAt: 5 } })));
      taken(await store.sessions().write(command(two.head, { session: { deletedAt: 5 } })));
      expect(await titles({ status: 'all' })).toEqual(['active', 'archived']);
      expect(await titles({ status: 'active' })).toEqual(['active']);
      expect(await titles({ status: 'archived' })).toEqual(['archived']);
    });

    it('by placement and by words of the title, taken literally and whatever the case', async () => {
      await titled('Grüße 100%', { row: { placement: 'space:x' } }, 1);
      await titled('grüsse 1000', { row: { placement: 'space:y' } }, 2);
      await titled('under_score \\ back', { row: { placement: 'space:x' } }, 3);
      expect(await titles({ placement: 'space:x' })).toEqual(['under_score \\ back', 'Grüße 100%']);
      expect(await titles({ placement: 'space' })).toEqual([]);
      expect(await titles({ q: 'GRÜ' })).toEqual(['grüsse 1000', 'Grüße 100%']);
      expect(await titles({ q: '100%' })).toEqual(['Grüße 100%']);
      expect(await titles({ q: 'r_s' })).toEqual(['under_score \\ back']);
      expect(await titles({ q: '\\ b' })).toEqual(['under_score \\ back']);
      expect(await titles({ q: 'grü', placement: 'space:y' })).toEqual(['grüsse 1000']);
    });

    it('gives whole rows', async () => {
      const { session, head } = await titled('whole', { row: { metadata: '{"k":[1]}', root: 'ses_root', path: 'a/b', updatedAt: 9 } });
      expect(await store.sessions().list({ status: 'all', offset: 0, limit: 1 })).toEqual([{ ...session.row, sid: head.sid }]);
    });
  });
};
