/**
 * Case 14: completion, failure, cancel, answers and store faults race; every course has one outcome, and the store, the
 * stream and the receipt agree. `RACES` sets how many (1,000), `SEED` where the random numbers begin.
 */
import { expect, test } from 'vitest';
import { ModelError } from '../../ports/model.ts';
import { checkSession, undispatched } from '../harness/check-session.ts';
import { ann, builtin, createClient, external } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { createRandom, seedOf } from '../harness/random.ts';
import { settle } from '../harness/settle.ts';
import { createSurvivingClient } from '../harness/surviving-client.ts';
import { watchSession } from '../harness/watch-session.ts';
import { openWorld, type World } from '../harness/world.ts';

const races = Number(process.env['RACES'] ?? 1_000);
const seed = seedOf('SEED');

const race = async (world: World, session: string, random: ReturnType<typeof createRandom>, name: string): Promise<readonly string[]> => {
  const client = createSurvivingClient(world);
  const gate = createGate();
  const fails = random.chance(0.3);
  world.model.when(
    name,
    [
      { text: 'a' },
      ...(random.chance(0.5) ? [{ call: 'effect' }] : []),
      ...(random.chance(0.3) ? [{ call: 'pay' }] : []),
      { gate },
      ...(fails ? [{ fails: () => new ModelError('no', { retryable: random.chance(0.5) }) }] : []),
    ],
    [{ text: 'b' }],
  );
  const watch = await watchSession(world, session);
  const seen = watch.rows.length;
  const turn = await client.submit(session, name);
  if (random.chance(0.3))
    world.faulty.inject({ method: 'write', call: random.below(6) + 1, effect: { kind: random.pick(['refused', 'lost_before', 'lost_after'] as const) } });
  let receipt: 'completed' | 'turn_closed' | undefined;
  const cancel = async (): Promise<void> => {
    await settle(random.below(14));
    await client.cancel(session, turn).then(
      () => {
        receipt = 'completed';
      },
      (error: { code?: string }) => {
        expect(error.code).toBe('turn_closed');
        receipt = 'turn_closed';
      },
    );
  };
  const open = async (): Promise<void> => {
    await settle(random.below(10));
    gate.open();
  };
  await Promise.all([cancel(), open()]);
  const done = await client.seeThrough(session, turn, { pay: { output: 'paid' } });
  // A reader hears of a commit whose answer was lost when the lane has found out: after its first retry at the latest.
  await world.clock.advance(2_500);
  const outcomes = watch.rows.slice(seen).filter((row) => row.data.includes(turn) && /^turn\.(completed|failed|cancelled|timed_out)$/.test(row.type));
  watch.stop();
  const faults: string[] = [];
  if (outcomes.length !== 1) faults.push(`the stream heard ${outcomes.map((row) => row.type).join(', ') || 'no outcome'}`);
  else if (outcomes[0]?.type !== `turn.${done.status}`) faults.push(`the stream heard ${outcomes[0]?.type}, the store says ${done.status}`);
  if (receipt === 'completed' && done.status !== 'cancelled') faults.push(`the receipt says cancelled, the turn ended ${done.status}`);
  return faults.map((fault) => `${name}: ${fault}`);
};

test(`${races} races (SEED=${seed})`, { timeout: 60_000 + races * 100 }, async () => {
  const faults: string[] = [];
  const ends = new Map<string, number>();
  const perSession = 25;
  for (let from = 0; from < races; from += perSession) {
    const world = await openWorld({ expectsReports: true });
    const agent = await createClient(world).agent({ tools: [builtin('effect'), external('pay')] });
    const session = await createClient(world).session(agent);
    for (let n = from; n < Math.min(from + perSession, races); n += 1) faults.push(...(await race(world, session, createRandom(seed + n), `race ${n}`)));
    world.faulty.release();
    const checked = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
    faults.push(
      ...checked.faults,
      ...undispatched(checked.log, world.tools.runs),
      ...world.model.faults(),
      ...world.reports.filter((error) => (error as { code?: string }).code !== 'storage_unavailable').map(String),
    );
    for (const { event } of checked.log) if (/^turn\.(completed|failed|cancelled)$/.test(event.type)) ends.set(event.type, (ends.get(event.type) ?? 0) + 1);
    await world.close();
  }
  expect(faults, `SEED=${seed}`).toEqual([]);
  // The races were races: each side won some.
  expect(Math.min(...['turn.completed', 'turn.failed', 'turn.cancelled'].map((type) => ends.get(type) ?? 0))).toBeGreaterThan(0);
});
