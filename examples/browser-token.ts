/**
 * What a page in a browser does with a token that its own server made for it: one session, a few scopes, a quarter of an hour.
 *
 * Starts nothing itself: TURNKEEPER_URL and TURNKEEPER_TOKEN (an admin's) lead to a server with its demo models. Exits 0
 * when all went as it should, else 1.
 */
import { strict as assert } from 'node:assert';
import { createClient } from '@turnkeeper/client/create-client';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';

const { TURNKEEPER_URL: baseUrl = '', TURNKEEPER_TOKEN: token } = process.env;
const refusedWith = (code: string) => (error: unknown) => error instanceof TurnkeeperError && error.code === code;

const main = async (): Promise<void> => {
  // The application's own server: it has the credential, and gives a part of it away.
  const server = createClient({ baseUrl, token });
  const agentKey = `example-helper-${crypto.randomUUID().slice(0, 8)}`;
  await server.agents.create({ agentKey, displayName: 'Helper', definition: { system: 'You help.', model: 'demo:script' } });
  const { id } = await server.sessions.create({ agent: agentKey });
  const given = await server.clientTokens.create(id, { scopes: ['read', 'invoke'], expiresInSeconds: 900 });

  // The page: it knows this token and this session, and nothing else.
  const page = createClient({ baseUrl, token: given.token });
  const message = JSON.stringify({ steps: [[{ text: 'At your service.' }]] });
  const turn = await page.turns.submit(id, { message }, { idempotencyKey: crypto.randomUUID() });
  const types: string[] = [];
  for await (const event of page.streamTurn(id, turn.id)) types.push(event.type);
  assert.equal(types.at(-1), 'turn.completed');
  assert.equal((await page.turns.get(id, turn.id)).outputText, 'At your service.');

  const other = await server.sessions.create({ agent: agentKey });
  await assert.rejects(page.sessions.get(other.id), refusedWith('not_found'));
  await assert.rejects(page.sessions.list(), refusedWith('forbidden'));
  await assert.rejects(page.turns.cancel(id, turn.id, { idempotencyKey: crypto.randomUUID() }), refusedWith('scope_missing'));
  process.stdout.write('One session, by a token of its own.\n');
  page.close();
  server.close();
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
