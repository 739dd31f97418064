/**
 * An agent that asks for what it needs by a form, waits for a parcel that nobody hurries, and pays only what the person in charge
 * approves: three kinds of waiting, none of which holds a process.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { createClient } from '@turnkeeper/client/create-client';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const client = createClient({ baseUrl, token });

const schema = { properties: { city: { type: 'string', title: 'City' }, days: { type: 'integer', minimum: 1, default: 3 } }, required: ['city'] };
/** For the scripted demo model the message says what the model does. */
const message = JSON.stringify({
  steps: [
    [{ tool: { name: 'ask_form', input: { title: 'Where to?', schema } } }],
    [{ tool: { name: 'request_approval', input: { details: '900 for three days in Rome' } } }],
    [{ tool: { name: 'wait_for_signal', input: { signalName: 'tickets.printed' } } }],
    [{ text: 'Have a good trip.' }],
  ],
});

/** What waits for this caller in the session, once there is something. */
const nextAction = async (sessionId: string) => {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = (await client.actions.list()).find((action) => action.session_id === sessionId);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Nothing waits.');
};

const main = async (): Promise<void> => {
  const tools = [
    { type: 'builtin', name: 'ask_form' },
    { type: 'builtin', name: 'request_approval', approverRef: 'role:admin', prompt: 'May the trip be booked?' },
    { type: 'builtin', name: 'wait_for_signal', expiresSeconds: 3_600, onExpiry: { printed: false } },
  ] as const;
  const agentKey = `example-traveller-${crypto.randomUUID().slice(0, 8)}`;
  await client.agents.create({ agentKey, displayName: 'Traveller', definition: { system: 'You plan trips.', model: 'demo:script', tools: [...tools] } });
  const { id, turnId } = await client.sessions.create({ agent: agentKey, initialMessage: { message } }, { idempotencyKey: `trip-${agentKey}` });

  const form = await nextAction(id);
  assert.deepEqual([form.kind, form.form?.title], ['form', 'Where to?']);
  // The server holds the form to its schema, and says which field is wrong.
  await assert.rejects(client.actions.fillIn(form, { city: 'Rome', days: 0 }, { idempotencyKey: `no-days-${id}` }), (error) => {
    const errors = (error as TurnkeeperError).details['errors'] as readonly { readonly pointer: string }[];
    return error instanceof TurnkeeperError && errors[0]?.pointer === '/payload/values/days';
  });
  await client.actions.fillIn(form, { city: 'Rome', days: 3 });

  const approval = await nextAction(id);
  assert.deepEqual([approval.kind, approval.approver], ['approval', 'role:admin']);
  await client.actions.approve(approval, 'within the budget');

  const signal = await nextAction(id);
  assert.deepEqual([signal.kind, signal.signal_name], ['signal', 'tickets.printed']);
  await client.actions.signal(signal, { printed: true, tickets: 2 });

  const { turn } = await client.waitForTurn(id, turnId);
  assert.equal(turn?.outputText, 'Have a good trip.');
  const { tools: calls } = await client.turns.snapshot(id, turnId);
  const results = Object.values(calls).map(({ output }) => (output[0]?.type === 'text' ? JSON.parse(output[0].text) : undefined));
  assert.deepEqual(results, [
    { submitted: true, values: { city: 'Rome', days: 3 } },
    { decision: 'approved', reason: 'within the budget' },
    { printed: true, tickets: 2 },
  ]);
  process.stdout.write(`Asked, approved, signalled: ${turn?.outputText}\n`);
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
