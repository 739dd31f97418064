import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemAnswer } from '@turnkeeper/client/testing/fake-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const agent = { id: 'agt_1', agentKey: 'guide', displayName: 'The guide', version: 3, createdAt: 1 };
const definition = { system: 'x', model: 'demo:welcome' };
beforeEach(async () => {
  rig = await createCliRig();
  rig.server.on('GET', /\/agents\/nobody$/, () => problemAnswer('not_found'));
  rig.route('GET', /\/agents$/, { items: [agent], next_offset: null });
  rig.route('GET', /\/agents\/(agt_1|guide)$/, { agent, definition });
});
afterEach(() => rig.stop());

test('agents are listed with their models, and shown as the JSON of their definitions', async () => {
  const list = 'guide  The guide  version 3  demo:welcome\n';
  expect(await rig.run(['agents'])).toEqual({ code: 0, out: list, err: '' });
  expect((await rig.run(['agents', 'ls'])).out).toBe(list);
  expect((await rig.run(['agents', 'burn'])).code).toBe(2);
  expect(JSON.parse((await rig.run(['agents', 'show', 'guide'])).out)).toEqual(definition);
});

test('agents are made from files, and changed by what show prints', async () => {
  rig.route('POST', /\/agents$/, { agent: { ...agent, version: 1 }, definition }, 201);
  rig.route('PATCH', /\/agt_1\/definition$/, { agent: { ...agent, version: 4 }, definition });
  const file = (name: string, value: unknown) => writeFileSync(join(rig.folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  const whole = { agentKey: 'guide', displayName: 'The guide', definition };
  file('new.json', whole);
  file('definition.json', definition);
  file('broken.json', '{');
  expect((await rig.run(['agents', 'create', 'new.json'])).out).toBe('made guide, version 1\n');
  for (const name of ['definition.json', 'new.json']) expect((await rig.run(['agents', 'update', 'guide', name])).out).toBe('updated guide, version 4\n');
  const sent = rig.calls.filter(({ method }) => method !== 'GET').map(({ body }) => body);
  expect(sent).toEqual([whole, { version: 3, definition }, { version: 3, definition }]);
  file('new.yaml', 'agentKey: guide\ndisplayName: The guide\ndefinition:\n  system: x\n  model: demo:welcome\n');
  expect((await rig.run(['agents', 'create', 'new.yaml'])).out).toBe('made guide, version 1\n');
  expect(rig.calls.at(-1)?.body).toEqual(whole);
  for (const name of ['broken.json', 'missing.json', 'definition.json']) expect((await rig.run(['agents', 'create', name])).code, name).toBe(2);
});

test('an agent whose model the server has not is told of when it is made, and is not taken unless it is named', async () => {
  const warnings = [{ code: 'model_not_configured', message: 'This server has no model "openai:gpt" now.' }];
  const off = { ...agent, id: 'agt_2', agentKey: 'off', createdAt: 2 };
  rig.route('POST', /\/agents$/, { agent: off, definition, warnings }, 201);
  rig.route('GET', /\/agents$/, { items: [off, agent], next_offset: null });
  rig.route('GET', /\/agents\/agt_2$/, { agent: off, definition, warnings });
  rig.route('POST', /\/agent-sessions$/, {}, 500);
  writeFileSync(join(rig.folder, 'off.json'), JSON.stringify({ agentKey: 'off', displayName: 'Off', definition }));
  expect(await rig.run(['agents', 'create', 'off.json'])).toEqual({
    code: 0,
    out: 'made off, version 3\n',
    err: 'This server has no model "openai:gpt" now.\n',
  });
  await rig.run(['ask', 'q']);
  expect(rig.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/agent-sessions')).at(-1)?.body).toMatchObject({ agent: 'agt_1' });
});

test('an agent that is not there is a wrong call, and those that are there are named', async () => {
  rig.server.on('POST', /\/agent-sessions$/, () => problemAnswer('not_found'));
  const told = { code: 2, err: 'There is no agent "nobody". There are: guide. List them with: turnkeeper agents ls\n' };
  expect(await rig.run(['ask', 'q', '--agent', 'nobody'])).toMatchObject(told);
  expect(await rig.run(['agents', 'show', 'nobody'])).toMatchObject(told);
});
