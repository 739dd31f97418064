/** What tools of mini-tools show to people: their forms as they were described, how far they are, and what they warn of. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFaults } from './testing/axe.ts';
import { consoleTest, sideways } from './testing/console-test.ts';

const stage = consoleTest();
const folder = mkdtempSync(join(tmpdir(), 'turnkeeper-console-tools-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Goes on after its form, and to its end, when its webhook is called. */
const program = `
const form = {
  title: 'Connect to <b>mail</b>',
  submitLabel: 'Connect now',
  cancelLabel: 'Without mail',
  fields: [
    { key: 'help', type: 'link', label: 'Where the key is', href: 'https://mail.example/keys' },
    { key: 'user', type: 'text', label: 'User', required: true, placeholder: 'ann@mail.example', width: '1/2' },
    { key: 'key', type: 'password', label: 'Key', required: true, width: '1/2' },
    { key: 'note', type: 'textarea', label: 'Note', placeholder: 'Anything else' },
    { key: 'pem', type: 'textarea', label: 'Certificate', secret: true },
  ],
};
const says = (text) => ({ content: [{ type: 'text', text }] });
const input = { type: 'object', properties: {} };
let go = () => {};
export const activate = (ctx) => {
  ctx.http.onWebhook('go', () => go());
  ctx.tools.register({
    name: 'connect', title: 'Connect the mail', description: 'Connects.', inputSchema: input, risk: 'low', progressMode: 'indeterminate',
    execute: async (_input, exec) => {
      const given = await exec.ui.requestForm(form);
      const told = new Promise((resolve) => { go = resolve; });
      exec.progress.report({ stage: 'inbox', message: 'Reading <i>page</i> 9', percent: 45 });
      await told;
      return says(given.submitted ? 'note: ' + JSON.stringify([given.values.note, given.values.pem]) : given.reason);
    },
  });
  ctx.tools.register({ name: 'wipe', title: 'Empty the trash', description: 'Wipes.', inputSchema: input, risk: 'high', execute: async () => says('gone') });
  ctx.tools.register({ name: 'look', title: 'Look', description: 'Looks.', inputSchema: input, risk: 'medium', execute: async () => says('seen') });
};
`;
const manifest = {
  manifestVersion: 1,
  id: 'mailer',
  name: { default: 'Mail bot', 'zh-CN': '邮件' },
  main: 'index.js',
  contributes: { tools: true, webhooks: [{ id: 'go', verify: 'none' }] },
};
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'finch.json'), JSON.stringify(manifest));
writeFileSync(join(folder, 'index.js'), program);

beforeAll(async () => {
  const { minitool } = await stage.admin().minitools.install({ source: `folder:${folder}` });
  await stage.admin().minitools.enable('mailer', minitool.permissions);
}, 120_000);

const goOn = () => fetch(`${stage.url()}/api/v1/minitools/mailer/webhooks/go`, { method: 'POST', body: JSON.stringify({ id: crypto.randomUUID() }) });
const calls = (name: string) => [[{ tool: { name: `mailer_${name}`, input: {} } }], [{ text: 'All done.' }]];
const tools = [
  { type: 'minitool', id: 'mailer', tools: ['wipe'], destructive: true },
  { type: 'minitool', id: 'mailer' },
];
const begin = (name: string) => stage.scripted(calls(name), { title: name, definition: { tools, permissionMode: 'ask' } });

const fill = async (page: Page): Promise<void> => {
  expect(await page.getByRole('textbox', { name: 'User' }).getAttribute('placeholder')).toBe('ann@mail.example');
  await page.getByRole('textbox', { name: 'User' }).fill('ann');
  expect(await page.getByLabel('Key *').getAttribute('type')).toBe('password');
  await page.getByLabel('Key *').fill('hunter2');
  const note = page.getByRole('textbox', { name: 'Note' });
  expect([await note.evaluate(({ tagName }) => tagName), await note.getAttribute('placeholder')]).toEqual(['TEXTAREA', 'Anything else']);
  await note.fill('one\ntwo');
  const pem = page.getByRole('textbox', { name: 'Certificate' });
  expect(await pem.evaluate((field) => getComputedStyle(field).getPropertyValue('-webkit-text-security'))).toBe('disc');
  await pem.fill('a\nb');
  const link = page.getByRole('link', { name: 'Where the key is' });
  expect(await link.evaluate((a: HTMLAnchorElement) => [a.href, a.target, a.rel])).toEqual([
    'https://mail.example/keys',
    '_blank',
    expect.stringContaining('noreferrer'),
  ]);
  await page.getByText('https://mail.example/keys').waitFor();
};
const bar = (page: Page, name: string) => page.getByRole('progressbar', { name });

test('a form stands as its mini-tool described it, nothing says that it works meanwhile; then the closed card shows how far it is', async () => {
  const session = await begin('connect');
  const page = await stage.page(`/?session=${session}`);
  await page.getByRole('heading', { name: 'Connect to <b>mail</b>' }).waitFor();
  await page.getByText('From the mini-tool “Mail bot” (mailer)').waitFor();
  await fill(page);
  await page.getByRole('button', { name: 'Without mail' }).waitFor();
  expect(await page.getByText('Working…').count()).toBe(0);
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await sideways(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Connect now' }).click();

  await bar(page, 'Progress of mailer_connect').waitFor();
  expect(await bar(page, 'Progress of mailer_connect').getAttribute('value')).toBe('45');
  const card = page.locator('[data-tool=mailer_connect]');
  expect(await card.locator('[data-progress]').textContent()).toMatch(/inbox\s*Reading <i>page<\/i> 9\s*45 %/);
  await card.locator('summary').click();
  expect(await card.textContent()).not.toContain('"progress"');
  expect(await axeFaults(page)).toEqual([]);
  await goOn();
  await page.getByText('All done.').waitFor();
  await bar(page, 'Progress of mailer_connect').waitFor({ state: 'detached' });
  await card.getByText('note: ["one\\ntwo","a\\nb"]').waitFor();
  expect(stage.problems()).toEqual([]);
});

test('in an embedded chat the same form and the same progress', async () => {
  const session = await begin('connect');
  const { token } = await stage.admin().clientTokens.create(session, { scopes: ['read', 'invoke', 'interact', 'cancel'] });
  const page = await stage.context().newPage();
  await page.goto(`${stage.url()}/c/${token}`);
  await page.getByText('From the mini-tool “Mail bot” (mailer)').waitFor();
  await fill(page);
  expect(await page.getByText('Working…').count()).toBe(0);
  await page.getByRole('button', { name: 'Without mail' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await sideways(page)).toBe(0);
  await page.getByRole('button', { name: 'Connect now' }).click();
  await bar(page, 'Progress of mailer_connect').waitFor();
  await page.getByText('Reading <i>page</i> 9').waitFor();
  await goOn();
  await page.getByText('All done.').waitFor();
});

test('who approves is told whose tool it is, and what it warns of, in words, wherever it is answered, in both languages', () =>
  stage.open({ locale: 'zh-CN' }, async (chinese) => {
    const session = await begin('wipe');
    const harmless = await begin('look');
    for (const place of [`/?session=${session}`, '/approvals', '/now']) {
      const page = await stage.page(place);
      const form = page.locator('[data-action=confirmation]').filter({ hasText: 'mailer_wipe' });
      await form.getByRole('heading', { name: 'May the agent run mailer_wipe?' }).waitFor();
      for (const words of ['“Empty the trash”', 'From the mini-tool “Mail bot” (mailer)', 'Cannot be undone.', 'High risk.'])
        await form.getByText(words).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await sideways(page)).toBe(0);
      await page.close();
    }
    const approvals = await stage.page('/approvals');
    const other = approvals.locator('[data-action=confirmation]').filter({ hasText: 'mailer_look' });
    await other.getByText('“Look”').waitFor();
    expect(await other.textContent()).not.toMatch(/undone|risk/);
    await approvals.close();
    expect(harmless).not.toBe(session);

    const page = await stage.page('/approvals', { context: chinese });
    const form = page.locator('[data-action=confirmation]').filter({ hasText: 'mailer_wipe' });
    for (const words of ['不可撤销。', '高风险。', '来自小工具“Mail bot”（mailer）']) await form.getByText(words).waitFor();
    await form.getByRole('button', { name: '批准', exact: true }).click();
    await form.waitFor({ state: 'detached' });
  }));
