import { describe, expect, it } from 'vitest';
import type { SpaceMember, SpaceRow } from '../../ports/catalog.ts';
import { wholeList } from './catalog-samples.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, sampleTime, unique } from './samples.ts';

export const describeSpaces = (open: OpenStore): void => {
  describe('spaces', () => {
    const store = useStore(open, 'all');
    const made = async (first?: Omit<SpaceMember, 'spaceId'>): Promise<SpaceRow> => {
      const space = { id: unique('space-'), name: 'Über', createdAt: sampleTime };
      expect(await store.catalog().createSpace(space, first && { ...first, spaceId: space.id }, auditRow())).toBe('created');
      return space;
    };

    it('the space "default" is there from the beginning, without members', async () => {
      expect(await store.catalog().space('default')).toEqual({ id: 'default', name: 'Default', createdAt: expect.any(Number) as number });
      expect(await store.catalog().spaces(wholeList)).toContainEqual(await store.catalog().space('default'));
      expect(await store.catalog().spaceMembers('default', wholeList)).toEqual([]);
    });

    it('a space is made with its first member; an id that is taken is refused and nobody gets in', async () => {
      const space = await made({ userId: 'user_1', role: 'manager' });
      expect(await store.catalog().space(space.id)).toEqual(space);
      expect(await store.catalog().space('nowhere')).toBeUndefined();
      expect(await store.catalog().createSpace({ ...space, name: 'Mine' }, { spaceId: space.id, userId: 'user_2', role: 'manager' }, auditRow())).toBe(
        'already_exists',
      );
      expect(await store.catalog().space(space.id)).toEqual(space);
      expect(await store.catalog().spaceMembers(space.id, wholeList)).toEqual([{ spaceId: space.id, userId: 'user_1', role: 'manager' }]);
      expect((await store.catalog().spaces(wholeList)).filter(({ id }) => id === space.id)).toEqual([space]);
    });

    it('spaces and members are listed page by page, spaces also by their ids', async () => {
      const spaces = [await made(), await made(), await made()];
      const ids = spaces.map(({ id }) => id);
      const byId = (a: SpaceRow, b: SpaceRow) => (a.id < b.id ? -1 : 1);
      expect(await store.catalog().spaces({ ids: [...ids, 'nowhere'], ...wholeList })).toEqual(spaces.toSorted(byId));
      expect(await store.catalog().spaces({ ids, offset: 1, limit: 1 })).toEqual([spaces.toSorted(byId)[1]]);
      expect(await store.catalog().spaces({ ids: [], ...wholeList })).toEqual([]);
      const [spaceId = ''] = ids;
      for (const userId of ['user_3', 'user_1', 'user_2']) await store.catalog().putSpaceMember({ spaceId, userId, role: 'member' }, auditRow());
      expect((await store.catalog().spaceMembers(spaceId, { offset: 1, limit: 2 })).map(({ userId }) => userId)).toEqual(['user_2', 'user_3']);
    });

    it('a space is renamed', async () => {
      const space = await made();
      expect(await store.catalog().renameSpace(space.id, 'Other', auditRow())).toBe('updated');
      expect(await store.catalog().renameSpace('nowhere', 'Other', auditRow())).toBe('not_found');
      expect(await store.catalog().space(space.id)).toEqual({ ...space, name: 'Other' });
      expect((await store.catalog().space('default'))?.name).toBe('Default');
    });

    it('members are added, get another role, and leave once', async () => {
      const [one, two] = [await made(), await made()];
      const member = (space: SpaceRow, userId: string, role: SpaceMember['role']): SpaceMember => ({ spaceId: space.id, userId, role });
      for (const put of [member(one, 'user_a', 'member'), member(one, 'user_b', 'member'), member(two, 'user_a', 'member'), member(one, 'user_a', 'manager')])
        await store.catalog().putSpaceMember(put, auditRow());
      expect(await store.catalog().spaceMembers(one.id, wholeList)).toEqual([member(one, 'user_a', 'manager'), member(one, 'user_b', 'member')]);
      const both = [member(one, 'user_a', 'manager'), member(two, 'user_a', 'member')];
      expect(await store.catalog().spacesOf('user_a')).toEqual(both.toSorted((a, b) => (a.spaceId < b.spaceId ? -1 : 1)));
      expect(await store.catalog().deleteSpaceMember(one.id, 'user_a', auditRow())).toBe(true);
      expect(await store.catalog().deleteSpaceMember(one.id, 'user_a', auditRow())).toBe(false);
      expect(await store.catalog().spacesOf('user_a')).toEqual([member(two, 'user_a', 'member')]);
      expect(await store.catalog().spaceMembers(one.id, wholeList)).toEqual([member(one, 'user_b', 'member')]);
      expect(await store.catalog().spacesOf('nobody')).toEqual([]);
    });
  });
};
