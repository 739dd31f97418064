/**
 * The real thing: a server that is killed with `kill -9` at random moments while sessions run on it, clients that repeat
 * what got no answer under the same key, readers that come back by cursor. In the end no accepted turn is lost, none has
 * two outcomes, the order is kept, no effect happened twice, every reader saw exactly the log, and what was said, delegated,
 * published and counted is so once.
 *
 * `KILLS` (40; 8 on PostgreSQL), `SESSIONS` (50) and `SEED` set how much and which; `KILL_SECONDS` (60) bounds it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { effectFaults, loadFaults, tallyOf } from './crash-load/load-faults.ts';
import { startLoad } from './crash-load/start-load.ts';
import { createRandom, seedOf } from './harness/random.ts';
import { createServerProcess } from './harness/server-process.ts';
import { createStubbornHttp } from './harness/stubborn-http.ts';
import { startPrivatePostgres } from './private-postgres.ts';

const seed = seedOf('SEED');
const sessions = Number(process.env['SESSIONS'] ?? 50);
const most = Number(process.env['KILL_SECONDS'] ?? 60) * 1_000;

const killAround = async (kills: number, store: { readonly databaseUrl?: string }): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'turnkeeper-kill-'));
  const effects = join(folder, 'effects');
  writeFileSync(effects, '');
  mkdirSync(join(folder, 'data'));
  const server = await createServerProcess({ dataFolder: join(folder, 'data'), ...store, env: { EFFECTS_FILE: effects } });
  const http = createStubbornHttp(server.url, server.token);
  const random = createRandom(seed);
  const stop = new AbortController();
  try {
    await server.start();
    const { loads, end } = await startLoad(http, { sessions, seed, stop: stop.signal });
    const until = Date.now() + most;
    let killed = 0;
    for (; killed < kills && Date.now() < until; killed += 1) {
      await wait(50 + random.below(1_500));
      await server.kill();
      await server.start();
    }
    await end();
    await wait(500);
    const faults = [...(await Promise.all(loads.map((load) => loadFaults(http, load)))).flat(), ...effectFaults(effects, loads)];
    const tally = tallyOf(loads);
    process.stdout.write(`SEED=${seed}: ${killed} kills, ${loads.length} sessions, ${JSON.stringify(tally)}\n`);
    expect(faults, `SEED=${seed}\n${faults.join('\n')}\n${server.complaints()}`).toEqual([]);
    expect(tally['turns']).toBeGreaterThan(2 * sessions);
    expect(Object.entries(tally).filter(([, count]) => count === 0)).toEqual([]);
  } finally {
    stop.abort();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
};

test(`kill -9 on the embedded store (SEED=${seed})`, () => killAround(Number(process.env['KILLS'] ?? 40), {}));

test(`kill -9 on PostgreSQL (SEED=${seed})`, async () => {
  const postgres = await startPrivatePostgres();
  try {
    await killAround(Number(process.env['KILLS'] ?? 8), { databaseUrl: await postgres.freshDatabase() });
  } finally {
    await postgres.stop();
  }
});
