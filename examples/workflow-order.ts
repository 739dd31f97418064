/**
 * Order fulfilment: a workflow that waits for a payment, but not for ever. The shop tells of the payment with a signal, which it
 * may send as often as it likes; where none comes a timer ends the wait.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createClient } from '@turnkeeper/client/create-client';
import { parse } from 'yaml';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const client = createClient({ baseUrl, token });
const agentKey = `warehouse-${crypto.randomUUID().slice(0, 8)}`;

const order = (sessionId: string, input: { readonly order: number; readonly sum: number; readonly payBy: number }) =>
  client.turns.submit(sessionId, { input }, { idempotencyKey: `order-${input.order}-${sessionId}` });

/** What the payment's service does: it knows the order, and sends its news until somebody takes it. */
const pay = async (sessionId: string, turnId: string, payment: { readonly id: string; readonly sum: number; readonly by: string }) => {
  for await (const { type } of client.streamTurn(sessionId, turnId)) if (type === 'turn.requires_action') break;
  const { required_actions: open } = await client.turns.actions(sessionId, turnId);
  const action = Object.values(open).find(({ signal_name }) => signal_name === 'payment');
  assert.ok(action, 'no payment is waited for');
  const tell = () => client.actions.signal({ ...action, session_id: sessionId }, payment, { idempotencyKey: payment.id });
  const [first, again] = [await tell(), await tell()];
  assert.deepEqual(first, again);
};

const ended = async (sessionId: string, turnId: string) => {
  const { turn } = await client.waitForTurn(sessionId, turnId);
  const { steps } = await client.turns.snapshot(sessionId, turnId);
  return { status: turn?.status, text: turn?.outputText, steps: Object.fromEntries(Object.values(steps).map(({ key, status }) => [key, status])) };
};

const main = async (): Promise<void> => {
  // The demo model says what it is told; a real one would have the tools of the warehouse.
  const { agent } = await client.agents.create({ agentKey, displayName: 'Warehouse', definition: { system: 'You handle parcels.', model: 'demo:echo' } });
  const text = readFileSync(new URL('workflow-order.yaml', import.meta.url), 'utf8');
  const { name, ...draftSpec } = parse(text, (_, value) => (value === 'warehouse' ? agent.id : value));
  const { workflow } = await client.workflows.create({ name, draftSpec });
  await client.workflows.publish(workflow.id, workflow.version);
  // A session for each order: the turns of one session wait for one another.
  const [paid, late] = [
    await client.sessions.create({ target: { type: 'workflow', id: workflow.id } }),
    await client.sessions.create({ target: { type: 'workflow', id: workflow.id } }),
  ];

  const first = await order(paid.id, { order: 4711, sum: 90, payBy: Date.now() + 3 * 86_400_000 });
  const second = await order(late.id, { order: 4712, sum: 20, payBy: Date.now() + 1_000 });
  await pay(paid.id, first.id, { id: `pay-${crypto.randomUUID()}`, sum: 90, by: 'card' });

  const shipped = await ended(paid.id, first.id);
  assert.deepEqual([shipped.status, shipped.text], ['completed', 'Ship order 4711, paid with card']);
  assert.deepEqual([shipped.steps['deadline'], shipped.steps['cancel']], ['cancelled', 'skipped']);

  const dropped = await ended(late.id, second.id);
  assert.deepEqual([dropped.status, dropped.text], ['completed', 'Put order 4712 back']);
  assert.deepEqual([dropped.steps['payment'], dropped.steps['ship']], ['cancelled', 'skipped']);
  assert.deepEqual((await client.turns.actions(late.id, second.id)).required_actions, {});

  process.stdout.write(`${shipped.text}; ${dropped.text}.\n`);
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
