/** A server and a browser for the tests of one file, and a fresh context for each test. */
import { randomUUID } from 'node:crypto';
import { type Client, createClient } from '@turnkeeper/client/create-client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openBrowser, openContext } from './open-browser.ts';
import { adminToken, startTestServer, type TestServer } from './start-server.ts';

export type Person = { readonly id: string; readonly username: string; readonly password: string; readonly client: Client; readonly token: string };

export type ConsoleTest = {
  readonly url: () => string;
  readonly server: () => TestServer;
  readonly context: () => BrowserContext;
  /** What the browser complained about. */
  readonly problems: () => string[];
  readonly admin: () => Client;
  readonly open: (options: Parameters<typeof openContext>[1], run: (context: BrowserContext) => Promise<void>) => Promise<void>;
  /** A page that is signed in, as the admin unless said otherwise. */
  readonly page: (place: string, who?: { readonly context?: BrowserContext; readonly token?: string }) => Promise<Page>;
  /** A new user who can sign in. */
  readonly person: () => Promise<Person>;
  /** A session with an agent that does what its message says (demo:script); gives its id. */
  readonly scripted: (steps: readonly unknown[], options?: ScriptedOptions) => Promise<string>;
};

export type ScriptedOptions = {
  readonly definition?: Record<string, unknown>;
  readonly title?: string;
  readonly space?: string;
  readonly client?: Client;
};

/** Headers that every page of a context sends are no way to sign in: the page's own storage is. */
const signInBy = async (page: Page, url: string, token: string): Promise<void> => {
  // The pages of a context share it: what another page was signed in with must not be taken for what this one waits for.
  await page.addInitScript(() => {
    if (new URLSearchParams(location.search).has('token')) localStorage.removeItem('turnkeeper.token');
  });
  await page.goto(`${url}/?token=${token}`);
  await page.waitForFunction(() => localStorage.getItem('turnkeeper.token') !== null);
};

/** `env`: what the server is told besides. */
export const consoleTest = (env: NodeJS.ProcessEnv = {}): ConsoleTest => {
  let server: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  let problems: string[] = [];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer(env), openBrowser()]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    problems = [];
    context = await openContext(browser);
  });
  afterEach(() => context.close());

  const admin = (): Client => createClient({ baseUrl: server.url, token: adminToken });
  return {
    url: () => server.url,
    server: () => server,
    context: () => context,
    problems: () => problems,
    admin,
    open: async (options, run) => {
      const own = await openContext(browser, options);
      try {
        await run(own);
      } finally {
        await own.close();
      }
    },
    page: async (place, { context: within = context, token = adminToken } = {}) => {
      const page = await within.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      await signInBy(page, server.url, token);
      await page.goto(server.url + place);
      return page;
    },
    person: async () => {
      const username = `person-${randomUUID().slice(0, 8)}`;
      const password = `${username} has a long password`;
      const { id } = await admin().users.create({ username, password });
      const { token } = await createClient({ baseUrl: server.url }).account.login(username, password);
      return { id, username, password, token, client: createClient({ baseUrl: server.url, token }) };
    },
    scripted: async (steps, { definition = {}, title, space, client = admin() } = {}) => {
      const agentKey = `script-${randomUUID()}`;
      await admin().agents.create({ agentKey, displayName: 'Script', definition: { system: '', model: 'demo:script', ...definition } });
      const initialMessage = { message: JSON.stringify({ steps }) };
      const place = { ...(title === undefined ? {} : { title }), ...(space === undefined ? {} : { space }) };
      return (await client.sessions.create({ agent: agentKey, initialMessage, ...place }, { idempotencyKey: agentKey })).id;
    },
  };
};

/** How far the page scrolls sideways. */
export const sideways = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
