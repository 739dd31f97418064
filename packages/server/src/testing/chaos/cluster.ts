/**
 * Three servers on one database, as they stand behind a load balancer: each reached through a proxy of its own, each
 * reaching the database through another, so that either side of it can be cut, delayed or swallowed.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CuttingProxy, startCuttingProxy } from '../harness/cutting-proxy.ts';
import type { Random } from '../harness/random.ts';
import { createServerProcess, type ServerProcess } from '../harness/server-process.ts';
import type { PrivatePostgres } from '../private-postgres.ts';

export type Node = {
  readonly name: string;
  readonly server: ServerProcess;
  /** What clients come through. */
  readonly front: CuttingProxy;
  /** What the database is reached through. */
  readonly back: CuttingProxy;
};

export type Cluster = {
  readonly nodes: readonly [Node, Node, Node];
  readonly token: string;
  /** The address of any node, each time another. */
  readonly anyNode: () => string;
  readonly complaints: () => string;
  readonly close: () => Promise<void>;
};

/** Short, so that a bounded test sees many leases run out. */
export const leaseMs = 3_000;
/** The clock of the last node is wrong by ten minutes. */
const clockOffsetMs = 600_000;

export const startCluster = async (postgres: PrivatePostgres, folder: string, effects: string, random: Random): Promise<Cluster> => {
  const database = await postgres.freshDatabase();
  const startNode = async (name: string, offsetMs: number): Promise<Node> => {
    const back = await startCuttingProxy(postgres.port);
    const dataFolder = join(folder, name);
    mkdirSync(dataFolder);
    const databaseUrl = database.replace(/127\.0\.0\.1:\d+/, new URL(back.url).host);
    const env = { EFFECTS_FILE: effects, LEASE_MS: String(leaseMs), CLOCK_OFFSET_MS: String(offsetMs), TURNKEEPER_FILES_FOLDER: join(folder, 'files') };
    const server = await createServerProcess({ dataFolder, databaseUrl, env });
    const front = await startCuttingProxy(Number(new URL(server.url).port));
    return { name, server, front, back };
  };
  const nodes = [await startNode('a', 0), await startNode('b', 0), await startNode('c', clockOffsetMs)] as const;
  // At the same moment, on an empty database: one migrates, the others wait for it.
  await Promise.all(nodes.map(({ server }) => server.start()));
  return {
    nodes,
    token: nodes[0].server.token,
    anyNode: () => random.pick([...nodes]).front.url,
    complaints: () => nodes.map(({ name, server }) => `--- ${name}\n${server.complaints()}`).join('\n'),
    close: async () => {
      for (const { server, front, back } of nodes) {
        server.resume();
        await server.kill();
        await Promise.all([front.close(), back.close()]);
      }
    },
  };
};
