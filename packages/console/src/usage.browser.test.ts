/** Usage: figures, plot and table, by what one likes; a costly turn, a budget, and a file for a spreadsheet. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { axeFaults } from './testing/axe.ts';
import { consoleTest, sideways } from './testing/console-test.ts';

const stage = consoleTest();

test('what was used, by model and by session; a budget is set; the table is downloaded; a turn is opened', async () => {
  const id = await stage.scripted([[{ text: 'spent' }]], { title: 'Spender' });
  await expect.poll(async () => (await stage.admin().sessions.get(id)).status).toBe('idle');
  const page = await stage.page('/usage');
  await page.getByRole('rowheader', { name: 'demo:script' }).waitFor();
  const today = page.locator('svg[role=img] [data-bar]').last();
  expect(await today.locator('title').textContent()).toContain('tokens');
  await page.getByText('As a table').click();
  await page.getByRole('table', { name: /by day$/ }).waitFor();
  await page.getByLabel('By', { exact: true }).selectOption('session');
  const row = page.locator(`[data-group="${id}"]`);
  await row.getByRole('link', { name: 'Spender' }).waitFor();
  expect(new URL(page.url()).searchParams.get('by')).toBe('session');
  await row.getByRole('button', { name: 'Budget' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Model calls').fill('many');
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Model calls').fill('50');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(await stage.admin().budgets.get(id)).toMatchObject({ max_model_calls: 50 });
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  expect(download.suggestedFilename()).toBe('usage-by-session.csv');
  expect(readFileSync(await download.path(), 'utf8')).toContain(`${id},Spender,1,1`);
  // By key: whose it is, and what it is called.
  await page.getByLabel('By', { exact: true }).selectOption('key');
  await page
    .getByRole('rowheader', { name: /^me · / })
    .first()
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('list', { name: 'Costliest turns' }).getByRole('link').first().click();
  await page.waitForURL(/\/turn\?session=.*turn=/);
  expect(stage.problems()).toEqual([]);
});

test('others see only what is theirs; in Chinese at 360 pixels', () =>
  stage.open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN' }, async (context) => {
    const id = await stage.scripted([[{ text: 'x' }]], { title: '一个很长很长的标题'.repeat(8) });
    await expect.poll(async () => (await stage.admin().sessions.get(id)).status).toBe('idle');
    const page = await stage.page('/usage?by=session&period=7', { context });
    await page.locator(`[data-group="${id}"]`).waitFor();
    expect([await sideways(page), await axeFaults(page)]).toEqual([0, []]);
    const { token } = await stage.person();
    const theirs = await stage.page('/usage', { context, token });
    await theirs.getByText('没有调用过模型').waitFor();
    expect(stage.problems()).toEqual([]);
  }));
