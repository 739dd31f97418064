/**
 * How long a session of 10,000 events takes to open, how it scrolls, and what a streamed answer costs the page per frame.
 * No test of the suite: `npx vitest run --project measure` prints the
 * numbers that stand in bench/README.md. `MEASURE=<url>` takes a server (with the tests' admin token) that runs already,
 * which keeps its long session for the next time.
 *
 * Times are those of the page's main thread, of Chromium's own trace: CPU time where it tells, since the machine is shared.
 */
import { type Client, createClient } from '@turnkeeper/client/create-client';
import type { Browser, Page } from 'playwright-core';
import { test } from 'vitest';
import { frameCosts, summary } from './testing/frame-costs.ts';
import { openBrowser, openContext, signIn } from './testing/open-browser.ts';
import { adminToken, startTestServer } from './testing/start-server.ts';

const eventsWanted = 10_000;
const tokensPerSecond = 200;
const streamSeconds = 12;

const paragraph = 'The answer has several sentences, with **strong words**, `code` and [a link](https://example.com). '.repeat(3);
const turnScript = (n: number): string => {
  const step = (at: number) => [{ text: `## Step ${at} of turn ${n}\n\n${paragraph}\n\n- one\n- two\n`, chunk: 40 }, { tool: { name: 'time', input: {} } }];
  return JSON.stringify({ steps: [...Array.from({ length: 8 }, (_, at) => step(at)), [{ text: `That was turn ${n}.` }]], key: String(n) });
};

const words = [
  '# Heading\n\n',
  'plain ',
  'words ',
  'follow ',
  '**strong** ',
  '`code` ',
  'and ',
  'more.\n\n',
  '- item ',
  'one\n',
  '- item ',
  'two\n\n',
  '```js\nconst a = 1;\n',
  'a += 2;\n```\n\n',
  'text ',
  'again ',
  'with ',
  '[link](https://example.com) ',
  'and ',
  'an end.\n\n',
];
const streamScript = (): string => {
  const count = tokensPerSecond * streamSeconds;
  return JSON.stringify({ script: Array.from({ length: count }, (_, n) => [{ text: words[n % words.length] }, { delay_ms: 1000 / tokensPerSecond }]).flat() });
};

const agentOf = async (client: Client): Promise<string> => {
  const definition = { system: '', model: 'demo:script', maxIters: 20, tools: [{ type: 'builtin', name: 'time', permission: 'always_allow' }] };
  const known = await client.agents.get('measured').catch(() => undefined);
  return (known ?? (await client.agents.create({ agentKey: 'measured', displayName: 'Measured', definition: definition as never }))).agent.id;
};

const countEvents = async (client: Client, id: string): Promise<number> => {
  let [count, after] = [0, undefined as string | undefined];
  for (;;) {
    const page = await client.sessions.events(id, { limit: 1_000, ...(after === undefined ? {} : { after }) });
    count += page.data.length;
    after = page.next_cursor;
    if (!page.has_more) return count;
  }
};

/** A session of so many events. */
const longSession = async (client: Client, agent: string): Promise<{ readonly id: string; readonly events: number }> => {
  const [known] = (await client.sessions.list({ q: 'Long', status: 'all' })).items;
  if (known) return { id: known.id, events: await countEvents(client, known.id) };
  const { id } = await client.sessions.create({ agent, title: 'Long' });
  for (let n = 1; ; ) {
    for (const end = n + 15; n <= end; n += 1) {
      const turn = await client.turns.submit(id, { message: turnScript(n) }, { idempotencyKey: `turn-${n}` });
      if (n === end) await client.waitForTurn(id, turn.id);
    }
    const events = await countEvents(client, id);
    if (events >= eventsWanted) return { id, events };
  }
};

const traced = async (browser: Browser, page: Page, run: () => Promise<void>) => {
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'disabled-by-default-devtools.timeline.frame', 'toplevel', '__metadata'],
  });
  await run();
  return frameCosts(JSON.parse((await browser.stopTracing()).toString()));
};

const shownScript = `
  new MutationObserver((_, observer) => {
    if (!document.querySelector('[data-index] [data-role]')) return;
    observer.disconnect();
    requestAnimationFrame(() => { window.__shownAt = performance.now(); });
  }).observe(document, { childList: true, subtree: true });`;

const measureOpen = async (page: Page, address: string): Promise<number> => {
  await page.goto(address);
  await page.waitForFunction(() => '__shownAt' in window);
  return page.evaluate(() => (window as never as { readonly __shownAt: number }).__shownAt);
};

const wheelUp = async (page: Page, seconds: number): Promise<void> => {
  const box = await page.locator('section[aria-label]').boundingBox();
  await page.mouse.move((box?.x ?? 0) + 200, 400);
  for (const until = Date.now() + seconds * 1_000; Date.now() < until; ) {
    await page.mouse.wheel(0, -400);
    await page.waitForTimeout(40);
  }
};

const wanted = process.env['MEASURE'];
const serverToMeasure = async () => (wanted?.startsWith('http') ? { url: wanted, stop: async () => {} } : startTestServer());

const print = (what: string, found: object): void => {
  process.stdout.write(`${JSON.stringify({ what, ...found })}\n`);
};

const measureLong = async (browser: Browser, url: string, { client, agent }: { readonly client: Client; readonly agent: string }): Promise<void> => {
  const { id, events } = await longSession(client, agent);
  const context = await openContext(browser);
  await context.addInitScript(shownScript);
  const page = await signIn(context, url);
  const opens: number[] = [];
  for (let n = 0; n < 5; n += 1) opens.push(Math.round(await measureOpen(page, `${url}/?session=${id}`)));
  print('open', { events, ms: opens });
  const scroll = await traced(browser, page, () => wheelUp(page, 8));
  const rows = page.locator('[data-index]');
  print('scroll', { rowsInDocument: await rows.count(), firstRow: await rows.first().getAttribute('data-index'), ...summary(scroll) });
  await context.close();
};

const measureStream = async (browser: Browser, url: string, { client, agent }: { readonly client: Client; readonly agent: string }): Promise<void> => {
  const { id } = await client.sessions.create({ agent, title: 'Stream' });
  const context = await openContext(browser);
  const page = await signIn(context, url);
  await page.goto(`${url}/?session=${id}`);
  await page.locator('[data-connection=live]').waitFor();
  const turn = await client.turns.submit(id, { message: streamScript() }, { idempotencyKey: `stream-${Date.now()}` });
  await page.locator('[data-role=assistant]').waitFor();
  const costs = await traced(browser, page, () => page.waitForTimeout((streamSeconds - 3) * 1_000));
  await client.waitForTurn(id, turn.id);
  print('stream', { tokensPerSecond, ...summary(costs) });
  await context.close();
};

/** From the reload of a page in mid-answer to the answer drawn again, and to what comes after it. */
const measureResume = async (browser: Browser, url: string, { client, agent }: { readonly client: Client; readonly agent: string }): Promise<void> => {
  const { id } = await client.sessions.create({ agent, title: 'Resume' });
  const context = await openContext(browser);
  await context.addInitScript(shownScript);
  const page = await signIn(context, url);
  const turn = await client.turns.submit(id, { message: streamScript() }, { idempotencyKey: `resume-${Date.now()}` });
  await page.goto(`${url}/?session=${id}`);
  await page.locator('[data-role=assistant]').waitFor();
  const drawn: number[] = [];
  const goesOn: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    drawn.push(Math.round(await measureOpen(page, `${url}/?session=${id}`)));
    goesOn.push(
      await page.evaluate(async () => {
        const length = (): number => document.querySelector('[data-role=assistant]')?.textContent?.length ?? 0;
        for (const first = length(); length() <= first; ) await new Promise(requestAnimationFrame);
        return Math.round(performance.now());
      }),
    );
  }
  print('resume', { drawnMs: drawn, goesOnMs: goesOn });
  await client.turns.cancel(id, turn.id, { idempotencyKey: `cancel-${Date.now()}` });
  await context.close();
};

test('what a long session and a fast answer cost', async () => {
  const [server, browser] = await Promise.all([serverToMeasure(), openBrowser()]);
  try {
    const client = createClient({ baseUrl: server.url, token: adminToken });
    const agent = await agentOf(client);
    await measureResume(browser, server.url, { client, agent });
    await measureStream(browser, server.url, { client, agent });
    await measureLong(browser, server.url, { client, agent });
    client.close();
  } finally {
    await browser.close();
    await server.stop();
  }
}, 1_200_000);
