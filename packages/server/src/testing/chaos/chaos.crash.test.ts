/**
 * Many nodes for real (failure cases 18, 29, 32, 33, 37): three servers on one PostgreSQL, one with its clock ten minutes
 * ahead; sessions with tools, approvals, cancels and submissions sent twice, each call and each reconnect of a reader to
 * any node; meanwhile processes are killed, stopped in good order and stopped past their lease, the database restarts and crashes, connections
 * are cut, slowed and swallowed.
 *
 * In the end: no accepted turn is lost, none has two outcomes, none is run by two at once, the order is kept, every reader
 * saw exactly the log, no effect happened twice, and the nodes' times agree.
 *
 * `CHAOS_SECONDS` (45) and `CHAOS_SESSIONS` (20) set how much, `SEED` which.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { effectFaults, loadFaults, tallyOf } from '../crash-load/load-faults.ts';
import type { SessionLoad } from '../crash-load/session-load.ts';
import { startLoad } from '../crash-load/start-load.ts';
import { createRandom, seedOf } from '../harness/random.ts';
import { createStubbornHttp } from '../harness/stubborn-http.ts';
import { startPrivatePostgres } from '../private-postgres.ts';
import { startCluster } from './cluster.ts';
import { haunt } from './mishaps.ts';

const seed = seedOf('SEED');
const seconds = Number(process.env['CHAOS_SECONDS'] ?? 45);
const sessions = Number(process.env['CHAOS_SESSIONS'] ?? 20);

/** Times that run backwards in a session's log by more than nodes of one time may differ, one of which was just paused. */
const timeFaults = ({ id, seen }: SessionLoad): readonly string[] =>
  seen.flatMap((event, index) => {
    const before = seen[index - 1]?.created_at ?? 0;
    return event.created_at < before - 10_000 ? [`${id}: ${event.id} is ${before - event.created_at} ms older than the event before it`] : [];
  });

test(`three nodes among mishaps (SEED=${seed})`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnkeeper-chaos-'));
  const effects = join(folder, 'effects');
  writeFileSync(effects, '');
  const random = createRandom(seed);
  const stop = new AbortController();
  const postgres = await startPrivatePostgres();
  const cluster = await startCluster(postgres, folder, effects, createRandom(seed + 1));
  try {
    const http = createStubbornHttp(cluster.anyNode, cluster.token);
    const { loads, end } = await startLoad(http, { sessions, seed, stop: stop.signal });
    const until = Date.now() + seconds * 1_000;
    const happened = await haunt(cluster, postgres, random, () => Date.now() > until);
    await end();
    await wait(500);
    const faults = [...(await Promise.all(loads.map((load) => loadFaults(http, load)))).flat(), ...effectFaults(effects, loads), ...loads.flatMap(timeFaults)];
    const tally = tallyOf(loads);
    process.stdout.write(`SEED=${seed}: ${happened.length} mishaps, ${loads.length} sessions, ${JSON.stringify(tally)}\n`);
    expect(faults, `SEED=${seed}\n${faults.join('\n')}\n${happened.join('\n')}\n${cluster.complaints()}`).toEqual([]);
    expect(tally['turns']).toBeGreaterThan(2 * sessions);
    expect(Object.entries(tally).filter(([, count]) => count === 0)).toEqual([]);
  } finally {
    stop.abort();
    await cluster.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
