import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { axeFaults } from './testing/axe.ts';
import { consoleTest, sideways } from './testing/console-test.ts';

/** A page of another site, on another port: what it says is what the test asks for. */
const site = createServer((request, response) => {
  const html = new URL(request.url ?? '/', 'http://site').searchParams.get('html') ?? '';
  response
    .setHeader('content-type', 'text/html; charset=utf-8')
    .end(`<!doctype html><html lang="en"><title>Shop</title><body><main><h1>Shop</h1>${html}</main></body></html>`);
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const sitePort = (site.address() as AddressInfo).port;
const siteUrl = `http://127.0.0.1:${sitePort}`;
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

const stage = consoleTest({ TURNKEEPER_EMBED_ORIGINS: siteUrl });
const call = (name: string, input: Record<string, unknown> = {}) => ({ tool: { name, input } });
const scripted = (steps: readonly unknown[]) => JSON.stringify({ steps });
const tools = [
  { type: 'builtin', name: 'time', permission: 'always_ask', approver: 'application' },
  { type: 'builtin', name: 'fetch', permission: 'always_ask' },
  { type: 'builtin', name: 'ask_user' },
];
const all = ['read', 'invoke', 'interact', 'cancel'] as const;

const opened = async (steps: readonly unknown[], scopes: readonly (typeof all)[number][] = all, client = stage.admin()) => {
  const session = await stage.scripted(steps, { title: 'Help', definition: { tools } });
  const { token } = await client.clientTokens.create(session, { scopes });
  return { session, token };
};
/** Not signed in: it has nothing but the token. */
const visit = async (url: string, context = stage.context()): Promise<Page> => {
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') stage.problems().push(message.text());
  });
  page.on('pageerror', (error) => stage.problems().push(error.message));
  await page.goto(url);
  return page;
};
const answers = (page: Page | FrameLocator) => page.locator('[data-role=assistant]');
const say = async (page: Page | FrameLocator, text: string, label = 'Message'): Promise<void> => {
  await page.getByRole('textbox', { name: label }).fill(text);
  await page.getByRole('textbox', { name: label }).press('Enter');
};

test('a chat by its link: no token stays in the address, it streams, approves what it may, queues, stops, survives a reload', async () => {
  const { token } = await opened([[{ text: 'Let me **look**.' }, call('time')], [{ text: '- one\n- two' }]]);
  const page = await visit(`${stage.url()}/c/${token}`);
  await page.getByRole('region', { name: 'Chat' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/c/');
  await answers(page).locator('strong').getByText('look').waitFor();
  await page.getByText('May time be run?').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve' }).focus();
  await page.keyboard.press('Enter');
  await answers(page).locator('li').getByText('two').waitFor();
  await page.getByText('time done').waitFor();

  await say(page, scripted([[{ text: 'I write' }, { hang: true }]]));
  await answers(page).last().getByText('I write').waitFor();
  await say(page, 'and then this');
  await page.getByText('Waits for its turn').waitFor();
  await page.getByRole('button', { name: 'Take it back' }).click();
  await page.getByText('Waits for its turn').waitFor({ state: 'detached' });
  await page.reload();
  await answers(page).getByText('I write').waitFor();
  await page.getByRole('textbox', { name: 'Message' }).press('Escape');
  await page.locator('[data-status=cancelled]').filter({ hasText: 'I write' }).getByText('Stopped').waitFor();

  // What its owner is asked is not the visitor's to answer.
  await say(page, scripted([[call('fetch', { url: 'https://example.com/' })], [{ text: 'done' }]]));
  await page.locator('[data-action=confirmation]').getByText('waits for somebody else').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await page.locator('input[type=file]').setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('noted') }]);
  await page.locator('[data-upload=ready]').getByText('notes.txt').waitFor();
  expect(stage.problems()).toEqual([]);
});

test('a token that has ended, that reads only, that is none, or that is missing: said in words', async () => {
  const { tokens } = stage.admin();
  const { session, token: reading } = await opened([[{ text: 'Here it is' }]], ['read']);
  const page = await visit(`${stage.url()}/c/#token=${reading}`);
  await answers(page).getByText('Here it is').waitFor();
  await page.getByText('You can read this chat.').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);

  const maker = await tokens.create({ name: 'maker' });
  const { createClient } = await import('@turnkeeper/client/create-client');
  const { token: ending } = await createClient({ baseUrl: stage.url(), token: maker.token }).clientTokens.create(session);
  const open = await visit(`${stage.url()}/c/#token=${ending}`);
  await open.getByRole('textbox', { name: 'Message' }).waitFor();
  await tokens.revoke(maker.personalToken.id);
  await open.getByRole('alert').getByText('This chat has timed out.').waitFor();
  await answers(open).getByText('Here it is').waitFor();
  await open.reload();
  await open.getByRole('alert').getByText('This chat has timed out.').waitFor();
  expect(await axeFaults(open)).toEqual([]);

  await (await visit(`${stage.url()}/c/#token=tkc_wrong`)).getByText('not valid any more, or it was mistyped').waitFor();
  const own = (await tokens.create({ name: 'whole' })).token;
  await (await visit(`${stage.url()}/c/${own}`)).getByText('This is no link to a chat.').waitFor();
  await stage.open({}, async (context) => (await visit(`${stage.url()}/c/`, context)).getByText('needs a link that was made for you').waitFor());
});

test('in a page of another site: a launcher, no token in any address, keys; and a site that is not named gets nothing', async () => {
  const { session, token } = await opened([[{ text: 'Welcome' }]]);
  const script = (data: string) => `<script src="${stage.url()}/embed.js" ${data} async></script>`;
  const at = (host: string, html: string) => `${host}/?html=${encodeURIComponent(html)}`;
  const page = await stage.context().newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`));
  await page.goto(at(siteUrl, script('data-title="Ask us" data-position="bottom-left"')));
  await page.waitForFunction('"Turnkeeper" in window');
  await page.evaluate(`Turnkeeper.launch({ token: async () => ${JSON.stringify(token)}, title: 'Ask us' })`);
  const launcher = page.getByRole('button', { name: 'Ask us' });
  await launcher.focus();
  await page.keyboard.press('Enter');
  const frame = page.frameLocator('iframe[title="Ask us"]');
  await answers(frame).getByText('Welcome').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await say(frame, scripted([[{ text: 'In a frame' }]]));
  await answers(frame).getByText('In a frame').waitFor();
  expect(asked.filter((each) => each.includes(token))).toEqual([]);
  // While the turn runs Escape stops it, and closes nothing.
  await frame.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  await frame.getByRole('textbox', { name: 'Message' }).press('Escape');
  await page.locator('iframe').waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('turnkeeper-chat');

  // By attributes alone; and put into an element, with a token that ends and is asked for again.
  await page.goto(at(siteUrl, script(`data-token="${token}" data-open`)));
  await answers(page.frameLocator('iframe')).getByText('In a frame').waitFor();
  expect(await page.locator('script').getAttribute('data-token')).toBeNull();
  await page.goto(at(siteUrl, `<div id="here" style="height:400px"></div>${script('')}`));
  await page.waitForFunction('"Turnkeeper" in window');
  const { token: next } = await stage.admin().clientTokens.create(session);
  await page.evaluate(
    `{ const tokens = ['tkc_gone', ${JSON.stringify(next)}]; Turnkeeper.mount(document.getElementById('here'), { token: () => tokens.shift() ?? 'tkc_gone' }); }`,
  );
  await answers(page.frameLocator('#here iframe')).getByText('In a frame').waitFor();

  const refused: string[] = [];
  page.on('console', (message) => refused.push(message.text()));
  await page.goto(at(`http://localhost:${sitePort}`, script(`data-token="${token}" data-open`)));
  await expect.poll(() => refused.some((text) => text.includes('frame-ancestors'))).toBe(true);
  expect(await answers(page.frameLocator('iframe')).count()).toBe(0);
});

test('on a phone, in Chinese, in the dark: a question is answered, nothing scrolls sideways, nothing serious for axe', () =>
  stage.open({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, locale: 'zh-CN', colorScheme: 'dark' }, async (context) => {
    const questions = [
      {
        question: '哪种颜色？',
        header: '颜色',
        options: [
          { label: '蓝', description: '像天空' },
          { label: '绿', description: '' },
        ],
      },
    ];
    const { token } = await opened([[{ text: `看：\n\n\`\`\`\n${'很长'.repeat(80)}\n\`\`\`` }, call('ask_user', { questions })], [{ text: '好的' }]]);
    const page = await visit(`${stage.url()}/c/#token=${token}`, context);
    await page.getByRole('radio', { name: '蓝' }).tap();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: '发送回答' }).tap();
    await answers(page).getByText('好的').waitFor();
    await say(page, scripted([[{ text: '再见' }]]), '消息');
    await answers(page).getByText('再见').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    expect(stage.problems()).toEqual([]);
  }));
