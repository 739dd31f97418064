import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { consoleTest, sideways } from './testing/console-test.ts';

const stage = consoleTest();
const path = (page: Page): string => new URL(page.url()).pathname;
const links = (page: Page) =>
  page
    .locator('aside nav ul')
    .filter({ has: page.getByRole('link', { name: 'Usage' }) })
    .getByRole('link')
    .allTextContents();

test('the palette: pages, sessions by title and id, what can be done here; by keys alone', () =>
  stage.open({ permissions: ['clipboard-read', 'clipboard-write'] }, async (context) => {
    const id = await stage.scripted([[{ text: 'ok' }]], { title: 'Harvest of pears' });
    const page = await stage.page('/now', { context });
    const field = page.getByRole('combobox', { name: 'Go to or do' });
    const pick = async (text: string, entry: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await field.fill(text);
      await page.locator(`[data-entry="${entry}"]`).waitFor();
      while ((await page.locator('[role=option][aria-selected=true]').getAttribute('data-entry')) !== entry) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
    };
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await pick('pears', id);
    await expect.poll(() => new URL(page.url()).searchParams.get('session')).toBe(id);
    await page.locator('[data-outcome=completed]').waitFor();
    await pick('copy id', 'copy-id');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(id);
    await pick('typescript', 'copy-typescript');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`client.sessions.snapshot("${id}")`);
    await pick(id.slice(0, 12), id);
    await pick('dark', 'theme-dark');
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await page.getByRole('link', { name: 'API reference (in a new tab)' }).waitFor();
    const [docs] = await Promise.all([context.waitForEvent('page'), pick('reference', 'api-reference')]);
    await docs.waitForURL(/\/docs$/);
    await docs.getByRole('heading', { level: 1 }).waitFor();
    await docs.close();
    await pick('usage', 'page-usageTitle');
    await expect.poll(() => path(page)).toBe('/usage');
    await page.keyboard.press('Control+k');
    await field.fill('no such thing at all');
    await page.getByText('Nothing fits.').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(stage.problems()).toEqual([]);
  }));

test('an address of no page says so and leads on; where there is no session there is nothing to write into', async () => {
  const page = await stage.page('/nosuchpage');
  await page.getByRole('heading', { name: 'No such page' }).waitFor();
  await page.getByRole('link', { name: 'Go to: Now' }).click();
  await expect.poll(() => path(page)).toBe('/now');
  await page.goto(`${stage.url()}/?session=ses_nope`);
  await page.getByText('This session does not exist').waitFor();
  expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
});

test('a running turn is stopped from the palette', async () => {
  const id = await stage.scripted([[{ hang: true }]], { title: 'Goes on and on' });
  const page = await stage.page(`/?session=${id}`);
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.locator('[data-entry=stop]').click();
  await page.locator('[data-outcome=cancelled]').waitFor();
});

test('`?` lists the keys that work here, and no others; g and a letter goes to a page', async () => {
  const page = await stage.page('/sessions');
  const keys = async (): Promise<string[]> => {
    await page.locator('main').focus();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.waitFor();
    const listed = await dialog.locator('[data-key]').evaluateAll((all) => all.map((one) => one.getAttribute('data-key') ?? ''));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    return listed;
  };
  /** The second key counts only while it comes soon after the first. */
  const jump = (key: string, place: string) =>
    expect
      .poll(async () => {
        await page.keyboard.press('g');
        await page.keyboard.press(key);
        return path(page);
      })
      .toBe(place);
  await page.getByRole('searchbox').waitFor();
  const onSessions = await keys();
  expect(onSessions).toContain('/');
  expect(onSessions).toContain('G A');
  await jump('a', '/approvals');
  await page.getByText('Nothing waits for you').waitFor();
  const onApprovals = await keys();
  expect(onApprovals).not.toContain('/');
  expect(onApprovals).not.toContain('Y');
  // Whoever writes goes nowhere.
  await jump('s', '/sessions');
  await page.keyboard.press('/');
  await page.keyboard.type('gn');
  expect(path(page)).toBe('/sessions');
  expect(await page.getByRole('searchbox').inputValue()).toBe('gn');
});

test('pages are loaded when they are wanted; one that does not come says so and leaves the others', () =>
  stage.open({}, async (context) => {
    await context.route(/assets\/usage-page-/, (route) => route.abort());
    const page = await stage.page('/now', { context });
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Usage' }).click();
    await page.getByText('This page could not be loaded.').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Now' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await context.unroute(/assets\/usage-page-/);
    await page.goto(`${stage.url()}/usage`);
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  }));

test('whoever has no use for a page does not see the way to it', async () => {
  const all = ['Now', 'Sessions', 'Approvals', 'Targets', 'Mini-tools', 'Deliveries', 'Usage', 'Settings'];
  const admin = await stage.page('/now');
  await expect.poll(() => links(admin)).toEqual(all);
  const { token } = await stage.person();
  const person = await stage.page('/now', { token });
  await expect.poll(() => links(person)).toEqual(all.filter((name) => name !== 'Mini-tools' && name !== 'Deliveries'));
});

test('on a phone: four pages in the bar, the others behind "more"', () =>
  stage.open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN' }, async (context) => {
    const page = await stage.page('/now', { context });
    const bar = page.getByRole('navigation', { name: '页面' });
    await expect.poll(() => bar.getByRole('link').count()).toBe(4);
    await bar.getByRole('button', { name: '更多' }).tap();
    await page.getByRole('dialog', { name: '更多页面' }).getByRole('link', { name: '设置' }).tap();
    await expect.poll(() => path(page)).toBe('/settings');
    await page.getByRole('dialog', { name: '更多页面' }).waitFor({ state: 'detached' });
    expect(await bar.getByRole('button', { name: '更多' }).getAttribute('aria-current')).toBe('page');
    expect(await sideways(page)).toBeLessThanOrEqual(0);
  }));

test('the document is as high as the window: what is inside scrolls, and texts for screen readers make nothing higher', () =>
  stage.open({ viewport: { width: 1280, height: 300 } }, async (context) => {
    for (const title of ['One', 'Two', 'Three']) await stage.scripted([[{ text: 'ok' }]], { title });
    const page = await stage.page('/sessions', { context });
    await page.locator('[data-session]').nth(2).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  }));

test('the first load is at most 300 KB, packed, and all of it comes from the server; markdown comes with the first answer', async () => {
  const page = await stage.page('/now');
  const loaded = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/api/')) return;
    const size = response.body().then(
      (body) => gzipSync(body).length,
      () => 0,
    );
    loaded.set(response.url(), size);
  });
  await page.goto(`${stage.url()}/new`);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  const sizes = await Promise.all(loaded.values());
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect([...loaded.keys()].filter((url) => !url.startsWith(stage.url()))).toEqual([]);
  // All of it, though the browser may have had it: a page, its style and its code.
  expect(bytes).toBeGreaterThan(150_000);
  expect(bytes).toBeLessThanOrEqual(300_000);
});
