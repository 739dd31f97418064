/**
 * An application whose agent may only pay when a person allows it: the application's key opens the session, a person
 * approves with other arguments, the application carries it out.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { type Client, createClient } from '@turnkeeper/client/create-client';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const agentKey = `example-payer-${crypto.randomUUID().slice(0, 8)}`;

/** For the scripted demo model the message says what the model does: it asks for the payment, then it reports. */
const message = JSON.stringify({ steps: [[{ tool: { name: 'pay', input: { to: 'ACME', amount: 900 } } }], [{ text: 'Paid.' }]] });

/** The one action that waits for this caller in the session, once there is one. */
const nextAction = async (client: Client, sessionId: string) => {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = (await client.actions.list()).find((action) => action.session_id === sessionId);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Nothing waits.');
};

const main = async (): Promise<void> => {
  const person = createClient({ baseUrl, token });
  const inputSchema = { type: 'object', properties: { to: { type: 'string' }, amount: { type: 'number' } } };
  const pay = { type: 'function', name: 'pay', description: 'Pays an invoice.', inputSchema, permission: 'always_ask' } as const;
  const { agent } = await person.agents.create({ agentKey, displayName: 'Payer', definition: { system: 'You pay.', model: 'demo:script', tools: [pay] } });
  // Whoever makes an application may do everything with it, approving included.
  const shop = await person.applications.create({ name: 'Shop' });
  const { apiKey } = await person.credentials.create(shop.id, {
    name: 'shop server',
    scopes: ['invoke', 'read', 'interact'],
    targets: [{ type: 'agent', id: agent.id }],
  });

  const application = createClient({ baseUrl, apiKey });
  const idempotencyKey = `invoice-${crypto.randomUUID()}`;
  const { id, turnId } = await application.sessions.create({ agent: agentKey, initialMessage: { message } }, { idempotencyKey });

  const asked = await nextAction(person, id);
  assert.equal(asked.kind, 'confirmation');
  // A key is no person: it may not allow its own payment.
  await assert.rejects(application.actions.confirm(asked), (error) => error instanceof TurnkeeperError && error.code === 'approver_required');
  await person.actions.confirm(asked, { input: { to: 'ACME', amount: 90 }, reason: 'a digit too many' });

  const owed = await nextAction(application, id);
  assert.deepEqual([owed.kind, owed.tool_call?.input['amount']], ['external_execution', 90]);
  await application.actions.complete(owed, 'paid 90 to ACME');
  const { turn } = await application.waitForTurn(id, turnId);
  assert.equal(turn?.outputText, 'Paid.');

  const { data } = await person.audit.page({ session: id });
  assert.deepEqual(
    data.map(({ actor }) => actor.split(':')[0]),
    ['app', 'user'],
  );
  process.stdout.write(`Paid 90 instead of 900, allowed by ${data[1]?.actorName}.\n`);
  for (const client of [person, application]) client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
