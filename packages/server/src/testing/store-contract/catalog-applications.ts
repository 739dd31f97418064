import { describe, expect, it } from 'vitest';
import type { ApplicationMember, ApplicationRow, CredentialRow } from '../../ports/catalog.ts';
import { sampleApplication, sampleCredential, wholeList } from './catalog-samples.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, unique, waitMs } from './samples.ts';

/** Not in the order of their ids: the order given is kept. */
const members: readonly ApplicationMember[] = [
  { userId: 'user_b', roles: ['operator', 'viewer'] },
  { userId: 'user_a', roles: ['approver'] },
];

export const describeApplications = (open: OpenStore): void => {
  describe('applications', () => {
    const store = useStore(open, 'all');
    const made = async (over: Partial<ApplicationRow> = {}): Promise<ApplicationRow> => {
      const application = sampleApplication(over);
      await store.catalog().createApplication(application, auditRow());
      return application;
    };

    it('an application is found with its members', async () => {
      const application = await made({ members, maxConcurrent: 3, tokenBudget: Number.MAX_SAFE_INTEGER, maxUnfinished: 0, description: 'ä' });
      expect(await store.catalog().application(application.id)).toEqual(application);
      const alone = await made();
      expect(await store.catalog().application(alone.id)).toEqual(alone);
      expect(await store.catalog().application('nobody')).toBeUndefined();
    });

    it('G3 a change moves the version on; a stale one is refused and changes nothing', async () => {
      const application = await made({ members, tokenBudget: 5 });
      const { id } = application;
      const changes = { name: 'Other', description: 'd', status: 'disabled', maxConcurrent: 1, tokenBudget: null, maxUnfinished: 9 } as const;
      expect(await store.catalog().updateApplication(id, 1, changes, 77, auditRow())).toBe('updated');
      const second = { ...application, ...changes, version: 2, updatedAt: 77 };
      expect(await store.catalog().application(id)).toEqual(second);
      expect(await store.catalog().updateApplication(id, 1, { name: 'Stale', members: [] }, 78, auditRow())).toBe('version_conflict');
      expect(await store.catalog().updateApplication(id, 3, { name: 'Ahead', members: [] }, 78, auditRow())).toBe('version_conflict');
      expect(await store.catalog().updateApplication('nobody', 1, { members: [] }, 78, auditRow())).toBe('not_found');
      expect(await store.catalog().application(id)).toEqual(second);
    });

    it('members replace the ones before', async () => {
      const application = await made({ members });
      const next: readonly ApplicationMember[] = [
        { userId: 'user_c', roles: ['viewer'] },
        { userId: 'user_b', roles: ['approver'] },
      ];
      expect(await store.catalog().updateApplication(application.id, 1, { members: next }, 2, auditRow())).toBe('updated');
      expect(await store.catalog().application(application.id)).toEqual({ ...application, members: next, version: 2, updatedAt: 2 });
      expect(await store.catalog().updateApplication(application.id, 2, { members: [] }, 3, auditRow())).toBe('updated');
      expect(await store.catalog().application(application.id)).toEqual({ ...application, members: [], version: 3, updatedAt: 3 });
    });

    it('of changes at the same moment one is taken, with its members', async () => {
      const application = await made({ members });
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          store.catalog().updateApplication(application.id, 1, { name: `${n}`, members: [{ userId: `user_${n}`, roles: ['viewer'] }] }, 2, auditRow()),
        ),
      );
      expect(results.toSorted()).toEqual(['updated', ...Array<string>(5).fill('version_conflict')]);
      const winner = results.indexOf('updated');
      expect(await store.catalog().application(application.id)).toMatchObject({ version: 2, name: `${winner}`, members: [{ userId: `user_${winner}` }] });
    });

    it('a reader never sees one version with the members of another', async () => {
      const { id } = await made({ members: [{ userId: 'user_1', roles: ['viewer'] }] });
      let done = false;
      const write = async (): Promise<void> => {
        for (let version = 1; version <= 20; version += 1)
          await store.catalog().updateApplication(id, version, { members: [{ userId: `user_${version + 1}`, roles: ['viewer'] }] }, 2, auditRow());
        done = true;
      };
      const read = async (): Promise<void> => {
        while (!done) {
          const seen = await store.catalog().application(id);
          expect(seen?.members).toEqual([{ userId: `user_${seen?.version}`, roles: ['viewer'] }]);
          // Reads alone would never let the writer's answers in.
          await waitMs(0);
        }
      };
      await Promise.all([write(), read()]);
    });

    it('lists applications in the order of creation; with a user those that it owns or is a member of, once each', async () => {
      const [owner, member] = [unique('user_'), unique('user_')];
      const both = { userId: member, roles: ['viewer'] } as const;
      const applications = [
        await made({ createdAt: 1, ownerId: owner, members }),
        await made({ createdAt: 2, ownerId: member, members: [...members, both] }),
        await made({ createdAt: 3, members: [both, ...members] }),
        await made({ createdAt: 4, ownerId: owner }),
      ];
      const [one, two, three, four] = applications;
      const page = { offset: 0, limit: 100 };
      expect((await store.catalog().applications(page)).slice(0, 4)).toEqual(applications);
      // A page counts applications, whatever the number of their members.
      expect(await store.catalog().applications({ offset: 1, limit: 2 })).toEqual([two, three]);
      expect(await store.catalog().applications({ ...page, userId: owner })).toEqual([one, four]);
      expect(await store.catalog().applications({ ...page, userId: member })).toEqual([two, three]);
      expect(await store.catalog().applications({ offset: 1, limit: 1, userId: member })).toEqual([three]);
      expect(await store.catalog().applications({ ...page, userId: '' })).toEqual([]);
    });

    it('credentials are found by hash, listed by application, and stay when they are revoked', async () => {
      const [{ id }, other] = [await made(), await made()];
      const one = sampleCredential(id, { createdAt: 1, expiresAt: 99 });
      const two = sampleCredential(id, { createdAt: 2, rotatedFrom: one.id, targets: [], scopes: [] });
      for (const credential of [one, two]) expect(await store.catalog().addCredential(credential, auditRow())).toBe(true);
      expect(await store.catalog().credential(id, two.id)).toEqual(two);
      expect(await store.catalog().credential(other.id, two.id)).toBeUndefined();
      expect(await store.catalog().credentials(id, { offset: 1, limit: 1 })).toEqual([two]);
      expect(await store.catalog().credentialByHash(one.hash)).toEqual(one);
      expect(await store.catalog().credentialByHash('x')).toBeUndefined();
      expect(await store.catalog().credentials(id, wholeList)).toEqual([one, two]);
      expect(await store.catalog().credentials(other.id, wholeList)).toEqual([]);
      expect(await store.catalog().revokeCredential(other.id, one.id, 50, auditRow())).toBe(false);
      expect(await store.catalog().revokeCredential(id, 'nobody', 50, auditRow())).toBe(false);
      expect(await store.catalog().credentialByHash(one.hash)).toEqual(one);
      expect(await store.catalog().revokeCredential(id, one.id, 50, auditRow())).toBe(true);
      expect(await store.catalog().revokeCredential(id, one.id, 60, auditRow())).toBe(false);
      expect(await store.catalog().credentials(id, wholeList)).toEqual([{ ...one, revokedAt: 50 }, two]);
      expect(await store.catalog().credentialByHash(one.hash)).toEqual({ ...one, revokedAt: 50 });
    });

    it('G8 a key takes the place of one that is there and was not revoked', async () => {
      const [{ id }, other] = [await made(), await made()];
      const first = sampleCredential(id);
      await store.catalog().addCredential(first, auditRow());
      const next = (over: Partial<CredentialRow> = {}) => sampleCredential(id, { rotatedFrom: first.id, ...over });
      expect(await store.catalog().addCredential(next(), auditRow())).toBe(true);
      expect(await store.catalog().addCredential(next({ rotatedFrom: 'nobody' }), auditRow())).toBe(false);
      expect(await store.catalog().addCredential(next({ applicationId: other.id }), auditRow())).toBe(false);
      await store.catalog().revokeCredential(id, first.id, 50, auditRow());
      expect(await store.catalog().addCredential(next(), auditRow())).toBe(false);
      expect(await store.catalog().credentials(id, wholeList)).toHaveLength(2);
    });

    it('the roles of a user are those of the applications that it is a member of', async () => {
      const user = unique('user_');
      await made({ ownerId: user });
      const one = await made({ members: [...members, { userId: user, roles: ['viewer', 'approver'] }] });
      const two = await made({ members: [{ userId: user, roles: ['operator'] }] });
      const roles = await store.catalog().applicationRolesOf(user);
      expect(new Map(roles.map((entry) => [entry.applicationId, entry.roles]))).toEqual(
        new Map<string, unknown>([
          [one.id, ['viewer', 'approver']],
          [two.id, ['operator']],
        ]),
      );
      expect(await store.catalog().applicationRolesOf('nobody')).toEqual([]);
    });

    it('the use of a key is noted at most once a minute', async () => {
      const credential = sampleCredential((await made()).id);
      await store.catalog().addCredential(credential, auditRow());
      const usedAfter = async (at: number): Promise<number | null | undefined> => {
        await store.catalog().touchCredential(credential.id, at);
        return (await store.catalog().credentialByHash(credential.hash))?.lastUsedAt;
      };
      expect(await usedAfter(100_000)).toBe(100_000);
      expect(await usedAfter(159_999)).toBe(100_000);
      expect(await usedAfter(160_000)).toBe(160_000);
    });
  });
};
