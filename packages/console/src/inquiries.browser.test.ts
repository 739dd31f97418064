import { expect, test } from 'vitest';
import { consoleTest } from './testing/console-test.ts';

const stage = consoleTest();

const schema = {
  properties: {
    city: { type: 'string', title: 'City' },
    days: { type: 'integer', title: 'Days', default: 3 },
    class: { type: 'string', title: 'Class', enum: ['first', 'second'] },
    tags: { type: 'array', title: 'Tags', items: { enum: ['quiet', 'window'] } },
  },
  required: ['city'],
};

test('a form is filled in, an approval is rejected with a reason, a signal is sent with JSON: all from the queue', async () => {
  const me = await stage.person();
  const steps = [
    [{ tool: { name: 'ask_form', input: { title: 'Where to?', schema } } }],
    [{ tool: { name: 'request_approval', input: { details: '900 in all' } } }],
    [{ tool: { name: 'wait_for_signal', input: { signalName: 'tickets.printed' } } }],
    [{ text: 'done' }],
  ];
  const tools = [
    { type: 'builtin', name: 'ask_form' },
    { type: 'builtin', name: 'request_approval', approverRef: me.id, prompt: 'May it be booked?' },
    { type: 'builtin', name: 'wait_for_signal' },
  ];
  const session = await stage.scripted(steps, { title: 'Trip', definition: { tools }, client: me.client });
  const page = await stage.page('/approvals', { token: me.token, context: stage.context() });
  const outputOf = async (name: string) => {
    const { tools: calls } = await stage.admin().sessions.snapshot(session);
    return JSON.stringify(calls.find(({ data }) => data.name === name)?.data.output);
  };

  await page.getByRole('heading', { name: 'Where to?' }).waitFor();
  expect(await page.getByRole('button', { name: 'Submit' }).isDisabled()).toBe(true);
  await page.getByLabel('City').fill('Rome');
  await page.getByLabel('Class').selectOption('second');
  await page.getByLabel('window').check();
  await page.getByRole('button', { name: 'Submit' }).click();

  await page.getByRole('heading', { name: 'May it be booked?' }).waitFor();
  expect(await outputOf('ask_form')).toContain(
    JSON.stringify(JSON.stringify({ submitted: true, values: { city: 'Rome', days: 3, class: 'second', tags: ['window'] } })),
  );
  await page.keyboard.press('n');
  await page.keyboard.type('too dear');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'tickets.printed' }).waitFor();
  expect(await outputOf('request_approval')).toContain('Rejected: too dear');
  await page.getByRole('textbox', { name: 'What is sent with it (JSON)' }).fill('[7');
  expect(await page.getByRole('button', { name: 'Send signal' }).isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: 'What is sent with it (JSON)' }).fill('[7]');
  await page.getByRole('button', { name: 'Send signal' }).click();
  await expect.poll(() => outputOf('wait_for_signal')).toContain('[7]');
});
