import { describe, expect, it } from 'vitest';
import { type OpenStore, useStore } from './opened-store.ts';
import { command, createdSession, type SampleSession, taken, unique } from './samples.ts';

/** `list`: newest first, by who may see it, owner, status, placement and words; what narrows it further is in list-filters.ts. */
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

    it('visible: of these owners or in these placements; empty lists are nothing; absent is all', async () => {
      const [a, b, c] = [unique('user:'), unique('user:'), unique('app:')];
      await titled('a1', { owner: a, row: { placement: 'space:x' } }, 1);
      await titled('b1', { owner: b, row: { placement: 'space:y' } }, 2);
      await titled('c1', { owner: c, row: { placement: 'space:x' } }, 3);
      await titled('a2', { owner: a, row: { placement: 'space:y' } }, 4);
      expect(await titles({ visible: { owners: [a], placements: [] } })).toEqual(['a2', 'a1']);
      expect(await titles({ visible: { owners: [a, c], placements: [] } })).toEqual(['a2', 'c1', 'a1']);
      expect(await titles({ visible: { owners: [], placements: ['space:x'] } })).toEqual(['c1', 'a1']);
      expect(await titles({ visible: { owners: [b], placements: ['space:x', 'space:z'] } })).toEqual(['c1', 'b1', 'a1']);
      expect(await titles({ visible: { owners: [], placements: [] } })).toEqual([]);
      expect(await titles({})).toEqual(['a2', 'c1', 'b1', 'a1']);
    });

    it('owner and placement narrow what is visible, and open nothing', async () => {
      const [a, b] = [unique('user:'), unique('app:')];
      await titled('a1', { owner: a, row: { placement: 'space:x' } }, 1);
      await titled('b1', { owner: b, row: { placement: 'space:x' } }, 2);
      await titled('b2', { owner: b, row: { placement: 'space:y' } }, 3);
      expect(await titles({ owner: b })).toEqual(['b2', 'b1']);
      expect(await titles({ owner: b, visible: { owners: [a], placements: ['space:x'] } })).toEqual(['b1']);
      expect(await titles({ owner: b, visible: { owners: [a], placements: [] } })).toEqual([]);
      expect(await titles({ placement: 'space:y', visible: { owners: [a], placements: ['space:x'] } })).toEqual([]);
      expect(await titles({ owner: a, placement: 'space:x', q: 'A1', visible: { owners: [a], placements: [] } })).toEqual(['a1']);
    });

    it('mine: of the owner; of these mini-tools what stands in a space; and what mini-tools put into these spaces', async () => {
      const [me, other, mine, theirs] = [unique('user:'), unique('user:'), unique('minitool:'), unique('minitool:')];
      const shared = unique('space:');
      await titled('own', { owner: me, row: { placement: 'space:default' } }, 1);
      await titled('own in a container', { owner: me, row: { placement: `container:${mine}` } }, 2);
      await titled('for me', { owner: mine, row: { placement: 'space:default' } }, 3);
      await titled('kept', { owner: mine, row: { placement: `container:${mine}/inbox` } }, 4);
      await titled('for the space', { owner: theirs, row: { placement: shared } }, 5);
      await titled('for others', { owner: theirs, row: { placement: 'space:default' } }, 6);
      await titled('of a person there', { owner: other, row: { placement: shared } }, 7);
      const all = ['for the space', 'for me', 'own in a container', 'own'];
      expect(await titles({ mine: { owner: me, minitools: [mine], spaces: [shared] } })).toEqual(all);
      expect(await titles({ mine: { owner: me, minitools: [mine], spaces: [] } })).toEqual(all.slice(1));
      expect(await titles({ mine: { owner: me, minitools: [], spaces: [shared] } })).toEqual(['for the space', 'own in a container', 'own']);
      expect(await titles({ mine: { owner: me, minitools: [], spaces: [] }, placement: 'space:default' })).toEqual(['own']);
      expect(await titles({ mine: { owner: me, minitools: [mine], spaces: [shared] }, q: 'FOR', status: 'active', order: 'updated' })).toHaveLength(2);
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

    it('finds words in metadata and the beginning of an id, whatever the case and taken literally', async () => {
      const meta = (value: unknown) => ({ row: { metadata: JSON.stringify(value) } });
      const { id } = await titled('one', meta({ Ticket: 'ÄB-100%', note: 'say "hi"' }), 1);
      await titled('two', meta({ ticket: 'äb-1000', path: 'C:\\temp' }), 2);
      await titled('three', { row: { metadata: '{}' } }, 3);
      expect(await titles({ q: 'äb-100' })).toEqual(['two', 'one']);
      expect(await titles({ q: 'ÄB-100%' })).toEqual(['one']);
      expect(await titles({ q: 'TICKET' })).toEqual(['two', 'one']);
      expect(await titles({ q: 'Say "Hi"' })).toEqual(['one']);
      expect(await titles({ q: 'c:\\T' })).toEqual(['two']);
      expect(await titles({ q: id })).toEqual(['one']);
      expect(await titles({ q: id.slice(0, 20).toUpperCase() })).toEqual(['one']);
      expect(await titles({ q: id.slice(4) })).toEqual([]);
      expect(await titles({ q: '_' })).toEqual([]);
    });

    it('metadata that is changed is found as it is now', async () => {
      const { head } = await titled('one', { row: { metadata: '{"a":"OLD"}' } });
      taken(await store.sessions().write(command(head, { session: { metadata: '{"a":"NEW"}' } })));
      expect(await titles({ q: 'new' })).toEqual(['one']);
      expect(await titles({ q: 'old' })).toEqual([]);
    });

    it('gives whole rows', async () => {
      const { session, head } = await titled('whole', { row: { metadata: '{"k":[1]}', root: 'ses_root', updatedAt: 9 } });
      expect(await store.sessions().list({ status: 'all', offset: 0, limit: 1 })).toEqual([{ ...session.row, sid: head.sid }]);
    });
  });
};
