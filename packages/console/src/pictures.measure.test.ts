/**
 * The pictures in docs/console.md: every page, wide in the light and in the dark, and on a phone, in English and Chinese.
 *
 * `npx vitest run --project measure pictures` draws them anew.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { consoleTest } from './testing/console-test.ts';
import { furnishShop, shopEnvironment } from './testing/pictures/furnish-shop.ts';
import { startShopServices } from './testing/pictures/shop-services.ts';

const services = await startShopServices();
afterAll(() => services.close());
const stage = consoleTest(shopEnvironment);
const folder = join(import.meta.dirname, '../../../docs/pictures');
const wide = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const show = async (page: Page, place: string): Promise<void> => {
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, place);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => document.querySelector('main .animate-late') === null);
  await page.waitForTimeout(400);
};

/** What somebody who works there has at hand, in the browser. */
const keep = (session: string): void => {
  localStorage.setItem('turnkeeper.pinned', JSON.stringify([session]));
  localStorage.setItem('turnkeeper.saved-filters', JSON.stringify([{ name: 'Of this week', query: '?since=7' }]));
};

test('pictures of every page', { timeout: 600_000 }, async () => {
  mkdirSync(folder, { recursive: true });
  const shop = await furnishShop(stage.server(), stage.admin, services);
  const places: Readonly<Record<string, string>> = {
    now: '/now',
    session: `/?session=${shop.refund}`,
    sessions: '/sessions?owner=all',
    turn: `/turn?session=${shop.session}&turn=${shop.turn}`,
    approvals: '/approvals',
    checkpoints: `/checkpoints?session=${shop.session}`,
    targets: `/targets?tab=workflows&id=${shop.workflow}`,
    minitools: '/minitools',
    deliveries: `/deliveries?webhook=${shop.webhook}`,
    usage: '/usage?by=target',
    settings: '/settings?tab=tokens',
  };
  const kinds = [
    { name: 'wide-light', options: { ...wide, colorScheme: 'light' as const, locale: 'en-US' } },
    { name: 'wide-dark', options: { ...wide, colorScheme: 'dark' as const, locale: 'zh-CN' } },
    { name: 'phone-light', options: { ...phone, colorScheme: 'light' as const, locale: 'zh-CN' } },
    { name: 'phone-dark', options: { ...phone, colorScheme: 'dark' as const, locale: 'en-US' } },
  ];
  for (const { name, options } of kinds) {
    await stage.open(options, async (context) => {
      await context.addInitScript(keep, shop.session);
      const page = await stage.page('/now', { context });
      for (const [of, place] of Object.entries(places)) {
        await show(page, place);
        await page.screenshot({ path: join(folder, `${of}-${name}.jpg`), type: 'jpeg', quality: 55 });
      }
    });
  }
  expect(stage.problems()).toEqual([]);
});
