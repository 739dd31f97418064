/** What a draft names of the installation (DW2): here, how much of it. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { userCaller } from '../testing/harness/client.ts';
import { openWorld, type World } from '../testing/harness/world.ts';
import { auditOf } from './audit.ts';
import { checkDraft } from './check-workflow.ts';
import { frozenTargets } from './freeze-target.ts';
import { createWorkflow, publishWorkflow } from './manage-workflows.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const admin = userCaller('admin', { admin: true });

/** A published revision that names so many agents of its own. */
const naming = async (name: string, count: number): Promise<string> => {
  const { app } = world.engine;
  const { workflow } = await createWorkflow(app, admin, { name, draftSpec: { nodes: [] } });
  const nodes = Array.from({ length: count }, (_, n) => ({ key: `n${n}`, type: 'agent', agentId: `${name}-${n}` }));
  const revision = { id: `wfr_${name}`, workflowId: workflow.id, n: 1, spec: { nodes, edges: [] } as unknown as JsonObject, createdAt: 0, createdBy: 'admin' };
  await app.catalog.publishRevision(revision, 1, auditOf(app, 'system', { action: 'workflow.published', subject: `workflow:${workflow.id}` }));
  return revision.id;
};

it('DW2 tells of more than a session could be frozen with, at the node with which it is too much', async () => {
  const { app } = world.engine;
  const nodes: object[] = [];
  const add = async (name: string, count: number): Promise<void> => {
    const definitionRevisionId = await naming(name, count);
    nodes.push({ key: name, type: 'map', items: '[1]', node: { type: 'subrun', definitionRevisionId } });
  };
  await add('a', 200);
  await add('b', 200);
  await add('c', frozenTargets - 400 - 3);
  const faults = async () => (await checkDraft(app, { nodes } as JsonObject)).faults;
  expect(await faults()).toEqual([]);
  // What is named twice is frozen once.
  nodes.push({ ...nodes[0], key: 'again' });
  expect(await faults()).toEqual([]);
  await add('d', 1);
  const told = { pointer: '/nodes/4/node/definitionRevisionId', code: 'too_many_targets', severity: 'error', detail: expect.stringContaining('500') };
  expect(await faults()).toEqual([told]);
  const { workflow } = await createWorkflow(app, admin, { name: 'all', draftSpec: { nodes } as never });
  expect(workflow.faults).toEqual([told]);
  await expect(publishWorkflow(app, admin, workflow.id, 1)).rejects.toMatchObject({ code: 'validation_failed', details: { errors: [told] } });
});
