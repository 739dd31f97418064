/**
 * Report, approval, delivery: a workflow whose report goes out only when its editor says so. It waits without a process, and the
 * editor finds the question among all that waits for her.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { type Client, createClient } from '@turnkeeper/client/create-client';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { parse } from 'yaml';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const client = createClient({ baseUrl, token });
const suffix = crypto.randomUUID().slice(0, 8);

/** The demo model says what it is told; a real one would write. */
const agent = async (key: string): Promise<string> =>
  (await client.agents.create({ agentKey: `${key}-${suffix}`, displayName: key, definition: { system: `You are a ${key}.`, model: 'demo:echo' } })).agent.id;

const person = async (name: string): Promise<{ readonly id: string; readonly client: Client }> => {
  const [username, password] = [`${name}-${suffix}`, crypto.randomUUID()];
  const { id } = await client.users.create({ username, password });
  const { token: own } = await createClient({ baseUrl }).account.login(username, password);
  return { id, client: createClient({ baseUrl, token: own }) };
};

/** The definition beside this file, with ids in place of the names that it uses. */
const definition = (ids: Readonly<Record<string, string>>) =>
  parse(readFileSync(new URL('workflow-report-approval.yaml', import.meta.url), 'utf8'), (_, value) => ids[String(value)] ?? value);

/** Submits the input, lets the editor decide, and gives the turn when it has ended. */
const run = async (sessionId: string, decide: (action: Awaited<ReturnType<Client['actions']['list']>>[number]) => Promise<unknown>, editor: Client) => {
  const { id } = await client.turns.submit(sessionId, { input: { topic: 'tea', to: 'Ann' } }, { idempotencyKey: crypto.randomUUID() });
  for await (const { type } of client.streamTurn(sessionId, id)) {
    if (type !== 'turn.requires_action') continue;
    const [action] = await editor.actions.list();
    assert.equal(action?.prompt, 'May this go to Ann?\n\nA report about tea');
    await assert.rejects(client.actions.approve(action), (error) => error instanceof TurnkeeperError && error.code === 'approver_required');
    await decide(action);
  }
  const { turn } = await client.waitForTurn(sessionId, id);
  const { steps } = await client.turns.snapshot(sessionId, id);
  return { turn, steps: Object.fromEntries(Object.values(steps).map((step) => [step.key, step.status])) };
};

const main = async (): Promise<void> => {
  const editor = await person('editor');
  const { name, ...draftSpec } = definition({ writer: await agent('writer'), courier: await agent('courier'), editor: editor.id });
  const { workflow } = await client.workflows.create({ name, draftSpec });
  assert.deepEqual(workflow.faults, []);
  const { revision } = await client.workflows.publish(workflow.id, workflow.version);
  const { id } = await client.sessions.create({ target: { type: 'workflow', id: workflow.id, revisionId: revision.id } });

  const sent = await run(id, (action) => editor.client.actions.approve(action), editor.client);
  assert.deepEqual([sent.turn?.status, sent.turn?.result], ['completed', { deliver: 'To Ann: A report about tea' }]);
  assert.deepEqual(sent.steps, { write: 'succeeded', review: 'succeeded', deliver: 'succeeded', explain: 'skipped' });

  const kept = await run(id, (action) => editor.client.actions.reject(action, 'too long'), editor.client);
  assert.deepEqual([kept.turn?.status, kept.turn?.outputText], ['completed', 'Not sent: too long']);
  assert.deepEqual(kept.steps, { write: 'succeeded', review: 'rejected', deliver: 'skipped', explain: 'succeeded' });

  process.stdout.write(`${sent.turn?.outputText}; then: ${kept.turn?.outputText}\n`);
  for (const each of [client, editor.client]) each.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
