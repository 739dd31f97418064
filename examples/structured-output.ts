/**
 * A session that says what it takes and what its turns come to: input that does not fit is refused before anything runs, and an
 * answer that does not fit is put right by the agent, or fails its turn.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { createClient } from '@turnkeeper/client/create-client';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const client = createClient({ baseUrl, token });

const outputSchema = {
  type: 'object',
  properties: { total: { type: 'number' }, currency: { enum: ['EUR', 'USD'] }, lines: { type: 'array', items: { type: 'string' } } },
  required: ['total', 'currency'],
  additionalProperties: false,
};
/** For the scripted demo model the message says what the model does: at first it forgets that it is asked for JSON. */
const says = (...texts: readonly string[]): string => JSON.stringify({ steps: texts.map((text) => [{ text }]) });

const main = async (): Promise<void> => {
  const agentKey = `example-clerk-${crypto.randomUUID().slice(0, 8)}`;
  await client.agents.create({ agentKey, displayName: 'Clerk', definition: { system: 'You read invoices.', model: 'demo:script' } });
  const { id } = await client.sessions.create({
    agent: agentKey,
    inputSchema: { type: 'object', properties: { message: { type: 'string', minLength: 10 } }, required: ['message'] },
    outputSchema,
    resultMapping: { amount: '/total', in: '/currency' },
  });

  await assert.rejects(
    client.turns.submit(id, { message: 'short' }, { idempotencyKey: `short-${id}` }),
    (error) => error instanceof TurnkeeperError && error.code === 'validation_failed' && JSON.stringify(error.details['errors']).includes('"/message"'),
  );

  const first = await client.turns.submit(id, { message: says('It is 90 euros.', '{"total": 90, "currency": "EUR"}') }, { idempotencyKey: `first-${id}` });
  const { turn } = await client.waitForTurn(id, first.id);
  assert.deepEqual([turn?.status, turn?.result], ['completed', { amount: 90, in: 'EUR' }]);

  const second = await client.turns.submit(id, { message: says('{"total": "90"}', '{"total": 90}') }, { idempotencyKey: `second-${id}` });
  const failed = (await client.waitForTurn(id, second.id)).turn;
  assert.deepEqual([failed?.status, failed?.errorCode], ['failed', 'output_schema_violation']);

  process.stdout.write(`Read: ${JSON.stringify(turn?.result)}\n`);
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
