/**
 * Does a session get slower as it grows? One session, turn after turn; the model's input is capped to the same size
 * (`maxContextMessages`). Then the first page of its snapshot.
 */
import { parseArgs } from 'node:util';
import { startService } from './lib/child.ts';
import { call } from './lib/http.ts';
import { report } from './lib/report.ts';
import { median, round } from './lib/stats.ts';
import { auth, makeAgent, post } from './lib/targets.ts';

const { values } = parseArgs({ options: { turns: { type: 'string', default: '1000' }, items: { type: 'string', default: '10000' } } });
const child = await startService();
const agent = await makeAgent(child, 'growth', 'demo:tokens:20', { maxContextMessages: 10 });
const session = await post<{ id: string }>(child, '/api/v1/agent-sessions', { agent });
const base = `/api/v1/agent-sessions/${session.id}`;
let keys = 0;

const turn = async (): Promise<number> => {
  keys += 1;
  const from = performance.now();
  const { id } = await post<{ id: string }>(child, `${base}/turns`, { message: 'go' }, `k${keys}`);
  const { body } = await call(`${child.url}${base}/turns/${id}?wait=30`, { headers: auth });
  if ((JSON.parse(body) as { status: string }).status !== 'completed') throw new Error(body);
  return performance.now() - from;
};

const window = async (): Promise<number> =>
  median(await Array.from({ length: 30 }).reduce<Promise<number[]>>(async (all) => [...(await all), await turn()], Promise.resolve([])));
const until = async (count: number): Promise<void> => {
  while (keys < count) await turn();
};

await until(10);
const early = await window();
await until(Number(values.turns));
const late = await window();
// Two items a turn: go on until the session has the wanted number.
await until(Number(values.items) / 2);
const snapshots: number[] = [];
let bytes = 0;
for (let n = 0; n < 20; n += 1) {
  const from = performance.now();
  bytes = (await call(`${child.url}${base}/snapshot`, { headers: auth })).body.length;
  snapshots.push(performance.now() - from);
}
await child.stop();
report('Growth of one session', [
  { what: 'turn 10 … 40, p50 ms', value: round(early, 2) },
  { what: `turn ${values.turns} … +30, p50 ms`, value: round(late, 2) },
  { what: 'ratio', value: round(late / early, 2) },
  { what: `snapshot of ${values.items} items, first page, p50 ms`, value: round(median(snapshots)) },
  { what: 'its size, KB', value: round(bytes / 1024, 0) },
]);
process.exit(0);
