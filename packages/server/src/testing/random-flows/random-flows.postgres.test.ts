/**
 * Workflows at random on PostgreSQL, as on the embedded store (random-flows.test.ts): each run undisturbed, and by nodes that die at random
 * calls of the store, the model or a tool. Time is real here, so what the workflows wait for is short.
 *
 * `SEED` says with which workflow to begin, `FLOWS` how many there are.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import { openPostgresStore } from '../../store/postgres/open-postgres-store.ts';
import { createLife, type KillPoint, type Life } from '../harness/mortal.ts';
import { createRandom, seedOf } from '../harness/random.ts';
import { keepAlive } from '../harness/surviving-client.ts';
import { moves, type Node, useNodes } from '../postgres/nodes.ts';
import { differences } from './differences.ts';
import { killPoints } from './kill-points.ts';
import { makeFlow, type Pace } from './made-flow.ts';
import { type Played, playFlow, type Stage } from './play-flow.ts';

const seed = seedOf('SEED');
const flows = Number(process.env['FLOWS'] ?? 12);
const pace: Pace = { timer: 0.1, backoff: 0.05, timeout: 1 };
const nodes = useNodes();

/** `failed`: the next node could not be opened; whoever waits for it waits in vain. */
type OpenStage = Stage & { readonly close: () => Promise<void>; readonly failed: Promise<never> };

/** One node after another on the database of the test, the first of which dies at a point. */
const openStage = async (killAt?: KillPoint): Promise<OpenStage> => {
  let node: Node;
  let life: Life;
  let closed = false;
  let opening: Promise<void> = Promise.resolve();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const open = async (point?: KillPoint): Promise<void> => {
    const next = createLife(point);
    // Both at once: whoever asks the one is told by the other when it has died.
    node = await nodes.open({ life: next });
    life = next;
  };
  await open(killAt);
  // What is committed is read whoever lives.
  const observer = await openPostgresStore({ url: nodes.url, clock: systemClock, writeConnections: 1, poolSize: 2 });
  return {
    ...{ clock: moves, model: nodes.model, tools: nodes.tools },
    get engine() {
      return node.engine;
    },
    get life() {
      return life;
    },
    store: observer.sessions,
    restart: (point) => {
      if (closed) return new Promise(() => {});
      opening = nodes.kill(node, life).then(() => open(point));
      opening.catch(failed.reject);
      return opening.catch(() => new Promise(() => {}));
    },
    failed: failed.promise,
    close: async () => {
      closed = true;
      life.spare();
      await opening.catch(() => {});
      life.spare();
      await (life.alive() ? nodes.stop(node) : nodes.kill(node, life));
      await observer.close();
    },
  };
};

const play = async (stage: OpenStage, n: number, deaths: () => number): Promise<Played> => {
  const random = createRandom(n);
  const played = playFlow(stage, makeFlow(createRandom(n), pace), { pause: () => wait(random.below(16)), deaths });
  return Promise.race([played, stage.failed]).finally(stage.close);
};

const faultsOf = async (n: number): Promise<readonly string[]> => {
  const random = createRandom(n);
  const flow = makeFlow(random, pace);
  const quiet = await openStage();
  const first = await play(quiet, n, () => 0);
  const points = killPoints(random, (call) => quiet.life.calls(call));
  const [at, ...more] = points;
  const stage = await openStage(at);
  let deaths = 0;
  keepAlive(stage, () => {
    deaths += 1;
    return more[deaths - 1];
  });
  const second = await play(stage, n, () => deaths);
  const killed = [...second.faults, ...differences(flow, first, second)];
  return [...first.faults.map((fault) => `undisturbed: ${fault}`), ...killed.map((fault) => `killed ${JSON.stringify(points)}: ${fault}`)];
};

test(`workflows at random come to their ends, each attempt once, whatever dies (SEED=${seed})`, { timeout: 300_000 }, async () => {
  for (let n = 0; n < flows; n += 1) {
    const faults = await faultsOf(seed + n).catch((error: unknown) => [String(error)]);
    expect(faults, `SEED=${seed + n}`).toEqual([]);
  }
});
