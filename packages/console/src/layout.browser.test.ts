import { createClient } from '@turnkeeper/client/create-client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copied } from './testing/glimpse.ts';
import { openBrowser, openContext, signIn } from './testing/open-browser.ts';
import { adminToken, startTestServer, type TestServer } from './testing/start-server.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), openBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const sideways = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
const using = async (options: Parameters<typeof openContext>[1], run: (context: BrowserContext) => Promise<void>): Promise<void> => {
  const context = await openContext(browser, options);
  try {
    await run(context);
  } finally {
    await context.close();
  }
};

test('360 pixels wide: nothing scrolls sideways, sessions and settings are in the drawer', () =>
  using({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, async (context) => {
    const client = createClient({ baseUrl: server.url, token: adminToken });
    await client.agents.create({ agentKey: 'wide', displayName: 'Wide', definition: { system: '', model: 'demo:script' } });
    const wide = `| ${'column | '.repeat(12)}\n|${' --- |'.repeat(12)}\n| ${'value | '.repeat(12)}\n\n\`\`\`\n${'x'.repeat(300)}\n\`\`\`\n\n${'y'.repeat(300)}`;
    const { id } = await client.sessions.create(
      { agent: 'wide', initialMessage: { message: JSON.stringify({ script: [{ text: wide }] }) } },
      { idempotencyKey: 'wide' },
    );
    const page = await signIn(context, server.url);
    await page.goto(`${server.url}/?session=${id}`);
    await page.locator('[data-outcome=completed]').waitFor();
    await page.locator('.prose table').waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    const ways = await page.getByRole('group', { name: 'Three ways in' }).boundingBox();
    expect((ways?.x ?? 0) + (ways?.width ?? 999)).toBeLessThanOrEqual(360);
    await page.getByRole('button', { name: 'Show sessions' }).click();
    await page.getByRole('dialog').getByText('Welcome').waitFor();
    await page.getByRole('button', { name: 'Settings and account' }).click();
    await page.getByRole('menuitemradio', { name: '中文' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: '新建对话' }).click();
    await page.getByText('开始新对话').waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: '消息' }).count()).toBe(1);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
    expect(await sideways(page)).toBeLessThanOrEqual(0);
  }));

test('the theme follows the system, and a choice wins over it', () =>
  using({ colorScheme: 'dark' }, async (context) => {
    const page = await signIn(context, server.url);
    await page.getByRole('button', { name: 'Settings and account' }).click();
    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    expect(await background()).not.toBe(dark);
    await page.reload();
    expect(await background()).not.toBe(dark);
  }));

test('a new chat by keyboard alone', () =>
  using({}, async (context) => {
    const page = await signIn(context, server.url);
    await page.locator('[data-role=assistant]').first().waitFor();
    await page.getByRole('link', { name: 'New chat' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: /^Demo/ }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.type('What is 6 * 7?');
    await page.keyboard.press('Enter');
    await page.locator('[data-outcome=completed]').waitFor();
    expect(await page.locator('[data-role=assistant]').last().textContent()).toContain('42');
    await expect.poll(() => page.getByRole('navigation').getByRole('link', { name: '6 * 7' }).count()).toBe(1);
  }));

test('the three ways in carry working values', () =>
  using({ permissions: ['clipboard-read', 'clipboard-write'] }, async (context) => {
    const page = await signIn(context, server.url);
    await page.locator('[data-outcome]').first().waitFor();
    const before = await page.locator('[data-outcome]').count();
    await Promise.all([copied(page), page.getByRole('button', { name: 'Copy curl' }).click()]);
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const { execFileSync } = await import('node:child_process');
    expect(JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }))).toMatchObject({ status: 'queued' });
    await expect.poll(() => page.locator('[data-outcome]').count()).toBe(before + 1);
  }));

test('a wrong token is refused with words; signing out forgets the token', () =>
  using({}, async (context) => {
    const page = await context.newPage();
    await page.goto(`${server.url}/?token=wrong-wrong-wrong`);
    await page.getByText('has been used or has expired').waitFor();
    await page.getByLabel('Token').fill(adminToken);
    await page.keyboard.press('Enter');
    await page.locator('[data-role=assistant]').first().waitFor();
    await page.getByRole('button', { name: 'Settings and account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }));
