import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, createdSession, taken } from '../../testing/store-contract/samples.ts';
import { openReadConnection, openWriteConnection } from './connection.ts';
import { useTestFolders } from './test-folder.ts';
import { tendWriteAheadLog } from './write-ahead-log.ts';

describe('write-ahead log', () => {
  const folders = useTestFolders();

  it('W1 a write connection syncs each commit, and nobody checkpoints in the middle of one', () => {
    const db = openWriteConnection(join(folders.make(), 'a.db'));
    const pragma = (name: string): unknown => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    const full = 2;
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('wal_autocheckpoint')]).toEqual(['wal', full, 0]);
    db.close();
  });

  it('a read connection cannot write', () => {
    const file = join(folders.make(), 'a.db');
    const writer = openWriteConnection(file);
    writer.exec('CREATE TABLE t (a TEXT)');
    const reader = openReadConnection(file);
    expect(() => reader.exec("INSERT INTO t VALUES ('x')")).toThrow(/readonly/);
    reader.close();
    writer.close();
  });

  it('is begun anew by the writer when it has grown', () => {
    const file = join(folders.make(), 'a.db');
    const db = openWriteConnection(file);
    db.exec('CREATE TABLE t (a TEXT)');
    const log = tendWriteAheadLog(db, 200);
    const insert = db.prepare('INSERT INTO t VALUES (?)');
    const backlogs: number[] = [];
    for (let n = 0; n < 100; n += 1) {
      insert.run('x'.repeat(40_000));
      backlogs.push(log.tend());
    }
    expect(Math.max(...backlogs)).toBeGreaterThan(150);
    // Some 1,100 frames were written; without a restart all of them would be in the file.
    expect(statSync(`${file}-wal`).size).toBeLessThan(230 * 4120);
    expect(db.prepare('SELECT count(*) AS n FROM t').get()).toMatchObject({ n: 100 });
    db.close();
  });

  it('a reader that stays (a backup) is not waited for at each commit; when it has gone the log begins anew', () => {
    const file = join(folders.make(), 'a.db');
    const db = openWriteConnection(file);
    db.exec('CREATE TABLE t (a TEXT)');
    const log = tendWriteAheadLog(db, 200);
    const insert = db.prepare('INSERT INTO t VALUES (?)');
    const write = (times: number): void => {
      for (let n = 0; n < times; n += 1) {
        insert.run('x'.repeat(40_000));
        log.tend();
      }
    };
    insert.run('x');
    const reader = openReadConnection(file);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM t').get();
    // Some 1,100 frames: at each commit above the 200 it would have waited 10 s.
    write(100);
    const grown = statSync(`${file}-wal`).size;
    expect(grown).toBeGreaterThan(1_000 * 4120);
    reader.close();
    // Up to the next attempt, and then from the beginning of the file.
    write(600);
    expect(statSync(`${file}-wal`).size).toBeLessThan(grown + 4_500 * 4120);
    expect(Number(db.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.['log'])).toBeLessThan(230);
    expect(db.prepare('PRAGMA busy_timeout').get()).toMatchObject({ timeout: 10_000 });
    db.close();
  });

  it('is copied by the checkpoint thread while the store writes, and gone after close', async () => {
    const folder = folders.make();
    const { sessions, close } = await folders.open(folder);
    let { head } = await createdSession(sessions);
    const body = `"${'x'.repeat(1_000_000)}"`;
    for (let n = 0; n < 8; n += 1) head = taken(await sessions.write(command(head, { payloads: [{ n, body }] })));
    await expect.poll(() => statSync(join(folder, 'turnkeeper.db')).size).toBeGreaterThan(4_000_000);
    await close();
    expect(() => statSync(join(folder, 'turnkeeper.db-wal'))).toThrow(/ENOENT/);
  });
});
