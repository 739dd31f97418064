/** What must be true of a folder after the power was cut. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../ports/clock.ts';
import { rebuildCheck } from '../../../testing/store-contract/rebuild-check.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';

/** The newest acknowledged seq of each session. */
export type Acknowledged = ReadonlyMap<number, number>;

const storeFaults = async (folder: string, acknowledged: Acknowledged): Promise<string[]> => {
  const { sessions, close } = await openSqliteStore({ folder, clock: systemClock });
  const faults: string[] = [];
  try {
    for (const [sid, seq] of acknowledged) {
      const loaded = await sessions.loadBySid(sid);
      if (!loaded || loaded.head.seq < seq) faults.push(`session ${sid}: acknowledged up to ${seq}, there is ${loaded?.head.seq ?? 'nothing'}`);
      if (loaded) faults.push(...(await rebuildCheck(sessions, sid)).map((fault) => `session ${sid}: ${fault}`));
    }
    await sessions.ping();
  } finally {
    await close();
  }
  return faults;
};

/** Opens the store on these files and names what is wrong: lost writes, folds that differ, a damaged database. */
export const faultsAfterCut = async (files: ReadonlyMap<string, Buffer>, acknowledged: Acknowledged): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'turnkeeper-cut-'));
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of files) if (!name.endsWith('-shm')) writeFileSync(join(folder, name), content);
    const faults = await storeFaults(folder, acknowledged);
    const db = new DatabaseSync(join(folder, 'turnkeeper.db'));
    const verdict = db
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => String(row['integrity_check']));
    db.close();
    return verdict.join() === 'ok' ? faults : [...faults, ...verdict];
  } catch (error) {
    return [`the store does not open: ${String(error)}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
