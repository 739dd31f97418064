/**
 * How long until a submission is acknowledged (202, durable)? At K = 1, against one fdatasync of this disk in the same
 * run. Turns end at once (a model of one token); each is waited for before the next, so that the queue stays empty.
 */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, startService } from './lib/child.ts';
import { report } from './lib/report.ts';
import { median, quantile, round } from './lib/stats.ts';
import { serviceTarget } from './lib/targets.ts';

const fdatasyncs = (count: number): number[] => {
  const folder = newFolder();
  const file = openSync(join(folder, 'probe'), 'w');
  const block = Buffer.alloc(4_096, 1);
  const times = Array.from({ length: count }, () => {
    writeSync(file, block);
    const from = performance.now();
    fdatasyncSync(file);
    return performance.now() - from;
  });
  closeSync(file);
  rmSync(folder, { recursive: true, force: true });
  return times.slice(20);
};

const child = await startService();
const session = await (await serviceTarget(child, 'demo:tokens:1')).open(0);
const rows = [];
for (let run = 1; run <= 3; run += 1) {
  const sync = median(fdatasyncs(300));
  for (let n = 0; n < 50; n += 1) await session.turn();
  const acks: number[] = [];
  for (let n = 0; n < 300; n += 1) acks.push((await session.turn()).ackMs);
  rows.push({
    run,
    'fdatasync p50 ms': round(sync, 3),
    'submit p50 ms': round(median(acks), 2),
    'submit p99 ms': round(quantile(acks, 0.99), 2),
    'times one fdatasync': round(median(acks) / sync, 1),
  });
}
session.close();
await child.stop();
report('Submit acknowledged, K = 1', rows);
process.exit(0);
