/**
 * An agent that delegates: two helpers work at the same time, each in a session of its own; one of them asks the
 * application, which answers in the leader's turn. One stream tells of all three.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { createClient } from '@turnkeeper/client/create-client';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const name = `example-${crypto.randomUUID().slice(0, 8)}`;

/** For the scripted demo model the message says what the model does; what it delegates is a script again. */
const script = (...steps: readonly (readonly unknown[])[]): string => JSON.stringify({ steps });
const delegate = (to: string, message: string) => ({ tool: { name: 'delegate', input: { name: to, message } } });
const message = script(
  [
    delegate('prices', script([{ tool: { name: 'quote', input: { item: 'bolts' } } }], [{ text: 'Bolts cost 3.' }])),
    delegate('stock', script([{ text: '40 bolts are left.' }])),
  ],
  [{ text: 'Ordered.' }],
);

const main = async (): Promise<void> => {
  const client = createClient({ baseUrl, token });
  const quote = { type: 'function', name: 'quote', description: 'Asks for a price.', inputSchema: { type: 'object' } } as const;
  const agentOf = async (key: string, more: object) =>
    (await client.agents.create({ agentKey: `${name}-${key}`, displayName: key, definition: { system: 'You help.', model: 'demo:script', ...more } })).agent.id;
  const subagents = [
    { agentId: await agentOf('prices', { tools: [quote] }), name: 'prices', description: 'Knows what things cost.' },
    { agentId: await agentOf('stock', {}), name: 'stock', description: 'Knows what is left.' },
  ];
  const leader = await agentOf('leader', { subagents });

  const { id, turnId } = await client.sessions.create({ agent: leader, initialMessage: { message } }, { idempotencyKey: `order-${crypto.randomUUID()}` });
  const ended: string[] = [];
  for await (const event of client.streamTree(id)) {
    if (event.type === 'subagent.completed') ended.push(String(event.data['status']));
    if (event.type === 'turn.completed' && event.path === undefined) break;
    // Asked in the leader's own turn, too: whoever watches that need not know of its helpers.
    if (event.type === 'required_action.created' && event.path === undefined)
      await client.actions.complete({ ...event.data, session_id: id } as never, 'Bolts: 3 apiece');
  }
  assert.deepEqual(ended, ['completed', 'completed']);

  const { turn } = await client.waitForTurn(id, turnId);
  assert.equal(turn?.outputText, 'Ordered.');
  const { data: children } = await client.subagents.list(id);
  // They were called side by side: either may have been given the first number.
  assert.deepEqual(children.map(({ data }) => data.path.replace(/:[12]$/, '')).toSorted(), ['prices', 'stock']);
  const own = await client.sessions.usage(id);
  const all = await client.sessions.usage(id, { includeChildren: true });
  assert.deepEqual([own.data.model_calls, all.data.model_calls], [2, 5]);
  process.stdout.write(`Ordered with two helpers: ${all.data.model_calls} calls of the model in three sessions.\n`);
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
