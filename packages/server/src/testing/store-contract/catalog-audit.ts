import { describe, expect, it } from 'vitest';
import type { AuditRow } from '../../ports/catalog.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow } from './samples.ts';

export const describeAuditLog = (open: OpenStore): void => {
  describe('audit log', () => {
    const store = useStore(open, 'each');
    const added = async (...entries: readonly AuditRow[]): Promise<readonly AuditRow[]> => {
      for (const entry of entries) await store.catalog().addAudit(entry);
      return entries;
    };
    const idsOf = (entries: readonly AuditRow[]): readonly string[] => entries.map(({ id }) => id);

    it('an entry is kept whole', async () => {
      const [full, bare] = await added(
        auditRow({ id: 'audit_2', sessionId: 'ses_1' }),
        auditRow({ id: 'audit_1', actor: 'system', credentialId: null, address: null, details: {} }),
      );
      expect(await store.catalog().audit({ limit: 10 })).toEqual([full, bare]);
    });

    it('the newest come first, page by page, whatever the order in which they came', async () => {
      await added(...['03', '01', '05', '04', '02'].map((n) => auditRow({ id: `audit_${n}` })));
      const first = await store.catalog().audit({ limit: 2 });
      expect(idsOf(first)).toEqual(['audit_05', 'audit_04']);
      const second = await store.catalog().audit({ limit: 2, before: 'audit_04' });
      expect(idsOf(second)).toEqual(['audit_03', 'audit_02']);
      expect(idsOf(await store.catalog().audit({ limit: 2, before: 'audit_02' }))).toEqual(['audit_01']);
      expect(await store.catalog().audit({ limit: 2, before: 'audit_01' })).toEqual([]);
    });

    it('it is asked by actor, action, subject and session, one or several', async () => {
      await added(
        auditRow({ id: 'audit_1', actor: 'user:a', action: 'x', subject: 's', sessionId: null }),
        auditRow({ id: 'audit_2', actor: 'user:a', action: 'y', subject: 's', sessionId: 'ses_1' }),
        auditRow({ id: 'audit_3', actor: 'app:b', action: 'y', subject: 't', sessionId: 'ses_1' }),
      );
      const asked = async (query: Partial<Parameters<ReturnType<typeof store.catalog>['audit']>[0]>) =>
        idsOf(await store.catalog().audit({ limit: 9, ...query }));
      expect(await asked({ actor: 'user:a' })).toEqual(['audit_2', 'audit_1']);
      expect(await asked({ action: 'y' })).toEqual(['audit_3', 'audit_2']);
      expect(await asked({ subject: 's' })).toEqual(['audit_2', 'audit_1']);
      expect(await asked({ sessionId: 'ses_1' })).toEqual(['audit_3', 'audit_2']);
      expect(await asked({ actor: 'user:a', action: 'y', subject: 's', sessionId: 'ses_1' })).toEqual(['audit_2']);
      expect(await asked({ actor: 'user:a', before: 'audit_2' })).toEqual(['audit_1']);
      expect(await asked({ actor: 'user' })).toEqual([]);
    });
  });
};
