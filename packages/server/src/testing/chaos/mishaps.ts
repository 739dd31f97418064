/** What happens to the cluster, one thing after the other; each leaves it whole again. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../harness/random.ts';
import type { PrivatePostgres } from '../private-postgres.ts';
import { type Cluster, leaseMs, type Node } from './cluster.ts';

type Mishap = (on: { readonly node: Node; readonly postgres: PrivatePostgres; readonly random: Random }) => Promise<void>;

/** By name; the number says how often it is drawn. */
const mishaps: Readonly<Record<string, readonly [number, Mishap]>> = {
  'kill -9': [
    6,
    async ({ node, random }) => {
      await node.server.kill();
      await wait(random.below(1_500));
      await node.server.start();
    },
  ],
  'a deploy': [
    3,
    async ({ node, random }) => {
      await node.server.stop();
      await wait(random.below(500));
      await node.server.start();
    },
  ],
  'stopped past its lease': [
    3,
    async ({ node, random }) => {
      node.server.pause();
      await wait(leaseMs + 500 + random.below(2_000));
      node.server.resume();
    },
  ],
  'stopped for a moment': [
    2,
    async ({ node, random }) => {
      node.server.pause();
      await wait(random.below(leaseMs / 2));
      node.server.resume();
    },
  ],
  'the database restarts': [1, async ({ postgres }) => postgres.restart()],
  'the database crashes': [
    1,
    async ({ postgres, random }) => {
      await postgres.stopHard();
      await wait(random.below(1_000));
      await postgres.start();
    },
  ],
  'database connections are cut': [3, async ({ node }) => node.back.cutAll()],
  'database connections swallow everything': [2, async ({ node }) => node.back.swallowAll()],
  'the database is slow': [
    2,
    async ({ node, random }) => {
      node.back.weather({ delayMs: 20 + random.below(150) });
      node.back.cutAll();
      await wait(1_500);
      node.back.weather({});
      node.back.cutAll();
    },
  ],
  'clients are cut off': [4, async ({ node }) => node.front.cutAll()],
  'answers are cut short': [
    2,
    async ({ node, random }) => {
      node.front.weather({ cutAfter: 200 + random.below(3_000) });
      node.front.cutAll();
      await wait(1_000);
      node.front.weather({});
      node.front.cutAll();
    },
  ],
};

const lots: readonly string[] = Object.entries(mishaps).flatMap(([name, [times]]) => Array.from({ length: times }, () => name));

/** Makes things happen until `over`; tells what happened, in order. */
export const haunt = async (cluster: Cluster, postgres: PrivatePostgres, random: Random, over: () => boolean): Promise<readonly string[]> => {
  const happened: string[] = [];
  while (!over()) {
    await wait(100 + random.below(1_200));
    const name = lots[random.below(lots.length)] ?? '';
    const node = random.pick([...cluster.nodes]);
    happened.push(`${node.name}: ${name}`);
    await mishaps[name]?.[1]({ node, postgres, random });
  }
  return happened;
};
