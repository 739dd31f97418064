import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemAnswer } from '@turnkeeper/client/testing/fake-server';
import { runBegins, turnCompletes, userSays } from '@turnkeeper/client/testing/turn-script';
import type { SessionEvent } from '@turnkeeper/core/session/events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
beforeEach(async () => {
  rig = await createCliRig();
});
afterEach(() => rig.stop());

const good = `# An order.
name: order
nodes:
  - key: check
    type: agent
    agentId: clerk
    input: { message: "run.input.text" }
  - key: big
    type: condition
    condition: size(nodes.check.output) > 3
edges:
  - { from: check, to: big }
`;
const bad = `nodes:
  - key: check
    type: agent
    agentId: clerk
    input:
      message: "run.input. +"
  - key: after
    type: timer
    timer: { durationSeconds: 1 }
edges:
  - from: check
    to: nowhere
`;
const file = (name: string, text: string): string => {
  mkdirSync(rig.folder, { recursive: true });
  writeFileSync(join(rig.folder, name), text);
  return name;
};

test('validate names every fault of a file with its line and column, and ends with 1', async () => {
  const { code, out } = await rig.run(['workflow', 'validate', file('bad.yaml', bad), '--offline']);
  expect(code).toBe(1);
  const lines = out.trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^bad\.yaml:6:7 error expression \/nodes\/0\/input\/message: /),
    expect.stringMatching(/^bad\.yaml:12:5 error unknown_node \/edges\/0\/to: /),
  ]);
  const json = await rig.run(['workflow', 'validate', 'bad.yaml', '--offline', '--json']);
  expect(JSON.parse(json.out)).toMatchObject({
    valid: false,
    faults: [
      { line: 6, pointer: '/nodes/0/input/message' },
      { line: 12, code: 'unknown_node' },
    ],
  });
  // Without a server, and whatever it is written in.
  const offline = { env: { TURNKEEPER_URL: '', TURNKEEPER_TOKEN: '' } };
  expect(await rig.run(['workflow', 'validate', file('good.yaml', good), '--offline'], offline)).toMatchObject({ code: 0, err: 'No faults.\n' });
  const shape = await rig.run(['workflow', 'validate', file('shape.json', '{"nodes": [\n  {"key": "a", "type": "robot"}\n]}'), '--offline'], offline);
  expect(shape).toMatchObject({ code: 1, out: expect.stringMatching(/^shape\.json:2:16 error shape \/nodes\/0\/type: /) });
  // A misspelt member hides nothing.
  const misspelt = await rig.run(['workflow', 'validate', file('misspelt.yaml', bad.replace('agentId', 'agentid')), '--offline'], offline);
  expect(
    misspelt.out
      .trim()
      .split('\n')
      .map((line) => line.split(': ')[0]),
  ).toEqual([
    expect.stringMatching(/^misspelt\.yaml:\d+:\d+ error shape \/nodes\/0(\/agentId)?$/),
    expect.stringMatching(/^misspelt\.yaml:\d+:\d+ error shape \/nodes\/0(\/agentId)?$/),
    'misspelt.yaml:6:7 error expression /nodes/0/input/message',
    'misspelt.yaml:12:5 error unknown_node /edges/0/to',
  ]);
  expect(await rig.run(['workflow', 'validate', file('broken.yaml', 'nodes: [\n'), '--offline'], offline)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^broken\.yaml:\d+:\d+ error /),
  });
  expect((await rig.run(['workflow', 'validate', 'not-there.yaml', '--offline'], offline)).code).toBe(2);
});

const workflow = { id: 'wf_1', name: 'order', space: 'spc_1', version: 3, faults: [], revisions: 1, createdAt: 1, updatedAt: 1 };

const naming = `nodes:
  - { key: check, type: agent, agentId: clerk, input: { message: run.input.text } }
  - { key: sub, type: subrun, definitionRevisionId: wfr_1 }
  - { key: ok, type: approval, approval: { approverRef: [user_1, user_2], prompt: Fine? } }
  - { key: all, type: join, join: { mode: any } }
`;

test('with a server an administrator is told all that publishing a file would tell, each fault once', async () => {
  rig.route('GET', /\/workflows$/, { items: [{ ...workflow, id: 'wf_0', name: 'other' }, workflow], next_offset: null });
  const faults = [
    { pointer: '/nodes/0/agentId', code: 'not_there', severity: 'error', detail: 'there is no agent clerk' },
    { pointer: '/nodes/3/join', code: 'join_edges', severity: 'error', detail: 'told without a server, too' },
  ];
  rig.route('POST', /\/workflows\/wf_1\/validate$/, { valid: false, faults });
  const { code, out } = await rig.run(['workflow', 'validate', file('order.yaml', naming)]);
  expect(code).toBe(1);
  expect(out.trim().split('\n')).toEqual([
    'order.yaml:2:32 error not_there /nodes/0/agentId: there is no agent clerk',
    expect.stringMatching(/^order\.yaml:5:29 error join_edges \/nodes\/3\/join: a join needs/),
  ]);
  expect(rig.calls.at(-1)?.body).toMatchObject({ draftSpec: { nodes: [{ key: 'check' }, { key: 'sub' }, { key: 'ok' }, { key: 'all' }] } });
});

test('with a server, what a file names is looked for by whoever may not have it validated', async () => {
  rig.route('GET', /\/workflows$/, { items: [workflow], next_offset: null });
  const refused = () => problemAnswer('forbidden');
  rig.server.on('POST', /\/validate$/, refused);
  rig.server.on('GET', /\/users$/, refused);
  rig.server.on('GET', /\/agents\/clerk$/, () => problemAnswer('not_found'));
  rig.server.on('GET', /\/wf_1\/revisions\/wfr_1$/, () => problemAnswer('not_found'));
  const { code, out } = await rig.run(['workflow', 'validate', file('good.yaml', good)]);
  expect({ code, out }).toEqual({ code: 1, out: 'good.yaml:6:5 error not_there /nodes/0/agentId: there is no agent clerk\n' });
  const some = await rig.run(['workflow', 'validate', file('order.yaml', naming)]);
  expect(some.out.trim().split('\n')).toMatchObject([
    expect.stringContaining('error not_there /nodes/0/agentId'),
    'order.yaml:3:31 warning not_there /nodes/1/definitionRevisionId: there is no revision wfr_1 among the workflows that you see',
    expect.stringContaining('join_edges'),
  ]);
  rig.route('GET', /\/wf_1\/revisions\/wfr_1$/, { revision: {} });
  expect((await rig.run(['workflow', 'validate', 'order.yaml'])).out).not.toContain('wfr_1');
});

test('where there is no workflow to ask at, an administrator is told of users and revisions all the same', async () => {
  rig.route('GET', /\/workflows$/, { items: [], next_offset: null });
  rig.route('GET', /\/users$/, { items: [{ id: 'user_1' }], next_offset: null });
  rig.route('GET', /\/agents\/clerk$/, { agent: {} });
  const { out } = await rig.run(['workflow', 'validate', file('order.yaml', naming)]);
  expect(out.trim().split('\n')).toMatchObject([
    'order.yaml:3:31 error not_there /nodes/1/definitionRevisionId: there is no revision wfr_1',
    'order.yaml:4:66 error not_there /nodes/2/approval/approverRef/1: there is no user user_2',
    expect.stringContaining('join_edges'),
  ]);
});

const spec = { nodes: [{ key: 'check', type: 'agent', agentId: 'clerk' }], edges: [] };
const revision = { id: 'rev_2', workflowId: 'wf_1', n: 2, spec, createdAt: 1, createdBy: 'user_1' };

test('publish stores a file as the draft of its name, and publishes that', async () => {
  rig.route('GET', /\/workflows$/, { items: [workflow], next_offset: null });
  rig.route('PATCH', /\/workflows\/wf_1$/, { workflow: { ...workflow, version: 4, draftSpec: spec } });
  rig.route('POST', /\/wf_1\/validate$/, { valid: true, faults: [] });
  rig.route('POST', /\/wf_1\/publish$/, { revision }, 201);
  expect((await rig.run(['workflow', 'publish', file('good.yaml', good)])).out).toMatch(/^published wf_1 \(order\), revision 2: rev_2/);
  const bodies = rig.calls.filter(({ method }) => method !== 'GET').map(({ method, body }) => ({ method, body }));
  expect(bodies).toMatchObject([
    { method: 'POST', body: { draftSpec: { nodes: [{ key: 'check' }, { key: 'big' }] } } },
    { method: 'PATCH', body: { expectedVersion: 3, draftSpec: { nodes: [{ key: 'check' }, { key: 'big' }] } } },
    { body: {} },
    { body: { expectedVersion: 4 } },
  ]);
  expect(JSON.stringify(bodies[1]?.body)).not.toContain('"name"');
  const faults = [{ pointer: '/nodes/0', code: 'cycle', severity: 'error', detail: 'check comes before itself' }];
  rig.route('POST', /\/wf_1\/validate$/, { valid: false, faults });
  expect(await rig.run(['workflow', 'publish', 'order'])).toMatchObject({ code: 1, out: 'error cycle /nodes/0: check comes before itself\n' });
});

test('publish says of a file with faults what validate says, and stores nothing', async () => {
  rig.route('GET', /\/workflows$/, { items: [], next_offset: null });
  const publishing = await rig.run(['workflow', 'publish', file('bad.yaml', bad)]);
  expect(publishing).toMatchObject({ code: 1, out: expect.stringMatching(/^bad\.yaml:4:5 error not_there .*\nbad\.yaml:6:7 error expression /) });
  expect(publishing.out).toBe((await rig.run(['workflow', 'validate', 'bad.yaml'])).out);
  expect(rig.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('graph draws a file with faults, and tells them on stderr', async () => {
  const { code, out, err } = await rig.run(['workflow', 'graph', file('bad.yaml', bad)]);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('n_check') });
  expect(err).toMatch(/^bad\.yaml:6:7 error expression .*\nbad\.yaml:12:5 error unknown_node /);
});

test('what is spelt like a file and is not there is no workflow', async () => {
  for (const word of ['publish', 'validate', 'graph'])
    for (const ref of ['nofile.yaml', 'no.json', './order'])
      expect(await rig.run(['workflow', word, ref])).toMatchObject({ code: 2, err: expect.stringMatching(/^There is no file \//) });
});

test('a workflow is found by its name in other case; one that is not there by what is near', async () => {
  rig.route('GET', /\/workflows$/, { items: [{ ...workflow, name: 'Order' }], next_offset: null });
  rig.route('GET', /\/workflows\/wf_1$/, { workflow: { ...workflow, draftSpec: spec } });
  expect((await rig.run(['workflow', 'show', 'order'])).code).toBe(0);
  expect(await rig.run(['workflow', 'show', 'ordre'])).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean "Order"?') });
  rig.route('GET', /\/workflows$/, { items: ['Order', 'ORDER'].map((name, n) => ({ ...workflow, id: `wf_${n}`, name })), next_offset: null });
  expect((await rig.run(['workflow', 'show', 'order'])).err).toContain('fits 2 workflows');
});

test('workflows are listed, shown and drawn; a file is drawn without a server', async () => {
  rig.route('GET', /\/workflows$/, { items: [workflow], next_offset: null });
  rig.route('GET', /\/workflows\/wf_1$/, { workflow: { ...workflow, draftSpec: spec } });
  rig.route('GET', /\/wf_1\/revisions$/, { items: [revision], next_offset: null });
  expect((await rig.run(['workflow'])).out).toMatch(/^wf_1 {2}order {2}draft 3 {2}revision 1/);
  expect(JSON.parse((await rig.run(['workflow', 'show', 'order'])).out)).toEqual(spec);
  expect((await rig.run(['workflow', 'revisions', 'wf_1'])).out).toMatch(/^2 {2}rev_2 .*1 node\(s\)/);
  expect((await rig.run(['workflow', 'graph', 'order'])).out).toMatch(/^flowchart TD\n {2}n_check\["check/);
  const offline = { env: { TURNKEEPER_URL: '', TURNKEEPER_TOKEN: '' } };
  expect((await rig.run(['workflow', 'graph', file('good.yaml', good)], offline)).out).toContain('n_check --> n_big');
});

const step = (key: string, status: 'running' | 'waiting' | 'succeeded', more: object = {}): SessionEvent =>
  ({ type: 'step.updated', data: { turn_id: 'turn_1', step_id: `step_${key}`, key, type: 'agent', status, attempt: 1, ...more } }) as SessionEvent;

test('run --follow tells steps as they happen, and ends with what came of it', async () => {
  rig.route('GET', /\/workflows$/, { items: [workflow], next_offset: null });
  rig.route('POST', /\/agent-sessions$/, { id: 'ses_1', turnId: 'turn_1', target: { type: 'workflow', id: 'wf_1', name: 'order' } }, 201);
  rig.server.append(...userSays('turn_1', 1, 'x'), ...runBegins('turn_1', 'x'), step('check', 'running'), step('check', 'succeeded'));
  rig.server.append(...turnCompletes('turn_1', 'All is well.'));
  const { code, out, err } = await rig.run(['workflow', 'run', 'order', '--input', '{"order": 4711}', '--follow', '--key', 'k1']);
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringMatching(/^ses_1 · turn_1 · order\ncompleted/) });
  expect(out).toMatch(/✓ check {2}agent · succeeded · [\d.]+ s\nAll is well\.\n$/);
  expect(rig.calls.at(-1)).toMatchObject({ body: { target: { type: 'workflow', id: 'wf_1' }, initialMessage: { input: { order: 4711 } } } });
  expect(await rig.run(['workflow', 'run', 'order', '--input', 'no json'])).toMatchObject({ code: 2 });
});

test('a team is made of a file, shown, and given something to do', async () => {
  const team = {
    id: 'team_1',
    name: 'research',
    description: '',
    version: 1,
    leader: { agentId: 'agt_1' },
    members: [{ name: 'reader', agentId: 'agt_2', role: 'reads' }],
  };
  rig.route('GET', /\/teams$/, { items: [team], next_offset: null });
  rig.route('POST', /\/teams$/, { team }, 201);
  rig.route('POST', /\/agent-sessions$/, { id: 'ses_1', turnId: 'turn_1', target: { type: 'team', id: 'team_1' } }, 201);
  const yaml = 'leader: { agentId: boss }\nmembers:\n  - { name: reader, agentId: helper, role: reads }\n';
  expect((await rig.run(['team', 'create', file('research.yaml', yaml)])).out).toBe('made team_1 (research)\n');
  expect(rig.calls.at(-1)?.body).toEqual({ name: 'research', leader: { agentId: 'boss' }, members: [{ name: 'reader', agentId: 'helper', role: 'reads' }] });
  expect((await rig.run(['team', 'show', 'research'])).out).toMatch(/reader {2}agt_2 {2}reads/);
  expect((await rig.run(['team'])).out).toMatch(/^team_1 {2}research {2}version 1 {2}reader\n/);
  expect((await rig.run(['team', 'run', 'research', 'Compare.'])).out).toMatch(/^turn_1 runs in ses_1/);
  expect(rig.calls.at(-1)?.body).toEqual({ target: { type: 'team', id: 'team_1' }, initialMessage: { message: 'Compare.' } });
  expect((await rig.run(['team', 'create', file('none.yaml', 'name: x')])).code).toBe(2);
});

test('a turn is paused, and run again', async () => {
  const session = { id: 'ses_1', title: '', status: 'running', archived: false, target: { type: 'workflow', id: 'wf_1' }, createdAt: 1, updatedAt: 1 };
  rig.route('GET', /\/agent-sessions$/, { items: [session], next_offset: null });
  rig.server.append(...userSays('turn_1', 1, 'x'), ...runBegins('turn_1', 'x'));
  rig.route('POST', /\/turns\/turn_1\/pause$/, { command: { id: 'cmd_1' } }, 202);
  rig.route('POST', /\/turns\/turn_1\/rerun$/, { id: 'turn_2', status: 'queued' }, 202);
  expect((await rig.run(['turn', 'pause'])).out).toMatch(/^turn_1 is paused/);
  expect((await rig.run(['turn', 'rerun', '--key', 'again'])).out).toMatch(/^turn_2 is asked what turn_1 was/);
  expect(rig.calls.map(({ headers }) => headers['idempotency-key']).filter(Boolean)).toEqual([expect.stringContaining('pause'), 'again']);
});
