/** Webhooks out: made, tested, failed, tried again, sent again, a new secret, deleted; and where mini-tools are called. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFaults } from './testing/axe.ts';
import { consoleTest, sideways } from './testing/console-test.ts';

// The receiver is on this machine.
process.env['TURNKEEPER_WEBHOOK_ALLOW_PRIVATE'] = '1';
const stage = consoleTest();
let receiver: Server;
let status = 200;
const got: { readonly type: string; readonly id: string }[] = [];
beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    request.on('end', () => {
      got.push(JSON.parse(body));
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(() => receiver.close());
const address = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

test('a webhook is made and its secret shown once; tested; what fails is tried and sent again; a new secret; deleted', async () => {
  const id = await stage.scripted([[{ text: 'ok' }]], { title: 'Told of' });
  // Its end is nothing that the webhook is told of.
  await expect.poll(async () => (await stage.admin().sessions.get(id)).status).toBe('idle');
  const page = await stage.page(`/deliveries?session=${id}`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'New webhook' }).click();
  expect(await dialog.getByLabel('Session id').inputValue()).toBe(id);
  await dialog.getByLabel('Address').fill(address());
  await dialog.getByRole('checkbox', { name: 'turn.failed' }).uncheck();
  await page.keyboard.press('Enter');
  await page.locator('[data-secret]').waitFor();
  const secret = await page.locator('[data-secret]').textContent();
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.goto(`${stage.url()}/deliveries`);
  await page.getByRole('link', { name: address() }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('It was taken. HTTP 200').waitFor();
  expect(got.at(-1)?.type).toBe('webhook.test');
  const tested = got.length;
  status = 503;
  await stage.admin().turns.submit(id, { message: JSON.stringify({ steps: [[{ text: 'more' }]] }) }, { idempotencyKey: 'more' });
  await page.getByText('failing', { exact: true }).waitFor();
  // Behind the third attempt comes a long pause: it is not the webhook itself that tries again.
  await expect.poll(() => got.length).toBe(tested + 3);
  await page.getByText('Next attempt').first().waitFor();
  status = 200;
  await page.getByRole('button', { name: 'Try again now' }).click();
  await page.getByText('delivered', { exact: true }).waitFor();
  const before = got.length;
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('It was taken. HTTP 200').waitFor();
  await expect.poll(() => got.length).toBe(before + 1);
  expect(got.at(-1)?.id).toBe(got.at(-2)?.id);
  await page.getByText('Requests and answers', { exact: true }).first().click();
  await page.getByText('· sent again').waitFor();
  // The three that failed are among them, each with what it was signed by.
  await expect.poll(() => page.getByText('HTTP 503').count()).toBeGreaterThan(2);
  await expect.poll(() => page.getByText(/webhook-signature: v1,\S/).count()).toBeGreaterThan(3);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.locator('[data-secret]').waitFor();
  expect(await page.locator('[data-secret]').textContent()).not.toBe(secret);
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByText('The old secret signs, too').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There are none yet.').waitFor();
  expect(stage.problems()).toEqual([]);
});

test('nobody sees others’ webhooks; in Chinese at 360 pixels', () =>
  stage.open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN' }, async (context) => {
    const id = await stage.scripted([[{ text: 'ok' }]]);
    await stage.admin().webhooks.create({ sessionId: id }, { url: `${address()}/${'long/'.repeat(30)}` }, { idempotencyKey: 'long' });
    const { token } = await stage.person();
    const theirs = await stage.page('/deliveries', { context, token });
    await theirs.getByText('还没有。').waitFor();
    await theirs.close();
    const page = await stage.page('/deliveries', { context });
    await page.getByRole('link', { name: /127/ }).waitFor();
    expect([await sideways(page), await axeFaults(page)]).toEqual([0, []]);
    await page.getByRole('link', { name: '传入的 Webhook' }).tap();
    await page.getByText('都不接收 Webhook').waitFor();
  }));

test('what came in to a mini-tool: taken and refused, and whether it was signed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnkeeper-console-in-'));
  const webhooks = [
    { id: 'open', verify: 'none' },
    { id: 'signed', verify: 'github' },
  ];
  const permissions = { secrets: ['webhook.signed'] };
  writeFileSync(
    join(folder, 'finch.json'),
    JSON.stringify({ manifestVersion: 1, id: 'bot', name: 'Bot', main: 'index.js', contributes: { webhooks }, permissions }),
  );
  writeFileSync(join(folder, 'index.js'), 'export const activate = () => {};\n');
  const { minitools } = stage.admin();
  const { minitool } = await minitools.install({ source: `folder:${folder}` });
  await minitools.enable('bot', minitool.permissions);
  const page = await stage.page('/deliveries?tab=in');
  await page.getByText('Nothing has come in since the server was started.').waitFor();
  const send = (hook: string) => fetch(`${stage.url()}/api/v1/minitools/bot/webhooks/${hook}`, { method: 'POST', body: 'hush' });
  await send('open');
  await send('signed');
  const rows = page.getByRole('list', { name: 'What came in' }).getByRole('listitem');
  await rows.filter({ hasText: 'Bot · open' }).filter({ hasText: 'no signature wanted' }).getByText('taken', { exact: true }).waitFor();
  const refused = await rows.filter({ hasText: 'Bot · signed' }).textContent();
  expect([refused?.includes('refused'), refused?.includes('HTTP 401'), refused?.includes('signature wrong')]).toEqual([true, true, true]);
  expect(await axeFaults(page)).toEqual([]);
  await minitools.delete('bot');
  rmSync(folder, { recursive: true });
  expect(stage.problems()).toEqual([]);
});
