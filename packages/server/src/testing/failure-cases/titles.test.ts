/** A session's title and metadata: what people set stays, and the first message titles what has no title. */
import { afterEach, expect, test } from 'vitest';
import { changeSession } from '../../app/manage-session.ts';
import { readSession } from '../../app/read-sessions.ts';
import { ann, createClient } from '../harness/client.ts';
import { settle } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
afterEach(() => world.close());

/** A session whose lane is busy until `goOn`: what is asked meanwhile is decided as one batch. */
const busySession = async () => {
  world = await openWorld();
  const client = createClient(world);
  const session = await client.session(await client.agent());
  world.faulty.inject({ method: 'write', call: 1, effect: { kind: 'held_before' } });
  const first = changeSession(world.engine.app, ann, session, { metadata: { first: true } });
  await settle();
  const goOn = async (...asked: readonly Promise<unknown>[]) => {
    await settle();
    const writes = world.faulty.calls('write');
    world.faulty.release();
    await Promise.all([first, ...asked]);
    expect(world.faulty.calls('write')).toBe(writes + 1);
    return (await world.store.load((await readSession(world.engine.app, ann, session)).id as never))?.row;
  };
  return { client, session, goOn };
};

test('of two messages that are stored together the first one is the title', async () => {
  const { client, session, goOn } = await busySession();
  expect(await goOn(client.submit(session, 'the first'), client.submit(session, 'the second'))).toMatchObject({ title: 'the first' });
});

test('a title that is set just before the first message is stored with it, and stays', async () => {
  const { client, session, goOn } = await busySession();
  const changed = changeSession(world.engine.app, ann, session, { title: 'mine' });
  expect(await goOn(changed, client.submit(session, 'hello'))).toMatchObject({ title: 'mine', metadata: '{"first":true}' });
  expect(await changed).toMatchObject({ title: 'mine', metadata: { first: true } });
});
