import { createClient } from '@turnkeeper/client/create-client';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { consoleTest, sideways } from './testing/console-test.ts';

const stage = consoleTest();
const row = (page: Page, title: string) => page.locator('tbody tr').filter({ hasText: title });
const titles = (page: Page) => page.locator('tbody tr').locator('a').allTextContents();
const idle = async (ids: readonly string[]): Promise<void> => {
  for (const id of ids) await expect.poll(async () => (await stage.admin().sessions.get(id)).status).toBe('idle');
};
const quick = (title: string, more: Parameters<typeof stage.scripted>[1] = {}) => stage.scripted([[{ text: 'ok' }]], { title, ...more });

test('searched by title and id, by keys; what is searched stands in the address and survives a reload', async () => {
  const apples = await quick('Apple harvest');
  await quick('Pear harvest');
  const page = await stage.page('/sessions');
  await row(page, 'Apple').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('apple');
  // Whoever types slowly has narrowed the list before the word is whole.
  await expect.poll(() => new URL(page.url()).search).toBe('?q=apple');
  await row(page, 'Pear').waitFor({ state: 'detached' });
  expect((await titles(page)).join()).toContain('Apple harvest');
  await page.reload();
  await row(page, 'Apple').waitFor();
  expect(await page.locator('tbody tr').count()).toBe(1);
  expect(await page.getByRole('searchbox').inputValue()).toBe('apple');
  await page.getByRole('searchbox').fill('pear');
  await row(page, 'Pear').waitFor();
  await row(page, 'Apple').waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill(apples);
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(apples);
  await row(page, 'Apple').waitFor();
  await page.getByRole('searchbox').fill('no such thing');
  await page.getByText('No session fits.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await row(page, 'Pear').waitFor();
  expect(stage.problems()).toEqual([]);
});

test('renamed, archived, restored and deleted from its menu', async () => {
  const id = await quick('Draft');
  await idle([id]);
  const page = await stage.page('/sessions?q=Draft');
  await page.getByRole('button', { name: 'More about Draft' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel('Title', { exact: true }).fill('Draft, second');
  await page.keyboard.press('Enter');
  await row(page, 'Draft, second').waitFor();
  await page.getByRole('button', { name: 'More about Draft, second' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByText('No session fits.').waitFor();
  await page.getByLabel('Status').selectOption('archived');
  await page.getByRole('button', { name: 'More about Draft, second' }).click();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await page.getByText('No session fits.').waitFor();
  await page.getByLabel('Status').selectOption('all');
  await page.getByRole('button', { name: 'More about Draft, second' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  expect((await stage.admin().sessions.get(id)).title).toBe('Draft, second');
  await page.getByRole('button', { name: 'More about Draft, second' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No session fits.').waitFor();
  await expect(stage.admin().sessions.get(id)).rejects.toMatchObject({ code: 'not_found' });
});

test('in bulk: archived, restored and deleted, only what is chosen', async () => {
  const ids = await Promise.all(['Batch one', 'Batch two', 'Batch three'].map((title) => quick(title)));
  await idle(ids);
  const archived = async (): Promise<boolean[]> => Promise.all(ids.map(async (id) => (await stage.admin().sessions.get(id)).archived));
  const page = await stage.page('/sessions?q=Batch&status=all');
  await page.getByRole('checkbox', { name: 'Select Batch one' }).check();
  await page.getByRole('checkbox', { name: 'Select Batch two' }).check();
  const bar = page.getByRole('toolbar');
  await bar.getByText('2 selected').waitFor();
  await bar.getByRole('button', { name: 'Archive' }).click();
  await bar.waitFor({ state: 'detached' });
  expect(await archived()).toEqual([true, true, false]);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await bar.getByRole('button', { name: 'Restore' }).click();
  await bar.waitFor({ state: 'detached' });
  expect(await archived()).toEqual([false, false, false]);
  await page.getByRole('checkbox', { name: 'Select Batch three' }).check();
  await page.getByRole('checkbox', { name: 'Select Batch one' }).check();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Delete 2 sessions?' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row(page, 'Batch one').waitFor({ state: 'detached' });
  await row(page, 'Batch three').waitFor({ state: 'detached' });
  expect((await stage.admin().sessions.list({ q: 'Batch', status: 'all' })).items.map(({ title }) => title)).toEqual(['Batch two']);
  expect(stage.problems()).toEqual([]);
});

test('searched in what was said, narrowed by more filters, kept under a name', async () => {
  await stage.scripted([[{ text: 'The kumquats are ripe' }]], { title: 'Orchard' });
  const running = await stage.scripted([[{ hang: true }]], { title: 'Picks for ever' });
  const page = await stage.page('/sessions');
  await page.getByRole('combobox', { name: 'Search in' }).selectOption('messages');
  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Search in what was said' }).fill('KUMQUATS are');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  await row(page, 'Orchard').waitFor();
  await page.goto(`${stage.url()}/sessions?owner=all`);
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('combobox', { name: 'What they do' }).selectOption('running');
  await row(page, 'Orchard').waitFor({ state: 'detached' });
  await row(page, 'Picks for ever').waitFor();
  await page.getByRole('combobox', { name: 'Changed' }).selectOption('7');
  await expect.poll(() => new URL(page.url()).search).toBe('?owner=all&activity=running&since=7');
  await page.getByRole('button', { name: 'Save these filters' }).click();
  await page.getByLabel('Name', { exact: true }).fill('What runs');
  await page.keyboard.press('Enter');
  await page.goto(`${stage.url()}/sessions`);
  await row(page, 'Orchard').waitFor();
  await page.getByRole('link', { name: 'What runs' }).click();
  await row(page, 'Orchard').waitFor({ state: 'detached' });
  await page.getByRole('spinbutton', { name: 'Cost at least' }).fill('1000');
  await page.getByText('No session fits.').waitFor();
  await page.getByRole('button', { name: 'Remove “What runs”' }).click();
  await expect.poll(() => page.getByRole('link', { name: 'What runs' }).count()).toBe(0);
  const turn = (await stage.admin().turns.list(running)).items[0]?.id ?? '';
  await stage.admin().turns.cancel(running, turn, { idempotencyKey: 'enough' });
  expect(stage.problems()).toEqual([]);
});

test('narrowed to what they were made for, and to who has them, by name', async () => {
  const admin = stage.admin();
  const { agent } = await admin.agents.create({ agentKey: 'fruit', displayName: 'Fruit', definition: { system: '', model: 'demo:script' } });
  const { team } = await admin.teams.create({ name: 'Pickers', leader: { agentId: agent.id }, members: [{ name: 'one', agentId: agent.id, role: 'Picks.' }] });
  const { workflow } = await admin.workflows.create({
    name: 'Harvest',
    draftSpec: { nodes: [{ key: 'wait', type: 'timer', timer: { durationSeconds: 1 } }], edges: [] },
  });
  await admin.workflows.publish(workflow.id, workflow.version);
  await admin.sessions.create({ target: { type: 'team', id: team.id }, title: 'Made for the team' });
  await admin.sessions.create({ target: { type: 'workflow', id: workflow.id }, title: 'Made for the workflow' });
  const { client, username } = await stage.person();
  await client.sessions.create({ agent: agent.id, title: 'Somebody else has it' });
  const application = await admin.applications.create({ name: 'Shop' });
  const { apiKey } = await admin.credentials.create(application.id, { name: 'key', scopes: ['invoke', 'read'], targets: [{ type: 'agent', id: agent.id }] });
  await createClient({ baseUrl: stage.url(), token: apiKey }).sessions.create({ agent: agent.id, title: 'The shop has it' });
  const page = await stage.page('/sessions?owner=all');
  await row(page, 'Made for the team').waitFor();
  await page.getByRole('button', { name: 'More filters' }).click();
  for (const [label, title] of [
    ['Pickers', 'Made for the team'],
    ['Harvest', 'Made for the workflow'],
  ] as const) {
    await page.getByRole('combobox', { name: 'Made for' }).selectOption({ label });
    await expect.poll(() => titles(page)).toEqual([expect.stringContaining(title)]);
  }
  await page.getByRole('combobox', { name: 'Made for' }).selectOption({ label: 'Any target' });
  for (const [label, title] of [
    [username, 'Somebody else has it'],
    ['Shop', 'The shop has it'],
  ] as const) {
    await page.getByRole('combobox', { name: 'Owner' }).selectOption({ label });
    await expect.poll(() => titles(page)).toEqual([expect.stringContaining(title)]);
  }
  expect(new URL(page.url()).searchParams.get('owner')).toBe(`app:${application.id}`);
  expect(stage.problems()).toEqual([]);
});

test('pinned ones come first, here and in the rail, also after a reload and on another device', async () => {
  const ids = await Promise.all(['Pin one', 'Pin two', 'Pin three'].map((title) => quick(title)));
  await idle(ids);
  const page = await stage.page('/sessions?q=Pin');
  await row(page, 'Pin one').hover();
  await page.getByRole('button', { name: 'Pin Pin one' }).click();
  await expect.poll(async () => (await titles(page))[0]).toContain('Pin one');
  // It shows at once: what is left before the server has heard of it is not kept.
  await expect.poll(() => stage.admin().pins.list()).toEqual([ids[0]]);
  await page.reload();
  await expect.poll(async () => (await titles(page))[0]).toContain('Pin one');
  await page.getByRole('heading', { name: 'Pinned' }).waitFor();
  await stage.open({}, async (context) => {
    const phone = await stage.page('/sessions?q=Pin', { context });
    await expect.poll(async () => (await titles(phone))[0]).toContain('Pin one');
    await row(phone, 'Pin one').getByRole('button', { name: 'Unpin Pin one' }).click();
    await page.getByRole('heading', { name: 'Pinned' }).waitFor({ state: 'detached' });
    await row(phone, 'Pin one').getByRole('button', { name: 'Pin Pin one' }).click();
    await page.getByRole('heading', { name: 'Pinned' }).waitFor();
  });
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Pin', exact: true }).click();
  await expect.poll(() => page.locator('aside h2:has-text("Pinned") + ul a').count()).toBe(3);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Unpin' }).click();
  await page.getByRole('heading', { name: 'Pinned' }).waitFor({ state: 'detached' });
});

test('more than a page: the rest is one press away', async () => {
  const { client, token } = await stage.person();
  const agentKey = `many-${token
    .slice(-6)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, 'x')}`;
  await stage.admin().agents.create({ agentKey, displayName: 'Many', definition: { system: '', model: 'demo:script' } });
  for (let n = 0; n < 55; n += 1) await client.sessions.create({ agent: agentKey, title: `Session ${n}` });
  const page = await stage.page('/sessions', { token });
  await expect.poll(() => page.locator('tbody tr').count()).toBe(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(55);
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
});

test('whoever only reads sees no button that would fail', async () => {
  const reader = await stage.person();
  await stage.admin().spaces.create({ id: 'team', name: 'Team' });
  await stage.admin().spaces.putMember('team', reader.id);
  const ask = { definition: { tools: [{ type: 'builtin', name: 'time', permission: 'always_ask' }] }, title: 'Shown to the team', space: 'team' };
  const id = await stage.scripted([[{ tool: { name: 'time', input: {} } }], [{ text: 'done' }]], ask);
  const page = await stage.page('/sessions?owner=all', { token: reader.token });
  await row(page, 'Shown to the team').waitFor();
  expect(await row(page, 'Shown to the team').getByRole('checkbox').count()).toBe(0);
  await row(page, 'Shown to the team').getByRole('cell', { name: 'Admin' }).waitFor();
  await page.getByRole('button', { name: 'More about Shown to the team' }).click();
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
  for (const name of ['Rename', 'Archive', 'Delete']) expect(await page.getByRole('menuitem', { name }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.goto(`${stage.url()}/?session=${id}`);
  await page.getByText('You can read this session.').waitFor();
  await page.getByText('waits for somebody else’s answer').waitFor();
  for (const name of ['Approve', 'Deny', 'Send', 'Stop']) expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
  expect(await page.getByLabel('Message', { exact: true }).count()).toBe(0);
  // Escape would stop the turn of whoever may.
  await page.keyboard.press('Escape');
  await page.goto(`${stage.url()}/approvals`);
  await page.getByText('Nothing waits for you').waitFor();
  expect((await stage.admin().sessions.get(id)).status).toBe('requires_action');
  expect(stage.problems()).toEqual([]);
});

test('360 pixels wide, in Chinese: chosen and archived by thumb, nothing scrolls sideways', () =>
  stage.open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN' }, async (context) => {
    const id = await quick('一个很长很长的标题'.repeat(8));
    await idle([id]);
    const page = await stage.page('/sessions?q=一个', { context });
    await page.getByRole('checkbox', { name: /^选择 一个/ }).tap();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await page.getByRole('toolbar').getByRole('button', { name: '归档' }).tap();
    await page.getByText('没有符合条件的会话').waitFor();
    expect((await stage.admin().sessions.get(id)).archived).toBe(true);
  }));
