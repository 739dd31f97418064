/** Teams and workflows over HTTP: their definitions, and the sessions that are made with them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stepConfig } from '../app/freeze-target.ts';
import type { FrozenConfig } from '../app/frozen-config.ts';
import { type Answer, type OpenHttp, openHttp } from '../testing/http/open-http.ts';

let server: OpenHttp;
beforeAll(async () => {
  server = await openHttp();
});
afterAll(() => server.close());

const by = (token: string) => ({ authorization: `Bearer ${token}` });
const bob = () => by(server.otherToken);
const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
  server.call(method, `/api/v1${path}`, body, headers);
const member = (body: unknown, ...path: string[]): unknown => path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], body);
const pointers = ({ body }: Answer, of = 'errors') => (body[of] as { pointer: string }[]).map(({ pointer }) => pointer);

const teamBody = {
  name: 'Desk',
  leader: { agentId: 'script' },
  members: [
    { name: 'finder', agentId: 'script', role: 'Finds things.', timeoutSeconds: 7 },
    { name: 'writer', agentId: 'script', role: 'Writes.', description: 'In plain words.', retry: { maxAttempts: 2 } },
  ],
  maxParallel: 2,
};
const newTeam = async (over: object = {}): Promise<string> => {
  const made = await call('POST', '/teams', { ...teamBody, ...over });
  expect(made.status).toBe(201);
  return String(member(made.body, 'team', 'id'));
};

const agentNode = { key: 'write', type: 'agent', agentId: 'script', input: { message: 'run.input.topic' }, timeoutSeconds: 9 };
const draft = (...nodes: object[]) => ({ nodes: [agentNode, ...nodes], edges: nodes.map((node) => ({ from: 'write', to: (node as { key: string }).key })) });
const newWorkflow = async (draftSpec: object, over: object = {}): Promise<string> => {
  const made = await call('POST', '/workflows', { name: 'Report', draftSpec, ...over });
  expect(made.status).toBe(201);
  return String(member(made.body, 'workflow', 'id'));
};
const publish = async (id: string, expectedVersion = 1): Promise<string> => {
  const published = await call('POST', `/workflows/${id}/publish`, { expectedVersion });
  expect(published).toMatchObject({ status: 201, body: { revision: { workflowId: id } } });
  return String(member(published.body, 'revision', 'id'));
};
const newSession = (target: object, over: object = {}) => call('POST', '/agent-sessions', { target, ...over });
const configOf = async ({ body }: Answer): Promise<FrozenConfig> => {
  const found = await server.app.sessions.find(body['id'] as never);
  if (!found) throw new Error('no such session');
  return found.session.config;
};

/** Of a revision with a node `sub`: what that names. */
const revisionBelow = async (id: string): Promise<string | undefined> => {
  const spec = (await server.app.catalog.revision(id))?.spec as { readonly nodes: readonly { readonly definitionRevisionId?: string }[] } | undefined;
  return spec?.nodes[1]?.definitionRevisionId;
};

describe('teams', () => {
  test('are made, read, listed and changed by admins; versions stay', async () => {
    const made = await call('POST', '/teams', teamBody);
    expect(made).toMatchObject({ status: 201, body: { team: { ...teamBody, version: 1, space: 'default', description: '' } } });
    const path = `/teams/${member(made.body, 'team', 'id')}`;
    expect((await call('GET', path, undefined, bob())).body).toEqual(made.body);
    expect((await call('GET', '/teams')).body['items']).toContainEqual(made.body['team']);
    const changed = await call('PATCH', path, { version: 1, name: 'Newsdesk', maxParallel: null });
    expect(changed).toMatchObject({ status: 200, body: { team: { name: 'Newsdesk', version: 2, members: [{ name: 'finder' }, { name: 'writer' }] } } });
    expect(member(changed.body, 'team', 'maxParallel')).toBeUndefined();
    expect(await call('PATCH', path, { version: 1, name: 'late' })).toMatchObject({ status: 409, body: { code: 'version_conflict', version: 2 } });
    const versions = (await call('GET', `${path}/versions`)).body['items'];
    expect(versions).toMatchObject([{ version: 1, definition: { maxParallel: 2 } }, { version: 2 }]);
    expect((await call('GET', `${path}/versions/1`)).body).toMatchObject({ definition: { leader: { agentId: 'script' }, maxParallel: 2 } });
    expect(await call('POST', '/teams', teamBody, bob())).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const entries = (await call('GET', '/audit?limit=10')).body['data'] as { action: string }[];
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['team.created', 'team.changed']));
  });

  test('name every agent that is not there, and members by names of their own', async () => {
    const faulty = await call('POST', '/teams', { ...teamBody, leader: { agentId: 'nobody' }, members: [{ ...teamBody.members[0], agentId: 'none' }] });
    expect(faulty.status).toBe(422);
    expect(pointers(faulty)).toEqual(['/leader/agentId', '/members/0/agentId']);
    const twice = await call('POST', '/teams', { ...teamBody, members: [teamBody.members[0], teamBody.members[0]] });
    expect(twice).toMatchObject({ status: 422 });
    expect(pointers(twice)).toEqual(['/members']);
  });
});

describe('workflows', () => {
  test('a faulty draft is kept with its faults, and mended by a change of the version that was read', async () => {
    const made = await call('POST', '/workflows', { name: 'Draft', draftSpec: { nodes: [{ key: 'a', type: 'agent' }], edges: [{ from: 'a', to: 'b' }] } });
    expect(made).toMatchObject({ status: 201, body: { workflow: { version: 1, revisions: 0, draftSpec: { nodes: [{ key: 'a', type: 'agent' }] } } } });
    expect(member(made.body, 'workflow', 'faults')).toMatchObject([
      { pointer: '/nodes/0/agentId', code: 'shape', severity: 'error' },
      { pointer: '/edges/0/to', code: 'unknown_node' },
      { pointer: '/nodes/0/input', code: 'nothing_said', severity: 'warning' },
    ]);
    const path = `/workflows/${member(made.body, 'workflow', 'id')}`;
    const refused = await call('POST', `${path}/publish`, { expectedVersion: 1 });
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(pointers(refused)).toEqual(['/nodes/0/agentId', '/edges/0/to']);
    const changed = await call('PATCH', path, { expectedVersion: 1, draftSpec: draft() });
    expect(changed).toMatchObject({ status: 200, body: { workflow: { version: 2, faults: [] } } });
    expect(await call('PATCH', `${path}/draft`, { expectedVersion: 1, name: 'late' })).toMatchObject({ status: 409, body: { version: 2 } });
    expect(await call('POST', `${path}/publish`, { expectedVersion: 1 })).toMatchObject({ status: 409, body: { code: 'version_conflict' } });
    expect((await call('POST', `${path}/validate`, {})).body).toEqual({ valid: true, faults: [] });
    expect((await call('POST', `${path}/validate`)).body).toEqual({ valid: true, faults: [] });
  });

  test('DW1 a misspelt member hides neither a node nor an agent that is not there, and is not followed by an echo', async () => {
    const { agentId, ...misspelt } = agentNode;
    const nodes = [
      { ...misspelt, agentid: agentId },
      { ...agentNode, key: 'b', agentId: 'none' },
      { key: 'c', type: 'agnt', teamId: 'x', input: { message: '1 +' } },
    ];
    const { body } = await call('POST', '/workflows', { name: 'Faulty', draftSpec: { nodes, edges: [{ from: agentNode.key, to: 'nowhere' }] } });
    const told = member(body, 'workflow', 'faults') as { pointer: string; code: string }[];
    expect(told.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      ...['/nodes/0/agentId shape', '/nodes/0 shape', '/nodes/2/type shape', '/nodes/2/agentId shape', '/nodes/2 shape'],
      ...['/edges/0/to unknown_node', '/nodes/2/input/message expression', '/nodes/1/agentId not_there'],
    ]);
  });

  test('all faults are told together, each by its place: of the graph, and of what is not there', async () => {
    const id = await newWorkflow(
      draft(
        { key: 'review', type: 'approval', approval: { approverRef: ['user_1', 'nobody'], prompt: 'Fine?' } },
        { key: 'deliver', type: 'map', items: 'run.input.to', node: { type: 'team', teamId: 'no-team', input: { message: 'item' } } },
        { key: 'again', type: 'subrun', definitionRevisionId: 'wfr_none' },
      ),
    );
    const { body } = await call('PATCH', `/workflows/${id}`, {
      expectedVersion: 1,
      draftSpec: {
        ...draft(),
        nodes: [
          { ...agentNode, agentId: 'none' },
          ...((await call('GET', `/workflows/${id}`)).body['workflow'] as { draftSpec: { nodes: object[] } }).draftSpec.nodes.slice(1),
        ],
        edges: [{ from: 'write', to: 'nowhere' }],
      },
    });
    const told = member(body, 'workflow', 'faults') as { pointer: string; code: string }[];
    expect(told.map(({ pointer, code }) => `${code} ${pointer}`)).toEqual(
      expect.arrayContaining([
        'unknown_node /edges/0/to',
        'not_there /nodes/0/agentId',
        'not_there /nodes/1/approval/approverRef/1',
        'not_there /nodes/2/node/teamId',
        'not_there /nodes/3/definitionRevisionId',
      ]),
    );
    const refused = await call('POST', `/workflows/${id}/publish`, { expectedVersion: 2 });
    expect(refused.status).toBe(422);
    expect(pointers(refused)).toEqual(told.map(({ pointer }) => pointer));
  });

  test('revisions are immutable and in order; publishing at the same moment loses none', async () => {
    const id = await newWorkflow(draft());
    const both = await Promise.all([publish(id), publish(id)]);
    await call('PATCH', `/workflows/${id}`, { expectedVersion: 1, draftSpec: draft({ key: 'stop', type: 'signal', signalName: 'stop' }) });
    const third = await publish(id, 2);
    const items = (await call('GET', `/workflows/${id}/revisions`)).body['items'] as { id: string; n: number; spec: { nodes: object[] } }[];
    expect(items.map(({ n, spec }) => [n, spec.nodes.length])).toEqual([
      [3, 2],
      [2, 1],
      [1, 1],
    ]);
    expect(new Set([...both, third])).toEqual(new Set(items.map((item) => item.id)));
    expect((await call('GET', `/workflows/${id}/revisions/1`)).body).toEqual({ revision: items[2] });
    expect((await call('GET', `/workflows/${id}/revisions/${third}`)).body).toEqual({ revision: items[0] });
    const other = await newWorkflow(draft());
    expect(await call('GET', `/workflows/${other}/revisions/${third}`)).toMatchObject({ status: 404 });
  });

  test('stand in a space, and are there for its members', async () => {
    const space = 'closed';
    expect(await call('POST', '/spaces', { id: space })).toMatchObject({ status: 201 });
    const id = await newWorkflow(draft(), { space });
    const team = await newTeam({ space });
    for (const path of [`/workflows/${id}`, `/workflows/${id}/revisions`, `/teams/${team}`]) {
      expect(await call('GET', path, undefined, bob())).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect(await call('POST', '/agent-sessions', { target: { type: 'team', id: team } }, bob())).toMatchObject({ status: 404 });
  });
});

describe('sessions', () => {
  test('with a team are frozen with its leader and members', async () => {
    const id = await newTeam();
    const made = await newSession({ type: 'team', id });
    expect(made).toMatchObject({ status: 201, body: { target: { type: 'team', id, version: 1, name: 'Desk', model: 'demo:script' } } });
    const { target, family } = await configOf(made);
    expect(target.team).toMatchObject({
      maxParallel: 2,
      members: [
        { name: 'finder', timeoutSeconds: 7 },
        { name: 'writer', retry: { maxAttempts: 2, backoffSeconds: 0 } },
      ],
    });
    expect(target.definition.subagents).toEqual([
      { agentId: 'script', name: 'finder', description: 'Finds things.' },
      { agentId: 'script', name: 'writer', description: 'Writes.\nIn plain words.' },
    ]);
    expect(Object.keys(family?.agents ?? {})).toEqual(['script']);
    await call('PATCH', `/teams/${id}`, { version: 1, name: 'Other' });
    expect((await newSession({ type: 'team', id, version: 1 })).body).toMatchObject({ target: { version: 1 } });
    expect((await newSession({ type: 'team', id })).body).toMatchObject({ target: { version: 2, name: 'Other' } });
    expect(await newSession({ type: 'team', id, version: 3 })).toMatchObject({ status: 404, body: { pointer: '/target/id' } });
  });

  test('with a workflow are pinned to a published revision, the newest unless one is named', async () => {
    const id = await newWorkflow(draft());
    expect(await newSession({ type: 'workflow', id })).toMatchObject({ status: 409, body: { code: 'not_published' } });
    const first = await publish(id);
    const second = await publish(id);
    expect((await newSession({ type: 'workflow', id })).body).toMatchObject({ target: { type: 'workflow', id, version: 2, revisionId: second } });
    const pinned = await newSession({ type: 'workflow', id, revisionId: first });
    expect(pinned.body).toMatchObject({ target: { version: 1, revisionId: first } });
    expect(member(pinned.body, 'target', 'model')).toBeUndefined();
    const other = await newWorkflow(draft());
    await publish(other);
    expect(await newSession({ type: 'workflow', id: other, revisionId: first })).toMatchObject({ status: 404 });
  });

  test('with a workflow are frozen with all that its nodes name, and give each step its configuration', async () => {
    const team = await newTeam();
    const inner = await newWorkflow(draft({ key: 'desk', type: 'team', teamId: team }));
    const nested = await publish(inner);
    const id = await newWorkflow(
      draft(
        { key: 'sub', type: 'subrun', definitionRevisionId: nested },
        { key: 'each', type: 'map', items: 'run.input.to', node: { type: 'team', teamId: team, timeoutSeconds: 3 } },
      ),
    );
    await publish(id);
    const config = await configOf(await newSession({ type: 'workflow', id }, { timeoutSeconds: 60, budget: { maxTokens: 1_000 } }));
    expect(Object.keys(config.target.workflow?.targets ?? {}).toSorted()).toEqual(['agent:script', `revision:${nested}`, `team:${team}`].toSorted());
    const root = { type: 'workflow', id, space: 'default' };
    expect(stepConfig(config, 'write')).toMatchObject({ root, timeoutSeconds: 9, maxTokensPerTurn: 1_000, target: { type: 'agent', name: 'Script' } });
    expect(stepConfig(config, 'each.0')).toMatchObject({ root, timeoutSeconds: 3, target: { type: 'team', id: team }, family: { levels: 3 } });
    expect(stepConfig(config, 'each')).toBeUndefined();
    expect(stepConfig(config, 'none')).toBeUndefined();
    const sub = stepConfig(config, 'sub');
    expect(sub).toMatchObject({ root, timeoutSeconds: 60, target: { type: 'workflow', id: inner, revisionId: nested } });
    expect(Object.keys(sub?.target.workflow?.targets ?? {}).toSorted()).toEqual(['agent:script', `team:${team}`].toSorted());
    expect(sub && stepConfig(sub, 'desk')).toMatchObject({ root, target: { type: 'team', team: { members: [{ name: 'finder' }, { name: 'writer' }] } } });
  });

  test('nest workflows so deep and no deeper', async () => {
    let below = await publish(await newWorkflow(draft()));
    for (let n = 0; n < 5; n += 1) below = await publish(await newWorkflow(draft({ key: 'sub', type: 'subrun', definitionRevisionId: below })));
    const top = await newWorkflow(draft({ key: 'sub', type: 'subrun', definitionRevisionId: (await revisionBelow(below)) ?? below }));
    await publish(top);
    let config: FrozenConfig | undefined = await configOf(await newSession({ type: 'workflow', id: top }));
    for (let n = 0; n < 5; n += 1) {
      config = config && stepConfig(config, 'sub');
      expect(config && stepConfig(config, 'write')?.target.type).toBe('agent');
    }
    expect(config && stepConfig(config, 'sub')).toBeUndefined();
    const deepest = await newWorkflow(draft({ key: 'sub', type: 'subrun', definitionRevisionId: below }));
    const refused = await call('POST', `/workflows/${deepest}/publish`, { expectedVersion: 1 });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/nodes', code: 'too_deep' }] } });
  });

  test('failure case 40: what the target does not support is refused, as its capabilities say', async () => {
    const id = await newWorkflow(draft());
    await publish(id);
    for (const target of [
      { type: 'team', id: await newTeam() },
      { type: 'workflow', id },
    ]) {
      const session = `/agent-sessions/${(await newSession(target)).body['id']}`;
      const { capabilities } = (await call('GET', `${session}/capabilities`)).body as { capabilities: Record<string, boolean> };
      const no = { steer: false, inject: false, checkpoints: false, fork: false };
      const yes = { json_input: true, actions: true, files: true, subagents: true, budget: true, cancel: true, resume: true };
      expect(capabilities).toEqual({ ...yes, ...no, ...(target.type === 'team' ? { file_input: true } : { file_input: false, pause: true }) });
      const keyed = { 'idempotency-key': 'k' };
      const refused = [
        await call('POST', `${session}/turns/turn_none/steer`, { message: 'x' }, keyed),
        await call('POST', `${session}/turns/turn_none/inputs`, { message: 'x' }, keyed),
        await call('POST', `${session}/inputs/inject`, { message: 'x' }, keyed),
        await call('GET', `${session}/checkpoints`),
        await call('POST', `${session}/checkpoints/restore`, { checkpoint_id: 'x', reason: 'x' }, keyed),
        await call('POST', `${session}/fork`, { reason: 'x' }, keyed),
        await call('POST', `${session}/turns`, { message: 'x', onBusy: 'steer' }, keyed),
      ];
      for (const answer of refused) expect(answer).toMatchObject({ status: 409, body: { code: 'not_supported', target: target.type } });
      expect((await call('GET', `${session}/snapshot`)).body).toMatchObject({
        items: {},
        turns: {},
        steps: {},
        required_actions: {},
        has_more: { turns: false },
      });
    }
  });

  test('a key reaches the teams and workflows that it is granted', async () => {
    const [team, other, id] = [await newTeam(), await newTeam(), await newWorkflow(draft())];
    await publish(id);
    const application = String(member((await call('POST', '/applications', { name: 'App' })).body, 'application', 'id'));
    const granted = await call('POST', `/applications/${application}/credentials`, {
      name: 'key',
      scopes: ['invoke', 'read'],
      targets: [
        { type: 'team', id: team },
        { type: 'workflow', id: '*' },
      ],
    });
    expect(granted.status).toBe(201);
    const key = { authorization: '', 'x-api-key': String(granted.body['apiKey']) };
    expect((await call('GET', '/teams', undefined, key)).body['items']).toMatchObject([{ id: team }]);
    expect(await call('POST', '/agent-sessions', { target: { type: 'team', id: team } }, key)).toMatchObject({ status: 201 });
    expect(await call('POST', '/agent-sessions', { target: { type: 'workflow', id } }, key)).toMatchObject({ status: 201 });
    for (const target of [
      { type: 'team', id: other },
      { type: 'team', id: 'none' },
      { type: 'agent', id: 'script' },
    ]) {
      expect(await call('POST', '/agent-sessions', { target }, key)).toMatchObject({ status: 403, body: { code: 'target_not_granted' } });
    }
    const unknown = await call('POST', `/applications/${application}/credentials`, {
      name: 'k',
      scopes: ['read'],
      targets: [{ type: 'workflow', id: 'none' }],
    });
    expect(unknown).toMatchObject({ status: 422 });
    expect(pointers(unknown)).toEqual(['/targets/0/id']);
  });
});
