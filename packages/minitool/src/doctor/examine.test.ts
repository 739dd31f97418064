import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examine, examineTexts } from './examine.ts';
import { findingCodes } from './finding.ts';
import { readSource } from './source.ts';

const manifest = {
  manifestVersion: 1,
  id: 'bot',
  name: 'Bot',
  contributes: {
    tools: true,
    sessionContainers: [{ id: 'inbox' }],
    webhooks: [{ id: 'slack', verify: 'slack' }],
    schedules: [{ id: 'daily', cron: '0 8 * * *' }],
  },
  requires: { capabilities: ['mcp.client'] },
  provides: { capabilities: ['sum'] },
  permissions: { sessions: true, sessionInteractions: true, network: true, shell: true, secrets: ['TOKEN', 'mcp.*'], oauth: ['github'] },
};

const good = `
import type * as finch from 'finch';
import { type Disposable } from 'finch';
import { execFile } from 'node:child_process';
// while (true) { await ctx.sessions.listEvents({}); await sleep(1); }   idempotencyKey: randomUUID()
/* import 'electron'; */
const hint = "import x from 'finch'; idempotencyKey: Math.random()";
const pattern = /['"]electron[/'"]/;
export async function activate(ctx: finch.MiniToolContext) {
  const token = await ctx.secrets.get('TOKEN');
  await ctx.secrets.set('mcp.github', token ?? '');
  ctx.http.onWebhook('slack', async (delivery) => {
    const started = Date.now();
    await ctx.sessions.send('s', { text: \`at \${Date.now()}\`, idempotencyKey: delivery.idempotencyKey });
    await fetch('https://example.com');
    ctx.logger.info(Date.now() - started);
  });
  ctx.timers.onSchedule('daily', ({ fireId }) => ctx.sessions.create({ containerId: 'inbox', initialMessage: { text: 'x', idempotencyKey: fireId } }));
  ctx.capabilities.get<{ a(): Promise<void> }>('mcp.client');
  ctx.capabilities.provide('sum', {});
  let after = 0;
  for (;;) {
    const page = await ctx.sessions.listEvents({ sessionId: 's', after });
    if (page.nextCursor === undefined) break;
    after = page.nextCursor;
  }
  ctx.tools.register({ name: 'x', title: 'x', description: '', inputSchema: {}, execute: async () => ({ content: [] }) });
  await ctx.sessions.respondToWait('s', 'r', { kind: 'permission', allow: false });
  setTimeout(() => execFile('ls'), 10);
}
`;
const built = 'export async function activate(ctx) {}\n';

const found = (files: Readonly<Record<string, string>>, changes: object = {}) => {
  const all = { 'finch.json': JSON.stringify({ ...manifest, ...changes }, null, 2), 'dist/index.js': built, ...files };
  return examineTexts(new Map(Object.entries(all)));
};
const places = (files: Readonly<Record<string, string>>, changes?: object): readonly string[] =>
  found(files, changes).map(({ code, file, line }) => `${code} ${file}:${line}`);
const inSource = (source: string, changes?: object): readonly string[] => places({ 'src/index.ts': source }, changes);

describe('the doctor', () => {
  it('has nothing to say of a good mini-tool', () => {
    expect(found({ 'src/index.ts': good, 'src/index.test.ts': 'idempotencyKey: randomUUID()' })).toEqual([]);
    expect(found({ 'dist/index.js': good.replace(/^import .*finch.*$/gm, '').replace(': finch.MiniToolContext', '') })).toEqual([]);
  });

  it('tells the faults of a manifest with their lines', () => {
    const text = JSON.stringify({ ...manifest, contributes: { sessionContainers: [{ id: 'a' }, { id: 'b', mode: 'x' }] }, main: '/abs' }, null, 2);
    const line = (part: string): number => text.split('\n').findIndex((each) => each.includes(part)) + 1;
    expect(places({ 'finch.json': text })).toEqual([`manifest_fault finch.json:${line('"mode": "x"')}`, `manifest_fault finch.json:${line('"main"')}`]);
    expect(places({ 'finch.json': '{' })).toEqual(['manifest_fault finch.json:1']);
  });

  it('looks at the entry', () => {
    expect(places({}, { main: './dist/other.js' })).toEqual(['entry_missing dist/other.js:1']);
    expect(places({ 'dist/index.js': '\nexport default { activate() {} };' })).toEqual(['default_export_only dist/index.js:2']);
    expect(places({ 'dist/index.js': 'function activate() {}\nexport { activate as default };' })).toEqual(['default_export_only dist/index.js:2']);
    expect(places({ 'dist/index.js': 'const activate = 1;' })).toEqual(['no_activate dist/index.js:1']);
    for (const text of [
      'var a;export{a as activate};',
      'export const activate = () => {};',
      'function activate() {}\nexport { activate, b };',
      "export * from './x.js';",
    ])
      expect(places({ 'dist/index.js': text })).toEqual([]);
  });

  it.each([
    ['await ctx.sessions.create({ containerId: "inbox" });', { sessions: false }, 'sessions'],
    ['const { sessions } = ctx;\nsessions.send("s", m);', { sessions: false }, 'sessions'],
    ['ctx.sessions.respondToWait("s", "r", x);', { sessionInteractions: false }, 'sessionInteractions'],
    ['fetch("https://example.com");', { network: false }, 'network'],
    ['import http from "node:http";', { network: false }, 'network'],
    ['import { spawn } from "child_process";', { shell: false }, 'shell'],
    ['ctx.oauth.connect(provider);', { oauth: [] }, 'oauth'],
  ])('misses a permission for %s', (source, changes, field) => {
    const findings = found({ 'src/index.ts': `\n${source}` }, { permissions: { ...manifest.permissions, ...changes } });
    expect(findings.map(({ code, what }) => [code, what.includes(`permissions.${field} `)])).toEqual([['permission_missing', true]]);
    expect(found({ 'src/index.ts': `\n${source}` })).toEqual([]);
  });

  it.each([
    ['ctx.sessions.create({ containerId: "other" });', 'container_undeclared'],
    ["ctx.secrets.get('OTHER');", 'secret_undeclared'],
    ["ctx.capabilities.get('other');", 'capability_undeclared'],
    ["ctx.capabilities.provide('mcp.client', {});", 'capability_undeclared'],
    ["ctx.http.onWebhook('github', f);", 'hook_undeclared'],
    ["ctx.timers.onSchedule('hourly', f);", 'hook_undeclared'],
    ["ctx.ui.createCanvasWindow({ entry: 'x' });", 'not_on_server'],
    ["ctx.commands.register('x');", 'not_on_server'],
    ["import { app } from 'electron';", 'electron'],
    ["const { app } = require('electron');", 'electron'],
    ["import * as finch from 'finch';", 'runtime_import_of_finch'],
    ["import { Uri, type Disposable } from 'finch';", 'runtime_import_of_finch'],
    ["await import('finch');", 'runtime_import_of_finch'],
  ])('finds %s', (source, code) => {
    expect(inSource(`// ${source}\n\n${source}`)).toEqual([`${code} src/index.ts:3`]);
  });

  it('finds a schedule that never comes', () => {
    const faulty = { contributes: { ...manifest.contributes, schedules: [{ id: 'daily', cron: '99 99 * * *' }] } };
    expect(inSource('', faulty)).toEqual(['manifest_fault finch.json:21']);
  });

  it('finds tools that are not announced', () => {
    expect(inSource('ctx.tools.register({});', { contributes: { ...manifest.contributes, tools: false } })).toEqual(['tools_undeclared src/index.ts:1']);
  });

  it.each([
    'send(s, { text, idempotencyKey: randomUUID() })',
    `send(s, { text, idempotencyKey: \`a-\${crypto.randomUUID()}\` })`,
    'send(s, { idempotencyKey: String(Math.random()), text })',
    `send(s, { idempotencyKey: \`\${id}-\${Date.now()}\`, text })`,
    'const key = nanoid();send(s, { idempotencyKey: key, text })',
    'const idempotencyKey = uuidv4();send(s, { text, idempotencyKey })',
    `const now = Date.now();send(s, { text, idempotencyKey: \`x-\${now}\` })`,
  ])('finds a key that is new each time: %s', (source) => {
    expect(inSource(`\n${source}`)).toContain('random_key src/index.ts:2');
  });

  it.each([
    'send(s, { text: randomUUID(), idempotencyKey: message.id })',
    'send(s, { idempotencyKey: message.id, at: Date.now() })',
    `const key = \`job-\${jobId}-\${i}\`;send(s, { idempotencyKey: key })`,
    'if (idempotencyKey === undefined) throw new Error(String(Date.now()))',
    'interface M { readonly idempotencyKey: string; now: Date }',
  ])('takes a key that stays: %s', (source) => {
    expect(inSource(source)).toEqual([]);
  });

  it.each([
    'while (true) {\n const p = await ctx.sessions.listEvents(q);\n await new Promise((r) => setTimeout(r, 1000));\n}',
    'do { await sleep(100); events = await sessions.listEvents({}); } while (!events.length);',
    'for (let i = 0; i < 9; i++) { await delay(5); await s.listEvents({}); }',
    'setInterval(async () => { await ctx.sessions.listEvents({}); }, 1000);',
  ])('finds polling: %s', (source) => {
    expect(inSource(`\n${source}`)).toEqual(['polling src/index.ts:2']);
  });

  it('tells what stands in a source and in its build once', () => {
    const text = "import { app } from 'electron';";
    expect(places({ 'src/index.ts': text, 'dist/index.js': `${text}\n${built}` })).toEqual(['electron src/index.ts:1']);
    expect(places({ 'src/index.ts': '', 'dist/index.js': `${text}\n${built}` })).toEqual(['electron dist/index.js:1']);
  });

  it('reads a folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'minitool-'));
    try {
      await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'x', finch: { manifestVersion: 1, name: 'X', main: 'index.js' } }));
      await writeFile(join(folder, 'index.js'), "import 'electron';\nexport function activate() {}");
      const [finding, ...others] = await examine(folder);
      expect(others).toEqual([]);
      expect(finding).toMatchObject({ code: 'electron', level: 'error', file: 'index.js', line: 1 });
      expect(findingCodes).toContain(finding?.code);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('a source', () => {
  it('MD1: is as long in each view, and has no comments and no texts where it should not', () => {
    const text = ['a /* b', 'c */ d; // e', `f('g\\'h', "i", \`j \${k({ l: \`m\` })} n\`);`, 'o = /[/"]p/g; q = r / s / t;', '}', "u('v"].join('\n');
    const { code, bare } = readSource('x.ts', text);
    expect([code.length, bare.length]).toEqual([text.length, text.length]);
    expect(bare.replaceAll(/[^a-z]/g, '')).toBe('adfklogqrstu');
    expect(code.replaceAll(/[^a-z]/g, '')).toBe('adfghijklmnopgqrstuv');
  });
});
