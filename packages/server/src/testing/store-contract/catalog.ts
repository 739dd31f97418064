import { describe, expect, it } from 'vitest';
import { sampleAgent, sampleToken, sampleUser, sampleVersion } from './catalog-samples.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { unique } from './samples.ts';

/** The port of administration: G1 to G4. */
export const describeCatalog = (open: OpenStore): void => {
  describe('catalog', () => {
    const store = useStore(open, 'all');

    it('an agent is found by id and by key, with its first version', async () => {
      const agent = sampleAgent();
      expect(await store.catalog().createAgent(agent, sampleVersion(agent.id, 1))).toBe('created');
      expect(await store.catalog().agent(agent.id)).toEqual(agent);
      expect(await store.catalog().agent(agent.key)).toEqual(agent);
      expect(await store.catalog().agent('nobody')).toBeUndefined();
      expect(await store.catalog().agentVersion(agent.id, 1)).toEqual(sampleVersion(agent.id, 1));
      expect(await store.catalog().agentVersion(agent.id, 2)).toBeUndefined();
    });

    it('G3 a key or id that is taken is refused and leaves nothing', async () => {
      const agent = sampleAgent();
      await store.catalog().createAgent(agent, sampleVersion(agent.id, 1));
      const other = sampleAgent({ key: agent.key });
      expect(await store.catalog().createAgent(other, sampleVersion(other.id, 1))).toBe('already_exists');
      expect(await store.catalog().agent(other.id)).toBeUndefined();
      expect(await store.catalog().agentVersions(other.id)).toEqual([]);
      expect(await store.catalog().createAgent({ ...agent, key: unique('key-') }, sampleVersion(agent.id, 1))).toBe('already_exists');
      expect((await store.catalog().agents({ offset: 0, limit: 100 })).filter(({ key }) => key === agent.key)).toEqual([agent]);
    });

    it('G2 G3 versions follow each other; a stale one is refused and changes nothing', async () => {
      const agent = sampleAgent();
      await store.catalog().createAgent(agent, sampleVersion(agent.id, 1));
      const second = sampleVersion(agent.id, 2);
      expect(await store.catalog().addAgentVersion(second)).toBe('added');
      expect(await store.catalog().addAgentVersion({ ...second, definition: { changed: true } })).toBe('version_conflict');
      expect(await store.catalog().addAgentVersion(sampleVersion(agent.id, 4))).toBe('version_conflict');
      expect(await store.catalog().addAgentVersion(sampleVersion('nobody', 2))).toBe('not_found');
      expect(await store.catalog().agentVersions(agent.id)).toEqual([sampleVersion(agent.id, 1), second]);
      expect(await store.catalog().agent(agent.id)).toEqual({ ...agent, version: 2, updatedAt: second.createdAt });
    });

    it('of versions added at the same moment one is taken', async () => {
      const agent = sampleAgent();
      await store.catalog().createAgent(agent, sampleVersion(agent.id, 1));
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, n) => store.catalog().addAgentVersion({ ...sampleVersion(agent.id, 2), createdBy: `user_${n}` })),
      );
      expect(results.toSorted()).toEqual(['added', ...Array<string>(5).fill('version_conflict')]);
      expect((await store.catalog().agentVersion(agent.id, 2))?.createdBy).toBe(`user_${results.indexOf('added')}`);
    });

    it('lists agents in the order of creation, page by page', async () => {
      const agents = [];
      for (let n = 0; n < 4; n += 1) {
        const agent = sampleAgent({ createdAt: 1000 + n });
        await store.catalog().createAgent(agent, sampleVersion(agent.id, 1));
        agents.push(agent);
      }
      expect((await store.catalog().agents({ offset: 0, limit: 100 })).slice(0, 4)).toEqual(agents);
      expect(await store.catalog().agents({ offset: 1, limit: 2 })).toEqual(agents.slice(1, 3));
    });

    it('users are found by id and name; a name that is taken is refused', async () => {
      const user = sampleUser({ roles: ['admin', 'user'] });
      expect(await store.catalog().createUser(user)).toBe('created');
      expect(await store.catalog().createUser(sampleUser({ username: user.username }))).toBe('already_exists');
      expect(await store.catalog().createUser(sampleUser({ id: user.id }))).toBe('already_exists');
      expect(await store.catalog().user(user.id)).toEqual(user);
      expect(await store.catalog().userByName(user.username)).toEqual(user);
      expect(await store.catalog().user('x')).toBeUndefined();
      expect(await store.catalog().userByName('x')).toBeUndefined();
      expect(await store.catalog().users()).toEqual([user]);
    });

    it('tokens are found by hash, listed by user, deleted once', async () => {
      const user = sampleUser();
      await store.catalog().createUser(user);
      const [one, two] = [sampleToken(user.id, { createdAt: 1, expiresAt: 99 }), sampleToken(user.id, { createdAt: 2 })];
      await store.catalog().addToken(one);
      await store.catalog().addToken(two);
      expect(await store.catalog().tokenByHash(one.hash)).toEqual(one);
      expect(await store.catalog().tokenByHash('x')).toBeUndefined();
      expect(await store.catalog().tokensOf(user.id)).toEqual([one, two]);
      expect(await store.catalog().deleteToken(one.id)).toBe(true);
      expect(await store.catalog().deleteToken(one.id)).toBe(false);
      expect(await store.catalog().tokenByHash(one.hash)).toBeUndefined();
      expect(await store.catalog().tokensOf(user.id)).toEqual([two]);
    });

    it('the use of a token is noted at most once a minute', async () => {
      const token = sampleToken('user_1');
      await store.catalog().addToken(token);
      const used = async (): Promise<number | null | undefined> => (await store.catalog().tokenByHash(token.hash))?.lastUsedAt;
      await store.catalog().touchToken(token.id, 100_000);
      expect(await used()).toBe(100_000);
      await store.catalog().touchToken(token.id, 159_999);
      expect(await used()).toBe(100_000);
      await store.catalog().touchToken(token.id, 160_000);
      expect(await used()).toBe(160_000);
    });

    it('settings are set and replaced', async () => {
      expect(await store.catalog().setting('a')).toBeUndefined();
      await store.catalog().setSetting('a', '1');
      await store.catalog().setSetting('a', '2');
      expect(await store.catalog().setting('a')).toBe('2');
    });
  });
};
