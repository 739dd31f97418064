/**
 * A research team: its leader delegates two pieces at once, one of them fails and is tried again before the leader hears of it, and
 * the answer is held to what was asked for: one without sources is written again.
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
const suffix = crypto.randomUUID().slice(0, 8);

const agent = async (key: string): Promise<string> =>
  (await client.agents.create({ agentKey: `${key}-${suffix}`, displayName: key, definition: { system: `You are a ${key}.`, model: 'demo:script' } })).agent.id;

/** For the scripted demo model the message says what the model does; what it delegates is a script again. */
const script = (...steps: readonly (readonly unknown[])[]): string => JSON.stringify({ steps, key: suffix });
const delegate = (member: string, message: string) => ({ tool: { name: 'delegate', input: { member, message } } });
const message = script(
  [
    delegate(
      'finder',
      script([{ error: { message: 'the archive is closed', retryable: false, times: 1 } }, { text: 'It is 300 m long (Harbour Office, 1998).' }]),
    ),
    delegate('checker', script([{ text: 'The length holds.' }])),
  ],
  [{ text: 'The bridge is 300 m long.' }],
  [{ text: 'The bridge is 300 m long. Sources: Harbour Office, 1998.' }],
);

const main = async (): Promise<void> => {
  const ids: Readonly<Record<string, string>> = { editor: await agent('editor'), researcher: await agent('researcher') };
  const { team } = await client.teams.create(
    parse(readFileSync(new URL('team-research.yaml', import.meta.url), 'utf8'), (_, value) => ids[String(value)] ?? value),
  );
  const { id } = await client.sessions.create({ target: { type: 'team', id: team.id } });

  const outcome = { expression: "result.contains('Sources:')", maxTries: 2 };
  const { id: turnId } = await client.turns.submit(id, { message, outcome }, { idempotencyKey: `bridge-${suffix}` });
  const told: unknown[] = [];
  for await (const { type, data } of client.streamTurn(id, turnId)) if (type.startsWith('step.')) told.push(data['status']);
  assert.equal(told[0], 'running');
  assert.ok(told.includes('delayed'), 'nothing was tried again');

  const { turn } = await client.waitForTurn(id, turnId);
  assert.deepEqual([turn?.status, turn?.outputText], ['completed', 'The bridge is 300 m long. Sources: Harbour Office, 1998.']);
  assert.deepEqual([turn?.verdict?.status, turn?.verdict?.tries], ['satisfied', 2]);
  const { steps } = await client.turns.snapshot(id, turnId);
  // They were delegated side by side: either may be the first.
  assert.deepEqual(
    Object.values(steps)
      .map(({ name, attempt, status, output }) => [name, attempt, status, output])
      .toSorted(),
    [
      ['checker', 1, 'succeeded', 'The length holds.'],
      ['finder', 2, 'succeeded', 'It is 300 m long (Harbour Office, 1998).'],
    ],
  );
  process.stdout.write(`${turn?.outputText}\n`);
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
