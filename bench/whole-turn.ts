/**
 * How fast is a whole turn? Submitted over HTTP, run by a scripted model of zero delay, streamed to a reader token by
 * token, completed, all of it durable: at K = 1, 10 and 100 sessions at once, against the floor in the same run.
 * With `--provider` the tokens of both come from a provider in a process of its own, over HTTP, as they do in real life.
 *
 * node bench/whole-turn.ts [--provider] [--database postgres://… | --database private] [--seconds 4] [--runs 3]
 */
import { parseArgs } from 'node:util';
import { rssMb, startFloor, startProvider, startService } from './lib/child.ts';
import { openDatabase } from './lib/database.ts';
import { load, middle, type Run } from './lib/load.ts';
import { report } from './lib/report.ts';
import { round } from './lib/stats.ts';
import { floorTarget, serviceTarget, type Target } from './lib/targets.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    provider: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '4' },
    runs: { type: 'string', default: '3' },
  },
});
const seconds = Number(values.seconds);
const tokens = 20;

const measure = async (name: string, target: Target): Promise<Record<string, string | number>[]> => {
  const rows: Record<string, string | number>[] = [];
  for (const k of [1, 10, 100]) {
    const runs: Run[] = [];
    for (let n = 0; n < Number(values.runs); n += 1) runs.push(await load(target.open, k, { pids: [target.child.pid], seconds }));
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

const provider = values.provider ? await startProvider(tokens) : undefined;
const floor = floorTarget(await startFloor(provider?.url ?? tokens));
const floorRows = await measure('floor', floor);
await floor.child.stop();
const database = values.database === undefined ? undefined : await openDatabase(values.database);
const env = provider ? { OPENAI_COMPATIBLE_BASE_URL: `${provider.url}/v1`, OPENAI_COMPATIBLE_API_KEY: 'bench' } : {};
const started = await startService(database ? { database: database.url, env } : { env });
const service = await serviceTarget(started, provider ? 'openai-compatible:bench' : `demo:tokens:${tokens}`);
const serviceRows = await measure(values.database === undefined ? 'turnkeeper (SQLite)' : 'turnkeeper (PostgreSQL)', service);
await service.child.stop();
await provider?.stop();
await database?.stop();
const ratios = serviceRows.map((row, index) => ({ ...row, 'of the floor': round(Number(row['turns/s']) / Number(floorRows[index]?.['turns/s']), 2) }));
report('Whole turn, 20 tokens', [...floorRows.map((row) => ({ ...row, 'of the floor': 1 })), ...ratios]);
process.exit(0);
