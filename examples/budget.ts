/**
 * A task that may cost only so much: at its limit the turn waits, somebody allows more, and the same turn goes on where it
 * stopped.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { type Client, createClient } from '@turnkeeper/client/create-client';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const agentKey = `example-thrifty-${crypto.randomUUID().slice(0, 8)}`;

/** For the scripted demo model the message says what the model does: it works something out, then it tells. */
const sum = { tool: { name: 'calculator', input: { expression: '6 * 7' } } };
const message = JSON.stringify({
  steps: [
    [sum, { usage: { input: 90, output: 20 } }],
    [{ text: 'It is 42.' }, { usage: { input: 120, output: 5 } }],
  ],
});

/** The turn, once it can go on no more by itself. */
const interrupted = async (client: Client, sessionId: string, turnId: string) => {
  for (let tries = 0; tries < 600; tries += 1) {
    const turn = await client.turns.get(sessionId, turnId);
    if (turn.status === 'interrupted') return turn;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Nothing stopped it.');
};

const main = async (): Promise<void> => {
  const client = createClient({ baseUrl, token });
  const tools = [{ type: 'builtin', name: 'calculator' }] as const;
  await client.agents.create({ agentKey, displayName: 'Thrifty', definition: { system: 'You count.', model: 'demo:script', tools: [...tools] } });
  const { id } = await client.sessions.create({ agent: agentKey });
  await client.budgets.set(id, { max_total_tokens: 100 });
  const { id: turnId } = await client.turns.submit(id, { message }, { idempotencyKey: `count-${crypto.randomUUID()}` });

  const stopped = await interrupted(client, id, turnId);
  assert.equal(stopped.errorCode, 'budget_exceeded');
  const { used } = await client.budgets.get(id);
  assert.equal(used.total_tokens, 110);

  await client.budgets.set(id, { max_total_tokens: 1_000 });
  await client.turns.resume(id, turnId, { idempotencyKey: `more-${crypto.randomUUID()}` });
  const { turn } = await client.waitForTurn(id, turnId);
  assert.equal(turn?.outputText, 'It is 42.');
  const { data } = await client.sessions.usage(id, { includeChildren: true });
  assert.deepEqual([data.model_calls, data.total_tokens], [2, 235]);
  process.stdout.write(`Stopped after ${used.total_tokens} tokens, allowed more, done: ${turn?.outputText}\n`);
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
