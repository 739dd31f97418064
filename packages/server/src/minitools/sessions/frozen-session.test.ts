/** What a mini-tool's session is frozen with: the language of its profile, and what a caller's context is of a team's leader. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locale } from '@turnkeeper/minitool/messages';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtin, type Client, createClient } from '../../testing/harness/client.ts';
import { addMinitool, callIn, type MinitoolSketch, type TestMinitool } from '../../testing/harness/minitool.ts';
import { teamSession } from '../../testing/harness/team.ts';
import { openWorld, type World } from '../../testing/harness/world.ts';
import type { Created } from './create.ts';

let world: World;
let client: Client;
let folder: string;
const tools: TestMinitool[] = [];
beforeEach(async () => {
  world = await openWorld();
  client = createClient(world);
  folder = mkdtempSync(join(tmpdir(), 'turnkeeper-package-'));
});
afterEach(async () => {
  for (const tool of tools.splice(0)) await tool.end();
  await world.close();
  rmSync(folder, { recursive: true });
});
const add = async (sketch: MinitoolSketch = {}): Promise<TestMinitool> => {
  const tool = await addMinitool(world, sketch);
  tools.push(tool);
  return tool;
};

test('FZ2 the profile is in the language of the installation, the package’s i18n goes before the manifest, and what is there stays', async () => {
  await client.agent();
  let locale: Locale = 'zh-CN';
  const tool = await add({ folder, locale: () => locale });
  const make = async (): Promise<string> => ((await tool.call('create', { containerId: 'inbox' })) as Created).sessionId;
  const systemOf = async (sessionId: string): Promise<string> => (await tool.config(sessionId)).target.definition.system;
  const first = await make();
  expect(await systemOf(first)).toBe('test\n\n简短');
  mkdirSync(join(folder, 'i18n'));
  writeFileSync(join(folder, 'i18n', 'zh-CN.json'), JSON.stringify({ agentProfiles: { writer: { prompt: '写短一点' } } }));
  const second = await make();
  expect([await systemOf(first), await systemOf(second)]).toEqual(['test\n\n简短', 'test\n\n写短一点']);
  locale = 'en-US';
  expect([await systemOf(second), await systemOf(await make())]).toEqual(['test\n\n写短一点', 'test\n\nWrite briefly.']);
  // What a session of this container makes has the profile from it, once.
  const call = callIn(tool, second, 'turn_1');
  const branch: Created = await tool.during(call, 'create', { containerId: 'inbox', context: 'caller' });
  expect(await systemOf(branch.sessionId)).toBe('test\n\n写短一点');
});

test('FZ4 a branch of a team’s leader is the leader’s agent by itself: as it was frozen, without the members', async () => {
  const tool = await add();
  const session = await teamSession(world, client, { leader: { mode: 'ask', tools: [builtin('look')] } });
  const { target: team } = await tool.config(session);
  expect([team.type, team.definition.subagents?.map(({ name }) => name)]).toEqual(['team', ['mia', 'max']]);
  const call = callIn(tool, session, await client.submit(session, 'hi'));
  const branch: Created = await tool.during(call, 'create', {
    ...{ containerId: 'workers', activity: 'background', context: 'caller' },
    initialMessage: { text: 'a piece', idempotencyKey: 'k' },
  });
  const { target, family } = await tool.config(branch.sessionId);
  const { subagents: _, ...definition } = team.definition;
  const leaderId = team.team?.leaderAgentId ?? '';
  expect(target).toEqual({
    ...{ type: 'agent', id: leaderId, name: (await world.engine.app.catalog.agent(leaderId))?.displayName, space: team.space, version: 1 },
    definition: { ...definition, permissionMode: 'acceptCalls' },
  });
  expect(family).toBeUndefined();
  expect(await tool.call('waitForTurn', branch.sessionId, branch.turnId)).toMatchObject({ state: 'completed' });
  // It is offered what the leader's agent is, and nobody to delegate to.
  expect(world.model.calls.at(-1)?.request.tools.map(({ name }) => name)).toEqual(['look']);
});

test('FZ4 a branch of an agent that delegates is that agent: with whom it may delegate to', async () => {
  const tool = await add();
  const helper = await client.agent();
  const session = await client.session(await client.agent({ subagents: [{ agentId: helper, name: 'helper', description: '' }] }));
  const call = callIn(tool, session, await client.submit(session, 'hi'));
  const branch: Created = await tool.during(call, 'create', { containerId: 'workers', context: 'caller', permissionMode: 'acceptCalls' });
  const [own, callers] = [await tool.config(branch.sessionId), await tool.config(session)];
  expect([own.target, own.family]).toEqual([callers.target, callers.family]);
});
