/**
 * How fast does it start? On an empty folder, and after a crash that left many sessions and running turns behind:
 * until it listens, and until the last of those turns has begun a new run.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { newFolder, startService } from './lib/child.ts';
import { call } from './lib/http.ts';
import { report } from './lib/report.ts';
import { median, round } from './lib/stats.ts';
import { auth, makeAgent, post } from './lib/targets.ts';

const { values } = parseArgs({ options: { sessions: { type: 'string', default: '10000' }, running: { type: 'string', default: '100' } } });
const total = Number(values.sessions);
const running = Number(values.running);

const empty: number[] = [];
for (let n = 0; n < 5; n += 1) {
  const child = await startService();
  empty.push(child.startMs);
  await child.stop();
}

const folder = newFolder();
const first = await startService({ folder, keep: true });
const agent = await makeAgent(first, 'start', 'demo:script');
for (let n = 0; n < total - running; n += 100) {
  await Promise.all(Array.from({ length: Math.min(100, total - running - n) }, () => post(first, '/api/v1/agent-sessions', { agent })));
}
const hang = JSON.stringify({ script: [{ text: 'on my way ' }, { hang: true }] });
const turns = await Promise.all(
  Array.from({ length: running }, async (_, n) => {
    const session = await post<{ id: string; turnId: string }>(first, '/api/v1/agent-sessions', { agent, initialMessage: { message: hang } }, `r${n}`);
    return `/api/v1/agent-sessions/${session.id}/turns/${session.turnId}`;
  }),
);
await new Promise((resolve) => setTimeout(resolve, 1_000));
await first.kill();

const second = await startService({ folder, keep: true });
const from = performance.now();
const restarted = async (path: string): Promise<boolean> => {
  const turn = JSON.parse((await call(`${second.url}${path}`, { headers: auth })).body) as { status: string; runs: number };
  return turn.status === 'running' && turn.runs === 2;
};
let left = turns;
while (left.length > 0 && performance.now() - from < 30_000) {
  const done = await Promise.all(left.map(restarted));
  left = left.filter((_, index) => !done[index]);
}
const pickedUp = performance.now() - from;
await second.kill();
rmSync(folder, { recursive: true, force: true });
report('Start-up', [
  { what: 'empty folder, to listening, ms (median of 5)', value: round(median(empty), 0) },
  { what: `after kill -9 with ${total} sessions and ${running} running turns, to listening, ms`, value: round(second.startMs, 0) },
  { what: 'all running turns taken up after listening, ms', value: left.length === 0 ? round(pickedUp, 0) : `${left.length} never` },
]);
process.exit(0);
