/** The host with real mini-tools: what runs, what it may ask for, and what happens when it ends. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ToolLost } from '../ports/minitool-tools.ts';
import { entry, type HostedForTest, openHost } from '../testing/minitools/hosted.ts';

let hosted: HostedForTest;
const kept = new Map<string, unknown>();
const seen: unknown[] = [];

beforeAll(async () => {
  hosted = await openHost({
    api: {
      'storage.set': async ({ id }, { key, value }) => {
        kept.set(`${id}/${key}`, value);
        return null;
      },
      'sessions.call': async ({ id }, params, call) => {
        seen.push({ id, method: params.method, call: call?.callId });
        return null;
      },
    },
  });
});
afterAll(() => hosted.close());

const tool = (name: string, body: string): string =>
  `ctx.tools.register({ name: '${name}', title: '', description: '', inputSchema: { type: 'object' }, timeoutMs: 1, async execute(input, exec) { ${body} } });`;
const say = (text: string): string => `return { content: [{ type: 'text', text: ${text} }] };`;
const entryOf = (...body: readonly string[]): string =>
  `export async function activate(ctx) { ${body.join('\n')} }\nexport function deactivate() { console.log('deactivated'); }`;
const withTools = { contributes: { tools: true } };

describe('a mini-tool', () => {
  it('is activated, registers tools under its own name, and deactivates', async () => {
    await hosted.run('greeter', entryOf(tool('greet', say(`'hello ' + input.name`)), `ctx.logger.info('one\\ntwo')`), withTools);
    expect(hosted.host.condition('greeter')).toEqual({ activity: 'running', lastCrash: null });
    expect(hosted.host.tools.list()).toMatchObject([
      { name: 'greeter_greet', minitoolId: 'greeter', risk: 'medium', timeoutMs: 15_000, defaultEnabled: false },
    ]);
    expect(await hosted.tools.text('greeter_greet', { name: 'you' })).toBe('hello you');
    const { version } = hosted.host.tools;
    await hosted.disable('greeter');
    expect(hosted.host.tools.list()).toEqual([]);
    expect(hosted.host.tools.version).toBeGreaterThan(version);
    expect(await hosted.log('greeter')).toEqual(expect.arrayContaining(['one\ntwo', 'activated, version 0.0.0', 'deactivated']));
    expect(hosted.host.condition('greeter').activity).toBe('stopped');
  });

  it('MH2: does not run before a person agreed to what its manifest asks for', async () => {
    const { host, store } = hosted;
    const placed = await host.place({
      kind: 'folder',
      path: hosted.write('eager', entryOf(), { manifest: { permissions: { network: true } } }),
      linked: false,
    });
    const row = { ...placed, status: 'enabled', reason: null, settings: {}, users: [], containerAgents: {}, installedAt: 0, updatedAt: 0 } as const;
    await store.minitools.install({ ...row, consent: { network: false } }, entry('minitool.installed', 'eager'));
    await host.look('eager', true);
    expect(host.running()).not.toContain('eager');
    await hosted.enable('eager');
    expect(host.running()).toContain('eager');
    await hosted.disable('eager');
  });

  it('MR2: is refused what its manifest lacks, by the name of the field', async () => {
    const tries = ['ctx.sessions.list()', `ctx.secrets.get('KEY')`, 'ctx.storage.set("a", 1)'];
    const code = entryOf(...tries.map((each) => `await ${each}.then(() => console.log('allowed'), (error) => console.log(error.code, error.message));`));
    await hosted.run('curious', code);
    const log = await hosted.log('curious');
    expect(log).toContainEqual(expect.stringMatching(/^permission_denied .*permissions\.sessions/));
    expect(log).toContainEqual(expect.stringMatching(/^permission_denied .*permissions\.secrets/));
    expect(log).toContain('allowed');
    expect(kept.get('curious/a')).toBe(1);
    expect(seen).toEqual([]);
    await hosted.disable('curious');
  });

  it('CT1: proves by a token which run of a tool it speaks for, while that runs', async () => {
    const during = tool('ask', `globalThis.late = exec.sessions; await exec.sessions.list(); ${say(`'done'`)}`);
    await hosted.run(
      'asker',
      entryOf(during, tool('later', `await globalThis.late.list().catch((error) => console.log('late:', error.code)); ${say(`'done'`)}`)),
      {
        contributes: { tools: true },
        permissions: { sessions: true },
      },
    );
    await hosted.tools.run('asker_ask', {}, { callId: 'call_7' });
    expect(seen).toEqual([{ id: 'asker', method: 'list', call: 'call_7' }]);
    await hosted.disable('asker');
  });

  it('RG2: that ends while its tool runs leaves the outcome unknown, and is started again', async () => {
    await hosted.run('fragile', entryOf(tool('die', 'process.exit(9)'), tool('live', say(`'alive'`))), withTools);
    await expect(hosted.tools.run('fragile_die')).rejects.toBeInstanceOf(ToolLost);
    await hosted.logged('fragile', /crash: It exited with 9/);
    await expect.poll(() => hosted.host.running()).toContain('fragile');
    expect(hosted.host.condition('fragile').lastCrash).toMatchObject({ reason: 'It exited with 9.' });
    expect(await hosted.tools.text('fragile_live')).toBe('alive');
    await hosted.disable('fragile');
  });

  it('stops a tool that is cancelled', async () => {
    const wait = `console.log('begun'); await new Promise((resolve) => exec.signal.addEventListener('abort', resolve)); console.log('stopped'); ${say(`'cancelled'`)}`;
    await hosted.run('slow', entryOf(tool('wait', wait)), withTools);
    const cancelled = new AbortController();
    const answer = hosted.tools.run('slow_wait', {}, { signal: cancelled.signal });
    answer.catch(() => {});
    await hosted.logged('slow', 'begun');
    cancelled.abort();
    await hosted.logged('slow', 'stopped');
    await answer.catch(() => {});
    await hosted.disable('slow');
  });

  it('CO1: lists what the enabled ones contribute as it is, also what comes and goes while it runs', async () => {
    const list = tool(
      'list',
      say(
        `JSON.stringify(ctx.minitools.listContributions('mcpServers').filter(({ value }) => value.length > 0).map(({ extensionId, extensionName, value }) => [extensionId, extensionName, value.map(({ name }) => name)]))`,
      ),
    );
    await hosted.run('lister', entryOf(list), withTools);
    expect(await hosted.tools.text('lister_list')).toBe('[]');
    const servers = (name: string) => ({ name: { default: 'Giver' }, contributes: { mcpServers: [{ name, command: 'x' }] } });
    await hosted.run('giver', entryOf(''), servers('one'));
    expect(await hosted.tools.text('lister_list')).toBe('[["giver","Giver",["one"]]]');
    await hosted.disable('giver');
    expect(await hosted.tools.text('lister_list')).toBe('[]');
    await hosted.disable('lister');
  });

  it('is told in its log of a schedule that its manifest does not name', async () => {
    const asked = entryOf(`ctx.timers.onSchedule('hourly', () => {})`);
    await hosted.run('untimed', asked, { contributes: { schedules: [{ id: 'daily', cron: '0 8 * * *' }] } });
    expect(await hosted.logged('untimed', 'was refused')).toMatch(/The schedule "hourly" was refused.*contributes\.schedules/);
    await hosted.disable('untimed');
  });

  it('CB1: uses what another provides, while that is there and both declare it', async () => {
    const provider = entryOf(`ctx.capabilities.provide('greeting', { hello: async (name) => 'hello ' + name }, { version: '1.2.0' });`);
    await hosted.run('provider', provider, { provides: { capabilities: ['greeting'] } });
    const use = tool(
      'use',
      `const has = ctx.capabilities.has('greeting'); const said = await ctx.capabilities.get('greeting').hello('you').catch((error) => error.code); ${say(`has + ' ' + said`)}`,
    );
    await hosted.run('consumer', entryOf(use), { contributes: { tools: true }, requires: { capabilities: ['greeting'] } });
    expect(await hosted.tools.text('consumer_use')).toBe('true hello you');
    await hosted.disable('provider');
    await expect.poll(() => hosted.tools.text('consumer_use')).toBe('false not_found');
    await hosted.disable('consumer');
  });

  it('is started again with the files of its folder when they change', async () => {
    const { host, store } = hosted;
    const folder = hosted.write('linked', entryOf(`console.log('first')`));
    const placed = await host.place({ kind: 'folder', path: folder, linked: true });
    const row = {
      ...placed,
      status: 'disabled',
      reason: null,
      settings: {},
      consent: null,
      users: [],
      containerAgents: {},
      installedAt: 0,
      updatedAt: 0,
    } as const;
    await store.minitools.install(row, entry('minitool.installed', 'linked'));
    await hosted.enable('linked');
    await hosted.logged('linked', 'first');
    writeFileSync(join(folder, 'index.mjs'), entryOf(`console.log('second')`));
    await hosted.logged('linked', 'second');
    await hosted.disable('linked');
  });

  it('PF2: does not read the data folder where that lies in its own, which is linked', async () => {
    const { host, store } = hosted;
    const folder = dirname(hosted.dataFolder);
    writeFileSync(join(hosted.dataFolder, 'secret.txt'), 'secret');
    writeFileSync(join(folder, 'beside.txt'), 'beside');
    const read = `for (const path of ['../beside.txt', '../data/secret.txt'].map((each) => new URL(each.slice(1), import.meta.url))) try { console.log('read ' + readFileSync(path, 'utf8')); } catch (error) { console.log(error.code); }`;
    writeFileSync(join(folder, 'index.mjs'), `import { readFileSync } from 'node:fs';\n${entryOf(read)}`);
    writeFileSync(join(folder, 'finch.json'), JSON.stringify({ manifestVersion: 1, id: 'around', name: 'Around', main: 'index.mjs' }));
    const placed = await host.place({ kind: 'folder', path: folder, linked: true });
    const row = {
      ...placed,
      status: 'disabled',
      reason: null,
      settings: {},
      consent: null,
      users: [],
      containerAgents: {},
      installedAt: 0,
      updatedAt: 0,
    } as const;
    await store.minitools.install(row, entry('minitool.installed', 'around'));
    await hosted.enable('around');
    await hosted.logged('around', 'activated');
    expect(await hosted.log('around')).toEqual(expect.arrayContaining(['read beside', 'ERR_ACCESS_DENIED']));
    await hosted.disable('around');
    expect(await hosted.log('around')).not.toContainEqual(expect.stringContaining('its files have changed'));
    // A copy has no copy of it, either.
    const copied = await host.place({ kind: 'folder', path: folder, linked: false });
    expect(readdirSync(copied.folder)).not.toContain('data');
  });

  it('IN3: keeps its old files until the new ones run', async () => {
    await hosted.run('updated', entryOf(`console.log('old')`));
    const root = join(hosted.dataFolder, 'minitools', 'updated');
    const placed = await hosted.host.place({ kind: 'folder', path: hosted.write('updated', entryOf(`console.log('new')`)), linked: false });
    await hosted.store.minitools.change('updated', { folder: placed.folder }, 1);
    expect(readdirSync(root)).toEqual(expect.arrayContaining(['0.0.0-1', '0.0.0-2']));
    await hosted.host.look('updated', false);
    await hosted.logged('updated', 'new');
    await expect.poll(() => existsSync(join(root, '0.0.0-1'))).toBe(false);
    await hosted.disable('updated');
  });

  it('leaves no error that nobody expected', () => {
    expect(hosted.reports).toEqual([]);
  });
});
