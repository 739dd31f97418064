import { createClient } from '@turnkeeper/client/create-client';
import { expect, test } from 'vitest';
import { consoleTest } from './testing/console-test.ts';

const stage = consoleTest();

test('by name and password, with the keyboard; a reload stays signed in; signing out ends it', async () => {
  const { username, password } = await stage.person();
  const page = await stage.context().newPage();
  await page.goto(`${stage.url()}/sessions`);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username');
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'User name or password is wrong.' }).waitFor();
  // The form takes another attempt, a moment after it has said what became of the last one.
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sessions' }).first().waitFor();
  await page.getByText('No sessions yet').first().waitFor();
  await page.reload();
  await page.getByRole('button', { name: `${username}, Settings and account` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('tk_');
});

/** Attempts are counted by the minute: uses up those of `username` that are left in this one. */
const useUpAttempts = async (username: string): Promise<void> => {
  const { account } = createClient({ baseUrl: stage.url() });
  const refusal = () => account.login(username, 'a wrong one').catch((error: { readonly code?: unknown }) => error.code);
  for (let code = await refusal(); code !== 'rate_limited'; code = await refusal()) expect(code).toBe('unauthenticated');
};

test('too many attempts: it says how long to wait', async () => {
  const page = await stage.context().newPage();
  await page.goto(stage.url());
  await page.getByLabel('User name').fill('nobody-there');
  await page.getByLabel('Password').fill('wrong');
  // The minute may turn between the last attempt here and the page's: then it has one more.
  await expect
    .poll(async () => {
      await useUpAttempts('nobody-there');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
      return page.getByRole('alert').textContent();
    })
    .toMatch(/^Too many attempts\. Try again in (1:00|0:\d\d)\.$/);
});

test('in Chinese', () =>
  stage.open({ locale: 'zh-CN' }, async (context) => {
    const page = await context.newPage();
    await page.goto(stage.url());
    await page.getByRole('heading', { name: '登录' }).waitFor();
    expect(await page.getByLabel('用户名').count()).toBe(1);
    expect(await page.getByLabel('令牌').count()).toBe(1);
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
  }));
