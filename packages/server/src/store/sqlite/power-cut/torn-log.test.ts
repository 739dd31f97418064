/**
 * A power cut without strace: a writing process is killed, and of its files all that need not have been synced is
 * damaged: the log behind the last commit that was acknowledged, and the pages of the database that the log holds
 * anyway. What was acknowledged must be there, whole.
 *
 * This cannot see a missing sync (the file system remembers what a disk would have lost): `power-cut.crash.test.ts`
 * does that where strace is.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { seeded } from '../../../testing/store-contract/random-walk.ts';
import { type Acknowledged, faultsAfterCut } from './after-cut.ts';
import { type Commit, commitsOf } from './log-commits.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const pageBytes = 4096;
const sectorBytes = 512;
type Files = { readonly db: Buffer; readonly log: Buffer };
type Pick = (below: number) => number;

const child = fileURLToPath(new URL('./writing-child.ts', import.meta.url));

/** Kills the child after about `writes` answers; gives what was acknowledged and the files as they are then. */
const killed = async (home: string, writes: number): Promise<{ readonly acknowledged: Acknowledged; readonly files: Files }> => {
  const folder = join(home, 'data');
  const run = spawn(process.execPath, [child, folder, String(seed), '200'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(run, 'exit');
  let said = '';
  run.stdout.on('data', (text: Buffer) => {
    said += text.toString();
    if (said.split('\n').length > writes) run.kill('SIGKILL');
  });
  await Promise.all([exit, once(run.stdout, 'close')]);
  const acks = [...said.matchAll(/^ack (\d+) (\d+)$/gm)].map(([, sid, seq]) => [Number(sid), Number(seq)] as const);
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  return { acknowledged: new Map(acks), files: { db: read('turnkeeper.db'), log: read('turnkeeper.db-wal') } };
};

const holds = (home: string, { db, log }: Files, acknowledged: Acknowledged): boolean => {
  const folder = mkdtempSync(join(home, 'look-'));
  writeFileSync(join(folder, 'a.db'), db);
  writeFileSync(join(folder, 'a.db-wal'), log);
  const look = new DatabaseSync(join(folder, 'a.db'));
  try {
    const heads = look.prepare('SELECT sid, seq FROM heads').all();
    return [...acknowledged].every(([sid, seq]) => heads.some((head) => head['sid'] === sid && Number(head['seq']) >= seq));
  } catch {
    return false;
  } finally {
    look.close();
  }
};

/** The earliest commit with which all that was acknowledged is there: what comes after it need not have been synced. */
const lastNeeded = (home: string, files: Files, commits: readonly Commit[], acknowledged: Acknowledged): number => {
  let [low, high] = [0, commits.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(home, { ...files, log: files.log.subarray(0, commits[middle]?.end) }, acknowledged)) high = middle;
    else low = middle + 1;
  }
  return low;
};

const damageSectors = (bytes: Buffer, from: number, to: number, pick: Pick): void => {
  for (let at = from; at < to; at += sectorBytes) {
    const fate = pick(4);
    if (fate === 0) bytes.fill(0, at, Math.min(at + sectorBytes, to));
    if (fate === 1) bytes.fill(pick(256), at, Math.min(at + sectorBytes, to));
  }
};

const damaged = (files: Files, commits: readonly Commit[], needed: number, pick: Pick): Files => {
  const [db, whole] = [Buffer.from(files.db), Buffer.from(files.log)];
  const end = commits[needed]?.end ?? 0;
  const log = pick(3) === 0 ? whole.subarray(0, end + pick(whole.length - end + 1)) : whole;
  damageSectors(log, end, log.length, pick);
  for (const page of new Set(commits.slice(0, needed + 1).flatMap((commit) => commit.pages))) {
    if (pick(2) === 0) damageSectors(db, Math.min((page - 1) * pageBytes, db.length), Math.min(page * pageBytes, db.length), pick);
  }
  return { db, log };
};

it(`W1 what was acknowledged survives a torn log and torn pages (SEED=${seed})`, { timeout: 120_000 }, async () => {
  const pick = seeded(seed);
  const home = mkdtempSync(join(tmpdir(), 'turnkeeper-torn-'));
  try {
    const { acknowledged, files } = await killed(home, 60 + pick(60));
    const commits = commitsOf(files.log);
    expect(commits.length).toBeGreaterThan(0);
    expect(holds(home, files, acknowledged)).toBe(true);
    const needed = lastNeeded(home, files, commits, acknowledged);
    for (let variant = 0; variant < 5; variant += 1) {
      const { db, log } = damaged(files, commits, needed, pick);
      expect(
        await faultsAfterCut(
          new Map([
            ['turnkeeper.db', db],
            ['turnkeeper.db-wal', log],
          ]),
          acknowledged,
        ),
        `variant ${variant}`,
      ).toEqual([]);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
