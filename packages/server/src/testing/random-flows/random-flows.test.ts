/**
 * Workflows at random on the embedded store, each run twice: undisturbed, and by engines that die at random calls of the store, the model or
 * a tool. Both keep the law of workflows (flow-law.ts); where nothing races, both come to the same.
 *
 * `SEED` says with which workflow to begin, `FLOWS` how many there are.
 */
import { describe, expect, test } from 'vitest';
import { createRandom, seedOf } from '../harness/random.ts';
import { settle } from '../harness/settle.ts';
import { keepAlive } from '../harness/surviving-client.ts';
import { openWorld, type World } from '../harness/world.ts';
import { differences } from './differences.ts';
import { killPoints } from './kill-points.ts';
import { type MadeFlow, makeFlow, type Pace } from './made-flow.ts';
import { type Played, playFlow } from './play-flow.ts';

const seed = seedOf('SEED');
const flows = Number(process.env['FLOWS'] ?? 120);
const pace: Pace = { timer: 1, backoff: 1, timeout: 5 };

const play = async (world: World, flow: MadeFlow, n: number, deaths: () => number): Promise<Played> => {
  const random = createRandom(n);
  return playFlow(world, flow, { pause: () => settle(random.below(24)), deaths });
};

const faultsOf = async (n: number): Promise<readonly string[]> => {
  const random = createRandom(n);
  const flow = makeFlow(random, pace);
  const quiet = await openWorld();
  const first = await play(quiet, flow, n, () => 0).finally(() => quiet.close());
  const points = killPoints(random, (call) => quiet.life.calls(call));
  const [at, ...more] = points;
  const world = await openWorld({ ...(at ? { killAt: at } : {}) });
  let deaths = 0;
  keepAlive(world, () => {
    deaths += 1;
    return more[deaths - 1];
  });
  const second = await play(world, flow, n + 1, () => deaths).finally(() => world.close());
  return [
    ...first.faults.map((fault) => `undisturbed: ${fault}`),
    ...[...second.faults, ...differences(flow, first, second)].map((fault) => `killed ${JSON.stringify(points)}: ${fault}`),
  ];
};

describe(`workflows at random (SEED=${seed})`, () => {
  test('come to their ends, each attempt once, whatever dies', { timeout: 300_000 }, async () => {
    for (let n = 0; n < flows; n += 1) {
      const faults = await faultsOf(seed + n).catch((error: unknown) => [String(error)]);
      expect(faults, `SEED=${seed + n}`).toEqual([]);
    }
  });
});
