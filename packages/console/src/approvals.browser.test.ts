import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { consoleTest, sideways } from './testing/console-test.ts';

const stage = consoleTest();

const call = (name: string, input: Record<string, unknown> = {}) => ({ tool: { name, input } });
const asking = (name: string, more: Record<string, unknown> = {}) => ({ type: 'builtin', name, permission: 'always_ask', ...more });
/** Asks, and its answer can be remembered. */
const gated = { tools: [{ type: 'function', name: 'refund', description: 'x', inputSchema: { type: 'object' }, destructive: true }] };
/** Whose queue a test looks at: nothing of another test is in it. */
const somebody = async () => {
  const me = await stage.person();
  return {
    ...me,
    session: (title: string, steps: readonly unknown[], definition: Record<string, unknown>) => stage.scripted(steps, { title, definition, client: me.client }),
    page: (place: string, context = stage.context()) => stage.page(place, { token: me.token, context }),
  };
};
const cards = (page: Page) => page.locator('[data-approval]');
const card = (page: Page, title: string) => cards(page).filter({ hasText: title });
const toolOf = async (session: string, name: string) => {
  const { tools } = await stage.admin().sessions.snapshot(session);
  return tools.find(({ data }) => data.name === name)?.data;
};
const toolStatus = (session: string, name: string) => expect.poll(async () => (await toolOf(session, name))?.status);

test('by keys alone: allow, deny with a reason, put off, move, open', async () => {
  const me = await somebody();
  const allowed = await me.session('First', [[call('time')], [{ text: 'done' }]], { tools: [asking('time')] });
  const page = await me.page('/approvals');
  await card(page, 'First').waitFor();
  const denied = await me.session('Second', [[call('calculator', { expression: '6*7' })], [{ text: 'done' }]], { tools: [asking('calculator')] });
  await card(page, 'Second').waitFor();
  const third = await me.session('Third', [[call('time')], [{ text: 'done' }]], { tools: [asking('time')] });
  await card(page, 'Third').waitFor();
  expect(await page.locator('[data-waiting]').first().getAttribute('data-waiting')).toBe('3');
  expect(await card(page, 'First').getAttribute('aria-current')).toBe('true');

  // Down, up, and put off: it goes to the end, and nothing is decided.
  await page.keyboard.press('j');
  await expect.poll(() => card(page, 'Second').getAttribute('aria-current')).toBe('true');
  await page.keyboard.press('k');
  await page.keyboard.press('l');
  await expect.poll(() => cards(page).last().textContent()).toContain('First');
  expect((await toolOf(allowed, 'time'))?.status).toBe('waiting');

  await expect.poll(() => card(page, 'Second').getAttribute('aria-current')).toBe('true');
  await page.keyboard.press('n');
  await page.keyboard.type('not today');
  await page.keyboard.press('Enter');
  await card(page, 'Second').waitFor({ state: 'detached' });
  await toolStatus(denied, 'calculator').toBe('denied');
  expect(JSON.stringify((await toolOf(denied, 'calculator'))?.output)).toContain('not today');

  // The next one is looked at; the put-off one after it.
  await expect.poll(() => card(page, 'Third').getAttribute('aria-current')).toBe('true');
  await page.keyboard.press('y');
  await toolStatus(third, 'time').toBe('success');
  await expect.poll(() => card(page, 'First').getAttribute('aria-current')).toBe('true');
  await page.keyboard.press('o');
  await page.locator('[data-connection=live]').waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('session')).toBe(allowed);
  await page.goBack();
  await card(page, 'First').waitFor();
  await page.keyboard.press('y');
  await toolStatus(allowed, 'time').toBe('success');
  await page.getByText('Nothing waits for you').waitFor();
  expect(await page.locator('[data-waiting]').count()).toBe(0);
  expect(stage.problems()).toEqual([]);
});

test('arguments are edited: what is no JSON is said and not sent, what is goes to the tool', async () => {
  const me = await somebody();
  const session = await me.session('Sums', [[call('calculator', { expression: '1+1' })], [{ text: 'done' }]], { tools: [asking('calculator')] });
  const page = await me.page('/approvals');
  await card(page, 'Sums').waitFor();
  await page.keyboard.press('e');
  const editor = page.getByLabel('Arguments (JSON)');
  await editor.fill('{\n  "expression": \n}');
  await page.getByText('line 3, column 1').waitFor();
  expect(await page.getByRole('button', { name: 'Approve with these arguments' }).isDisabled()).toBe(true);
  await editor.press('Control+Enter');
  await editor.fill('["6*7"]');
  await page.getByText('Arguments are an object').waitFor();
  // Escape puts it back and decides nothing.
  await editor.press('Escape');
  await page.getByText('"1+1"').waitFor();
  await page.keyboard.press('e');
  await editor.fill('{"expression": "6*7"}');
  await editor.press('Control+Enter');
  await card(page, 'Sums').waitFor({ state: 'detached' });
  await toolStatus(session, 'calculator').toBe('success');
  const tool = await toolOf(session, 'calculator');
  expect(tool?.input).toEqual({ expression: '6*7' });
  expect(JSON.stringify(tool?.output)).toContain('42');
});

test('allowed for the session: the tool is not asked for again in it; a tool that always asks offers it to nobody', async () => {
  const me = await somebody();
  const session = await me.session('Refunds', [[call('refund')], [call('refund')], [{ text: 'done' }]], gated);
  await me.session('Always', [[call('time')], [{ text: 'done' }]], { tools: [asking('time')] });
  const page = await me.page('/approvals');
  await card(page, 'Always').waitFor();
  expect(await card(page, 'Always').getByRole('button', { name: 'for this session' }).count()).toBe(0);
  await card(page, 'Refunds').getByRole('button', { name: 'Approve for this session' }).click();
  for (const given of ['first', 'second']) {
    // No confirmation comes between: the application's own action does.
    const handed = card(page, 'Refunds').filter({ has: page.getByLabel('Result') });
    const own = page.locator(`[data-approval="${await handed.getAttribute('data-approval')}"]`);
    await own.getByLabel('Result').fill(given);
    await own.getByRole('button', { name: 'Send result' }).click();
    await own.waitFor({ state: 'detached' });
  }
  await expect.poll(async () => (await stage.admin().sessions.get(session)).status).toBe('idle');
  const { tools } = await stage.admin().sessions.snapshot(session);
  expect(tools.map(({ data }) => [data.status, JSON.stringify(data.output).includes(data === tools[0]?.data ? 'first' : 'second')])).toEqual([
    ['success', true],
    ['success', true],
  ]);
});

test('questions are answered in place, also in the chat: options, several, and one’s own words', async () => {
  const me = await somebody();
  const questions = [
    { question: 'Which colour?', header: 'colour', options: [{ label: 'red' }, { label: 'blue', description: 'like the sea' }] },
    { question: 'Which sizes?', header: 'sizes', multi_select: true, options: [{ label: 'S' }, { label: 'M' }, { label: 'L' }] },
    { question: 'Anything else?', header: 'more' },
  ];
  const steps = [[call('ask_user', { questions })], [call('ask_user', { question: 'Sure?', options: ['yes', 'no'] })], [{ echo: 'prompt' }]];
  const session = await me.session('Shopping', steps, { tools: [{ type: 'builtin', name: 'ask_user' }] });
  const page = await me.page('/approvals');
  const first = card(page, 'Which colour?');
  await first.getByRole('radio', { name: 'red' }).check();
  await first.getByRole('radio', { name: 'blue' }).check();
  await first.getByRole('checkbox', { name: 'L' }).check();
  await first.getByRole('checkbox', { name: 'S' }).check();
  expect(await first.getByRole('button', { name: 'Answer' }).isDisabled()).toBe(true);
  await first.getByLabel('Anything else?').fill('ein Schleifchen');
  await first.getByRole('button', { name: 'Answer' }).click();
  await first.waitFor({ state: 'detached' });
  await toolStatus(session, 'ask_user').toBe('success');
  expect(JSON.parse((await textOutput(session)) ?? '')).toEqual({ colour: 'blue', sizes: ['S', 'L'], more: 'ein Schleifchen' });

  await page.goto(`${stage.url()}/?session=${session}`);
  await page.getByLabel('Another answer to: Sure?').fill('only on Mondays');
  await page.getByRole('button', { name: 'Answer' }).click();
  await page.locator('[data-outcome=completed]').waitFor();
  expect(await page.locator('[data-role=assistant]').last().textContent()).toContain('only on Mondays');
  expect(stage.problems()).toEqual([]);
});

const textOutput = async (session: string): Promise<string | undefined> => {
  const [block] = (await toolOf(session, 'ask_user'))?.output ?? [];
  return block?.type === 'text' ? block.text : undefined;
};

test('ask back: the agent is asked, nothing is decided; the history says who, when and from where', async () => {
  const me = await somebody();
  const session = await me.session('Asked', [[call('time')], [{ echo: 'message' }]], { tools: [asking('time')] });
  // What waits longest is looked at first.
  await toolStatus(session, 'time').toBe('waiting');
  await me.session('Other', [[call('time')], [{ text: 'done' }]], { tools: [asking('time')] });
  const page = await me.page('/approvals');
  await card(page, 'Other').waitFor();
  await card(page, 'Asked').getByRole('button', { name: 'Ask back' }).waitFor();
  await page.keyboard.press('q');
  await page.keyboard.type('Why now?');
  await page.keyboard.press('Enter');
  await expect.poll(() => cards(page).last().textContent()).toContain('asked back');
  expect((await toolOf(session, 'time'))?.status).toBe('waiting');
  await card(page, 'Asked').getByRole('button', { name: 'Approve', exact: true }).click();
  await toolStatus(session, 'time').toBe('success');
  await expect.poll(async () => JSON.stringify((await stage.admin().sessions.snapshot(session)).items.at(-1)?.data)).toContain('Why now?');
  await page.getByRole('link', { name: 'History' }).click();
  await page.locator('[data-row]').getByText('approved').waitFor();
  expect(await page.locator('[data-row]').first().textContent()).toContain('me');
  // Of one's own answer one sees where it came from.
  await page.locator('[data-row]').first().locator('[data-from]').getByText('127.0.0.1').waitFor();
  // Admins see everybody's.
  const admin = await stage.page('/approvals?history=1');
  await admin.locator('[data-row]', { hasText: me.username }).locator('[data-from]').getByText('127.0.0.1').waitFor();
  expect(stage.problems()).toEqual([]);
});

test('the chat’s own card allows for the session, too', async () => {
  const me = await somebody();
  const session = await me.session('Chat', [[call('refund')], [{ text: 'done' }]], gated);
  const page = await me.page(`/?session=${session}`);
  await page.getByRole('button', { name: 'Approve for this session' }).click();
  await page.locator('[data-action=external_execution]').waitFor();
  await page.getByLabel('Result').fill('ok');
  await page.getByRole('button', { name: 'Send result' }).click();
  await page.locator('[data-outcome=completed]').waitFor();
});

test('two tabs see one truth: what one answers goes away in the other, with the name', async () => {
  const me = await somebody();
  const session = await me.session('Shared', [[call('time')], [{ text: 'done' }]], { tools: [asking('time')] });
  const [first, second] = [await me.page('/approvals'), await me.page('/approvals')];
  await card(second, 'Shared').waitFor();
  await second.bringToFront();
  // It is told for a while only.
  await Promise.all([
    second.locator('[data-gone]').getByText('answered by me').waitFor(),
    card(first, 'Shared').getByRole('button', { name: 'Approve', exact: true }).click(),
  ]);
  await card(second, 'Shared').waitFor({ state: 'detached' });
  await toolStatus(session, 'time').toBe('success');
  expect(await first.locator('[data-gone]').count()).toBe(0);
});

test('an answer that comes too late says who was faster', async () => {
  const me = await somebody();
  const session = await me.session('Race', [[call('time')], [{ text: 'done' }]], { tools: [asking('time')] });
  const page = await me.page('/approvals');
  await card(page, 'Race').waitFor();
  // The page hears nothing of it any more: what it had asked before has been answered when it asks again.
  let unheard = 0;
  await page.route('**/required-actions*', (route) => {
    unheard += 1;
    return route.abort();
  });
  await expect.poll(() => unheard).toBeGreaterThan(0);
  const open = (await me.client.actions.list()).find(({ session_id }) => session_id === session);
  if (!open) throw new Error('no open action');
  await me.client.actions.deny(open);
  await page.keyboard.press('y');
  await card(page, 'Race').getByRole('alert').filter({ hasText: 'denied by me' }).waitFor();
  expect((await toolOf(session, 'time'))?.status).toBe('denied');
});

test('an action that expires counts down and goes', async () => {
  const me = await somebody();
  const session = await me.session('Soon', [[call('time')], [{ text: 'done' }]], { tools: [asking('time', { expiresSeconds: 3 })] });
  const page = await me.page('/approvals');
  await toolStatus(session, 'time').toBe('denied');
  await card(page, 'Soon').waitFor({ state: 'detached' });
  const long = await me.session('Much later', [[call('time')], [{ text: 'done' }]], { tools: [asking('time', { expiresSeconds: 600 })] });
  await card(page, 'Much later')
    .getByText(/Expires in (10:00|9:\d\d)/)
    .waitFor();
  expect((await toolOf(long, 'time'))?.status).toBe('waiting');
});

test('on a phone, in Chinese: the count is in the bottom bar, a thumb answers, nothing scrolls sideways', () =>
  stage.open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN' }, async (context) => {
    const me = await somebody();
    const input = { expression: `${'1+'.repeat(100)}1` };
    const session = await me.session(`${'长标题'.repeat(30)}`, [[call('calculator', input)], [{ text: 'done' }]], { tools: [asking('calculator')] });
    const page = await me.page('/sessions', context);
    const bar = page.getByRole('navigation', { name: '页面' });
    await bar.locator('[data-waiting="1"]').waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await bar.getByRole('link', { name: '审批' }).tap();
    const approve = page.getByRole('button', { name: '批准', exact: true });
    await approve.waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    for (const name of ['批准', '拒绝']) {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360);
    }
    await approve.tap();
    await page.getByText('没有等待你处理的事项').waitFor();
    await toolStatus(session, 'calculator').toBe('success');
  }));
