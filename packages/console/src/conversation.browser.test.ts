import { createClient } from '@turnkeeper/client/create-client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { glimpse } from './testing/glimpse.ts';
import { openBrowser, openContext, signIn } from './testing/open-browser.ts';
import { adminToken, startTestServer, type TestServer } from './testing/start-server.ts';

let server: TestServer;
let browser: Browser;
let context: BrowserContext;
/** What the browser complained about; nothing may. */
let problems: string[];

beforeAll(async () => {
  // The tour begins with the server, and the first test is to see it while it goes on.
  browser = await openBrowser();
  server = await startTestServer();
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

const api = () => createClient({ baseUrl: server.url, token: adminToken });
const answers = (page: Page) => page.locator('[data-role=assistant]');
const openSession = async (page: Page, id: string): Promise<void> => {
  await page.goto(`${server.url}/?session=${id}`);
  await page.locator('[data-connection=live]').waitFor();
};
const say = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
};
/** A session with an agent that does what its messages say (demo:script). */
const scripted = async (message: string, definition: Record<string, unknown> = {}): Promise<string> => {
  const client = api();
  const agentKey = `script-${Math.random().toString(36).slice(2)}`;
  await client.agents.create({ agentKey, displayName: 'Script', definition: { system: '', model: 'demo:script', ...definition } });
  return (await client.sessions.create({ agent: agentKey, initialMessage: { message } }, { idempotencyKey: agentKey })).id;
};
const slowAnswer = (words: number): string =>
  JSON.stringify({ script: Array.from({ length: words }, (_, n) => [{ text: `w${n} ` }, { delay_ms: 40 }]).flat() });

test('the first screen: signed in by the link, the Welcome session is open and is being answered; the tour comes to its end', async () => {
  const page = await signIn(context, server.url, problems);
  await answers(page).first().waitFor();
  expect(new URL(page.url()).searchParams.has('token')).toBe(false);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Welcome');
  await page.locator('[data-turn-status=running]').waitFor();
  await expect.poll(() => answers(page).first().textContent()).toContain('Reload this page');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('message');
  await page.locator('[data-outcome=completed]').first().waitFor();
  expect(await answers(page).last().textContent()).toContain('That was the tour.');
  for (const tool of ['time', 'calculator']) expect(await page.locator(`[data-tool=${tool}]`).getAttribute('data-tool-status')).toBe('success');
  expect(problems).toEqual([]);
});

test('a message is sent and answered; Shift+Enter makes a new line; the draft survives a reload', async () => {
  const page = await signIn(context, server.url, problems);
  await page.locator('[data-outcome]').first().waitFor();
  const before = await page.locator('[data-outcome]').count();
  const message = page.getByLabel('Message', { exact: true });
  await message.fill('first line');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('second line 你好');
  await page.reload();
  await expect.poll(() => message.inputValue()).toBe('first line\nsecond line 你好');
  await message.press('Enter');
  await expect.poll(() => page.locator('[data-outcome]').count()).toBe(before + 1);
  expect(await message.inputValue()).toBe('');
  expect(await page.locator('[data-role=user]').last().textContent()).toContain('second line 你好');
  await expect.poll(() => page.locator('[data-outbox]').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('a reload in mid-answer shows what was said and goes on', async () => {
  const page = await signIn(context, server.url, problems);
  // Longer than any reload.
  const words = 400;
  const id = await scripted(slowAnswer(words));
  await openSession(page, id);
  await expect.poll(() => answers(page).last().textContent()).toContain('w10 ');
  await page.reload();
  await answers(page).last().waitFor();
  const prefix = (await answers(page).last().textContent()) ?? '';
  expect(prefix).toContain('w0 w1 w2 ');
  expect(prefix).not.toContain(`w${words - 1}`);
  await page.locator('[data-outcome=completed]').waitFor();
  const whole = Array.from({ length: words }, (_, n) => `w${n}`).join(' ');
  expect(await answers(page).last().textContent()).toContain(whole);
  expect(await answers(page).count()).toBe(1);
});

test('two tabs show one truth', async () => {
  const first = await signIn(context, server.url, problems);
  const id = await scripted(JSON.stringify({ script: [{ text: 'ready' }] }));
  await openSession(first, id);
  const second = await context.newPage();
  await openSession(second, id);
  await say(first, slowAnswer(20));
  for (const page of [first, second]) await expect.poll(() => page.locator('[data-outcome=completed]').count()).toBe(2);
  expect(await answers(second).last().textContent()).toBe(await answers(first).last().textContent());
});

test('a slow network, then none: what is sent counts once, what was not sent says so and is sent by a click, and the answer is whole', async () => {
  const page = await signIn(context, server.url);
  const id = await scripted(JSON.stringify({ script: [{ text: 'ready' }] }));
  await openSession(page, id);
  const network = await context.newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', { offline: false, latency: 500, downloadThroughput: 20_000, uploadThroughput: 20_000 });
  // It comes to the server, and the page does not hear of that before it is left.
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (address, init) => {
      const answer = await fetch(address, init);
      return String(address).endsWith('/turns') ? new Promise(() => {}) : answer;
    };
  });
  await say(page, slowAnswer(20));
  await page.locator('[data-outbox=sending]').waitFor();
  await expect.poll(async () => (await api().turns.list(id)).items.length).toBe(2);
  await page.reload();
  await expect.poll(() => page.locator('[data-outcome=completed]').count()).toBe(2);
  expect(await answers(page).last().textContent()).toContain('w18 w19');
  // Sent again, it is known to have come.
  await expect.poll(() => page.locator('[data-outbox]').count()).toBe(0);

  await network.send('Network.emulateNetworkConditions', { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  await say(page, JSON.stringify({ script: [{ text: 'after all' }] }));
  await page.locator('[data-outbox=failed]').getByText('Not sent').waitFor();
  await network.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => page.locator('[data-outcome=completed]').count()).toBe(3);
  await expect.poll(() => page.locator('[data-outbox]').count()).toBe(0);
  expect((await api().turns.list(id)).items).toHaveLength(3);
});

test('stop: Escape, “stopping…”, then the outcome; what is queued runs after it', async () => {
  const page = await signIn(context, server.url, problems);
  const id = await scripted(JSON.stringify({ script: [{ text: 'I begin' }, { hang: true }] }));
  await openSession(page, id);
  await expect.poll(() => answers(page).last().textContent()).toContain('I begin');
  await say(page, JSON.stringify({ script: [{ text: 'second answer' }] }));
  await page.locator('[data-turn-status=queued]').waitFor();
  expect(await page.getByText('Next in line').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.locator('[data-outcome=cancelled]').waitFor();
  await expect.poll(() => answers(page).last().textContent()).toContain('second answer');
  await page.locator('[data-outcome=completed]').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
});

test('cards: a result is given, a call is approved, another denied with its reason', async () => {
  const page = await signIn(context, server.url, problems);
  const tool = (name: string, input: Record<string, unknown> = {}) => ({ tool: { name, input } });
  const tools = [
    { type: 'function', name: 'look_up', description: 'x', inputSchema: { type: 'object' }, permission: 'always_allow' },
    { type: 'builtin', name: 'time', permission: 'always_ask' },
    { type: 'builtin', name: 'calculator', permission: 'always_ask' },
  ];
  const steps = [[tool('look_up')], [tool('time')], [tool('calculator', { expression: '6*7' })], [{ text: 'all done' }]];
  const id = await scripted(JSON.stringify({ steps }), { tools });
  await openSession(page, id);
  await page.locator('[data-action=external_execution]').waitFor();
  await page.getByLabel('Result').fill('found it');
  await page.getByRole('button', { name: 'Send result' }).click();
  await page.getByText('May the agent run time?').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('May the agent run calculator?').waitFor();
  await page.getByLabel('Reason (optional)').fill('not now');
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.locator('[data-outcome=completed]').waitFor();
  expect(await page.locator('[data-tool=look_up]').getAttribute('data-tool-status')).toBe('success');
  expect(await page.locator('[data-tool=time]').getAttribute('data-tool-status')).toBe('success');
  expect(await page.locator('[data-tool=calculator]').getAttribute('data-tool-status')).toBe('denied');
  await page.locator('[data-tool=calculator] summary').click();
  expect(await page.locator('[data-tool=calculator]').textContent()).toContain('not now');
  expect(problems).toEqual([]);
});

test('the server is restarted in mid-answer: the page says so, reconnects, and the turn goes on', async () => {
  const page = await signIn(context, server.url);
  const id = await scripted(slowAnswer(100));
  await openSession(page, id);
  await expect.poll(() => answers(page).last().textContent()).toContain('w5 ');
  await Promise.all([glimpse(page, '[data-connection=reconnecting]'), server.restart('SIGKILL')]);
  await page.locator('[data-connection=live]').waitFor();
  await page.locator('[data-outcome=completed]').waitFor();
  expect(await answers(page).last().textContent()).toContain('w99');
});
