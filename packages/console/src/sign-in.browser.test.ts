import { expect, test } from 'vitest';
import { consoleTest } from './testing/console-test.ts';

const stage = consoleTest();

test('by name and password, with the keyboard; a reload stays signed in; signing out ends it', async () => {
  const { username, password } = await stage.person();
  const page = await stage.context().newPage();
  await page.goto(`${stage.url()}/sessions`);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username');
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'User name or password is wrong.' }).waitFor();
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

test('too many attempts: it says how long to wait', async () => {
  const page = await stage.context().newPage();
  await page.goto(stage.url());
  await page.getByLabel('User name').fill('nobody-there');
  const wrong = page.getByText('User name or password is wrong.');
  const tooMany = page.getByText(/Too many attempts\. Try again in (1:00|0:\d\d)\./);
  for (let attempt = 0; attempt < 15 && (await tooMany.count()) === 0; attempt += 1) {
    await page.getByLabel('Password').fill(`wrong ${attempt}`);
    await page.keyboard.press('Enter');
    await wrong.or(tooMany).waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  }
  await tooMany.waitFor();
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
