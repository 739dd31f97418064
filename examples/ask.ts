/**
 * Asks an agent whose tool this program executes, and prints the answer as it is written.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when the answer is the one that was to come, else 1.
 */
import { strict as assert } from 'node:assert';
import { type Client, createClient } from '@turnkeeper/client/create-client';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { DeltaBlock } from '@turnkeeper/core/session/events';

const { TURNKEEPER_URL: baseUrl, TURNKEEPER_TOKEN: token } = process.env;

const agentKey = 'example-weather';

/** Made by the first run; the others find it. */
const makeAgent = async (client: Client): Promise<void> => {
  const inputSchema = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } };
  const tools = [{ type: 'function', name: 'weather', description: 'Tells the weather.', inputSchema, readOnly: true }] as const;
  const definition = { system: 'You tell the weather.', model: 'demo:script', tools: [...tools] };
  try {
    await client.agents.create({ agentKey, displayName: 'Weather', definition });
  } catch (error) {
    if (!(error instanceof TurnkeeperError && error.code === 'already_exists')) throw error;
  }
};

/** For the scripted demo model the message says what the model does: it calls the tool, then it answers. */
const message = JSON.stringify({
  steps: [[{ tool: { name: 'weather', input: { city: 'Oslo' } } }], [{ text: 'Wear a coat: it snows in Oslo.', chunk: 5 }]],
});

/** Executes what the turn waits for. The keys are made of the actions' ids: run twice, each is answered once. */
const executeTools = async (client: Client, sessionId: string, turnId: string): Promise<void> => {
  const { required_actions } = await client.turns.actions(sessionId, turnId);
  for (const { request_id, tool_call } of Object.values(required_actions)) {
    const payload = { output: `${tool_call?.input['city']}: snow, -3 °C` };
    await client.turns.answer(sessionId, turnId, { request_id, payload }, { idempotencyKey: `answer-${request_id}` });
  }
};

const main = async (): Promise<void> => {
  if (!baseUrl || !token) throw new Error('Set TURNKEEPER_URL and TURNKEEPER_TOKEN.');
  const client = createClient({ baseUrl, token });
  await makeAgent(client);
  const idempotencyKey = `example-${crypto.randomUUID()}`;
  const { id, turnId = '' } = await client.sessions.create({ agent: agentKey, initialMessage: { message } }, { idempotencyKey });

  for await (const event of client.streamTurn(id, turnId)) {
    if (event.type === 'turn.requires_action') await executeTools(client, id, turnId);
    if (event.type !== 'item.delta') continue;
    for (const block of event.data['content'] as readonly DeltaBlock[]) if (block.type === 'text') process.stdout.write(block.text);
  }
  process.stdout.write('\n');

  const turn = await client.turns.get(id, turnId);
  assert.equal(turn.status, 'completed');
  assert.equal(turn.outputText, 'Wear a coat: it snows in Oslo.');
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
