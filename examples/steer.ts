/**
 * A person who changes their mind while the agent works: what is said meanwhile is heard at the next step, background waits
 * for the next turn, and an urgent question goes before the ones that are queued.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { createClient } from '@turnkeeper/client/create-client';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const client = createClient({ baseUrl, token });
const key = () => ({ idempotencyKey: `steer-${crypto.randomUUID()}` });

/** For the scripted demo model the message says what the model does; what is said to it later goes on in the script. */
const script = (...steps: readonly (readonly unknown[])[]) => ({ message: JSON.stringify({ steps }) });

const main = async (): Promise<void> => {
  const agentKey = `example-planner-${crypto.randomUUID().slice(0, 8)}`;
  await client.agents.create({ agentKey, displayName: 'Planner', definition: { system: 'You plan.', model: 'demo:script' } });
  const { id } = await client.sessions.create({ agent: agentKey });

  const plan = await client.turns.submit(id, script([{ text: 'A plan' }, { delay_ms: 3_000 }, { text: '.' }], [{ text: 'A plan without emails.' }]), key());
  const told = await client.inputs.steer(id, plan.id, { message: 'Do not send any email yet.' }, key());
  assert.equal(told.status, 'accepted');
  const done = await client.waitForTurn(id, plan.id);
  assert.equal(done.turn?.outputText, 'A plan without emails.');
  assert.equal((await client.turns.command(id, plan.id, told.command.id)).command.status, 'completed');

  await client.inputs.inject(id, { message: 'The budget is 900.' }, key());
  assert.equal((await client.sessions.get(id)).status, 'idle');

  const long = await client.turns.submit(id, script([{ text: 'thinking' }, { hang: true }]), key());
  for await (const { type } of client.streamTurn(id, long.id)) if (type === 'item.delta') break;
  const first = await client.turns.submit(id, script([{ text: 'first' }]), key());
  const second = await client.turns.submit(id, script([{ text: 'second' }]), key());
  const queue = await client.queue.get(id);
  assert.deepEqual([queue.current?.id, ...queue.items.map((turn) => turn.id)], [long.id, first.id, second.id]);
  await client.queue.reorder(id, [second.id, first.id], queue.version);
  await assert.rejects(
    client.queue.reorder(id, [first.id, second.id], queue.version),
    (error) => error instanceof TurnkeeperError && error.code === 'version_conflict',
  );

  // It goes before them all: the turn that is under way is cancelled.
  const urgent = await client.turns.submit(id, { ...script([{ text: 'urgent' }]), onBusy: 'interrupt' }, key());
  assert.equal((await client.waitForTurn(id, first.id)).turn?.outputText, 'first');
  assert.equal((await client.turns.get(id, long.id)).status, 'cancelled');
  const turns = await Promise.all([urgent, second, first].map((turn) => client.turns.get(id, turn.id)));
  const starts = turns.map(({ startedAt }) => startedAt ?? 0);
  assert.deepEqual(
    starts,
    starts.toSorted((a, b) => a - b),
  );

  const { data } = await client.inputs.list(id);
  assert.deepEqual(
    data.map((input) => [input.data.kind, input.data.status, input.data.turn_id]),
    [
      ['steer', 'applied', plan.id],
      ['inject', 'applied', long.id],
    ],
  );
  process.stdout.write('Steered, injected, reordered, interrupted.\n');
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
