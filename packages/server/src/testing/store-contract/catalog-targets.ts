import { describe, expect, it } from 'vitest';
import type { RevisionRow, TeamRow, WorkflowRow } from '../../ports/catalog-targets.ts';
import { sampleRevision, sampleTeam, sampleTeamVersion, sampleWorkflow } from './catalog-samples.ts';
import { type OpenStore, useStore } from './opened-store.ts';
import { auditRow, unique } from './samples.ts';

export const describeTargets = (open: OpenStore): void => {
  describe('teams', () => {
    const store = useStore(open, 'all');
    const made = async (over: Partial<TeamRow> = {}): Promise<TeamRow> => {
      const team = sampleTeam(over);
      await store.catalog().createTeam(team, sampleTeamVersion(team.id, 1), auditRow());
      return team;
    };

    it('a team is found with its first version', async () => {
      const team = await made();
      expect(await store.catalog().team(team.id)).toEqual(team);
      expect(await store.catalog().team('nobody')).toBeUndefined();
      expect(await store.catalog().teamVersion(team.id, 1)).toEqual(sampleTeamVersion(team.id, 1));
      expect(await store.catalog().teamVersion(team.id, 2)).toBeUndefined();
    });

    it('G2 G3 versions follow each other, with the names; a stale one is refused and changes nothing', async () => {
      const team = await made();
      const names = { name: 'Renamed', description: 'ü' };
      const second = sampleTeamVersion(team.id, 2);
      expect(await store.catalog().addTeamVersion(second, names, auditRow())).toBe('added');
      expect(await store.catalog().addTeamVersion({ ...second, definition: { changed: true } }, { name: 'x', description: '' }, auditRow())).toBe(
        'version_conflict',
      );
      expect(await store.catalog().addTeamVersion(sampleTeamVersion('nobody', 2), names, auditRow())).toBe('not_found');
      expect(await store.catalog().teamVersions(team.id)).toEqual([sampleTeamVersion(team.id, 1), second]);
      expect(await store.catalog().team(team.id)).toEqual({ ...team, ...names, version: 2, updatedAt: second.createdAt });
    });

    it('lists those of given spaces, of given ids, or both, in the order of creation', async () => {
      const [a, b] = [unique('a'), unique('b')];
      const [one, two, three] = [await made({ space: a, createdAt: 1 }), await made({ space: b, createdAt: 2 }), await made({ space: b, createdAt: 3 })];
      const page = { offset: 0, limit: 100 };
      expect(await store.catalog().teams({ ...page, spaces: [b, a] })).toEqual([one, two, three]);
      expect(await store.catalog().teams({ offset: 1, limit: 1, spaces: [a, b] })).toEqual([two]);
      expect(await store.catalog().teams({ ...page, ids: [three.id, one.id, 'nobody'] })).toEqual([one, three]);
      expect(await store.catalog().teams({ ...page, ids: [three.id, one.id], spaces: [a] })).toEqual([one]);
      expect(await store.catalog().teams({ ...page, ids: [] })).toEqual([]);
    });
  });

  describe('workflows', () => {
    const store = useStore(open, 'all');
    const made = async (over: Partial<WorkflowRow> = {}): Promise<WorkflowRow> => {
      const workflow = sampleWorkflow(over);
      await store.catalog().createWorkflow(workflow, auditRow());
      return workflow;
    };
    const published = async (workflowId: string, n: number): Promise<RevisionRow> => {
      const revision = sampleRevision(workflowId, n);
      expect(await store.catalog().publishRevision(revision, 1, auditRow())).toBe('published');
      return revision;
    };

    it('a workflow is found with its draft and what is wrong with it', async () => {
      const workflow = await made();
      expect(await store.catalog().workflow(workflow.id)).toEqual(workflow);
      expect(await store.catalog().workflow('nobody')).toBeUndefined();
    });

    it('G3 a change takes what it gives and moves the version; a stale one is refused', async () => {
      const workflow = await made();
      const changes = { draftSpec: { nodes: [{ key: 'ü' }] }, faults: [] };
      expect(await store.catalog().updateWorkflow(workflow.id, 1, changes, 5, auditRow())).toBe('updated');
      expect(await store.catalog().updateWorkflow(workflow.id, 1, { name: 'late' }, 6, auditRow())).toBe('version_conflict');
      expect(await store.catalog().updateWorkflow('nobody', 1, { name: 'x' }, 6, auditRow())).toBe('not_found');
      expect(await store.catalog().workflow(workflow.id)).toEqual({ ...workflow, ...changes, version: 2, updatedAt: 5 });
      expect(await store.catalog().updateWorkflow(workflow.id, 2, { name: 'Renamed' }, 7, auditRow())).toBe('updated');
      expect(await store.catalog().workflow(workflow.id)).toEqual({ ...workflow, ...changes, name: 'Renamed', version: 3, updatedAt: 7 });
    });

    it('G2 revisions are published in order, of the draft that was looked at, and are found', async () => {
      const workflow = await made();
      const first = await published(workflow.id, 1);
      expect(await store.catalog().publishRevision(sampleRevision(workflow.id, 1), 1, auditRow())).toBe('version_conflict');
      expect(await store.catalog().publishRevision(sampleRevision(workflow.id, 2), 2, auditRow())).toBe('version_conflict');
      expect(await store.catalog().publishRevision(sampleRevision('nobody', 1), 1, auditRow())).toBe('not_found');
      const second = await published(workflow.id, 2);
      expect(await store.catalog().workflow(workflow.id)).toEqual({ ...workflow, revisions: 2 });
      expect(await store.catalog().revision(first.id)).toEqual(first);
      expect(await store.catalog().revision('nobody')).toBeUndefined();
      expect(await store.catalog().revisionOf(workflow.id, 2)).toEqual(second);
      expect(await store.catalog().revisionOf(workflow.id, 3)).toBeUndefined();
      expect(await store.catalog().revisions(workflow.id, { offset: 0, limit: 10 })).toEqual([second, first]);
      expect(await store.catalog().revisions(workflow.id, { offset: 1, limit: 10 })).toEqual([first]);
    });

    it('of publications at the same moment one is taken', async () => {
      const workflow = await made();
      const results = await Promise.all(Array.from({ length: 6 }, () => store.catalog().publishRevision(sampleRevision(workflow.id, 1), 1, auditRow())));
      expect(results.toSorted()).toEqual(['published', ...Array<string>(5).fill('version_conflict')]);
      expect(await store.catalog().revisions(workflow.id, { offset: 0, limit: 10 })).toHaveLength(1);
    });

    it('lists those of given spaces, of given ids, or both, in the order of creation', async () => {
      const [a, b] = [unique('a'), unique('b')];
      const [one, two] = [await made({ space: a, createdAt: 1 }), await made({ space: b, createdAt: 2 })];
      const page = { offset: 0, limit: 100 };
      expect(await store.catalog().workflows({ ...page, spaces: [b, a] })).toEqual([one, two]);
      expect(await store.catalog().workflows({ ...page, ids: [two.id, 'nobody'] })).toEqual([two]);
      expect(await store.catalog().workflows({ ...page, spaces: [] })).toEqual([]);
    });
  });
};
