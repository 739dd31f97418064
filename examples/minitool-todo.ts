/**
 * A mini-tool that keeps a list in its storage, and asks by a form while its tool runs.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server of this machine with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { createClient } from '@turnkeeper/client/create-client';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const client = createClient({ baseUrl, token });

const call = (name: string, input: object = {}) => [{ tool: { name: `example-todo_${name}`, input } }];

const formOf = async (sessionId: string) => {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = (await client.actions.list()).find((action) => action.session_id === sessionId && action.kind === 'form');
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('No form is asked for.');
};

const main = async (): Promise<void> => {
  const { minitool } = await client.minitools.install({ source: `folder:${join(import.meta.dirname, 'minitools', 'todo')}` });
  const { minitool: enabled } = await client.minitools.enable(minitool.id, minitool.permissions);
  assert.equal(enabled.activity, 'running', enabled.lastCrash?.reason ?? 'It does not run.');

  const agentKey = `example-todo-${crypto.randomUUID().slice(0, 8)}`;
  const tools = [{ type: 'minitool', id: minitool.id, permission: 'always_allow' }] as const;
  await client.agents.create({ agentKey, displayName: 'To do', definition: { system: 'You keep a list.', model: 'demo:script', tools: [...tools] } });
  const steps = [[...call('add', { title: 'milk' }), ...call('add', { title: 'bread' })], call('finish'), [{ text: 'Well done.' }]];
  const message = JSON.stringify({ steps });
  const { id, turnId } = await client.sessions.create({ agent: agentKey, initialMessage: { message } }, { idempotencyKey: agentKey });

  // The tool goes on where it was when somebody has filled the form in.
  const form = await formOf(id);
  assert.equal(form.form?.title, 'What is done?');
  await client.actions.fillIn(form, { done: ['milk'] });
  assert.equal((await client.waitForTurn(id, turnId)).turn?.outputText, 'Well done.');

  // It is started anew with its process, and what it kept is there.
  await client.minitools.disable(minitool.id);
  await client.minitools.enable(minitool.id, minitool.permissions);
  const again = JSON.stringify({ steps: [call('list'), [{ text: 'That is all.' }]] });
  const { id: turn } = await client.turns.submit(id, { message: again }, { idempotencyKey: `again-${agentKey}` });
  await client.waitForTurn(id, turn);
  const { tools: calls } = await client.turns.snapshot(id, turn);
  const [list] = Object.values(calls);
  const [said] = (list?.output ?? []) as readonly { readonly text: string }[];
  // Both were added side by side: either may stand first.
  assert.deepEqual(said?.text.split('\n').toSorted(), ['[ ] bread', '[x] milk']);
  process.stdout.write('Kept and asked: [x] milk, [ ] bread\n');
  await client.minitools.delete(minitool.id);
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
