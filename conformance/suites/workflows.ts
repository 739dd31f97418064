/** Workflows: drafts with their faults, published revisions, and the sessions that are pinned to one. */
import { describe, expect, test } from 'vitest';
import { sessions, type Target } from '../client/target.ts';
import { expectRefused } from './unsupported.ts';

const workflows = '/api/v1/workflows';
type Fault = { readonly pointer: string; readonly code: string; readonly severity: string };

export const describeWorkflows = (target: () => Target): void => {
  const agentNode = () => ({ key: 'write', type: 'agent', agentId: target().agent, input: { message: 'run.input.topic' } });
  const review = { key: 'review', type: 'signal', signalName: 'reviewed' };
  const chain = () => ({ nodes: [agentNode(), review], edges: [{ from: 'write', to: 'review' }] });
  const create = (draftSpec: unknown, name = 'Report') => target().call('POST', workflows, { body: { name, draftSpec } });
  const newWorkflow = async (draftSpec: object): Promise<string> => String(((await create(draftSpec)).body['workflow'] as { id: string }).id);
  const publish = (id: string, expectedVersion = 1) => target().call('POST', `${workflows}/${id}/publish`, { body: { expectedVersion } });
  const published = async (id: string): Promise<string> => {
    const { status, body } = await publish(id);
    expect(status).toBe(201);
    return (body['revision'] as { id: string }).id;
  };
  const newSession = (id: string, more: object = {}) => target().call('POST', sessions, { body: { target: { type: 'workflow', id, ...more } } });
  const pointersOf = (faults: unknown) => (faults as Fault[]).map(({ code, pointer }) => `${code} ${pointer}`);

  describe('drafts', () => {
    test('are stored whatever is wrong with them, together with all of that', async () => {
      const nodes = [
        { ...agentNode(), agentId: 'nobody-x' },
        review,
        { key: 'alone', type: 'approval', approval: { approverRef: 'nobody-y', prompt: 'Fine?' } },
      ];
      const edges = [
        { from: 'write', to: 'review', condition: 'nodes.write.output ==' },
        { from: 'review', to: 'nowhere' },
        { from: 'review', to: 'write' },
      ];
      const made = await create({ nodes, edges });
      expect(made).toMatchObject({ status: 201, body: { workflow: { name: 'Report', version: 1, revisions: 0, draftSpec: { nodes, edges } } } });
      const { id, faults } = made.body['workflow'] as { id: string; faults: Fault[] };
      expect(pointersOf(faults)).toEqual(
        expect.arrayContaining([
          'not_there /nodes/0/agentId',
          'not_there /nodes/2/approval/approverRef',
          'unknown_node /edges/1/to',
          'expression /edges/0/condition',
          'cycle /nodes/0',
        ]),
      );
      const { body } = await target().call('POST', `${workflows}/${id}/validate`, { body: {} });
      expect(body).toEqual({ valid: false, faults });
      const refused = await publish(id);
      expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: faults.filter(({ severity }) => severity === 'error') } });
    });

    test('need not even have the shape of a workflow', async () => {
      const made = await create({
        nodes: [
          { key: 'a', type: 'agent' },
          { key: 'b c', type: 'signal', signalName: 's' },
        ],
        more: 1,
      });
      expect(made.status).toBe(201);
      const { faults } = made.body['workflow'] as { faults: Fault[] };
      expect(pointersOf(faults)).toEqual(expect.arrayContaining(['shape /nodes/0/agentId', 'shape /nodes/1/key']));
      expect(await create('text')).toMatchObject({ status: 422, body: { errors: [{ pointer: '/draftSpec' }] } });
    });

    test('are changed on top of the version that was read', async () => {
      const { call } = target();
      const id = await newWorkflow({ nodes: [] });
      const changed = await call('PATCH', `${workflows}/${id}`, { body: { expectedVersion: 1, draftSpec: chain() } });
      expect(changed).toMatchObject({ status: 200, body: { workflow: { version: 2, name: 'Report', faults: [], draftSpec: chain() } } });
      const stale = { status: 409, body: { code: 'version_conflict', version: 2 } };
      expect(await call('PATCH', `${workflows}/${id}`, { body: { expectedVersion: 1, name: 'late' } })).toMatchObject(stale);
      expect(await publish(id, 1)).toMatchObject(stale);
      expect(await call('GET', `${workflows}/${id}`)).toMatchObject({ status: 200, body: changed.body });
      const other = await call('POST', `${workflows}/${id}/validate`, { body: { draftSpec: { nodes: [] } } });
      expect(other.body).toMatchObject({ valid: false, faults: [{ code: 'no_nodes' }] });
      expect((await call('POST', `${workflows}/${id}/validate`, { body: {} })).body).toEqual({ valid: true, faults: [] });
      const listed = (await call('GET', `${workflows}?limit=200`)).body['items'] as { id: string }[];
      const mine = listed.find((workflow) => workflow.id === id);
      expect(mine).toMatchObject({ version: 2, faults: [] });
      expect(mine).not.toHaveProperty('draftSpec');
    });
  });

  describe('revisions', () => {
    test('are immutable, in order, and what sessions are pinned to', async () => {
      const { call } = target();
      const id = await newWorkflow(chain());
      expect(await newSession(id)).toMatchObject({ status: 409, body: { code: 'not_published' } });
      const first = await published(id);
      const pinned = await newSession(id);
      expect(pinned).toMatchObject({ status: 201, body: { target: { type: 'workflow', id, name: 'Report', version: 1, revisionId: first } } });
      await call('PATCH', `${workflows}/${id}`, { body: { expectedVersion: 1, draftSpec: { nodes: [review] } } });
      const second = ((await publish(id, 2)).body['revision'] as { id: string }).id;
      const revisions = (await call('GET', `${workflows}/${id}/revisions`)).body;
      expect(revisions).toMatchObject({
        items: [
          { id: second, n: 2, workflowId: id },
          { id: first, n: 1, spec: chain() },
        ],
        next_offset: null,
      });
      const [newest, oldest] = revisions['items'] as object[];
      expect((await call('GET', `${workflows}/${id}/revisions/${first}`)).body).toEqual({ revision: oldest });
      expect((await call('GET', `${workflows}/${id}/revisions/2`)).body).toEqual({ revision: newest });
      expect(await call('GET', `${workflows}/${id}/revisions/3`)).toMatchObject({ status: 404 });
      expect(await call('GET', `${sessions}/${pinned.body['id']}`)).toMatchObject({ body: { target: { revisionId: first } } });
      expect(await newSession(id)).toMatchObject({ body: { target: { version: 2, revisionId: second } } });
      expect(await newSession(id, { revisionId: first })).toMatchObject({ body: { target: { version: 1, revisionId: first } } });
      expect(await newSession(id, { revisionId: 'wfr_none' })).toMatchObject({ status: 404 });
    });

    test('are named by other workflows, each by the revision that it is to be', async () => {
      const id = await newWorkflow(chain());
      const inner = await published(id);
      const outer = await newWorkflow({ nodes: [{ key: 'sub', type: 'subrun', definitionRevisionId: inner, input: { topic: 'run.input.topic' } }] });
      await published(outer);
      expect((await newSession(outer)).status).toBe(201);
      const lost = await create({ nodes: [{ key: 'sub', type: 'subrun', definitionRevisionId: 'wfr_none' }] });
      expect(pointersOf((lost.body['workflow'] as { faults: Fault[] }).faults)).toEqual(['not_there /nodes/0/definitionRevisionId']);
    });
  });

  test('failure case 40: what a session with a workflow does not do is refused, as its capabilities say', async () => {
    const { call } = target();
    const id = await newWorkflow(chain());
    await published(id);
    const session = String((await newSession(id)).body['id']);
    const { body } = await call('GET', `${sessions}/${session}/capabilities`);
    expect(body['capabilities']).toMatchObject({
      files: true,
      file_input: false,
      subagents: true,
      budget: true,
      actions: true,
      cancel: true,
      resume: true,
      pause: true,
    });
    await expectRefused(target(), session, body['capabilities'] as Record<string, boolean>);
    expect((await call('GET', `${sessions}/${session}/snapshot`)).body).toMatchObject({ items: {}, turns: {}, steps: {}, required_actions: {}, subagents: {} });
  });
};
