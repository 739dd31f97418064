/** Targets: an agent made and changed, its faults at their places, its versions and who is on them; a workflow drawn. */
import { expect, test } from 'vitest';
import { axeFaults } from './testing/axe.ts';
import { consoleTest, sideways } from './testing/console-test.ts';

const stage = consoleTest();
const spec = {
  nodes: [
    { key: 'draft', type: 'agent', agentId: 'demo' },
    { key: 'review', type: 'approval', name: 'Review', approval: { approverRef: 'role:admin', prompt: 'Fine?' } },
    { key: 'send', type: 'agent', agentId: 'demo' },
    { key: 'tell', type: 'agent', agentId: 'demo' },
  ],
  edges: [
    { from: 'draft', to: 'review' },
    { from: 'review', to: 'send' },
    { from: 'review', to: 'tell', on: ['rejected'] },
  ],
};

test('an agent is made, its faults are told where they are; a new version; sessions stay on theirs', async () => {
  const page = await stage.page('/targets');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'New agent' }).click();
  await dialog.getByLabel('Key').fill('writer');
  const editor = dialog.getByLabel('Definition (JSON)');
  await editor.fill('{ "system": ');
  await dialog.getByText('not valid JSON').waitFor();
  await editor.fill(JSON.stringify({ system: 'Write.', model: 'nonsense', tools: [] }, null, 2));
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('button', { name: '/model (line 3)' }).click();
  expect(await editor.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))).toContain('nonsense');
  await editor.fill(JSON.stringify({ system: 'Write.', model: 'demo:script', tools: [] }, null, 2));
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'writer', exact: true }).waitFor();
  const agent = new URL(page.url()).searchParams.get('id') ?? '';
  await stage.admin().sessions.create({ agent });
  await page.getByRole('button', { name: 'Edit' }).click();
  await editor.fill(JSON.stringify({ system: 'Write well.', model: 'demo:script' }, null, 2));
  await dialog.getByRole('button', { name: 'Save as new version' }).click();
  await page.locator('[data-row=v2]').getByText('newest').waitFor();
  await page.locator('[data-row=v1]').getByText('sessions: 1').waitFor();
  await page.locator('[data-row=v1]').getByRole('link').click();
  await page.getByText('"system": "Write."').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  // Nothing is made before its first message; what is written survives a reload.
  const sessions = async () => (await stage.admin().sessions.list({ target: agent })).items.length;
  const before = await sessions();
  await page.getByRole('link', { name: 'Start a session' }).click();
  await page.waitForURL(new RegExp(`/new\\?target=agent%3A${agent}`));
  const field = page.getByRole('textbox', { name: 'Message' });
  expect(await page.getByRole('radio', { name: /writer/ }).isChecked()).toBe(true);
  await field.fill(JSON.stringify({ steps: [[{ text: 'Here it is' }]] }));
  await page.reload();
  await expect.poll(() => field.inputValue()).toContain('Here it is');
  expect(await sessions()).toBe(before);
  // It takes no key before it is known who is written to.
  await expect.poll(() => field.isEnabled()).toBe(true);
  await field.press('Enter');
  await page.waitForURL(/\?session=/);
  await page.locator('[data-role=assistant]').getByText('Here it is').waitFor();
  expect(await sessions()).toBe(before + 1);
  expect(stage.problems().filter((problem) => !problem.includes('422'))).toEqual([]);
});

test('a workflow is drawn, moved and looked into by keys; in Chinese at 360 pixels', () =>
  stage.open({ viewport: { width: 360, height: 740 }, locale: 'zh-CN' }, async (context) => {
    const { workflow } = await stage.admin().workflows.create({ name: 'Newsletter', draftSpec: spec });
    const page = await stage.page('/targets?tab=workflows', { context });
    await page.getByRole('link', { name: 'Newsletter' }).click();
    const nodes = page.locator('[data-node]');
    await expect.poll(() => nodes.count()).toBe(4);
    await page.locator('figure svg text').filter({ hasText: 'rejected' }).waitFor();
    const place = () => page.locator('[data-node=draft]').boundingBox();
    const before = await place();
    await page.getByRole('group', { name: /工作流图/ }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => ((await place())?.x ?? 0) < (before?.x ?? 0)).toBe(true);
    await page.keyboard.press('0');
    await page.locator('[data-node=review]').focus();
    await page.keyboard.press('Enter');
    await page.getByText('"prompt": "Fine?"').waitFor();
    expect(new URL(page.url()).searchParams.get('node')).toBe('review');
    expect([await sideways(page), await axeFaults(page)]).toEqual([0, []]);
    expect(workflow.name).toBe('Newsletter');
    expect(stage.problems()).toEqual([]);
  }));

test('a workflow’s turn is drawn as it goes: live, by keys, chosen in the graph and in the waterfall at once; in Chinese at 360 pixels', () =>
  stage.open({ viewport: { width: 360, height: 740 }, locale: 'zh-CN' }, async (context) => {
    const client = stage.admin();
    await client.agents.create({ agentKey: 'echo', displayName: 'Echo', definition: { system: '', model: 'demo:echo' } });
    const nodes = spec.nodes.map((node) => (node.type === 'agent' ? { ...node, agentId: 'echo', input: { message: "'about ' + run.input.topic" } } : node));
    const { workflow } = await client.workflows.create({ name: 'Issue', draftSpec: { ...spec, nodes } });
    await client.workflows.publish(workflow.id, workflow.version);
    const { id: session } = await client.sessions.create({ target: { type: 'workflow', id: workflow.id } });
    const { id: turn } = await client.turns.submit(session, { input: { topic: 'tea' } }, { idempotencyKey: session });
    const page = await stage.page(`/turn?session=${session}&turn=${turn}`, { context });
    const statuses = () =>
      page.locator('[data-node]').evaluateAll((all) => all.map((node) => `${node.getAttribute('data-node')} ${node.getAttribute('data-status')}`));
    await page.locator('[data-node=review][data-status=waiting]').waitFor();
    expect(await statuses()).toEqual(['draft succeeded', 'review waiting', 'send pending', 'tell pending']);
    // What has not begun cannot be chosen.
    expect(await page.locator('[data-node][role=button]').count()).toBe(2);
    await page.locator('[data-node=review]').focus();
    await page.keyboard.press('Enter');
    const chosen = page.locator('[data-step][aria-current]');
    await chosen.waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('step')).toBe(await chosen.getAttribute('data-step'));
    expect(await chosen.getAttribute('data-kind')).toBe('step');
    expect(await page.locator('[data-node][aria-pressed=true]').getAttribute('data-node')).toBe('review');
    await page.locator('[data-kind=step]').first().click();
    await expect.poll(() => page.locator('[data-node=draft][aria-pressed=true]').count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('[data-node][aria-pressed=true]').count()).toBe(0);
    const [action] = await client.actions.list();
    if (action) await client.actions.approve(action);
    await page.locator('[data-turn-status=completed]').waitFor();
    expect(await statuses()).toEqual(['draft succeeded', 'review succeeded', 'send succeeded', 'tell skipped']);
    expect(await page.locator('[data-edge=taken]').count()).toBe(2);
    expect([await sideways(page), await axeFaults(page)]).toEqual([0, []]);
    await page.getByRole('button', { name: '隐藏工作流图' }).click();
    await page.reload();
    await page.getByRole('button', { name: '显示工作流图' }).click();
    await page.locator('[data-node=send][data-status=succeeded]').waitFor();
    expect(stage.problems()).toEqual([]);
  }));

test('a workflow is given JSON, in the console and in the embedded chat: what is none is not sent before somebody says so', async () => {
  const client = stage.admin();
  await client.agents.create({ agentKey: 'echoes', displayName: 'Echoes', definition: { system: '', model: 'demo:echo' } });
  const nodes = [{ key: 'say', type: 'agent', agentId: 'echoes', input: { message: "'about ' + run.input.topic" } }];
  const { workflow } = await client.workflows.create({ name: 'Talk', draftSpec: { nodes } });
  await client.workflows.publish(workflow.id, workflow.version);
  const page = await stage.page('/targets?tab=workflows');
  await page.getByRole('listitem').filter({ hasText: 'Talk' }).getByRole('link', { name: 'Start a session' }).click();
  await page.getByRole('heading', { name: 'Start with Talk' }).waitFor();
  await page.getByText('{"topic": "…"}').waitFor();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('{"topic": "tea"');
  await field.press('Control+Enter');
  await page.getByRole('alert').getByText('line 1, column 16').waitFor();
  expect((await client.sessions.list({ target: workflow.id })).items).toEqual([]);
  expect(await axeFaults(page)).toEqual([]);
  await field.fill('{"topic": "tea"}');
  await field.press('Enter');
  await page.waitForURL(/\?session=/);
  await page.locator('[data-role=user]').getByText('"topic": "tea"').waitFor();
  const session = new URL(page.url()).searchParams.get('session') ?? '';
  const inputs = async () => (await client.turns.list(session)).items.map(({ preview }) => preview).toSorted();
  expect(await inputs()).toEqual(['{"topic":"tea"}']);

  const { token } = await client.clientTokens.create(session, { scopes: ['read', 'invoke', 'interact', 'cancel'] });
  const chat = await stage.context().newPage();
  await chat.goto(`${stage.url()}/c/#token=${token}&language=zh`);
  const box = chat.getByRole('textbox', { name: '消息' });
  await chat.getByText('JSON 对象会作为输入。').waitFor();
  // A workflow takes no files.
  expect(await chat.getByRole('button', { name: '添加文件' }).count()).toBe(0);
  await chat.locator('[data-role=user]').getByText('"topic": "tea"').waitFor();
  await box.fill('{"topic": ');
  await box.press('Enter');
  await chat.getByRole('alert').getByText('第 1 行第 11 列').waitFor();
  expect(await axeFaults(chat)).toEqual([]);
  await box.fill('{"topic": "rain"}');
  await box.press('Control+Enter');
  await expect.poll(inputs).toEqual(['{"topic":"rain"}', '{"topic":"tea"}']);
  await box.fill('{');
  await box.press('Enter');
  await chat.getByRole('button', { name: '作为消息发送' }).click();
  await expect.poll(inputs).toContain('{');
  expect(stage.problems()).toEqual([]);
});

test('versions of a team and of a workflow say how many sessions keep them, and lead to those', async () => {
  const client = stage.admin();
  const { agent } = await client.agents.create({ agentKey: 'keeper', displayName: 'Keeper', definition: { system: '', model: 'demo:script' } });
  const { team } = await client.teams.create({ name: 'Keepers', leader: { agentId: agent.id }, members: [{ name: 'one', agentId: agent.id, role: 'Keeps.' }] });
  const draftSpec = { nodes: [{ key: 'wait', type: 'timer', timer: { durationSeconds: 1 } }] };
  const { workflow } = await client.workflows.create({ name: 'Keeping', draftSpec });
  await client.workflows.publish(workflow.id, workflow.version);
  const on = (type: 'team' | 'workflow', id: string, title: string) => client.sessions.create({ target: { type, id }, title });
  await on('team', team.id, 'Of the team');
  for (const title of ['Of the first', 'Of the first, too']) await on('workflow', workflow.id, title);
  await client.workflows.publish(workflow.id, (await client.workflows.get(workflow.id)).workflow.version);
  const page = await stage.page(`/targets?tab=teams&id=${team.id}`);
  await page.locator('[data-row=v1]').getByText('sessions: 1').waitFor();
  await page.getByRole('link', { name: 'Show its sessions' }).click();
  await page.getByRole('row', { name: 'Of the team' }).waitFor();
  await page.goto(`${stage.url()}/targets?tab=workflows&id=${workflow.id}`);
  await page.locator('[data-row=v1]').getByText('sessions: 2').waitFor();
  await page.locator('[data-row=v2]').getByText('sessions: 0').waitFor();
  await page.locator('[data-row=v2]').getByText('newest').waitFor();
  await page.getByRole('link', { name: 'Show its sessions' }).click();
  await page.getByRole('row', { name: 'Of the first, too' }).waitFor();
  expect(await page.getByRole('row', { name: 'Of the' }).count()).toBe(2);
  expect(stage.problems()).toEqual([]);
});

test('a workflow’s turn is paused where it could be stopped, and resumed; what cannot be paused has no such button', async () => {
  const client = stage.admin();
  await client.agents.create({ agentKey: 'slow', displayName: 'Slow', definition: { system: '', model: 'demo:script' } });
  const open = async (name: string, node: object) => {
    const { workflow } = await client.workflows.create({ name, draftSpec: { nodes: [node] } });
    await client.workflows.publish(workflow.id, workflow.version);
    const target = { type: 'workflow', id: workflow.id } as const;
    return client.sessions.create({ target, title: name, initialMessage: { input: {} } }, { idempotencyKey: name });
  };
  const status = async ({ id, turnId = '' }: { readonly id: string; readonly turnId?: string }) => (await client.turns.get(id, turnId)).status;
  const me = (await client.account.me()).user?.id ?? '';
  const waits = await open('Waits for a yes', { key: 'ask', type: 'approval', approval: { approverRef: me, prompt: 'Go on?' } });
  await expect.poll(() => status(waits)).toBe('requires_action');
  const page = await stage.page(`/?session=${waits.id}`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Pause').click();
  await page.getByText('Paused. Resume to go on.').waitFor();
  expect(await status(waits)).toBe('interrupted');
  expect([await button('Pause').count(), await button('Stop').count()]).toEqual([0, 1]);
  // It waits for its answer all the same.
  await button('Resume').click();
  await button('Pause').waitFor();
  await expect.poll(() => status(waits)).toBe('requires_action');

  const message = JSON.stringify(JSON.stringify({ steps: [[{ hang: true }]] }));
  const runs = await open('Runs for ever', { key: 'say', type: 'agent', agentId: 'slow', input: { message } });
  const hangs = await stage.scripted([[{ hang: true }]], { title: 'No workflow' });
  await page.goto(`${stage.url()}/now`);
  await button('Stop No workflow').waitFor();
  expect(await button('Pause No workflow').count()).toBe(0);
  await button('Pause Runs for ever').click();
  await expect.poll(() => status(runs)).toBe('interrupted');
  await button('Pause Runs for ever').waitFor({ state: 'detached' });
  await page.goto(`${stage.url()}/?session=${hangs}`);
  await button('Stop').waitFor();
  expect(await button('Pause').count()).toBe(0);
  expect(stage.problems()).toEqual([]);
});
