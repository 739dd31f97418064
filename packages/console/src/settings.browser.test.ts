/** Keys and settings: what is made, shown once, tried and taken back; and who sees which of it. */
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './testing/axe.ts';
import { consoleTest, sideways } from './testing/console-test.ts';
import { copied } from './testing/glimpse.ts';

const stage = consoleTest();
const at = (tab: string): string => `/settings?tab=${tab}`;
const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, text: string) => page.locator('[data-row]').filter({ hasText: text });
const secretShown = async (page: Page): Promise<string> => (await page.locator('[data-secret]').textContent()) ?? '';

test('a token: made with an end, shown once with a command that works, revoked', () =>
  stage.open({ permissions: ['clipboard-read', 'clipboard-write'] }, async (context) => {
    const page = await stage.page(at('tokens'), { context });
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog(page).getByLabel('Name').fill('laptop');
    await dialog(page).getByLabel('Valid for').selectOption('7d');
    await page.keyboard.press('Enter');
    await page.getByText('never again').waitFor();
    const token = await secretShown(page);
    expect(token).toMatch(/^tk_/);
    await Promise.all([copied(page), dialog(page).getByRole('button', { name: 'Copy curl' }).click()]);
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }))).toHaveProperty('items');
    await dialog(page).getByRole('button', { name: 'I have it' }).click();
    await row(page, 'laptop').getByText('until').waitFor();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Revoke laptop' }).click();
    await dialog(page).getByRole('button', { name: 'Revoke' }).click();
    await row(page, 'laptop').waitFor({ state: 'detached' });
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toContain('unauthenticated');
    expect(stage.problems()).toEqual([]);
  }));

test('an application: made, its key scoped, rotated and revoked, a member added, switched off', async () => {
  const mei = await stage.person();
  const page = await stage.page(at('applications'));
  await page.getByRole('button', { name: 'New application' }).click();
  await dialog(page).getByLabel('Name').fill('Shop');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('application')).toMatch(/^app_/);
  await page.getByRole('button', { name: 'New key' }).click();
  await dialog(page).getByLabel('Name').fill('production');
  await dialog(page).getByRole('checkbox', { name: 'interact' }).uncheck();
  expect(await dialog(page).getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
  await dialog(page).getByRole('checkbox', { name: 'Every agent' }).check();
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await page.locator('[data-secret]').waitFor();
  const key = await secretShown(page);
  const me = await fetch(`${stage.url()}/api/auth/me`, { headers: { 'x-api-key': key } });
  expect(await me.json()).toMatchObject({ key: { applicationName: 'Shop', scopes: ['invoke', 'read', 'cancel'], targets: [{ type: 'agent', id: '*' }] } });
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('button', { name: 'Rotate production' }).click();
  await page.locator('[data-secret]').waitFor();
  expect(await secretShown(page)).not.toBe(key);
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('button', { name: 'Revoke production' }).first().click();
  await dialog(page).getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('revoked', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add somebody' }).click();
  await dialog(page).getByLabel('Person').selectOption(mei.id);
  await dialog(page).getByRole('checkbox', { name: 'Approver' }).check();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await row(page, mei.username).getByText('Approver').waitFor();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('its keys are refused').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  // Whoever is only a member reads it and changes nothing.
  const theirs = await stage.page(page.url().slice(stage.url().length), { token: mei.token });
  await theirs.getByText('its keys are refused').waitFor();
  expect(await theirs.locator('main').getByRole('button').count()).toBe(0);
  expect(stage.problems()).toEqual([]);
});

test('users, spaces and secrets, by an admin; a password of one’s own', async () => {
  const page = await stage.page(at('users'));
  await page.getByRole('button', { name: 'New user' }).click();
  await dialog(page).getByLabel('User name').fill('newcomer');
  await dialog(page).getByLabel('New password').fill('a long pass phrase');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await row(page, 'newcomer').getByText('has a password').waitFor();
  await page.getByRole('button', { name: 'Disable: newcomer' }).click();
  await row(page, 'newcomer').getByText('disabled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Enable: newcomer' }).click();
  await row(page, 'newcomer').getByText('disabled', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Spaces' }).click();
  await page.getByRole('button', { name: 'New space' }).click();
  await dialog(page).getByLabel('Id').fill('team');
  await page.keyboard.press('Enter');
  await row(page, 'team').getByRole('link').click();
  await page.getByRole('button', { name: 'Add somebody' }).click();
  await dialog(page).getByLabel('Person').selectOption({ label: 'newcomer (newcomer)' });
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await row(page, 'newcomer').getByRole('button', { name: 'Make manager' }).click();
  await row(page, 'newcomer').getByText('Manager', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Secrets' }).click();
  await page.getByRole('button', { name: 'New secret' }).click();
  await dialog(page).getByLabel('Name').fill('API_KEY');
  await dialog(page).getByLabel('Value').fill('hidden-value-123');
  await page.keyboard.press('Enter');
  await row(page, 'API_KEY').waitFor();
  expect(await page.content()).not.toContain('hidden-value-123');
  await page.getByRole('button', { name: 'Delete: API_KEY' }).click();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There are no secrets yet.').waitFor();
  const { token, username, password } = await stage.person();
  const own = await stage.page('/settings', { token });
  const tabs = own.getByRole('navigation', { name: 'Settings' }).getByRole('link');
  await expect.poll(() => tabs.allTextContents()).toEqual(['Account', 'Tokens', 'Applications and keys', 'Spaces']);
  await own.getByLabel('Present password').fill('not the password');
  await own.getByLabel('New password', { exact: true }).fill('another pass phrase');
  await own.getByLabel('New password, once more').fill('another pass phrase');
  await own.getByRole('button', { name: 'Change password' }).click();
  await own.getByText('The present password is wrong.').waitFor();
  await own.getByLabel('Present password').fill(password);
  await own.getByRole('button', { name: 'Change password' }).click();
  await own.getByText('The password is set.').waitFor();
  await expect(stage.admin().account.login(username, 'another pass phrase')).resolves.toHaveProperty('token');
});

test('a key of a provider is added, replaced and deleted; it counts at once and is never shown', async () => {
  const page = await stage.page(at('models'));
  await page.getByRole('button', { name: 'Add a key for anthropic' }).click();
  await page.getByLabel('Value').fill('sk-ant-of-the-test');
  await page.keyboard.press('Enter');
  await row(page, 'anthropic').getByText('By a key that was added here.').waitFor();
  expect((await stage.admin().models()).map(({ provider }) => provider)).toContain('anthropic');
  await page.getByRole('button', { name: 'Replace the key of anthropic' }).click();
  await page.getByLabel('Value').fill('sk-ant-another');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain('sk-ant-');
  await page.getByRole('button', { name: 'Delete the key of anthropic?' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Add a key for anthropic' }).waitFor();
  expect((await stage.admin().models()).map(({ provider }) => provider)).not.toContain('anthropic');
  expect(stage.problems()).toEqual([]);
});

test('models are tried, the server is looked into, the audit log says who did it; in Chinese at 360 pixels', () =>
  stage.open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN' }, async (context) => {
    const page = await stage.page(at('models'), { context });
    await page.getByRole('button', { name: '测试 demo:welcome' }).tap();
    await row(page, 'demo:welcome').getByText('有回应').waitFor();
    await page.getByLabel('其他模型').fill('openai:gpt-5');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '测试 openai:gpt-5' }).tap();
    await row(page, 'openai:gpt-5').getByText('OPENAI_API_KEY').waitFor();
    await page.getByRole('link', { name: '服务器' }).tap();
    await page.getByText('可接受工作').waitFor();
    await page.getByText('30 天').waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await stage.admin().secrets.put('OF_AUDIT', 'x');
    await page.getByRole('link', { name: '审计日志' }).tap();
    await page.getByLabel('操作', { exact: true }).fill('secret.set');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('action')).toBe('secret.set');
    // All of the log was there before, this entry among it.
    await page.getByText('user.created').first().waitFor({ state: 'detached' });
    await page.getByText('secret:OF_AUDIT').waitFor();
    expect(await page.getByText('user.created').count()).toBe(0);
    expect([await sideways(page), await axeFaults(page)]).toEqual([0, []]);
    expect(stage.problems()).toEqual([]);
  }));

/** A browser whose answer to the question is known, and whose pages can be behind others. */
const withNotifications = (page: Page, answer: 'granted' | 'denied'): Promise<void> =>
  page.addInitScript((decided) => {
    const shown: string[] = [];
    class Told {
      static permission = 'default';
      static requestPermission = async (): Promise<string> => {
        Told.permission = decided;
        return decided;
      };
      constructor(title: string, { body }: { body: string }) {
        shown.push(`${title}: ${body}`);
      }
      close(): void {}
    }
    let hidden = false;
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    const hide = (next: boolean): void => {
      hidden = next;
      document.dispatchEvent(new Event('visibilitychange'));
    };
    Object.assign(window, { Notification: Told, notified: shown, hide });
  }, answer);
/** But for the tour, which ends when it ends. */
const notified = async (page: Page): Promise<readonly string[]> => {
  const all = await page.evaluate(() => (window as unknown as { notified: string[] }).notified);
  return all.filter((line) => !line.startsWith('Welcome: '));
};
const hide = (page: Page, hidden: boolean): Promise<void> =>
  page.evaluate((next) => (window as unknown as { hide: (hidden: boolean) => void }).hide(next), hidden);

test('notifications: asked for by a click, for this browser; of one’s own turns, while nobody looks, and by the title alone', async () => {
  const page = await stage.page('/settings');
  await withNotifications(page, 'granted');
  await page.reload();
  const panel = page.getByRole('region', { name: 'Notifications' });
  await panel.getByRole('button', { name: 'Turn on in this browser' }).click();
  await panel.getByText('on in this browser', { exact: true }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const other = await stage.person();
  const looked = page.waitForResponse((response) => response.url().includes('order=updated') && response.url().includes('limit=100'));
  await hide(page, true);
  await looked;
  await stage.scripted([[{ text: 'Not a word of this.' }]], { title: 'Own work' });
  await stage.scripted([[{ text: 'x' }]], { title: 'Another’s', client: other.client });
  await expect.poll(() => notified(page)).toEqual(['Own work: A turn has ended.']);
  await hide(page, false);
  await stage.scripted([[{ text: 'x' }]], { title: 'Seen' });
  await panel.getByRole('button', { name: 'Turn off' }).click();
  await panel.getByRole('button', { name: 'Turn on in this browser' }).waitFor();
  expect(await notified(page)).toHaveLength(1);
  expect(stage.problems()).toEqual([]);
});

test('a browser that refuses notifications, or has none, is named in the settings', async () => {
  const page = await stage.page('/settings');
  await withNotifications(page, 'denied');
  await page.reload();
  const panel = page.getByRole('region', { name: 'Notifications' });
  await panel.getByRole('button', { name: 'Turn on in this browser' }).click();
  await panel.getByText('This browser refuses notifications').waitFor();
  expect(await panel.getByRole('button').count()).toBe(0);
  await page.addInitScript(() => Reflect.deleteProperty(window, 'Notification'));
  await page.reload();
  await panel.getByText('This browser shows no notifications').waitFor();
});
