import { describe, expect, it } from 'vitest';
import type { UserChanges, UserRow } from '../../ports/catalog.ts';
import { sampleUser, wholeList } from './catalog-samples.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow } from './samples.ts';

const demote: UserChanges = { roles: ['user'] };
const disable: UserChanges = { status: 'disabled' };

/** G6, also for changes at the same moment. */
export const describeLastAdmin = (open: OpenStore): void => {
  describe('the last admin', () => {
    const store = useStore(open, 'each');
    const admin = async (over: Partial<UserRow> = {}): Promise<string> => {
      const user = sampleUser({ roles: ['admin', 'user'], ...over });
      await store.catalog().createUser(user, auditRow());
      return user.id;
    };
    const change = (id: string, changes: UserChanges) => store.catalog().updateUser(id, changes, auditRow());

    it('G6 the only active admin is neither demoted nor disabled', async () => {
      const only = await admin();
      await admin({ roles: ['user'] });
      await admin({ status: 'disabled' });
      const before = await store.catalog().users(wholeList);
      expect(await change(only, demote)).toBe('last_admin');
      expect(await change(only, disable)).toBe('last_admin');
      expect(await change(only, { ...demote, displayName: 'x' })).toBe('last_admin');
      expect(await change(only, { roles: ['admin'], status: 'disabled' })).toBe('last_admin');
      expect(await store.catalog().users(wholeList)).toEqual(before);
    });

    it('G6 with another active admin both are allowed, and then no more', async () => {
      const [one, two, three] = [await admin(), await admin(), await admin()];
      expect(await change(one, demote)).toBe('updated');
      expect(await change(two, disable)).toBe('updated');
      expect(await change(three, disable)).toBe('last_admin');
      // Disabled already: it is no active admin that goes.
      expect(await change(two, demote)).toBe('updated');
      expect(await change(one, disable)).toBe('updated');
      expect(await change(one, { roles: ['admin'], status: 'active' })).toBe('updated');
      expect(await change(three, disable)).toBe('updated');
    });

    it('the first admin is the active one that was made first', async () => {
      expect(await store.catalog().firstAdmin()).toBeUndefined();
      await store.catalog().createUser(sampleUser({ createdAt: 0 }), auditRow());
      const [second, first] = [await admin({ createdAt: 2 }), await admin({ createdAt: 1 })];
      expect((await store.catalog().firstAdmin())?.id).toBe(first);
      await change(first, disable);
      expect((await store.catalog().firstAdmin())?.id).toBe(second);
    });

    it('G6 the last admin changes in all that keeps it an active admin', async () => {
      const only = await admin();
      expect(await change(only, { displayName: 'x', roles: ['admin'], status: 'active' })).toBe('updated');
    });

    it('G6 of changes at the same moment that would take all admins away, one is refused', async () => {
      const ids = await Promise.all([admin(), admin(), admin()]);
      for (let round = 0; round < 12; round += 1) {
        const results = await Promise.all(ids.map((id, n) => change(id, (n + round) % 2 === 0 ? demote : disable)));
        expect(results.toSorted()).toEqual(['last_admin', 'updated', 'updated']);
        const left = (await store.catalog().users(wholeList)).filter(({ roles, status }) => status === 'active' && roles.includes('admin'));
        expect(left.map(({ id }) => id)).toEqual([ids[results.indexOf('last_admin')]]);
        for (const id of ids) await change(id, { roles: ['admin', 'user'], status: 'active' });
      }
    });
  });
};
