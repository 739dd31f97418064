import { expect, test } from 'vitest';
import { axeFaults } from './testing/axe.ts';
import { consoleTest, sideways } from './testing/console-test.ts';
import { copied } from './testing/glimpse.ts';

const stage = consoleTest();
const asking = { definition: { tools: [{ type: 'builtin', name: 'time', permission: 'always_ask' }] } };
const status = async (id: string): Promise<string> => (await stage.admin().sessions.get(id)).status;
/** Waits for its answer: longer than those that are asked for later. */
const ask = async (title: string): Promise<string> => {
  const id = await stage.scripted([[{ tool: { name: 'time', input: {} } }], [{ text: 'done' }]], { ...asking, title });
  await expect.poll(() => status(id)).toBe('requires_action');
  return id;
};

test('what waits longest is answered here, the next one by its key; numbers beside every page follow', async () => {
  const [first, second] = [await ask('Asks first'), await ask('Asks second')];
  const page = await stage.page('/now');
  const card = page.locator('[data-approval]');
  await card.getByRole('link', { name: 'Asks first' }).waitFor();
  await page.getByRole('navigation').locator('[data-count=waiting]').getByText('2', { exact: true }).waitFor();
  await page.keyboard.press('l');
  await card.getByRole('link', { name: 'Asks second' }).waitFor();
  await page.keyboard.press('y');
  await expect.poll(() => status(second)).toBe('idle');
  await card.getByRole('link', { name: 'Asks first' }).waitFor();
  expect(await status(first)).toBe('requires_action');
  await card.getByRole('button', { name: 'Deny' }).click();
  await expect.poll(() => status(first)).toBe('idle');
  await card.waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('nav [data-count=waiting]').textContent()).toContain('0');
  expect(stage.problems()).toEqual([]);
});

test('a failed turn is one key away, one that does not end is stopped, the last session and a new one are at hand', async () => {
  const broken = await stage.scripted([[{ error: { retryable: false, message: 'The quota is used up' } }]], { title: 'Breaks' });
  const endless = await stage.scripted([[{ hang: true }]], { title: 'Never ends' });
  const page = await stage.page('/now');
  const failure = page.locator('[data-failed]').filter({ hasText: 'Breaks' });
  await failure.getByText('The quota is used up').waitFor();
  const running = page.locator('[data-running]').filter({ hasText: 'Never ends' });
  await running.getByRole('button', { name: 'Stop Never ends' }).click();
  await running.waitFor({ state: 'detached' });
  await expect.poll(() => status(endless)).toBe('idle');
  await page.locator('main').focus();
  await page.keyboard.press('f');
  await expect.poll(() => new URL(page.url()).searchParams.get('session')).toBe(broken);
  expect(new URL(page.url()).searchParams.get('turn')).toMatch(/^turn_/);
  await page.goBack();
  const lastSession = async (): Promise<string | null> => {
    // The field takes the focus when the page is there again, however late that is.
    await page.locator('main').focus();
    await page.keyboard.press('r');
    return new URL(page.url()).searchParams.get('session');
  };
  // The key is there once the last session is known.
  await expect.poll(lastSession).not.toBeNull();
  await page.goBack();
  await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption({ label: 'Demo' });
  await page.locator('main').focus();
  await page.keyboard.press('c');
  await page.keyboard.type('What is 6 * 7?');
  await page.keyboard.press('Enter');
  await page.locator('[data-outcome=completed]').waitFor();
  expect(await page.locator('[data-role=assistant]').last().textContent()).toContain('42');
  expect(stage.problems()).toEqual([]);
});

test('a chat on another model, for whoever may start it: no agent is made of it, and none is offered that would be refused', async () => {
  const add = (agentKey: string, more: object) =>
    stage.admin().agents.create({ agentKey, displayName: agentKey, definition: { system: '', model: 'demo:script', ...more } });
  await add('closed', {});
  await add('open', { models: ['demo:echo'] });
  const agents = (await stage.admin().agents.list({ limit: 200 })).items.length;
  const { client, token } = await stage.person();
  const page = await stage.page('/now', { token });
  const model = page.getByRole('combobox', { name: 'Model', exact: true });
  await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption({ label: 'closed' });
  await model.and(page.locator(':disabled')).getByRole('option', { name: 'demo:script' }).waitFor({ state: 'attached' });
  await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption({ label: 'open' });
  await model.selectOption('demo:echo');
  await page.getByRole('textbox', { name: 'Message' }).fill('Say this again');
  await page.keyboard.press('Enter');
  await page.locator('[data-outcome=completed]').waitFor();
  expect(await page.locator('[data-role=assistant]').last().textContent()).toContain('Say this again');
  expect((await client.sessions.list()).items.map(({ target }) => target.model)).toEqual(['demo:echo']);
  expect((await stage.admin().agents.list({ limit: 200 })).items).toHaveLength(agents);
  expect(stage.problems()).toEqual([]);
});

test('a failed turn is dismissed by keys and stays away over a reload; it is there when it is asked for', async () => {
  const { client, token, id: user } = await stage.person();
  const broken = [[{ error: { retryable: false, message: 'No more quota' } }]];
  for (const title of ['Broke first', 'Broke second']) await stage.scripted(broken, { title, client });
  const page = await stage.page('/now', { token });
  const failed = page.locator('[data-failed]');
  await expect.poll(() => failed.count()).toBe(2);
  await page.getByRole('button', { name: 'Dismiss Broke second' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => failed.count()).toBe(1);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Dismiss Broke first');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Show dismissed (2)');
  await page.reload();
  await page.getByRole('link', { name: 'Show dismissed (2)' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('dismissed')).toBe('1');
  await page.getByRole('list', { name: 'Dismissed', exact: true }).getByText('Broke first').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate((key) => localStorage.getItem(key), `turnkeeper.dismissed.${user}`)).toContain('turn_');
  expect(stage.problems()).toEqual([]);
});

test('first steps tick themselves, stand beside the Welcome session, and go when nobody wants them', async () => {
  const page = await stage.page('/now');
  const step = (id: string) => page.locator(`main [data-step=${id}]`);
  await step('model').waitFor();
  expect(await step('key').getAttribute('data-done')).toBe('false');
  await stage.admin().tokens.create({ name: 'my program' });
  await page.reload();
  await expect.poll(() => step('key').getAttribute('data-done')).toBe('true');
  await page.getByText('Restart the server now: the running turn goes on.').waitFor();
  await page
    .getByText(/^kill -9 \d+$/)
    .first()
    .waitFor();
  const welcome = (await stage.admin().sessions.list({ q: 'Welcome' })).items[0]?.id ?? '';
  await page.goto(`${stage.url()}/?session=${welcome}`);
  await page.locator('[data-step=password]').waitFor();
  await page.getByRole('button', { name: 'Hide first steps' }).click();
  await page.locator('[data-step=password]').waitFor({ state: 'detached' });
  await page.goto(`${stage.url()}/now`);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  expect(await page.locator('[data-step]').count()).toBe(0);
  const { token } = await stage.person();
  const other = await stage.page('/now', { token });
  await other.getByRole('textbox', { name: 'Message' }).waitFor();
  expect(await other.locator('[data-step]').count()).toBe(0);
});

test('copied commands carry a token of their own, good for a day', () =>
  stage.open({ permissions: ['clipboard-read', 'clipboard-write'] }, async (context) => {
    const page = await stage.page('/now', { context });
    await Promise.all([copied(page), page.getByRole('button', { name: 'Copy terminal command' }).click()]);
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const [, token = ''] = /TURNKEEPER_TOKEN='([^']+)'/.exec(command) ?? [];
    expect(token).not.toBe(await page.evaluate(() => localStorage.getItem('turnkeeper.token')));
    const answer = await fetch(`${stage.url()}/api/v1/tokens`, { headers: { authorization: `Bearer ${token}` } });
    const { items } = (await answer.json()) as { items: { current: boolean; createdAt: number; expiresAt: number | null }[] };
    const own = items.find(({ current }) => current);
    const hours = ((own?.expiresAt ?? 0) - (own?.createdAt ?? 0)) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
  }));

test('360 pixels wide, in Chinese: the page fits, what waits is answered by thumb', () =>
  stage.open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN' }, async (context) => {
    const id = await ask('需要批准');
    const page = await stage.page('/now', { context });
    await page.locator('[data-approval]').waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await page.locator('[data-approval]').getByRole('button', { name: '批准', exact: true }).tap();
    await expect.poll(() => status(id)).toBe('idle');
  }));
