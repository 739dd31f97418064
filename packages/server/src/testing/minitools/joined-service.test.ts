/** A service with mini-tools, put together as the server puts it together: a real process, a model of the demo, the embedded store. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../engine.ts';
import { consentFor } from '../../minitools/consent.ts';
import { manifestOf } from '../../minitools/kept-manifest.ts';
import { silentBus } from '../../ports/bus.ts';
import { systemClock } from '../../ports/clock.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { entry } from './hosted.ts';

const code = `
export async function activate(ctx) {
  await ctx.storage.set('seen', { times: 1 });
  ctx.sessions.onDidReceiveEvent((event) => ctx.logger.info('event ' + event.type));
  ctx.events.onAgentEvent((event) => ctx.logger.info('agent ' + event.kind + ' ' + (event.runStatus ?? '')));
  ctx.notifications.onDidPost(({ kind, title }) => ctx.logger.info('notified ' + kind + ' ' + title));
  const session = await ctx.sessions.create({ containerId: 'inbox', initialMessage: { text: 'hello', idempotencyKey: 'k1' } });
  void ctx.sessions.waitForTurn(session.sessionId, session.turnId).then(async (result) => {
    ctx.logger.info('result ' + JSON.stringify(result));
    ctx.logger.info('storage ' + JSON.stringify(await ctx.storage.get('seen')));
    ctx.logger.info('status ' + (await ctx.status.get()).status);
  });
}
`;

let engine: Engine;
let folder = '';
const reports: unknown[] = [];

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'joined-')));
  const store = await openSqliteStore({ folder: ':memory:', clock: systemClock });
  engine = createEngine({
    store: { ...store, bus: silentBus },
    clock: systemClock,
    models: { demo: true },
    slots: 4,
    report: (error) => reports.push(error),
    minitools: { dataFolder: folder, version: '0.1.0' },
  });
  await engine.start();
});
afterAll(async () => {
  await engine.stop(1_000);
  rmSync(folder, { recursive: true, force: true });
});

it('runs a mini-tool whose session runs a turn, and tells it what came of that', async () => {
  const { app, minitools } = engine;
  if (!minitools) throw new Error('there are none');
  const { host } = minitools;
  expect(host.running()).toEqual([]);
  const definition = { system: '', model: 'demo:echo', maxIters: 20, tools: [], permissionMode: 'acceptCalls' as const };
  const agent = { id: 'agent_1', key: 'default', displayName: 'Echo', description: '', space: 'default', version: 1, createdAt: 0, updatedAt: 0 };
  await app.catalog.createAgent(agent, { agentId: 'agent_1', version: 1, definition, createdAt: 0, createdBy: 'system' }, entry('agent.created', 'agent_1'));
  const from = join(folder, 'package');
  mkdirSync(from);
  writeFileSync(join(from, 'index.mjs'), code);
  const manifest = {
    manifestVersion: 1,
    id: 'bot',
    name: 'Bot',
    main: 'index.mjs',
    systemPrompt: { default: 'Be kind.', 'zh-CN': '友善' },
    permissions: { sessions: true },
    contributes: { sessionContainers: [{ id: 'inbox' }] },
  };
  writeFileSync(join(from, 'finch.json'), JSON.stringify(manifest));
  const placed = await host.place({ kind: 'folder', path: from, linked: false });
  const fresh = { status: 'enabled', reason: null, settings: {}, users: [], containerAgents: {}, installedAt: 0, updatedAt: 0 } as const;
  await app.minitools.install({ ...placed, ...fresh, consent: consentFor(manifestOf(placed)) }, entry('minitool.installed', 'bot'));
  await host.look('bot', true);
  const log = async (): Promise<string> => (await host.tail('bot', 1_000)).map(({ message }) => message).join('\n');
  await expect.poll(log).toMatch(/^status /m);
  const said = await log();
  expect(said).toMatch(/^result .*"state":"completed".*hello/m);
  expect(said).toContain('storage {"times":1}');
  await expect.poll(log).toMatch(/^event turn\.completed/m);
  expect(await log()).toMatch(/^agent session_status running/m);
  await expect.poll(log).toMatch(/^notified background-done hello/m);
  expect(host.tools.prompt('bot')).toBe('Be kind.');
  expect(reports).toEqual([]);
});
