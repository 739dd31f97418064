import { cursorOf, seqOfCursor } from '@turnkeeper/core/protocol/cursors';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './testing/axe.ts';
import { consoleTest, sideways } from './testing/console-test.ts';

const stage = consoleTest();

const say = async (page: Page, text: string, keys = 'Enter'): Promise<void> => {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press(keys);
};
const queued = (page: Page) => page.locator('[data-turn-status=queued]');
const call = (name: string, input: Record<string, unknown> = {}) => ({ tool: { name, input } });
const time = { tools: [{ type: 'builtin', name: 'time', permission: 'always_allow' }] };
const answer = (page: Page, text: string) => page.locator('[data-role=assistant]').getByText(text, { exact: true });
const rows = (page: Page) => page.locator('[data-index]');

test('while a turn runs: said to it with two ticks; what waits is moved and taken out; files go along and survive a reload', async () => {
  const steps = [
    [{ text: 'I begin' }, call('time')],
    [{ echo: 'message' }, { hang: true }],
  ];
  const session = await stage.scripted(steps, { definition: { tools: [{ type: 'builtin', name: 'time', permission: 'always_ask' }] } });
  const page = await stage.page(`/?session=${session}`);
  await answer(page, 'I begin').waitFor();
  await say(page, 'be brief', 'Control+Enter');
  await page.locator('[data-steer=accepted]').getByText('Received').waitFor();
  for (const text of ['second', 'third', 'fourth']) await say(page, text);
  await queued(page).nth(2).waitFor();
  await queued(page).nth(2).getByRole('button', { name: 'Move up' }).click();
  await expect.poll(() => queued(page).nth(1).textContent()).toContain('fourth');
  await queued(page).nth(2).getByRole('button', { name: 'Take out of the queue' }).click();
  await expect.poll(() => queued(page).count()).toBe(2);

  await page.locator('input[type=file]').setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('what I noted') }]);
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['a,b'], 'table.csv', { type: 'text/csv' }));
    return transfer;
  });
  await page.getByRole('textbox', { name: 'Message' }).dispatchEvent('drop', { dataTransfer: dropped });
  await expect.poll(() => page.locator('[data-attachment=ready]').count()).toBe(2);
  await page.getByRole('textbox', { name: 'Message' }).fill('with files');
  await page.reload();
  await expect.poll(() => page.locator('[data-attachment=ready]').count()).toBe(2);
  await page.getByRole('button', { name: 'Remove table.csv' }).click();
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await expect.poll(() => queued(page).last().textContent()).toContain('with files');
  expect(await page.locator('[data-attachment]').count()).toBe(0);

  await page.getByRole('button', { name: 'Approve' }).click();
  await page.locator('[data-steer=applied]').getByText('Used by the agent').waitFor();
  await page.getByText('be brief').nth(1).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-outcome=cancelled]').getByText('not undone: time').waitFor();
  await page.getByText('notes.txt').waitFor();
  await expect.poll(() => queued(page).count()).toBe(0);
  expect(stage.problems()).toEqual([]);
});

test('edit and send again, the next error by ], a fork by F that says what it copied; the menu copies and exports', async () => {
  const failing = [{ error: { status: 500, retryable: false, message: 'no luck' } }];
  const session = await stage.scripted([[{ text: 'fine' }]], { title: 'Origin' });
  const page = await stage.page(`/?session=${session}`);
  await page.locator('[data-outcome=completed]').waitFor();
  await say(page, JSON.stringify({ script: failing }));
  await page.locator('[data-outcome=failed]').waitFor();
  await page.getByRole('button', { name: 'Edit and send again' }).first().click();
  await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toContain('"fine"');
  await say(page, JSON.stringify({ script: [{ text: 'better' }] }));
  await expect.poll(() => page.locator('[data-outcome=completed]').count()).toBe(2);

  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press(']');
  await expect.poll(() => page.evaluate(() => document.activeElement?.querySelector('[data-outcome=failed]') !== null)).toBe(true);
  await page.keyboard.press('f');
  await page.locator('[data-forked]').getByText('were not copied').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Origin (fork)');
  await say(page, JSON.stringify({ script: [{ echo: 'prompt' }] }));
  await page.locator('[data-outcome=completed]').waitFor();
  // It knows what came up to that turn, and nothing of what came later.
  const known = (await page.locator('[data-role=assistant]').textContent()) ?? '';
  expect(known).toContain('fine');
  expect(known).not.toContain('better');
  await page.getByRole('button', { name: 'More about this session' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Export the events' }).click()]);
  expect(file.suggestedFilename()).toMatch(/^ses_.*\.ndjson$/);
});

test('a long session: only what is looked at is drawn, older parts come while one scrolls up, and nothing jumps; a link shows its turn', async () => {
  const steps = [...Array.from({ length: 7 }, (_, n) => [{ text: `step ${n}` }, call('time')]), [{ text: 'end' }]];
  const session = await stage.scripted(steps, { title: 'Long', definition: time });
  const client = stage.admin();
  for (let n = 2; n <= 40; n += 1) {
    const turn = await client.turns.submit(session, { message: JSON.stringify({ steps, key: `k${n}` }) }, { idempotencyKey: `t${n}` });
    if (n % 15 === 0 || n === 40) await client.waitForTurn(session, turn.id);
  }
  const page = await stage.page(`/?session=${session}`);
  await expect.poll(() => page.locator('[data-outcome]').last().isVisible()).toBe(true);
  expect(await rows(page).count()).toBeLessThan(80);
  const scroller = page.locator('.overscroll-contain').first();
  // Rows are measured when they are drawn: the end moves until they are.
  await expect.poll(() => scroller.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)).toBeLessThan(60);

  // A row that is looked at stays where it is while older ones come in above it.
  const waiting: (() => void)[] = [];
  let open = false;
  await page.route('**/resources/**', (route) => (open ? route.continue() : new Promise<void>((resolve) => waiting.push(() => resolve(route.continue())))));
  const firstOf = async () => Number(await rows(page).last().getAttribute('data-index'));
  await scroller.evaluate((element) => element.scrollTo({ top: 900 }));
  await expect.poll(() => waiting.length).toBeGreaterThan(0);
  const place = async (key: string): Promise<number> => Math.round((await page.locator(`[data-entry="${key}"]`).boundingBox())?.y ?? -9_999);
  const inSight = () => rows(page).evaluateAll((all) => all.find((row) => row.getBoundingClientRect().top > 150)?.getAttribute('data-entry') ?? '');
  const still = async (key: string): Promise<number> => {
    for (let last = await place(key); ; ) {
      await page.waitForTimeout(200);
      const now = await place(key);
      if (now === last) return now;
      last = now;
    }
  };
  const key = await inSight();
  const [top, before] = [await still(key), await firstOf()];
  for (const release of waiting) release();
  open = true;
  await expect.poll(firstOf).toBeGreaterThan(before);
  expect(Math.abs((await still(key)) - top)).toBeLessThan(4);

  const [oldest] = (await client.turns.list(session, { limit: 200 })).items.sort((one, other) => one.createdAt - other.createdAt);
  const wanted = oldest?.id ?? '';
  await page.goto(`${stage.url()}/?session=${session}&turn=${wanted}`);
  await page.locator(`[data-turn="${wanted}"]`).first().waitFor();
  expect(stage.problems()).toEqual([]);
});

test('the inspector: turns, files with their preview, a child that is only read, a budget that is raised; by keys, and nothing serious for axe', async () => {
  const client = stage.admin();
  const { agent: helper } = await client.agents.create({ agentKey: 'helper', displayName: 'Helper', definition: { system: '', model: 'demo:script' } });
  const child = JSON.stringify({ steps: [[{ text: 'I help' }]] });
  const session = await stage.scripted([[call('delegate', { name: 'helper', message: child })], [{ text: 'helped' }]], {
    definition: { subagents: [{ agentId: helper.id, name: 'helper', description: 'helps' }] },
  });
  await client.files.upload(session, 'what is in it', { name: 'plan.txt', mediaType: 'text/plain', idempotencyKey: 'plan' });
  const page = await stage.page(`/?session=${session}`);
  await page.locator('[data-outcome=completed]').waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('i');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await inspector.locator('[data-turn-row]').waitFor();
  await inspector.getByRole('link', { name: 'Files' }).click();
  await inspector.getByRole('button', { name: 'Preview plan.txt' }).click();
  await inspector.getByText('what is in it').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await inspector.getByRole('link', { name: 'Children' }).click();
  await inspector.locator('[data-child] a').click();
  await answer(page, 'I help').waitFor();
  expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Back to the parent' }).last().click();
  await answer(page, 'helped').waitFor();

  await client.budgets.set(session, { max_model_calls: 2 });
  await say(page, JSON.stringify({ script: [{ text: 'after the budget' }] }));
  await page.getByText('The budget is used up').first().waitFor();
  await inspector.getByRole('link', { name: 'Budget' }).click();
  await inspector.getByRole('meter', { name: 'Context now' }).waitFor();
  await inspector.getByRole('meter', { name: 'Spent so far' }).waitFor();
  await inspector.getByLabel('Model calls in all').fill('20');
  await inspector.getByRole('button', { name: 'Save and resume' }).click();
  await answer(page, 'after the budget').waitFor();
  expect(new URL(page.url()).searchParams.get('panel')).toBe('budget');
  expect(stage.problems()).toEqual([]);
});

test('on a phone, in Chinese: the inspector is a sheet, nothing scrolls sideways', () =>
  stage.open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN' }, async (context) => {
    const session = await stage.scripted([[{ text: '你好' }]], { title: '很长的标题'.repeat(20) });
    const page = await stage.page(`/?session=${session}`, { context });
    await page.locator('[data-outcome=completed]').waitFor();
    expect(await page.getByRole('textbox', { name: '消息' }).count()).toBe(1);
    await page.getByRole('button', { name: '显示检查器' }).tap();
    const sheet = page.getByRole('dialog', { name: '检查器' });
    await sheet.locator('[data-turn-row]').waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    expect(await axeFaults(page)).toEqual([]);
    await sheet.getByRole('button', { name: '关闭检查器' }).tap();
    await sheet.waitFor({ state: 'detached' }).catch(() => sheet.waitFor({ state: 'hidden' }));
    expect(new URL(page.url()).searchParams.has('panel')).toBe(false);
  }));

test('a chat on its own page: earlier messages come when one scrolls up, by the keyboard too, and nothing jumps; in both languages', async () => {
  const answering = (n: number) => [[{ text: `answer ${n}\n\n${'more of it '.repeat(60)}` }]];
  const session = await stage.scripted(answering(1));
  const client = stage.admin();
  for (let n = 2; n <= 12; n += 1) {
    const turn = await client.turns.submit(session, { message: JSON.stringify({ steps: answering(n) }) }, { idempotencyKey: `older-${n}` });
    if (n === 12) await client.waitForTurn(session, turn.id);
  }
  const { token } = await client.clientTokens.create(session, { scopes: ['read'] });
  const words = [
    ['en-US', 'Show earlier messages', 'Earlier messages could not be loaded'],
    ['zh-CN', '显示更早的消息', '未能加载更早的消息'],
  ] as const;
  for (const [locale, show, failed] of words)
    await stage.open({ locale, viewport: { width: 360, height: 640 } }, async (context) => {
      let answer: 'later' | 'refused' | 'given' = 'later';
      let release = (): void => {};
      const later = new Promise<void>((resolve) => {
        release = resolve;
      });
      await context.route(/snapshot\?limit=300/, (route) => route.continue({ url: route.request().url().replace('limit=300', 'limit=6') }));
      await context.route(/resources\/items/, async (route) => {
        if (answer === 'refused') return route.fulfill({ status: 400, json: { code: 'invalid_request', message: 'not now' } });
        if (answer === 'later') await later;
        return route.continue({ url: route.request().url().replace('limit=100', 'limit=8') });
      });
      const page = await context.newPage();
      await page.goto(`${stage.url()}/c/#token=${token}`);
      const answers = page.locator('[data-role=assistant]');
      const tenth = answers.getByText('answer 10');
      await answers.getByText('answer 12').waitFor();
      expect(await answers.count()).toBe(3);
      const log = page.getByRole('log');
      await log.evaluate((element) => element.scrollTo({ top: 40 }));
      await page.locator('[data-older=loading]').waitFor();
      const before = await tenth.boundingBox();
      release();
      await expect.poll(() => answers.count()).toBe(7);
      expect(Math.abs(((await tenth.boundingBox())?.y ?? -9_999) - (before?.y ?? 0))).toBeLessThan(3);

      // Nothing is asked for again by itself after a refusal: the button does.
      answer = 'refused';
      await page.getByRole('button', { name: show }).focus();
      const again = page.getByRole('button', { name: failed });
      await again.waitFor();
      expect([await sideways(page), await axeFaults(page)]).toEqual([0, []]);
      answer = 'given';
      await again.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => answers.count()).toBe(11);
      await page.getByRole('button', { name: show }).press('Enter');
      await answers.getByText('answer 1', { exact: true }).waitFor();
      await expect.poll(() => page.locator('[data-older]').count()).toBe(0);
      // The focus does not get lost with the button.
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('log');
      expect(await answers.count()).toBe(12);
    });
});

/** The archive as that of another session: its own is still here. */
const ofAnother = (archive: string, id: string): string =>
  archive
    .trimEnd()
    .replaceAll(id, `${id}_copy`)
    .split('\n')
    .map((text) => {
      const line = JSON.parse(text) as { cursor: string; data: { as_of?: string } };
      const moved = (cursor: string): string => {
        const sid = Number.parseInt(/^s([0-9a-z]+)-/.exec(cursor)?.[1] ?? '', 36);
        return cursorOf({ kind: 'session', sid: sid + 10_000 }, seqOfCursor({ kind: 'session', sid }, cursor) ?? 0);
      };
      return JSON.stringify({ ...line, cursor: moved(line.cursor), data: line.data.as_of ? { ...line.data, as_of: moved(line.data.as_of) } : line.data });
    })
    .join('\n');

test('an imported record says what it is, and offers nothing that would be refused', async () => {
  const id = await stage.scripted([[{ text: 'It was so' }]], { title: 'Long ago' });
  const { sessions } = stage.admin();
  await expect.poll(async () => (await sessions.get(id)).status).toBe('idle');
  const archive = await (await sessions.exportEvents(id, { archive: true })).text();
  const { id: record } = await sessions.importArchive(Buffer.from(ofAnother(archive, id)));
  const page = await stage.page(`/?session=${record}&panel=turns`);
  await answer(page, 'It was so').waitFor();
  await page.getByText('An imported record: nothing new is done in it.').waitFor();
  await page.getByText('imported record', { exact: false }).first().waitFor();
  await page.locator('[data-turn-row]').waitFor();
  for (const name of ['Fork from here', 'Send again', 'Edit and send again', 'Approve', 'Resume'])
    expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0]);
  expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Checkpoints' }).count()).toBe(0);
  await page.getByRole('button', { name: 'More about this session' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
  await page.keyboard.press('Escape');
  const turn = (await stage.admin().turns.list(record)).items[0]?.id ?? '';
  await page.goto(`${stage.url()}/turn?session=${record}&turn=${turn}`);
  await page.locator('[data-turn-status=completed]').waitFor();
  expect(await page.getByRole('button', { name: /Replay/ }).count()).toBe(0);
  expect(stage.problems()).toEqual([]);
});
