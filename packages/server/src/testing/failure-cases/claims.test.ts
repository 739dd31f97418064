/**
 * Claims, adoptions and commits that overtake each other: with answers that come late and in any order, no run is ever
 * taken for lost, none is begun twice, and nothing stands still. `SEED` brings a course back.
 */
import { expect, test } from 'vitest';
import { createSession } from '../../app/create-session.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, fresh } from '../harness/client.ts';
import { createRandom, seedOf } from '../harness/random.ts';
import { eventually, settle } from '../harness/settle.ts';
import { createSurvivingClient } from '../harness/surviving-client.ts';
import { openWorld } from '../harness/world.ts';

const seed = seedOf('SEED');
const slowed = ['write', 'claim', 'resources', 'loadBySid', 'load', 'payload', 'nextDue'] as const;

const course = async (n: number): Promise<readonly string[]> => {
  const random = createRandom(seed + n);
  const world = await openWorld({ slots: 1 + random.below(2) });
  try {
    const client = createSurvivingClient(world);
    world.model.when('x', [{ text: 'a' }, { call: 'look' }], [{ text: 'b' }]);
    const agent = await client.agent({ tools: [builtin('look')] });
    const sessions = [await client.session(agent), await client.session(agent), await client.session(agent)];
    for (let at = 0; at < 60; at += 1) {
      const method = slowed[random.below(slowed.length)] ?? 'write';
      world.faulty.inject({ method, call: 1 + random.below(40), effect: { kind: 'delayed', ms: 1 + random.below(3_000), clock: world.clock } });
    }
    const submits = sessions.flatMap((session) =>
      Array.from({ length: 4 }, async () => {
        await settle(random.below(60));
        return { session, turn: await client.submit(session, 'x') };
      }),
    );
    const faults: string[] = [];
    for (const submitted of await Promise.all(submits)) {
      const done = await client.until(submitted.session, submitted.turn);
      if (done.status !== 'completed' || done.runs !== 1) faults.push(`course ${n}: a turn ended ${done.status} after ${done.runs} runs`);
    }
    world.faulty.release();
    await world.clock.advance(3_000);
    for (const session of sessions) faults.push(...(await checkSession(world.store, session, { app: world.engine.app, caller: ann })).faults);
    if (world.engine.runner.held !== 0) faults.push(`course ${n}: ${world.engine.runner.held} sessions are held though nothing is owed`);
    return [...faults, ...world.model.faults()];
  } finally {
    await world.close();
  }
};

test(`100 courses (SEED=${seed})`, { timeout: 120_000 }, async () => {
  const faults: string[] = [];
  for (let n = 0; n < 100; n += 1) faults.push(...(await course(n)));
  expect(faults, `SEED=${seed}`).toEqual([]);
});

test('a session whose creation got no answer runs its first turn all the same', async () => {
  const world = await openWorld({ expectsReports: true });
  const client = createSurvivingClient(world);
  const agent = await client.agent();
  world.faulty.inject({ method: 'create', call: 1, effect: { kind: 'lost_after' } });
  world.faulty.inject({ method: 'load', call: 1, times: 3, effect: { kind: 'refused' } });
  const key = fresh('create');
  const create = () => createSession(world.engine.app, ann, { agent, initialMessage: { message: 'hi' } }, key);
  await expect(create()).rejects.toMatchObject({ code: 'storage_unavailable' });
  await eventually('its turn has run', () => world.model.calls.length === 1, { clock: world.clock });
  const { answer, replayed } = await create();
  expect(replayed).toBe(true);
  expect(await client.until(answer.id, answer.turnId ?? '')).toMatchObject({ status: 'completed' });
  await world.close();
});
