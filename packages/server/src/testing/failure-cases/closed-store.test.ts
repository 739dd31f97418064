/** What becomes of a fact that comes after the store was closed: it is given up, and waits for nothing. */
import type { SessionId } from '@turnkeeper/core/session/ids';
import { expect, test } from 'vitest';
import { createClient } from '../harness/client.ts';
import { openWorld } from '../harness/world.ts';

test('a fact is not tried again on a store that was closed', async () => {
  const world = await openWorld({ expectsReports: true });
  const client = createClient(world);
  const session = (await client.session(await client.agent())) as SessionId;
  const lane = (await world.engine.app.sessions.find(session))?.lane;
  if (!lane) throw new Error('no lane');
  await world.store.close();
  lane.forget();
  const plan = (): never => {
    throw new Error('nothing was read to decide on');
  };
  const given = lane.fact(1, plan).then(
    () => 'committed',
    (error: { readonly code?: string }) => error.code,
  );
  // Another try would wait for a clock that stands still here.
  expect(await given).toBe('shutting_down');
  expect(lane.idle).toBe(true);
  await world.close();
});

test('a write in doubt is not looked for on a store that was closed', async () => {
  const world = await openWorld({ expectsReports: true });
  const client = createClient(world);
  const session = (await client.session(await client.agent())) as SessionId;
  const lane = (await world.engine.app.sessions.find(session))?.lane;
  if (!lane) throw new Error('no lane');
  world.faulty.inject({ method: 'write', call: 1, effect: { kind: 'lost_before' } });
  world.faulty.inject({ method: 'loadBySid', call: 1, times: 1_000, effect: { kind: 'refused' } });
  await expect(client.submit(session, 'x')).rejects.toMatchObject({ details: { outcome: 'unknown' } });
  expect(lane.idle).toBe(false);
  await world.store.close();
  world.faulty.release();
  await world.clock.advance(10_000);
  expect(lane.idle).toBe(true);
  await world.close();
});
