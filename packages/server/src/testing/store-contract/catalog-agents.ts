import { describe, expect, it } from 'vitest';
import type { AgentRow } from '../../ports/catalog.ts';
import { sampleAgent, sampleVersion } from './catalog-samples.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, unique } from './samples.ts';

export const describeAgents = (open: OpenStore): void => {
  describe('agents', () => {
    const store = useStore(open, 'all');
    const made = async (over: Partial<AgentRow> = {}): Promise<AgentRow> => {
      const agent = sampleAgent(over);
      expect(await store.catalog().createAgent(agent, sampleVersion(agent.id, 1), auditRow())).toBe('created');
      return agent;
    };

    it('an agent is found by id and by key, with its first version', async () => {
      const agent = await made();
      expect(await store.catalog().agent(agent.id)).toEqual(agent);
      expect(await store.catalog().agent(agent.key)).toEqual(agent);
      expect(await store.catalog().agent('nobody')).toBeUndefined();
      expect(await store.catalog().agentVersion(agent.id, 1)).toEqual(sampleVersion(agent.id, 1));
      expect(await store.catalog().agentVersion(agent.id, 2)).toBeUndefined();
    });

    it('several are found by their ids and keys at once', async () => {
      const [one, two] = [await made(), await made()];
      await made();
      const found = await store.catalog().agentsNamed([one.id, one.key, two.key, 'nobody']);
      expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([one, two].toSorted((a, b) => (a.id < b.id ? -1 : 1)));
      expect(await store.catalog().agentsNamed([])).toEqual([]);
    });

    it('an id goes before a key that is spelt like it', async () => {
      const agent = await made();
      const other = await made({ key: agent.id });
      expect(await store.catalog().agent(agent.id)).toEqual(agent);
      expect(await store.catalog().agent(other.id)).toEqual(other);
    });

    it('G3 a key or id that is taken is refused and leaves nothing', async () => {
      const agent = await made();
      const other = sampleAgent({ key: agent.key });
      expect(await store.catalog().createAgent(other, sampleVersion(other.id, 1), auditRow())).toBe('already_exists');
      expect(await store.catalog().agent(other.id)).toBeUndefined();
      expect(await store.catalog().agentVersions(other.id)).toEqual([]);
      expect(await store.catalog().createAgent({ ...agent, key: unique('key-') }, sampleVersion(agent.id, 1), auditRow())).toBe('already_exists');
      expect((await store.catalog().agents({ offset: 0, limit: 100 })).filter(({ key }) => key === agent.key)).toEqual([agent]);
    });

    it('G2 G3 versions follow each other; a stale one is refused and changes nothing', async () => {
      const agent = await made();
      const second = sampleVersion(agent.id, 2);
      expect(await store.catalog().addAgentVersion(second, auditRow())).toBe('added');
      expect(await store.catalog().addAgentVersion({ ...second, definition: { changed: true } }, auditRow())).toBe('version_conflict');
      expect(await store.catalog().addAgentVersion(sampleVersion(agent.id, 4), auditRow())).toBe('version_conflict');
      expect(await store.catalog().addAgentVersion(sampleVersion('nobody', 2), auditRow())).toBe('not_found');
      expect(await store.catalog().agentVersions(agent.id)).toEqual([sampleVersion(agent.id, 1), second]);
      expect(await store.catalog().agent(agent.id)).toEqual({ ...agent, version: 2, updatedAt: second.createdAt });
    });

    it('of versions added at the same moment one is taken', async () => {
      const agent = await made();
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, n) => store.catalog().addAgentVersion({ ...sampleVersion(agent.id, 2), createdBy: `user_${n}` }, auditRow())),
      );
      expect(results.toSorted()).toEqual(['added', ...Array<string>(5).fill('version_conflict')]);
      expect((await store.catalog().agentVersion(agent.id, 2))?.createdBy).toBe(`user_${results.indexOf('added')}`);
    });

    it('lists agents in the order of creation, page by page', async () => {
      const agents = [];
      for (let n = 0; n < 4; n += 1) agents.push(await made({ createdAt: 1000 + n }));
      expect((await store.catalog().agents({ offset: 0, limit: 100 })).slice(0, 4)).toEqual(agents);
      expect(await store.catalog().agents({ offset: 1, limit: 2 })).toEqual(agents.slice(1, 3));
    });

    it('lists only the agents of given spaces, only those of given ids, or both', async () => {
      const [a, b] = [unique('a'), unique('b')];
      const [one, two, three] = [await made({ space: a, createdAt: 1 }), await made({ space: b, createdAt: 2 }), await made({ space: b, createdAt: 3 })];
      const page = { offset: 0, limit: 100 };
      expect(await store.catalog().agents({ ...page, spaces: [b] })).toEqual([two, three]);
      expect(await store.catalog().agents({ ...page, spaces: [b, a, 'nowhere'] })).toEqual([one, two, three]);
      expect(await store.catalog().agents({ offset: 1, limit: 1, spaces: [a, b] })).toEqual([two]);
      expect(await store.catalog().agents({ ...page, spaces: [] })).toEqual([]);
      expect(await store.catalog().agents({ ...page, ids: [three.id, one.id, 'nobody'] })).toEqual([one, three]);
      expect(await store.catalog().agents({ ...page, ids: [] })).toEqual([]);
      expect(await store.catalog().agents({ ...page, ids: [three.id, one.id], spaces: [a] })).toEqual([one]);
    });
  });
};
