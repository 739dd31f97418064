/**
 * W1 really tested: the system calls of a writing process are recorded, and at random moments its power is cut by the
 * model of a disk that keeps only what was synced. Every write that was acknowledged before must be there.
 *
 * Needs strace, and fails where it is missing; `torn-log.test.ts` runs anywhere, but cannot see a missing fsync.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { seeded } from '../../../testing/store-contract/random-walk.ts';
import { faultsAfterCut } from './after-cut.ts';
import { DiskModel } from './disk-model.ts';
import { bytesIn, firstNumber, parseSystemCalls, type SystemCall, straceArgs } from './system-calls.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const cuts = 12;
const strace = spawnSync('strace', ['-o', '/dev/null', process.execPath, '--version']).status === 0;

const record = (): { readonly folder: string; readonly calls: readonly SystemCall[] } => {
  const home = mkdtempSync(join(tmpdir(), 'turnkeeper-strace-'));
  const [folder, output] = [join(home, 'data'), join(home, 'trace')];
  try {
    const child = fileURLToPath(new URL('./writing-child.ts', import.meta.url));
    const run = spawnSync('strace', [...straceArgs(output), process.execPath, child, folder, String(seed), '25'], { maxBuffer: 100_000_000 });
    if (run.status !== 0) throw new Error(`the child failed: ${run.stderr.toString()}`);
    return { folder, calls: parseSystemCalls(readFileSync(output, 'latin1')) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

const acknowledgedBy = (call: SystemCall): readonly [number, number] | undefined => {
  if (call.edge !== 'entry' || call.name !== 'write' || firstNumber(call.args) !== 1) return undefined;
  const [, sid, seq] = /^ack (\d+) (\d+)\n$/.exec(bytesIn(call.args).toString()) ?? [];
  return sid === undefined ? undefined : [Number(sid), Number(seq)];
};

it(`W1 what was acknowledged survives a power cut at any moment (SEED=${seed})`, { timeout: 300_000 }, async () => {
  if (!strace) expect.fail('strace is missing: install it (on Debian: apt-get install strace)');
  const { folder, calls } = record();
  const pick = seeded(seed);
  const acks = calls.flatMap((call, index) => (acknowledgedBy(call) ? [index] : []));
  expect(acks.length).toBeGreaterThan(60);
  // Right after an acknowledgement, when the least may be lost, and anywhere.
  const moments = new Set(
    Array.from({ length: cuts }, (_, n) => (n % 2 === 0 ? (acks[pick(acks.length)] ?? 0) + 1 : (acks[0] ?? 0) + pick(calls.length - (acks[0] ?? 0)))),
  );
  const disk = new DiskModel(folder);
  const acknowledged = new Map<number, number>();
  for (const [index, call] of calls.entries()) {
    if (moments.has(index)) expect(await faultsAfterCut(disk.cut(pick), acknowledged), `cut before call ${index}`).toEqual([]);
    disk.apply(call);
    const ack = acknowledgedBy(call);
    if (ack) acknowledged.set(...ack);
  }
  expect(await faultsAfterCut(disk.cut(pick), acknowledged)).toEqual([]);
});
