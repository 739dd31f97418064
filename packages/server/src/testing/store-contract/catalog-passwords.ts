import { describe, expect, it } from 'vitest';
import type { TokenRow, UserRow } from '../../ports/catalog.ts';
import { sampleToken, sampleUser, wholeList } from './catalog-samples.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, unique } from './samples.ts';

/** A password, the tokens that it gives, and those that go with it. */
export const describePasswords = (open: OpenStore): void => {
  describe('passwords', () => {
    const store = useStore(open, 'all');
    const made = async (over: Partial<UserRow> = {}): Promise<UserRow> => {
      const user = sampleUser({ passwordHash: 'one', ...over });
      await store.catalog().createUser(user, auditRow());
      return user;
    };
    const given = async (userId: string): Promise<TokenRow> => {
      const token = sampleToken(userId);
      await store.catalog().addToken(token, auditRow());
      return token;
    };
    const kept = async (id: string) => (await store.catalog().user(id))?.passwordHash;

    it('a password takes the place of another, and of nothing else that stands there by then', async () => {
      const { id } = await made({ passwordHash: null });
      const set = (hash: string, was?: string | null) =>
        store.catalog().setPassword({ userId: id, hash, ...(was === undefined ? {} : { was }) }, auditRow(), auditRow());
      expect([await set('one', 'other'), await kept(id)]).toEqual(['changed_meanwhile', null]);
      expect([await set('one', null), await kept(id)]).toEqual(['updated', 'one']);
      expect([await set('two', null), await kept(id)]).toEqual(['changed_meanwhile', 'one']);
      expect([await set('two', 'one'), await kept(id)]).toEqual(['updated', 'two']);
      expect([await set('three'), await kept(id)]).toEqual(['updated', 'three']);
      expect(await store.catalog().setPassword({ userId: 'nobody', hash: 'x' }, auditRow(), auditRow())).toBe('not_found');
    });

    it('G5 the tokens of the user go with it, but the one that is kept, each with an entry', async () => {
      const [user, other] = [await made(), await made()];
      const [one, two, three] = [await given(user.id), await given(user.id), await given(user.id)];
      const others = await given(other.id);
      const entry = auditRow();
      const change = { userId: user.id, hash: 'two', was: 'one', revokeAllBut: two.id };
      expect(await store.catalog().setPassword({ ...change, was: 'other' }, auditRow(), entry)).toBe('changed_meanwhile');
      expect(await store.catalog().tokensOf(user.id, wholeList)).toHaveLength(3);
      expect(await store.catalog().setPassword(change, auditRow(), entry)).toBe('updated');
      expect(await store.catalog().tokensOf(user.id, wholeList)).toEqual([two]);
      expect(await store.catalog().tokensOf(other.id, wholeList)).toEqual([others]);
      for (const { id } of [one, three]) {
        const subject = `token:${id}`;
        expect(await store.catalog().audit({ subject, limit: 9 })).toEqual([{ ...entry, id: `${entry.id}.${id}`, subject }]);
      }
      expect(await store.catalog().audit({ subject: `token:${two.id}`, limit: 9 })).toEqual([]);
      expect(await store.catalog().setPassword({ userId: user.id, hash: 'three', revokeAllBut: null }, auditRow(), auditRow())).toBe('updated');
      expect(await store.catalog().tokensOf(user.id, wholeList)).toEqual([]);
    });

    it('G8 a password gives a token while it is the one that is kept, and its user active', async () => {
      const { id } = await made();
      const add = (hash: string, userId = id) => store.catalog().addTokenByPassword(sampleToken(userId), hash, auditRow());
      expect([await add('one'), await add('other'), await add('one', 'nobody')]).toEqual([true, false, false]);
      await store.catalog().updateUser(id, { status: 'disabled' }, auditRow());
      expect(await add('one')).toBe(false);
      expect(await store.catalog().tokensOf(id, wholeList)).toHaveLength(1);
    });

    it('G8 of a sign-in and a change of the password at the same moment no token is left', async () => {
      for (let round = 0; round < 20; round += 1) {
        const { id } = await made();
        const change = () => store.catalog().setPassword({ userId: id, hash: unique('hash'), revokeAllBut: null }, auditRow(), auditRow());
        const signIn = () => store.catalog().addTokenByPassword(sampleToken(id), 'one', auditRow());
        await Promise.all(round % 2 === 0 ? [signIn(), signIn(), change(), signIn()] : [change(), signIn(), signIn()]);
        expect(await store.catalog().tokensOf(id, wholeList)).toEqual([]);
      }
    });
  });
};
