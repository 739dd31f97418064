/**
 * How fast is a whole turn? Submitted over HTTP, run by a scripted model of zero delay, streamed to a reader token by
 * token, completed, all of it durable: at K = 1, 10 and 100 sessions at once, against the floor in the same run.
 *
 * node bench/whole-turn.ts [--database postgres://… | --database private] [--seconds 4] [--runs 3]
 */
import { parseArgs } from 'node:util';
import { cpuMs, machineBusyMs, rssMb, startFloor, startService } from './lib/child.ts';
import { openDatabase } from './lib/database.ts';
import { report } from './lib/report.ts';
import { median, quantile, round } from './lib/stats.ts';
import { floorTarget, serviceTarget, type Target } from './lib/targets.ts';

const { values } = parseArgs({ options: { database: { type: 'string' }, seconds: { type: 'string', default: '4' }, runs: { type: 'string', default: '3' } } });
const seconds = Number(values.seconds);
const tokens = 20;

type Run = {
  readonly turnsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly firstP50: number;
  readonly cpuPerTurn: number;
  readonly othersPercent: number;
  readonly errors: number;
};

const load = async (target: Target, k: number): Promise<Run> => {
  const sessions = await Promise.all(Array.from({ length: k }, (_, n) => target.open(n)));
  await Promise.all(sessions.map((session) => session.turn()));
  const { pid } = target.child;
  const before = { cpu: cpuMs(pid), machine: machineBusyMs(), own: process.cpuUsage() };
  const totals: number[] = [];
  const firsts: number[] = [];
  let errors = 0;
  const from = performance.now();
  const until = from + seconds * 1_000;
  await Promise.all(
    sessions.map(async (session) => {
      while (performance.now() < until) {
        try {
          const { totalMs, firstMs } = await session.turn();
          totals.push(totalMs);
          firsts.push(firstMs);
        } catch {
          errors += 1;
        }
      }
    }),
  );
  const elapsed = performance.now() - from;
  const cpu = cpuMs(pid) - before.cpu;
  const own = process.cpuUsage(before.own);
  const others = machineBusyMs() - before.machine - cpu - (own.user + own.system) / 1_000;
  for (const session of sessions) session.close();
  return {
    turnsPerSecond: (totals.length * 1_000) / elapsed,
    p50: median(totals),
    p99: quantile(totals, 0.99),
    firstP50: median(firsts),
    cpuPerTurn: cpu / totals.length,
    othersPercent: Math.max(0, (others / elapsed) * 100),
    errors,
  };
};

const middle = (runs: readonly Run[], of: (run: Run) => number): number => median(runs.map(of));

const measure = async (name: string, target: Target): Promise<Record<string, string | number>[]> => {
  const rows: Record<string, string | number>[] = [];
  for (const k of [1, 10, 100]) {
    const runs: Run[] = [];
    for (let n = 0; n < Number(values.runs); n += 1) runs.push(await load(target, k));
    rows.push({
      system: name,
      K: k,
      'turns/s': round(
        middle(runs, (run) => run.turnsPerSecond),
        0,
      ),
      'p50 ms': round(middle(runs, (run) => run.p50)),
      'p99 ms': round(middle(runs, (run) => run.p99)),
      'first token p50 ms': round(middle(runs, (run) => run.firstP50)),
      'server CPU ms/turn': round(
        middle(runs, (run) => run.cpuPerTurn),
        2,
      ),
      'RSS MB': round(rssMb(target.child.pid), 0),
      errors: runs.reduce((sum, run) => sum + run.errors, 0),
      'others CPU %': round(
        middle(runs, (run) => run.othersPercent),
        0,
      ),
    });
  }
  return rows;
};

const floor = floorTarget(await startFloor(tokens));
const floorRows = await measure('floor', floor);
await floor.child.stop();
const database = values.database === undefined ? undefined : await openDatabase(values.database);
const service = await serviceTarget(await startService(database ? { database: database.url } : {}), `demo:tokens:${tokens}`);
const serviceRows = await measure(values.database === undefined ? 'turnkeeper (SQLite)' : 'turnkeeper (PostgreSQL)', service);
await service.child.stop();
await database?.stop();
const ratios = serviceRows.map((row, index) => ({ ...row, 'of the floor': round(Number(row['turns/s']) / Number(floorRows[index]?.['turns/s']), 2) }));
report('Whole turn, 20 tokens', [...floorRows.map((row) => ({ ...row, 'of the floor': 1 })), ...ratios]);
process.exit(0);
