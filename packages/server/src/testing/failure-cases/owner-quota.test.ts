/** An owner's limit of unfinished turns over all its sessions: counted up with what is accepted, down with what is over. */
import { afterEach, expect, test } from 'vitest';
import { createSession } from '../../app/create-session.ts';
import { deleteSession } from '../../app/manage-session.ts';
import { ModelError } from '../../ports/model.ts';
import { ann, builtin, createClient, fresh } from '../harness/client.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
afterEach(() => world.close());

const open = async (limit: number) => {
  world = await openWorld({ limitsOf: (owner) => (owner === 'user:ann' ? { unfinished: limit } : undefined) });
  const client = createClient(world);
  world.model.when('slow', [{ call: 'slow' }], [{ text: 'done' }]);
  const agent = await client.agent({ tools: [builtin('slow')] });
  return { client, agent, session: await client.session(agent) };
};
const full = (pending_count: number) => ({ code: 'queue_full', details: { scope: 'owner', limit: 3, pending_count, retry_after_ms: 1_000 } });

test('of four that arrive together for three places the last is refused; what is over makes room', async () => {
  const { client, agent, session } = await open(3);
  const asked = await Promise.allSettled(['slow', 'b', 'c', 'd'].map((text) => client.submit(session, text)));
  expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(asked[3]).toMatchObject({ reason: full(0) });
  const other = await client.session(agent);
  await expect(client.submit(other, 'e', 'E')).rejects.toMatchObject(full(3));
  await expect(createSession(world.engine.app, ann, { agent, initialMessage: { message: 'f' } }, fresh('create'))).rejects.toMatchObject(full(3));
  await client.cancel(session, (asked[1] as PromiseFulfilledResult<string>).value);
  await client.until(other, await client.submit(other, 'e', 'E'));
  await client.submit(other, 'slow');
  await expect(client.submit(other, 'g')).rejects.toMatchObject(full(3));
  world.tools.gate.open();
  await client.until(session, (asked[2] as PromiseFulfilledResult<string>).value);
});

test('a deleted session gives back all that it had', async () => {
  const { client, agent, session } = await open(3);
  for (const text of ['slow', 'b', 'c']) await client.submit(session, text);
  await deleteSession(world.engine.app, ann, session);
  const other = await client.session(agent);
  for (const text of ['slow', 'b', 'c']) await client.submit(other, text);
  await expect(client.submit(other, 'd')).rejects.toMatchObject(full(3));
  world.tools.gate.open();
});

test('a failed turn that is resumed counts again', async () => {
  const { client, session } = await open(3);
  world.model.when('no', [{ fails: () => new ModelError('no', { retryable: false }) }]);
  world.model.when('[The turn is resumed. Please continue where you stopped.]', [{ call: 'slow' }], [{ text: 'done' }]);
  const turn = await client.submit(session, 'no');
  expect(await client.until(session, turn)).toMatchObject({ status: 'failed' });
  await client.resume(session, turn);
  for (const text of ['b', 'c']) await client.submit(session, text);
  await expect(client.submit(session, 'd')).rejects.toMatchObject(full(3));
  world.tools.gate.open();
  await client.until(session, turn);
});
