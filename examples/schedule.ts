/**
 * An agent that is asked by time: a turn is scheduled for a moment from now, runs by itself, and says where it comes from.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { createClient } from '@turnkeeper/client/create-client';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const client = createClient({ baseUrl, token });
const key = () => ({ idempotencyKey: `schedule-${crypto.randomUUID()}` });

/** For the scripted demo model the message says what the model does. */
const message = JSON.stringify({ steps: [[{ text: 'Good morning.' }]] });

const main = async (): Promise<void> => {
  const agentKey = `example-early-bird-${crypto.randomUUID().slice(0, 8)}`;
  await client.agents.create({ agentKey, displayName: 'Early bird', definition: { system: 'You are awake.', model: 'demo:script' } });
  const { id } = await client.sessions.create({ agent: agentKey });

  const before = Date.now();
  const daily = await client.schedules.create(id, { cron: '0 9 * * MON-FRI', timezone: 'Europe/Berlin', message }, key());
  assert.ok(daily.next_at !== null && daily.next_at > before);

  const soon = await client.schedules.create(id, { at: new Date(Date.now() + 3_000).toISOString(), message }, key());
  let [run] = (await client.schedules.runs(id, soon.id)).items;
  while (!run) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    [run] = (await client.schedules.runs(id, soon.id)).items;
  }
  assert.equal(run.outcome, 'submitted');
  const { turn } = await client.waitForTurn(id, run.turn_id ?? '');
  assert.equal(turn?.outputText, 'Good morning.');
  assert.deepEqual(turn?.metadata, { schedule_id: soon.id, schedule_slot: new Date(run.slot).toISOString() });
  assert.equal((await client.schedules.get(id, soon.id)).next_at, null);

  const off = await client.schedules.patch(id, daily.id, { version: daily.version, enabled: false });
  assert.equal(off.next_at, null);
  process.stdout.write('Scheduled, run, switched off.\n');
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
