import { describe, expect, it } from 'vitest';
import { sampleToken, sampleUser, wholeList } from './catalog-samples.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, unique } from './samples.ts';

export const describeUsers = (open: OpenStore): void => {
  describe('users', () => {
    const store = useStore(open, 'all');

    it('users are found by id and name; a name that is taken is refused', async () => {
      const user = sampleUser({ roles: ['admin', 'user'], status: 'disabled', passwordHash: 'scrypt$ä' });
      expect(await store.catalog().createUser(user, auditRow())).toBe('created');
      expect(await store.catalog().createUser(sampleUser({ username: user.username }), auditRow())).toBe('already_exists');
      expect(await store.catalog().createUser(sampleUser({ id: user.id }), auditRow())).toBe('already_exists');
      expect(await store.catalog().user(user.id)).toEqual(user);
      expect(await store.catalog().userByName(user.username)).toEqual(user);
      expect(await store.catalog().user('x')).toBeUndefined();
      expect(await store.catalog().userByName('x')).toBeUndefined();
      expect((await store.catalog().users(wholeList)).filter(({ id, username }) => id === user.id || username === user.username)).toEqual([user]);
    });

    it('G7 of names that differ by case only, at once or not, one is taken; it is found in whatever case', async () => {
      const name = unique('Ada-');
      const users = [name, name.toLowerCase(), name.toUpperCase(), name].map((username) => sampleUser({ username }));
      const made = await Promise.all(users.map((user) => store.catalog().createUser(user, auditRow())));
      expect(made.toSorted()).toEqual(['already_exists', 'already_exists', 'already_exists', 'created']);
      const taken = users[made.indexOf('created')];
      for (const { username } of users) expect(await store.catalog().userByName(username)).toEqual(taken);
      expect(await store.catalog().createUser(sampleUser({ username: name.toUpperCase() }), auditRow())).toBe('already_exists');
    });

    it('users are listed page by page, in the order of creation, or by their ids', async () => {
      const users = [3, 1, 2].map((createdAt) => sampleUser({ createdAt }));
      for (const user of users) await store.catalog().createUser(user, auditRow());
      const ids = users.map(({ id }) => id);
      const [last, first, second] = users;
      expect(await store.catalog().users({ ids: [...ids, 'nobody'], ...wholeList })).toEqual([first, second, last]);
      expect(await store.catalog().users({ ids, offset: 1, limit: 1 })).toEqual([second]);
      expect(await store.catalog().users({ ids: [], ...wholeList })).toEqual([]);
      expect((await store.catalog().users({ offset: 0, limit: 2 })).length).toBe(2);
    });

    it('a change of a user touches what it names and nothing else', async () => {
      const user = sampleUser();
      await store.catalog().createUser(user, auditRow());
      const changes = [{ displayName: 'Grace' }, { status: 'disabled' }, { roles: ['user', 'admin'] }, { status: 'active' }] as const;
      let now = user;
      for (const change of changes) {
        expect(await store.catalog().updateUser(user.id, change, auditRow())).toBe('updated');
        now = { ...now, ...change };
        expect(await store.catalog().user(user.id)).toEqual(now);
      }
      expect(await store.catalog().updateUser(user.id, {}, auditRow())).toBe('updated');
      expect(await store.catalog().user(user.id)).toEqual(now);
      expect(await store.catalog().updateUser('nobody', { displayName: 'x' }, auditRow())).toBe('not_found');
      expect(await store.catalog().updateUser('nobody', { status: 'disabled' }, auditRow())).toBe('not_found');
    });

    it('tokens are found by hash, listed by user, deleted once', async () => {
      const user = sampleUser();
      const [one, two] = [sampleToken(user.id, { createdAt: 1, expiresAt: 99 }), sampleToken(user.id, { createdAt: 2 })];
      await store.catalog().addToken(one, auditRow());
      await store.catalog().addToken(two, auditRow());
      expect(await store.catalog().tokenByHash(one.hash)).toEqual(one);
      expect(await store.catalog().tokenByHash('x')).toBeUndefined();
      expect(await store.catalog().tokensOf(user.id, wholeList)).toEqual([one, two]);
      expect(await store.catalog().deleteToken(one.id, auditRow())).toBe(true);
      expect(await store.catalog().deleteToken(one.id, auditRow())).toBe(false);
      expect(await store.catalog().tokenByHash(one.hash)).toBeUndefined();
      expect(await store.catalog().tokensOf(user.id, wholeList)).toEqual([two]);
    });

    it('tokens are listed page by page, without those that have expired, and found by id', async () => {
      const user = sampleUser();
      const tokens = [null, 50, 51].map((expiresAt, n) => sampleToken(user.id, { createdAt: n, expiresAt }));
      for (const token of tokens) await store.catalog().addToken(token, auditRow());
      const [lasting, expired, live] = tokens;
      expect(await store.catalog().tokensOf(user.id, wholeList)).toEqual(tokens);
      expect(await store.catalog().tokensOf(user.id, { liveAt: 50, ...wholeList })).toEqual([lasting, live]);
      expect(await store.catalog().tokensOf(user.id, { liveAt: 50, offset: 1, limit: 1 })).toEqual([live]);
      expect(await store.catalog().token(user.id, expired?.id ?? '')).toEqual(expired);
      expect(await store.catalog().token('nobody', expired?.id ?? '')).toBeUndefined();
    });

    it('G9 tokens that expired long ago are forgotten with the next one of their user', async () => {
      const day = 86_400_000;
      const [user, other] = [sampleUser(), sampleUser()];
      const old = [null, day, 2 * day].map((expiresAt) => sampleToken(user.id, { createdAt: 0, expiresAt }));
      const others = sampleToken(other.id, { createdAt: 0, expiresAt: day });
      for (const token of [...old, others]) await store.catalog().addToken(token, auditRow());
      await store.catalog().addToken(sampleToken(user.id, { createdAt: 2 * day + 1 }), auditRow());
      const there = await Promise.all([...old, others].map(({ hash }) => store.catalog().tokenByHash(hash)));
      expect(there).toEqual([old[0], undefined, old[2], others]);
    });

    it('a sign-in link is used up with its token: once, and not by a use that failed', async () => {
      const user = sampleUser();
      const link = { hash: unique('hash'), userId: user.id, expiresAt: 50 };
      await store.catalog().addSignInLink(link, 1);
      expect(await store.catalog().signInLink(link.hash)).toEqual(link);
      expect(await store.catalog().signInLink('x')).toBeUndefined();
      const known = sampleToken(user.id);
      await store.catalog().addToken(known, auditRow());
      await expect(store.catalog().useSignInLink(link.hash, sampleToken(user.id, { hash: known.hash }), auditRow())).rejects.toThrow();
      const tokens = Array.from({ length: 4 }, () => sampleToken(user.id));
      const used = await Promise.all(tokens.map((token) => store.catalog().useSignInLink(link.hash, token, auditRow())));
      expect(used.filter(Boolean)).toHaveLength(1);
      expect(await store.catalog().tokensOf(user.id, wholeList)).toEqual(expect.arrayContaining([known, tokens[used.indexOf(true)]]));
      expect(await store.catalog().tokensOf(user.id, wholeList)).toHaveLength(2);
      expect(await store.catalog().signInLink(link.hash)).toBeUndefined();
    });

    it('sign-in links that expired long ago are forgotten', async () => {
      const day = 86_400_000;
      const links = [1, 2, 3].map((days) => ({ hash: unique('hash'), userId: 'user_1', expiresAt: days * day }));
      for (const link of links) await store.catalog().addSignInLink(link, 0);
      await store.catalog().addSignInLink({ hash: unique('hash'), userId: 'user_1', expiresAt: 9 * day }, 3 * day);
      expect(await Promise.all(links.map(({ hash }) => store.catalog().signInLink(hash)))).toEqual([undefined, links[1], links[2]]);
    });

    it('the use of a token is noted at most once a minute, and never an earlier one', async () => {
      const token = sampleToken('user_1');
      await store.catalog().addToken(token, auditRow());
      const usedAfter = async (at: number): Promise<number | null | undefined> => {
        await store.catalog().touchToken(token.id, at);
        return (await store.catalog().tokenByHash(token.hash))?.lastUsedAt;
      };
      expect(await usedAfter(100_000)).toBe(100_000);
      expect(await usedAfter(159_999)).toBe(100_000);
      expect(await usedAfter(160_000)).toBe(160_000);
      expect(await usedAfter(1)).toBe(160_000);
      await store.catalog().touchToken('nobody', 1);
    });
  });
};
