/** Chromium of the machine, without a screen. */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { adminToken } from './start-server.ts';

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args });

/** What a page waits for may take a while on a machine that has much else to do. */
const patienceMs = 60_000;

export const openContext = async (browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB', ...options });
  context.setDefaultTimeout(patienceMs);
  return context;
};

/** A page that is signed in. `problems` fills with what the browser complains about. */
export const signIn = async (context: BrowserContext, url: string, problems: string[] = []): Promise<Page> => {
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`${url}/?token=${adminToken}`);
  await page.waitForFunction(() => localStorage.getItem('turnkeeper.token') !== null);
  return page;
};
