/**
 * What do two nodes on one PostgreSQL do together, and what do an application's counters cost?
 *
 * At K = 1, 10 and 100 sessions at once, whole turns as in whole-turn.ts:
 * - on one node; on two, half of the sessions on each; on two, where each session's turns are submitted on one and read on
 *   the other (each event then comes by a wake-up and a look into the log);
 * - sessions of a user, who is not counted, against those of one application, whose counters all its turns move, and of
 *   ten. Both on one node.
 * "of the first" compares with the first row of the same K in the same part.
 *
 * node bench/two-nodes.ts [--database postgres://… | --database private] [--seconds 4] [--runs 3]
 */
import { parseArgs } from 'node:util';
import { type Child, startService } from './lib/child.ts';
import { openDatabase } from './lib/database.ts';
import { load, middle, type Run } from './lib/load.ts';
import { report } from './lib/report.ts';
import { round } from './lib/stats.ts';
import { auth, makeAgent, openSession, post, type SessionPlace } from './lib/targets.ts';

const { values } = parseArgs({
  options: { database: { type: 'string', default: 'private' }, seconds: { type: 'string', default: '4' }, runs: { type: 'string', default: '3' } },
});
const seconds = Number(values.seconds);
const sizes = [1, 10, 100];
const tokens = 20;

/** One way to spread sessions: where the n-th is, and whose. */
type Spread = { readonly name: string; readonly nodes: readonly Child[]; readonly place: (n: number) => SessionPlace };
type Row = Record<string, string | number>;

const measure = async (agent: string, { name, nodes, place }: Spread, k: number): Promise<Row> => {
  const runs: Run[] = [];
  const pids = nodes.map(({ pid }) => pid);
  for (let n = 0; n < Number(values.runs); n += 1) runs.push(await load((nth) => openSession(agent, place(nth)), k, { pids, seconds }));
  return {
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
    'others CPU %': round(
      middle(runs, (run) => run.othersPercent),
      0,
    ),
    errors: runs.reduce((sum, run) => sum + run.errors, 0),
  };
};

/** The spreads of a part take turns at each K, so that what the machine does meanwhile strikes all of them. */
const compare = async (agent: string, spreads: readonly Spread[]): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const k of sizes) {
    const first = rows.length;
    for (const spread of spreads) rows.push(await measure(agent, spread, k));
    for (const row of rows.slice(first)) row['of the first'] = round(Number(row['turns/s']) / Number(rows[first]?.['turns/s']), 2);
  }
  return rows;
};

const newApplication = async (child: Child, name: string): Promise<Readonly<Record<string, string>>> => {
  const { application } = await post<{ application: { id: string } }>(child, '/api/v1/applications', { name });
  const credential = { name: 'bench', scopes: ['invoke', 'read'], targets: [{ type: 'agent', id: '*' }] };
  const { apiKey } = await post<{ apiKey: string }>(child, `/api/v1/applications/${application.id}/credentials`, credential);
  return { Authorization: `Bearer ${apiKey}` };
};

const database = await openDatabase(values.database);
const first = await startService({ database: database.url });
const second = await startService({ database: database.url });
const agent = await makeAgent(first, `bench-${Date.now().toString(36)}`, `demo:tokens:${tokens}`);
const pair = [first, second];
const nth = (n: number): Child => (n % 2 === 0 ? first : second);
const on = (submit: Child, read: Child, headers: SessionPlace['headers'] = auth): SessionPlace => ({ submitAt: submit.url, readAt: read.url, headers });
const nodes = await compare(agent, [
  { name: 'one node', nodes: [first], place: () => on(first, first) },
  { name: 'two nodes', nodes: pair, place: (n) => on(nth(n), nth(n)) },
  { name: 'two nodes, read on the other', nodes: pair, place: (n) => on(nth(n), nth(n + 1)) },
]);
await second.stop();
const applications = await Promise.all(Array.from({ length: 11 }, (_, n) => newApplication(first, `bench-${Date.now().toString(36)}-${n}`)));
const owners = await compare(agent, [
  { name: 'a user (not counted)', nodes: [first], place: () => on(first, first) },
  { name: 'one application', nodes: [first], place: () => on(first, first, applications[10]) },
  { name: 'ten applications', nodes: [first], place: (n) => on(first, first, applications[n % 10]) },
]);
await first.stop();
await database.stop();
report('PostgreSQL: one node and two', nodes);
report('PostgreSQL: owners with counters', owners);
process.exit(0);
