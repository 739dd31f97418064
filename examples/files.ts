/**
 * A file in, an artifact out: a person uploads a table, the agent reads it, writes a report and publishes that; the
 * report is downloaded again.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { createClient } from '@turnkeeper/client/create-client';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const agentKey = `example-reporter-${crypto.randomUUID().slice(0, 8)}`;
const freshKey = () => crypto.randomUUID();

const table = 'month,revenue\nJanuary,1200\nFebruary,1350\n';
const report = '# Revenue\n\nFebruary was 12.5 % above January.\n';

/** For the scripted demo model the message says what the model does. */
const message = JSON.stringify({
  steps: [
    [{ tool: { name: 'read_file', input: { path: 'uploads/revenue.csv' } } }],
    [{ tool: { name: 'write_file', input: { path: 'report.md', content: report } } }],
    [{ tool: { name: 'publish_artifact', input: { path: 'report.md', name: 'Revenue report.md' } } }],
    [{ text: 'The report is ready.' }],
  ],
});

const main = async (): Promise<void> => {
  const client = createClient({ baseUrl, token });
  const tools = ['read_file', 'write_file', 'publish_artifact'].map((name) => ({ type: 'builtin', name, permission: 'always_allow' }) as const);
  await client.agents.create({ agentKey, displayName: 'Reporter', definition: { system: 'You report.', model: 'demo:script', tools } });
  const { id } = await client.sessions.create({ agent: agentKey });

  // A Blob or File of a browser, bytes, a text or a stream; the same key uploads once.
  const idempotencyKey = freshKey();
  const upload = { name: 'revenue.csv', mediaType: 'text/csv', idempotencyKey };
  const file = await client.files.upload(id, new Blob([table]), upload);
  assert.equal((await client.files.upload(id, table, upload)).id, file.id);
  await assert.rejects(client.files.upload(id, 'something else', upload), (error) => error instanceof TurnkeeperError && error.code === 'idempotency_conflict');

  const { id: turnId } = await client.turns.submit(id, { message }, { idempotencyKey: freshKey() });
  const { turn } = await client.waitForTurn(id, turnId);
  assert.equal(turn?.outputText, 'The report is ready.');

  const { tools: calls } = await client.turns.snapshot(id, turnId);
  const read = Object.values(calls).find(({ name }) => name === 'read_file');
  assert.deepEqual(read?.output, [{ type: 'text', text: table }]);

  const { items } = await client.artifacts.ofTurn(id, turnId);
  assert.deepEqual(
    items.map(({ name }) => name),
    ['Revenue report.md'],
  );
  const downloaded = await client.artifacts.download(id, turnId, items[0]?.artifact_id ?? '');
  assert.equal(await downloaded.text(), report);

  process.stdout.write(`${file.name} in, ${items[0]?.name} out.\n`);
  client.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
