/**
 * A mini-tool that lets three workers work side by side and a writer put their results together, called by an agent as a tool.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server of this machine with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { createClient } from '@turnkeeper/client/create-client';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const client = createClient({ baseUrl, token });

/** For the scripted demo model a message says what the model does; so do the tasks. */
const script = (...steps: readonly (readonly object[])[]): string => JSON.stringify({ steps });

const main = async (): Promise<void> => {
  // Installed, it runs nothing: first a person sees what it may do, and sends that back.
  const folder = join(import.meta.dirname, 'minitools', 'planner');
  const { minitool } = await client.minitools.install({ source: `folder:${folder}` });
  assert.equal(minitool.permissions.sessions, true);
  const { minitool: enabled } = await client.minitools.enable(minitool.id, minitool.permissions);
  assert.equal(enabled.activity, 'running', enabled.lastCrash?.reason ?? 'It does not run.');
  assert.deepEqual(
    enabled.tools.map(({ name }) => name),
    ['example-planner_plan'],
  );

  const agentKey = `example-planning-${crypto.randomUUID().slice(0, 8)}`;
  const tools = [{ type: 'minitool', id: minitool.id, permission: 'always_allow' }] as const;
  await client.agents.create({ agentKey, displayName: 'Planning', definition: { system: 'You plan.', model: 'demo:script', tools: [...tools] } });

  const tasks = ['Paris', 'Rome'].map((city) => script([{ text: city }]));
  const broken = script([{ error: { message: 'out of order', retryable: false } }]);
  const input = { tasks: [...tasks, broken], instruction: script([{ text: 'Results: {results}.' }]) };
  const message = script([{ tool: { name: 'example-planner_plan', input } }], [{ text: 'Planned.' }]);
  const session = await client.sessions.create({ agent: agentKey, initialMessage: { message } }, { idempotencyKey: agentKey });
  const { id, turnId } = session;
  const { turn } = await client.waitForTurn(id, turnId);
  assert.equal(turn?.outputText, 'Planned.');
  const { tools: calls } = await client.turns.snapshot(id, turnId);
  const [call] = Object.values(calls);
  assert.deepEqual(call?.output, [{ type: 'text', text: 'Results: Paris; Rome; 任务 2 失败.' }]);

  // Each worker is a session of its own, which people can look into.
  const { items } = await client.sessions.list({ container: `${minitool.id}/workers` });
  assert.equal(items.filter(({ createdAt }) => createdAt >= session.createdAt).length, 4);
  process.stdout.write('Three workers and a writer: Results: Paris; Rome; 任务 2 失败.\n');
  await client.minitools.delete(minitool.id);
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
