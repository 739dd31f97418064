import { describe, expect, it } from 'vitest';
import { sampleSecret } from './catalog-samples.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, unique } from './samples.ts';

/** Secrets, lists of tools, settings. */
export const describeKeptValues = (open: OpenStore): void => {
  describe('kept values', () => {
    const store = useStore(open, 'all');

    it('secrets are put, replaced, listed by name, deleted once', async () => {
      const [a, b] = [sampleSecret({ name: 'a.b' }), sampleSecret({ name: 'b_c' })];
      await store.catalog().putSecret(b, auditRow());
      await store.catalog().putSecret({ ...a, ciphertext: 'old', updatedAt: 1, updatedBy: 'user_2' }, auditRow());
      await store.catalog().putSecret(a, auditRow());
      expect(await store.catalog().secret(a.name)).toEqual(a);
      expect(await store.catalog().secret('x')).toBeUndefined();
      expect(await store.catalog().secrets()).toEqual([a, b]);
      expect(await store.catalog().deleteSecret(a.name, auditRow())).toBe(true);
      expect(await store.catalog().deleteSecret(a.name, auditRow())).toBe(false);
      expect(await store.catalog().secrets()).toEqual([b]);
    });

    it('the first list of tools that is kept under a key stays', async () => {
      const key = unique('tools');
      expect(await store.catalog().toolList(key)).toBeUndefined();
      expect(await store.catalog().keepToolList(key, '["first"]', 1)).toBe('["first"]');
      expect(await store.catalog().keepToolList(key, '["second"]', 2)).toBe('["first"]');
      expect(await store.catalog().toolList(key)).toBe('["first"]');
    });

    it('all who keep a list under one key at the same moment get the same one', async () => {
      for (let round = 0; round < 5; round += 1) {
        const key = unique('tools');
        const given = await Promise.all(Array.from({ length: 8 }, (_, n) => store.catalog().keepToolList(key, `[${n}]`, n)));
        const kept = await store.catalog().toolList(key);
        expect(kept).toMatch(/^\[\d\]$/);
        expect(given).toEqual(Array<string | undefined>(8).fill(kept));
      }
    });

    it('settings are set and replaced', async () => {
      expect(await store.catalog().setting('a')).toBeUndefined();
      await store.catalog().setSetting('a', '1');
      await store.catalog().setSetting('a', '2');
      expect(await store.catalog().setting('a')).toBe('2');
      const [set, unset] = [auditRow(), auditRow()];
      await store.catalog().setSetting('a', '3', set);
      await store.catalog().setSetting('a', null, unset);
      expect(await store.catalog().setting('a')).toBeUndefined();
      // The change and its entry are there both or neither (G5).
      await expect(store.catalog().setSetting('a', '4', set)).rejects.toThrow();
      expect(await store.catalog().setting('a')).toBeUndefined();
      expect((await store.catalog().audit({ limit: 10 })).map(({ id }) => id)).toEqual(expect.arrayContaining([set.id, unset.id]));
    });
  });
};
