/**
 * Finding a conversation again: by what the application wrote into its metadata, by what it does, and by what was said in it.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import type { SessionQuery } from '@turnkeeper/client/calls/sessions';
import { type Client, createClient } from '@turnkeeper/client/create-client';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;

/** For the scripted demo model the message says what the model does. */
const saying = (text: string): string => JSON.stringify({ script: [{ text }] });

/** Every session that fits. A page may be short, even empty, though more follow: a search looks through so much at a time. */
const findAll = async (client: Client, query: SessionQuery): Promise<readonly string[]> => {
  const found: string[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Awaited<ReturnType<Client['sessions']['list']>> = await client.sessions.list({ ...query, offset });
    found.push(...page.items.map(({ title }) => title));
    offset = page.next_offset;
  }
  return found;
};

const main = async (): Promise<void> => {
  const client = createClient({ baseUrl, token });
  const agentKey = `example-clerk-${crypto.randomUUID().slice(0, 8)}`;
  const { agent } = await client.agents.create({ agentKey, displayName: 'Clerk', definition: { system: 'You sell.', model: 'demo:script' } });
  const calls = [
    { title: 'An offer', metadata: { customer: 4711 }, said: 'We offer 20 tonnes of Grünkohl.' },
    { title: 'A complaint', metadata: { customer: 4711 }, said: 'The Grünkohl was late.' },
    { title: 'Another customer', metadata: { customer: 42 }, said: 'No GRÜNKOHL today.' },
  ];
  for (const { title, metadata, said } of calls) {
    const { id } = await client.sessions.create({ agent: agent.id, title, metadata });
    const turn = await client.turns.submit(id, { message: saying(said) }, { idempotencyKey: crypto.randomUUID() });
    await client.waitForTurn(id, turn.id);
  }

  const ofAgent = { target: agent.id };
  assert.deepEqual(await findAll(client, { ...ofAgent, metadata: { customer: 4711 } }), ['A complaint', 'An offer']);
  assert.deepEqual(await findAll(client, { ...ofAgent, text: 'grünkohl' }), ['Another customer', 'A complaint', 'An offer']);
  assert.deepEqual(await findAll(client, { ...ofAgent, text: 'was late', metadata: { customer: 4711 } }), ['A complaint']);
  assert.deepEqual(await findAll(client, { ...ofAgent, activity: 'requires_action' }), []);

  process.stdout.write('Every conversation was found again.\n');
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
