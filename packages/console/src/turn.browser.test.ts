/** A turn in time, what its model was shown, a replay with edits; checkpoints, and how two branches differ. */
import { expect, test } from 'vitest';
import { axeFaults } from './testing/axe.ts';
import { consoleTest, sideways } from './testing/console-test.ts';

const { admin, open, page: openPage, person, problems, scripted, url } = consoleTest();

const script = (...steps: readonly unknown[]) => JSON.stringify({ steps });
const confirmed = { tools: [{ type: 'builtin', name: 'calculator', permission: 'always_ask' }], system: 'You are asked by a test.' };
const turnIn = async (session: string) => (await admin().turns.list(session)).items.at(-1)?.id ?? '';
/** The next turn, come to its end. */
const say = async (session: string, ...steps: readonly unknown[]): Promise<string> => {
  const { id } = await admin().turns.submit(session, { message: script(...steps) }, { idempotencyKey: crypto.randomUUID() });
  await admin().waitForTurn(session, id);
  return id;
};
/** The machine may be busy. */
const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read);
const place = (name: string, query: Record<string, string>): string => `/${name}?${new URLSearchParams(query)}`;

test('a turn in time: live, by keyboard, filtered, zoomed; what the model was shown; a replay with edits', async () => {
  const session = await scripted(
    [
      [
        { error: { status: 503, times: 1, message: 'busy', retry_after_ms: 100 } },
        { text: 'adding' },
        { tool: { name: 'calculator', input: { expression: '6*7' } } },
      ],
      [{ text: 'one more' }, { tool: { name: 'calculator', input: { expression: 'nonsense' } } }],
      [{ text: 'forty-two' }],
    ],
    { definition: confirmed, title: 'Sums' },
  );
  const turn = await turnIn(session);
  const page = await openPage(place('turn', { session, turn }));
  const rows = page.locator('[data-step]');
  const row = (kind: string, at = 0) => page.locator(`[data-kind=${kind}]`).nth(at);
  // Live: it waits for consent, and goes on when that is given elsewhere.
  await page.locator('[data-kind=wait][data-status=waiting]').waitFor();
  await eventually(() => row('tool').locator('[data-bar=waiting]').count()).toBe(1);
  expect(await page.getByText('Replay with edits').count()).toBe(0);
  for (let answered = 0; answered < 2; answered += 1) {
    await eventually(async () => Object.keys((await admin().turns.actions(session, turn)).required_actions).length).toBe(1);
    const [request_id = ''] = Object.keys((await admin().turns.actions(session, turn)).required_actions);
    await admin().turns.answer(session, turn, { request_id, payload: { allow: true } }, { idempotencyKey: `${session}-${answered}` });
  }
  await page.locator('[data-turn-status=completed]').waitFor();
  expect(await row('model').getAttribute('data-status')).toBe('failed');
  expect(await row('model', 1).textContent()).toContain('try 2');
  expect(await axeFaults(page)).toEqual([]);

  // By keyboard: the errors one after the other, the details, and back.
  await page.keyboard.press(']');
  await eventually(() => row('model').getAttribute('aria-current')).toBe('true');
  await page.keyboard.press(']');
  await eventually(() => row('tool', 1).getAttribute('aria-current')).toBe('true');
  expect(new URL(page.url()).searchParams.get('step')).toBe(await row('tool', 1).getAttribute('data-step'));
  await page.getByRole('link', { name: 'Log' }).click();
  expect(await page.locator('[data-log]').textContent()).toContain('tool.completed');
  await page.keyboard.press('Escape');
  await eventually(() => page.locator('[data-panel]').count()).toBe(0);

  // The filter and the zoom stand in the address, and survive a reload.
  await page.getByLabel('Kind').selectOption('model');
  await eventually(() => rows.count()).toBe(4);
  const axis = await page.locator('[data-axis]').boundingBox();
  await page.mouse.move((axis?.x ?? 0) + 20, (axis?.y ?? 0) + 10);
  await page.mouse.down();
  await page.mouse.move((axis?.x ?? 0) + (axis?.width ?? 0) / 2, (axis?.y ?? 0) + 12, { steps: 4 });
  await page.mouse.up();
  await eventually(() => new URL(page.url()).searchParams.has('to')).toBe(true);
  await page.reload();
  await eventually(() => rows.count()).toBe(4);
  await page.getByRole('button', { name: 'Show all of it' }).waitFor();
  await page.keyboard.press('0');
  await eventually(() => new URL(page.url()).searchParams.has('to')).toBe(false);
  expect(new URL(page.url()).searchParams.get('filter')).toBe('kind:model');

  // What the model was shown at its last step.
  await row('model', 3).click();
  await page.getByRole('link', { name: 'Request and response' }).click();
  const request = page.locator('[data-model-call][data-exact=true]');
  await request.waitFor();
  expect(await request.textContent()).toContain('You are asked by a test.');
  expect(await request.textContent()).toContain('forty-two');
  expect(await axeFaults(page)).toEqual([]);

  // A replay: other words, in a session of its own, with the way back.
  await page.getByRole('button', { name: 'Replay with edits' }).waitFor();
  await page.keyboard.press('r');
  const message = page.getByLabel('Message of the turn');
  expect(await message.inputValue()).toContain('forty-two');
  await message.fill(script([{ text: 'said otherwise' }]));
  await page.getByRole('button', { name: 'Fork and send' }).click();
  await page.waitForURL((address) => !address.searchParams.get('session')?.includes(session));
  await page.locator('[data-turn-status=completed]').waitFor();
  expect(await page.locator('header').first().textContent()).toContain('A replay of an earlier turn');
  await page.getByRole('link', { name: 'Compare' }).click();
  await page.locator('[data-diff=changed]').first().waitFor();
  expect(await page.locator('[data-diff=changed]').first().textContent()).toContain('said otherwise');
  expect(problems()).toEqual([]);
});

test('checkpoints: name, compare, fork, restore; what is in the way is said', async () => {
  const session = await scripted([[{ text: 'first answer' }]], { title: 'Trials' });
  await admin().waitForTurn(session, await turnIn(session));
  await say(session, [{ text: 'second answer' }]);
  const page = await openPage(place('checkpoints', { session }));
  const entries = page.locator('[data-row^=ckpt_]');
  await eventually(() => entries.count()).toBe(2);
  const first = entries.last();
  await first.getByRole('button', { name: 'Name' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('before the second');
  await page.keyboard.press('Enter');
  await eventually(() => first.textContent()).toContain('before the second');
  expect((await admin().sessions.get(session)).metadata).toMatchObject({ checkpoint_names: expect.any(Object) });

  // Two of them beside each other: the one has what the other has, and more.
  for (const entry of [first, entries.first()]) await entry.getByRole('checkbox').check();
  await page.locator('[data-same="2"]').waitFor();
  expect(await page.locator('[data-diff=right]').count()).toBe(2);
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Swap sides' }).click();
  await eventually(() => page.locator('[data-diff=left]').count()).toBe(2);

  await first.getByRole('button', { name: 'Go on from here' }).click();
  const running = (await admin().turns.submit(session, { message: script([{ hang: true }]) }, { idempotencyKey: crypto.randomUUID() })).id;
  await eventually(async () => (await admin().turns.get(session, running)).status).toBe('running');
  await page.getByRole('dialog').getByRole('button', { name: 'Go on from here' }).click();
  await page.locator('[data-in-the-way=running_turn]').waitFor();
  await admin().turns.cancel(session, running, { idempotencyKey: crypto.randomUUID() });
  await admin().waitForTurn(session, running);
  await page.getByRole('dialog').getByRole('button', { name: 'Go on from here' }).click();
  await page.getByText('The session goes on from there.').waitFor();

  await first.getByRole('button', { name: 'Fork and open' }).click();
  await page.waitForURL((address) => address.pathname === '/' && address.searchParams.get('session') !== session);
  const fork = new URL(page.url()).searchParams.get('session') ?? '';
  expect((await admin().sessions.get(fork)).forked_from?.session_id).toBe(session);
  // The browser itself says that the restore was refused.
  expect(problems().filter((problem) => !problem.includes('409'))).toEqual([]);
});

test('on a phone, in Chinese; whoever only reads is offered nothing that would fail', async () => {
  const space = (await admin().spaces.create({ id: `turns-${crypto.randomUUID().slice(0, 8)}`, name: 'Turns' })).id;
  const reader = await person();
  await admin().spaces.putMember(space, reader.id);
  const session = await scripted([[{ text: 'read only' }]], { space });
  const turn = await turnIn(session);
  await admin().waitForTurn(session, turn);
  await open({ viewport: { width: 360, height: 740 }, locale: 'zh-CN', hasTouch: true }, async (phone) => {
    const page = await openPage(place('turn', { session, turn }), { context: phone, token: reader.token });
    await page.locator('[data-kind=model]').click();
    await page.locator('[data-panel]').waitFor();
    expect(await page.locator('[data-panel]').textContent()).toContain('概览');
    expect(await page.getByText('请求与响应').count()).toBe(0);
    expect(await page.getByRole('button', { name: '编辑后重放' }).count()).toBe(0);
    expect(await sideways(page)).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    await page.goto(url() + place('checkpoints', { session }));
    await page.locator('[data-row^=ckpt_]').waitFor();
    expect(await page.getByRole('button', { name: '从此处继续' }).count()).toBe(0);
    expect(await sideways(page)).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
  });
});
