/** The samples of the public page "Session Loop", word for word, in a mini-tool's own process and with turns that really run. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { consentFor } from '../../minitools/consent.ts';
import type { ProcessHost } from '../../minitools/host.ts';
import { manifestOf } from '../../minitools/kept-manifest.ts';
import { ModelError } from '../../ports/model.ts';
import { type Client, createClient } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { openWorld, type World } from '../harness/world.ts';
import { entry } from './hosted.ts';
import { createRunningTools, type RunningTools } from './running-tools.ts';

const [create, send, result, plan] = [...readFileSync(join(import.meta.dirname, 'session-loop.md'), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(
  ([, code = '']) => code,
);

/** Each sample as the body of a tool, with the names that it leaves open. */
const code = `
const said = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value ?? null) }] });
export const activate = (ctx) => {
  const register = (name, run) =>
    ctx.tools.register({ name, title: name, description: name, risk: 'low', inputSchema: { type: 'object' }, execute: async (input, exec) => said(await run(input, exec)) });
  register('create', async () => {
${create}
    return session;
  });
  register('send', async ({ session }) => {
${send}
    return receipt;
  });
  register('result', async ({ sessionId, receipt }) => {
${result}
    return result;
  });
  register('plan', async ({ tasks }, { sessionId, toolCallId }) => {
    const jobId = sessionId + '-' + toolCallId;
${plan}
    return results;
  });
  register('say', ({ session, text, key }) => ctx.sessions.send(session.sessionId, { text, idempotencyKey: key }));
  register('nothing', async () => {});
};
`;
const manifest = {
  ...{ manifestVersion: 1, id: 'samples', name: 'Samples', main: 'index.mjs', permissions: { sessions: true } },
  contributes: { tools: true, sessionContainers: [{ id: 'inbox' }, { id: 'workers' }] },
};

let world: World;
let client: Client;
let host: ProcessHost;
let tools: RunningTools;
let folder = '';
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'session-loop-')));
  world = await openWorld({ minitools: { dataFolder: folder, version: '0.1.0' } });
  client = createClient(world);
  const { app, minitools } = world.engine;
  if (!minitools) throw new Error('there are none');
  host = minitools.host;
  tools = createRunningTools(host);
  // The first agent: sessions of containers run on it.
  await client.agent();
  const from = join(folder, 'package');
  mkdirSync(from);
  writeFileSync(join(from, 'index.mjs'), code);
  writeFileSync(join(from, 'finch.json'), JSON.stringify(manifest));
  const placed = await host.place({ kind: 'folder', path: from, linked: false });
  const fresh = { status: 'enabled', reason: null, settings: {}, users: [], containerAgents: {}, installedAt: 0, updatedAt: 0 } as const;
  await app.minitools.install({ ...placed, ...fresh, consent: consentFor(manifestOf(placed)) }, entry('minitool.installed', 'samples'));
  await host.look('samples', true);
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = async (name: string, input: JsonObject = {}): Promise<never> => JSON.parse(await tools.text(`samples_${name}`, input)) as never;
type Created = { readonly sessionId: string; readonly turnId: string };
type Receipt = { readonly state: string; readonly turnId: string };
const logged = async (text: string): Promise<void> => {
  await expect.poll(async () => (await host.tail('samples', 1_000)).map(({ level, message }) => `${level} ${message}`)).toContain(text);
};

it('create, send and the result, also when all of it comes again', async () => {
  const session: Created = await run('create');
  expect(session).toMatchObject({
    owner: { type: 'minitool', minitoolId: 'samples' },
    placement: { type: 'minitool', minitoolId: 'samples', containerId: 'inbox' },
    activity: 'interactive',
    turnId: expect.any(String),
  });
  const found = await world.engine.app.sessions.find(session.sessionId as never);
  expect([found?.session.row.title, found?.session.config.target.definition.permissionMode]).toEqual(['Chat with Alice', 'ask']);
  const receipt: Receipt = await run('send', { session });
  expect(receipt).toMatchObject({ state: 'accepted', sessionId: session.sessionId });
  expect(await run('result', { sessionId: session.sessionId, receipt })).toMatchObject({ state: 'completed', outputText: 'echo: What is the weather?' });
  await logged('info echo: What is the weather?');
  expect(await run('result', { sessionId: session.sessionId, receipt: { turnId: session.turnId } })).toMatchObject({ outputText: 'echo: Hello from the bot.' });
  expect(await run('create')).toMatchObject({ sessionId: session.sessionId, turnId: session.turnId });
  expect(await run('send', { session })).toMatchObject({ state: 'duplicate', turnId: receipt.turnId });
});

it('send to a session whose queue is full: rejected, with when to try again; then the same key is taken', async () => {
  const gate = createGate();
  const before = world.model.calls.length;
  world.model.when('hold', [{ gate }, { text: 'held' }]);
  const { sessionId } = await host.openSession('samples', { containerId: 'inbox', text: 'hold', key: 'full' });
  await gate.reached;
  for (let n = 1; n < 20; n += 1)
    expect(await run('say', { session: { sessionId }, text: `more-${n}`, key: `more-${n}` })).toMatchObject({ state: 'accepted' });
  expect(await run('send', { session: { sessionId } })).toMatchObject({
    state: 'rejected',
    code: 'queue_full',
    scope: 'session',
    limit: 20,
    retryAfterMs: 1_000,
  });
  gate.open();
  const last: Receipt = await run('say', { session: { sessionId }, text: 'more-19', key: 'more-19' });
  expect(await run('result', { sessionId, receipt: last })).toMatchObject({ state: 'completed' });
  const receipt: Receipt = await run('send', { session: { sessionId } });
  expect(receipt.state).toBe('accepted');
  expect(await run('result', { sessionId, receipt })).toMatchObject({ state: 'completed' });
  // Strictly one after another, in the order in which they came.
  const texts = world.model.calls.slice(before).map(({ text }) => text);
  expect(texts).toEqual(['hold', ...Array.from({ length: 19 }, (_, n) => `more-${n + 1}`), 'What is the weather?']);
});

it('a turn that fails says its code; one that takes longer than the wait goes on', async () => {
  const session: Created = await run('create');
  world.model.when('break', [{ fails: () => new ModelError('no', { code: 'model_not_configured', retryable: false }) }]);
  const broken: Receipt = await run('say', { session, text: 'break', key: 'break-1' });
  expect(await run('result', { sessionId: session.sessionId, receipt: broken })).toMatchObject({
    state: 'failed',
    code: 'model_not_configured',
    retryable: false,
  });
  await logged('error model_not_configured');

  const gate = createGate();
  world.model.when('think', [{ gate }, { text: 'thought' }]);
  const slow: Receipt = await run('say', { session, text: 'think', key: 'think-1' });
  await gate.reached;
  let waited: JsonObject | undefined;
  const waiting = run('result', { sessionId: session.sessionId, receipt: slow }).then((answer) => {
    waited = answer;
  });
  for (let seconds = 0; seconds < 90 && !waited; seconds += 1) {
    await world.clock.advance(1_000);
    // Its pings are answered before this is.
    await run('nothing');
  }
  await waiting;
  expect(waited).toEqual({ state: 'timeout', sessionId: session.sessionId, turnId: slow.turnId });
  await logged('info 仍在运行');
  gate.open();
  expect(await run('result', { sessionId: session.sessionId, receipt: slow })).toMatchObject({ state: 'completed', outputText: 'thought' });
});

it('planner and workers: a call of an agent makes a session for each task, on its own agent, and tells it what became of all', async () => {
  const { app } = world.engine;
  world.model.when('c', [{ fails: () => new ModelError('no', { retryable: false }) }]);
  world.model.when('plan it', [{ call: 'samples_plan', input: { tasks: ['a', 'b', 'c'] } }], [{ text: 'all done' }]);
  const agent = await client.agent({ tools: [{ type: 'minitool', id: 'samples' } as never] });
  const session = await client.session(agent);
  const turn = await client.submit(session, 'plan it');
  await expect.poll(async () => (await client.turn(session, turn)).status, { timeout: 20_000 }).toBe('completed');
  const told = JSON.stringify(world.model.calls.at(-1)?.request.messages);
  for (const text of ['echo: a', 'echo: b', '任务 2 失败']) expect(told).toContain(text);
  const workers = await app.sessions.store.list({
    owner: 'minitool:samples',
    placement: 'container:samples/workers',
    status: 'all',
    order: 'created',
    offset: 0,
    limit: 10,
  });
  const configs = await app.sessions.configs(workers.map(({ configRef }) => configRef));
  expect(configs.map((config) => [config?.target.id, config?.minitool?.activity, config?.minitool?.caller?.turnId])).toEqual(
    Array.from({ length: 3 }, () => [agent, 'background', turn]),
  );
});

it('leaves no error that nobody expected', () => {
  expect(world.reports).toEqual([]);
});
