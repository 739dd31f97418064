/**
 * Two ways on from one conversation: a plan is agreed on, then tried once in the session itself and once in a fork of it.
 * Afterwards the session goes back to the plan.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { type Client, createClient } from '@turnkeeper/client/create-client';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;

/** For the scripted demo model the message says what the model does: here it repeats all that it is shown. */
const recall = JSON.stringify({ script: [{ echo: 'prompt' }] });
const saying = (text: string): string => JSON.stringify({ script: [{ text }] });

const say = async (client: Client, session: string, message: string): Promise<{ readonly turnId: string; readonly said: string }> => {
  const { id: turnId } = await client.turns.submit(session, { message }, { idempotencyKey: crypto.randomUUID() });
  const { turn } = await client.waitForTurn(session, turnId);
  return { turnId, said: turn?.outputText ?? '' };
};

const main = async (): Promise<void> => {
  const client = createClient({ baseUrl, token });
  const agentKey = `example-planner-${crypto.randomUUID().slice(0, 8)}`;
  const { agent } = await client.agents.create({ agentKey, displayName: 'Planner', definition: { system: 'You plan.', model: 'demo:script' } });
  const { id } = await client.sessions.create({ agent: agent.id, title: 'The journey' });

  const plan = await say(client, id, saying('The plan: by train.'));
  await say(client, id, saying('Changed: by ship.'));

  // Another session begins where the plan was agreed on; this one is not touched by it.
  const fork = await client.context.fork(id, { at: plan.turnId, title: 'By train after all', reason: 'try both' }, { idempotencyKey: crypto.randomUUID() });
  assert.deepEqual([fork.forked_from?.session_id, fork.forked_from?.turn_id], [id, plan.turnId]);
  const inFork = (await say(client, fork.id, recall)).said;
  assert.ok(inFork.includes('by train') && !inFork.includes('by ship'));
  const inSession = (await say(client, id, recall)).said;
  assert.ok(inSession.includes('by train') && inSession.includes('by ship'));

  // And the session itself goes back: what was said since stays in its history, but the model is not shown it any more.
  const { data } = await client.context.checkpoints(id);
  const agreed = data.find(({ turn_id }) => turn_id === plan.turnId);
  assert.ok(agreed);
  await client.context.restore(id, { checkpoint_id: agreed.checkpoint_id, reason: 'by train after all' }, { idempotencyKey: crypto.randomUUID() });
  const restored = (await say(client, id, recall)).said;
  assert.ok(restored.includes('by train') && !restored.includes('by ship'));
  assert.equal((await client.turns.list(id)).items.length, 4);

  process.stdout.write(`${id} went back to its plan; ${fork.id} went on from it.\n`);
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
