import { createClient } from '../client/src/create-client.ts';
import { openBrowser, openContext, signIn } from './src/testing/open-browser.ts';
import { adminToken, startTestServer } from './src/testing/start-server.ts';

const out = '/tmp/shots';
const server = await startTestServer();
const browser = await openBrowser();
const problems: string[] = [];
try {
  const c = await openContext(browser);
  const page = await signIn(c, server.url, problems);
  await page.waitForSelector('[data-outcome]');
  await page.getByLabel('Message', { exact: true }).fill('Tell me a long story');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(2500);
  await page.getByLabel('Message', { exact: true }).fill('And what is 6 * 7?');
  await page.waitForTimeout(200);
  await page.screenshot({ path: `${out}/01-stream.png` });
  await page.keyboard.press('Enter');
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${out}/02-queued.png` });
  await page.getByLabel('More about this session').click();
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${out}/02b-menu.png` });
  await page.keyboard.press('Escape');
  await page.waitForTimeout(200);
  console.log('url', page.url());
  const client = createClient({ baseUrl: server.url, token: adminToken });
  await client.agents.create({
    agentKey: 'ops',
    displayName: 'Operations',
    description: 'Looks after orders; asks before it refunds.',
    definition: {
      system: 's',
      model: 'demo:script',
      permissionMode: 'ask',
      tools: [
        { type: 'function', name: 'lookup_order', description: 'Looks up an order', inputSchema: { type: 'object' }, readOnly: true },
        { type: 'function', name: 'refund', description: 'Refunds', inputSchema: { type: 'object' }, destructive: true },
      ],
    },
  });
  const md =
    '## Order 4711\n\nI found the order. Here is what it holds:\n\n| Item | Qty | Price |\n| --- | ---: | ---: |\n| Kettle | 1 | 39.00 |\n| Tea, green | 3 | 12.60 |\n\n1. The kettle arrived **broken**.\n2. The customer asks for a refund.\n\n```ts\nconst total = items.reduce((sum, item) => sum + item.price, 0);\n```\n\n> Refunds over 30 need a person to agree.\n\nSee the `orders` service or [the guide](https://example.com/guide). ![x](https://evil.example/p.png) <b>raw</b>';
  const script = {
    steps: [
      [{ text: 'Let me look that up. ' }, { tool: { name: 'lookup_order', input: { id: 4711, with: ['items', 'customer'] } } }],
      [{ text: md, chunk: 12 }, { tool: { name: 'refund', input: { order: 4711, amount: 39, currency: 'EUR' } } }],
      [{ text: 'Done.' }],
    ],
  };
  const s = await client.sessions.create(
    { agent: 'ops', title: 'Refund for order 4711', initialMessage: { message: 'Please look at order 4711 ' + JSON.stringify(script) } },
    { idempotencyKey: 'a' },
  );
  await page.goto(`${server.url}/?session=${s.id}`);
  await page.waitForSelector('[data-action=external_execution]');
  await page.screenshot({ path: `${out}/03-external.png` });
  await page.getByLabel('Result').fill('{"id": 4711, "items": 2}');
  await page.getByText('Send result').click();
  await page.waitForSelector('[data-action=confirmation]');
  await page.waitForTimeout(600);
  await client.turns.submit(s.id, { message: 'And then write to the customer, please.' }, { idempotencyKey: 'b' });
  await client.turns.submit(s.id, { message: 'Also check order 4712.' }, { idempotencyKey: 'c' });
  await page.waitForSelector('[data-turn-status=queued]');
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${out}/04-confirm.png` });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(200);
  await page.screenshot({ path: `${out}/05-confirm-dark.png` });
  await page.getByLabel('Settings and account').click();
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${out}/06-menu-dark.png` });
  await page.getByText('中文').click();
  await page.keyboard.press('Escape');
  await page.waitForTimeout(200);
  await page.screenshot({ path: `${out}/07-zh-dark.png` });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${server.url}/?new`);
  await page.waitForSelector('input[name=agent]', { state: 'attached' });
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${out}/08-new-zh.png` });
  const phone = await openContext(browser, { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  const p = await signIn(phone, server.url, problems);
  await p.goto(`${server.url}/?session=${s.id}`);
  await p.waitForSelector('[data-action=confirmation]');
  await p.waitForTimeout(700);
  await p.screenshot({ path: `${out}/09-phone.png` });
  await p.emulateMedia({ colorScheme: 'dark' });
  await p.waitForTimeout(300);
  await p.screenshot({ path: `${out}/09b-phone-dark.png` });
  await p.emulateMedia({ colorScheme: 'light' });
  await p.getByLabel('Show sessions').click();
  await p.getByRole('button', { name: 'Settings and account' }).click();
  await p.waitForTimeout(500);
  await p.screenshot({ path: `${out}/10-phone-drawer.png` });
  await p.keyboard.press('Escape');
  await p.goto(`${server.url}/?new`);
  await p.waitForTimeout(800);
  await p.screenshot({ path: `${out}/11-phone-new.png` });
  const f = await client.sessions.create(
    {
      agent: 'ops',
      title: 'A failing turn',
      initialMessage: {
        message: JSON.stringify({ script: [{ text: 'I will try' }, { error: { status: 500, retryable: false, message: 'The provider is overloaded' } }] }),
      },
    },
    { idempotencyKey: 'd' },
  );
  await page.goto(`${server.url}/?session=${f.id}`);
  await page.waitForSelector('[data-outcome=failed]');
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${out}/12-failed-zh.png` });
  const out2 = await openContext(browser);
  const q = await out2.newPage();
  await q.goto(server.url);
  await q.waitForTimeout(800);
  await q.screenshot({ path: `${out}/13-signin.png` });
} catch (e) {
  console.log(e);
} finally {
  console.log(problems);
  await browser.close();
  await server.stop();
}
