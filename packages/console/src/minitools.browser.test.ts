/** Mini-tools: installed from a folder, agreed to, started, looked at, set up, stopped and removed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { axeFaults } from './testing/axe.ts';
import { consoleTest, sideways } from './testing/console-test.ts';

const stage = consoleTest();
const folder = mkdtempSync(join(tmpdir(), 'turnkeeper-console-minitool-'));
afterAll(() => rmSync(folder, { recursive: true }));

const manifest = {
  manifestVersion: 1,
  id: 'notes',
  name: { default: 'Notes', 'zh-CN': '笔记' },
  main: 'dist/index.js',
  contributes: { sessionContainers: [{ id: 'chats', title: 'Chats' }], webhooks: [{ id: 'messages', verify: 'github' }] },
  settings: { fields: [{ key: 'platform', type: 'text', label: 'Address' }] },
  permissions: { sessions: true, secrets: ['webhook.messages'] },
};
mkdirSync(join(folder, 'dist'));
writeFileSync(join(folder, 'finch.json'), JSON.stringify(manifest));
writeFileSync(join(folder, 'dist', 'index.js'), "export const activate = (ctx) => ctx.logger.warn('It is up.');\n");

/** Shows what its webhook is asked for, and logs what came of it. */
const speaking = join(folder, 'speaking');
const speaks = `
const shows = {
  toast: (ui) => ui.showToast({ title: 'The <b>report</b> is ready', description: '[open](javascript:alert(1))', variant: 'success', durationMs: 60000, action: { label: 'Open' } }),
  confirm: (ui) => ui.showConfirmDialog({ title: 'Send the report to all?', message: 'This reaches 12 people.', confirmLabel: 'Send', variant: 'danger' }),
  form: (ui) => ui.showModalDialog({
    title: 'Where should it go?',
    fields: [
      { key: 'note', label: 'Note', type: 'textarea', required: true },
      { key: 'to', label: 'To', type: 'select', options: [{ value: 'ops', label: 'Operations' }, { value: 'dev', label: 'Developers' }] },
    ],
    actions: [{ id: 'later', label: 'Later', variant: 'secondary' }, { id: 'send', label: 'Send it', variant: 'primary' }],
  }),
};
export const activate = (ctx) => {
  ctx.http.onWebhook('show', ({ body }) => {
    const kind = JSON.parse(Buffer.from(body).toString()).kind;
    void shows[kind](ctx.ui).then((result) => ctx.logger.info(kind + ' ' + JSON.stringify(result)));
  });
};
`;
mkdirSync(join(speaking, 'dist'), { recursive: true });
const reporter = {
  manifestVersion: 1,
  id: 'reporter',
  name: { default: 'Reporter', 'zh-CN': '报告员' },
  contributes: { webhooks: [{ id: 'show', verify: 'none' }] },
};
writeFileSync(join(speaking, 'finch.json'), JSON.stringify(reporter));
writeFileSync(join(speaking, 'dist', 'index.js'), speaks);

const runReporter = async (): Promise<void> => {
  const { minitool } = await stage.admin().minitools.install({ source: `folder:${speaking}` });
  await stage.admin().minitools.enable('reporter', minitool.permissions);
};
const show = (kind: 'toast' | 'confirm' | 'form') =>
  fetch(`${stage.url()}/api/v1/minitools/reporter/webhooks/show`, { method: 'POST', body: JSON.stringify({ kind, id: crypto.randomUUID() }) });
const reported = (line: string) =>
  expect.poll(async () => (await stage.admin().minitools.logs('reporter')).items.map(({ message }) => message)).toContain(line);
/** A page that mini-tools know to be there. */
const watching = async (who: Parameters<typeof stage.page>[1] = {}): Promise<Page> => {
  const page = await stage.page('/minitools', who);
  await Promise.all([page.waitForResponse((response) => response.url().endsWith('/minitool-shows/stream')), page.reload()]);
  return page;
};

test('installed, agreed to, started; its settings, secret, log and sessions; stopped and removed', async () => {
  const page = await stage.page('/minitools');
  await page.getByText('Nothing is installed yet.').waitFor();
  await page.getByRole('button', { name: 'Install' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('From').selectOption('folder');
  await dialog.getByLabel('Folder', { exact: true }).fill(join(folder, 'nowhere'));
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Folder', { exact: true }).fill(folder);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Enable' }).click();
  await dialog.getByText('Opens sessions of its own').waitFor();
  await dialog.getByText('Reaches no network.').waitFor();
  await dialog.getByRole('button', { name: 'Agree and enable' }).click();
  await page.locator('main').getByText('running', { exact: true }).waitFor();
  expect((await stage.admin().minitools.get('notes')).minitool.administration?.consent).toMatchObject({ sessions: true, network: false });
  await page.getByText('/api/v1/minitools/notes/webhooks/messages').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  // A container leads to the sessions in it, and is among what the list is narrowed to.
  await page.getByRole('link', { name: 'Chats' }).click();
  await page.getByRole('option', { name: 'Notes · Chats' }).waitFor({ state: 'attached' });
  expect(await page.getByRole('combobox', { name: 'Space or container' }).inputValue()).toBe('container:notes/chats');
  await page.goBack();
  await page.getByRole('navigation', { name: 'Notes' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Address').fill('http://127.0.0.1:9');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect.poll(async () => (await stage.admin().minitools.get('notes')).minitool.administration?.settings).toEqual({ platform: 'http://127.0.0.1:9' });
  await page.getByRole('button', { name: 'Replace webhook.messages' }).click();
  await dialog.getByLabel('Value').fill('sesame-open');
  await page.keyboard.press('Enter');
  await page.getByText('is set', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Log' }).click();
  await page.getByText('It is up.').first().waitFor();
  await page.getByLabel('Level').selectOption('warn');
  expect(new URL(page.url()).searchParams.get('level')).toBe('warn');
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('disabled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Nothing is installed yet.').waitFor();
  // The folder that is not there was refused, and what is removed is not found.
  expect(stage.problems().filter((problem) => !/status of 40[04]/.test(problem))).toEqual([]);
});

test('whoever may use one sees it and changes nothing; in Chinese at 360 pixels', () =>
  stage.open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN' }, async (context) => {
    const { id, token } = await stage.person();
    await stage.admin().minitools.install({ source: `folder:${folder}` });
    await stage.admin().minitools.patch('notes', { users: [id] });
    const page = await stage.page('/minitools', { context, token });
    await page.getByRole('link', { name: '笔记' }).waitFor();
    expect(await page.getByRole('button', { name: '安装' }).count()).toBe(0);
    await page.getByRole('link', { name: '笔记' }).tap();
    await page.getByRole('link', { name: 'Chats' }).waitFor();
    for (const name of ['启用', '移除', '重新启动']) expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.getByRole('link', { name: '查看它的会话' }).tap();
    await page.waitForURL(/owner=minitool/);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
  }));

test('an admin sets the language of mini-tools, and takes it back; in Chinese at 360 pixels', () =>
  stage.open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN' }, async (context) => {
    const { minitools } = stage.admin();
    const page = await stage.page('/minitools', { context });
    const select = page.getByRole('combobox', { name: '小工具的语言' });
    expect(await select.locator('option').first().textContent()).toBe('按服务器启动时的设置：English');
    await select.selectOption({ label: '中文' });
    await expect.poll(async () => (await minitools.defaults()).localeInForce).toBe('zh-CN');
    await expect.poll(() => select.inputValue()).toBe('zh-CN');
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    expect(await axeFaults(page)).toEqual([]);
    await expect.poll(() => select.isEnabled()).toBe(true);
    await select.selectOption('');
    await expect.poll(async () => (await minitools.defaults()).locale).toBeNull();
    const { id, token } = await stage.person();
    await minitools.install({ source: `folder:${folder}` });
    await minitools.patch('notes', { users: [id] });
    const theirs = await stage.page('/minitools', { context, token });
    await theirs.getByRole('link', { name: '笔记' }).waitFor();
    expect(await theirs.getByRole('combobox').count()).toBe(0);
    await minitools.delete('notes');
  }));

test('what a mini-tool shows: a toast and dialogs under its name, as text, answered once for all pages', async () => {
  await runReporter();
  const [page, other] = [await watching(), await watching()];
  for (const kind of ['toast', 'confirm'] as const) await show(kind);
  const dialog = page.getByRole('dialog', { name: 'From the mini-tool “Reporter” (reporter): Send the report to all?' });
  await dialog.waitFor();
  await other.getByRole('dialog').waitFor();
  // Nobody answers by what they were typing when it came.
  expect(await page.evaluate(() => document.activeElement?.closest('button'))).toBeNull();
  const send = dialog.getByRole('button', { name: 'Send', exact: true });
  await expect.poll(() => send.isEnabled()).toBe(true);
  await dialog.evaluate((element) => Promise.all(element.getAnimations({ subtree: true }).map(({ finished }) => finished)).then(() => {}));
  expect(await axeFaults(page)).toEqual([]);
  await send.click();
  await reported('confirm {"confirmed":true}');
  await dialog.waitFor({ state: 'detached' });
  await other.getByRole('dialog').waitFor({ state: 'detached' });
  const toasts = page.getByRole('region', { name: 'Messages of mini-tools' });
  await toasts.getByText('From the mini-tool “Reporter” (reporter)').waitFor();
  await toasts.getByText('The <b>report</b> is ready').waitFor();
  expect(await toasts.locator('a, b').count()).toBe(0);
  expect(await axeFaults(page)).toEqual([]);
  await toasts.getByRole('button', { name: 'Open' }).click();
  await reported('toast {"action":"action"}');
  await toasts.getByText('is ready').waitFor({ state: 'detached' });
  await other.getByText('is ready').waitFor({ state: 'detached' });
  expect(stage.problems()).toEqual([]);
  await stage.admin().minitools.delete('reporter');
});

test('a form of a mini-tool by keyboard, in Chinese at 360 pixels in the dark; Escape dismisses, and more of it can be refused', () =>
  stage.open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN', colorScheme: 'dark' }, async (context) => {
    await runReporter();
    const page = await watching({ context });
    for (let shown = 0; shown < 3; shown += 1) await show('form');
    const dialog = page.getByRole('dialog');
    const note = dialog.getByLabel('Note');
    await note.waitFor();
    await dialog.getByText('来自小工具“报告员”（reporter）').waitFor();
    const send = dialog.getByRole('button', { name: 'Send it' });
    expect(await send.isDisabled()).toBe(true);
    await note.fill('Two lines\nof text');
    await dialog.getByLabel('To').selectOption({ label: 'Operations' });
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await expect.poll(() => send.isEnabled()).toBe(true);
    await send.press('Enter');
    await reported('form {"action":"send","values":{"note":"Two lines\\nof text","to":"ops"}}');
    await expect.poll(() => note.inputValue()).toBe('');
    expect(await dialog.getByRole('button', { name: '不再在此显示它的内容' }).count()).toBe(0);
    // It came while somebody typed: no key is meant for it yet.
    await expect.poll(() => dialog.getByRole('button', { name: '忽略' }).isEnabled()).toBe(true);
    await page.keyboard.press('Escape');
    await reported('form {"action":"dismissed"}');
    await dialog.getByRole('button', { name: '不再在此显示它的内容' }).click();
    await dialog.waitFor({ state: 'detached' });
    await stage.admin().minitools.delete('reporter');
  }));

/** Makes the session that its webhook is asked for; its turn says its title. */
const keeping = join(folder, 'keeping');
const keeps = `
export const activate = (ctx) => {
  ctx.http.onWebhook('make', async ({ body }) => {
    const { id, title, space, activity } = JSON.parse(Buffer.from(body).toString());
    const place = space === undefined ? { containerId: 'jobs' } : { space: { spaceId: space } };
    const initialMessage = { text: JSON.stringify({ steps: [[{ text: title }]] }), idempotencyKey: id };
    const { sessionId } = await ctx.sessions.create({ ...place, title, activity, initialMessage });
    ctx.logger.info(title + ' ' + sessionId);
  });
};
`;
mkdirSync(join(keeping, 'dist'), { recursive: true });
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="red"/></svg>';
const keeper = {
  manifestVersion: 1,
  id: 'keeper',
  name: 'Keeper',
  contributes: {
    sessionContainers: [
      { id: 'jobs', title: 'Jobs', icon: 'ext:own/dot' },
      { id: 'desk', title: 'Desk', icon: '📮', mode: 'assistant', agentProfile: 'helper' },
      { id: 'far', title: 'Far', icon: 'https://example.com/icon.png' },
    ],
    agentProfiles: [{ id: 'helper', prompt: 'You help.' }],
    icons: { dot: { svg } },
    webhooks: [{ id: 'make', verify: 'none', dedupe: '/id' }],
  },
  permissions: { sessions: true },
};
writeFileSync(join(keeping, 'finch.json'), JSON.stringify(keeper));
writeFileSync(join(keeping, 'dist', 'index.js'), keeps);

/** Its people are these; its sessions run on an agent that plays scripts. */
const runKeeper = async (...users: readonly string[]): Promise<void> => {
  const { minitools, agents } = stage.admin();
  const { agent } = await agents.create({
    agentKey: `script-${crypto.randomUUID()}`,
    displayName: 'Player',
    definition: { system: '', model: 'demo:script' },
  });
  const { minitool } = await minitools.install({ source: `folder:${keeping}` });
  await minitools.patch('keeper', { users, containerAgents: { jobs: agent.id, desk: agent.id } });
  await minitools.putDefaults({ defaultAgent: agent.id });
  await minitools.enable('keeper', minitool.permissions);
};
/** Resolves with its id once its turn is done. */
const made = async (title: string, more: object = {}): Promise<string> => {
  const { minitools, sessions } = stage.admin();
  await fetch(`${stage.url()}/api/v1/minitools/keeper/webhooks/make`, { method: 'POST', body: JSON.stringify({ id: crypto.randomUUID(), title, ...more }) });
  const line = async () => (await minitools.logs('keeper')).items.find(({ message }) => message.startsWith(`${title} ses_`))?.message;
  await expect.poll(line).toBeDefined();
  const id = (await line())?.slice(title.length + 1) ?? '';
  await expect.poll(async () => (await sessions.get(id)).status).toBe('idle');
  return id;
};
const unread = async (): Promise<readonly string[]> => (await stage.admin().minitools.get('keeper')).minitool.containers[0]?.unread ?? [];
/** As if the page were behind another one, and before it again. */
const hide = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);

test('what happened in a container has a mark in the rail, at the container and at the session, until somebody has looked', async () => {
  const { id, token, client: person } = await stage.person();
  await runKeeper(id);
  const session = await made('Night job', { activity: 'background' });
  await expect.poll(unread).toEqual([session]);
  const page = await stage.page('/now', { token });
  const link = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: 'Mini-tools' });
  await link.getByText('1 unread').waitFor({ state: 'attached' });
  await link.click();
  await page.locator('[data-row="keeper"]').getByText('1 unread').waitFor();
  await page.locator('main').getByRole('link', { name: 'Keeper' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Jobs' });
  await row.getByText('1 unread').waitFor();
  expect(await page.locator('[data-icon="picture"]').evaluate((image: HTMLImageElement) => image.decode().then(() => image.src.slice(0, 19)))).toBe(
    'data:image/svg+xml,',
  );
  await page.locator('[data-icon="sign"]', { hasText: '📮' }).waitFor();
  // Of another host nothing is fetched: it has the icon of its kind.
  expect(await page.locator('main img').count()).toBe(1);
  await row.getByRole('link', { name: 'Jobs' }).click();
  const listed = page.locator(`tr[data-session="${session}"]`);
  await listed.getByText('Unread').waitFor({ state: 'attached' });
  expect(await axeFaults(page)).toEqual([]);
  await listed.getByRole('link').click();
  await expect.poll(unread).toEqual([]);
  await page.locator('main').getByText('Night job', { exact: true }).first().waitFor();
  await link.getByText('unread').waitFor({ state: 'detached' });
  // What happens before somebody’s eyes is seen, too; behind their back it is not.
  const message = { message: JSON.stringify({ steps: [[{ text: 'more' }]] }) };
  await hide(page, true);
  await person.turns.submit(session, message, { idempotencyKey: crypto.randomUUID() });
  await expect.poll(unread).toEqual([session]);
  await hide(page, false);
  await expect.poll(unread).toEqual([]);
  await person.turns.submit(session, message, { idempotencyKey: crypto.randomUUID() });
  await expect.poll(async () => (await person.sessions.get(session)).status).toBe('idle');
  await expect.poll(unread).toEqual([]);
  expect(stage.problems()).toEqual([]);
  await stage.admin().minitools.delete('keeper');
});

test('an admin who does not use it is offered no session there; its people are, and choose its agents', async () => {
  const { id, token } = await stage.person();
  await runKeeper(id);
  const admins = await stage.page('/minitools?id=keeper');
  await admins.getByText('Desk').waitFor();
  expect(await admins.getByRole('button', { name: 'New session' }).count()).toBe(0);
  const page = await stage.page('/minitools?id=keeper', { token });
  const { agent } = await stage.admin().agents.create({
    agentKey: `other-${crypto.randomUUID()}`,
    displayName: 'Another agent',
    definition: { system: '', model: 'demo:script' },
  });
  await page.reload();
  await page.getByLabel('Desk').selectOption({ label: 'Another agent' });
  await expect.poll(async () => (await stage.admin().minitools.get('keeper')).minitool.containers[1]?.agent).toBe(agent.id);
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByLabel('Message', { exact: true }).waitFor();
  const opened = new URL(page.url()).searchParams.get('session') ?? '';
  expect((await stage.admin().sessions.get(opened)).target.id).toBe(agent.id);
  expect(stage.problems()).toEqual([]);
  await stage.admin().minitools.delete('keeper');
});

test('what a mini-tool places in a space is in the ordinary lists, and its people go on with it', async () => {
  const { id, token } = await stage.person();
  await runKeeper(id);
  const session = await made('From the bot', { space: 'default' });
  const page = await stage.page('/now', { token });
  await page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: 'From the bot' }).waitFor();
  await page.locator('main').getByRole('link', { name: 'From the bot' }).waitFor();
  await page.goto(`${stage.url()}/sessions`);
  await page.locator(`tr[data-session="${session}"]`).getByRole('link', { name: 'From the bot' }).click();
  await page.getByLabel('Message', { exact: true }).fill('{"steps":[[{"text":"And on it goes."}]]}');
  await page.keyboard.press('Enter');
  await page.locator('main').getByText('And on it goes.', { exact: true }).waitFor();
  expect(stage.problems()).toEqual([]);
  await stage.admin().minitools.delete('keeper');
});
