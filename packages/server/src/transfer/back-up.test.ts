/** A backup is one moment of the store, whatever is written meanwhile; what is not whole is never put back. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { emptyState } from '@turnkeeper/core/session/state';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { useTestFolders } from '../store/sqlite/test-folder.ts';
import { rebuildCheck } from '../testing/store-contract/rebuild-check.ts';
import { command, createdSession, event, headOf, logOf, taken } from '../testing/store-contract/samples.ts';
import { backUpFolder, secretKeyIn } from './back-up.ts';
import { checkBackup } from './backup-file.ts';
import { restoreFolder } from './restore.ts';

const folders = useTestFolders();
const child = fileURLToPath(new URL('./test-backup-child.ts', import.meta.url));
const state = { body: JSON.stringify(emptyState), due: null };

const sessionIn = async (store: SessionStore): Promise<number> =>
  (await createdSession(store, { write: { events: [event('session.status_created')], state } })).head.sid;
const append = async (store: SessionStore, sid: number, size = 1_000): Promise<void> => {
  const head = await headOf(store, sid);
  const n = head.seq + 1;
  const error = event('session.error', { error_code: 'x', error_message: `${n}` });
  taken(await store.write(command(head, { events: [error], payloads: [{ n, body: `"${'x'.repeat(size)}"` }], state })));
};
/** A store with some sessions of `size` bytes each. */
const filled = async (sessions = 3, size = 1_000): Promise<{ folder: string; sids: number[] }> => {
  const folder = folders.make();
  const store = await openSqliteStore({ folder, clock: systemClock });
  const sids: number[] = [];
  for (let n = 0; n < sessions; n += 1) {
    const sid = await sessionIn(store.sessions);
    await append(store.sessions, sid, size);
    sids.push(sid);
  }
  await store.close();
  return { folder, sids };
};
const fileIn = (folder: string): string => join(folder, 'backup.db');
const backedUp = async (folder: string): Promise<string> => {
  const to = fileIn(folders.make());
  await backUpFolder(folder, { to, madeAt: 5 });
  return to;
};
const listed = (folder: string): string[] => readdirSync(folder).toSorted();

describe('a backup', () => {
  it('that is made while the server writes is a prefix of each log, with state and resources that belong to it', async () => {
    const folder = folders.make();
    const store = await folders.open(folder);
    const sids = await Promise.all(Array.from({ length: 6 }, () => sessionIn(store.sessions)));
    for (const sid of sids) await append(store.sessions, sid, 2_000_000);
    let writing = true;
    const writers = sids.map(async (sid) => {
      while (writing) await append(store.sessions, sid);
    });
    const before = await Promise.all(sids.map(async (sid) => (await logOf(store.sessions, sid)).length));
    const to = fileIn(folders.make());
    const run = spawn(process.execPath, [child, 'backup', folder, to], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(run.stdout, 'data')) as [Buffer];
    writing = false;
    await Promise.all(writers);
    expect(JSON.parse(said.toString())).toEqual({ done: true });
    const restored = folders.make();
    restoreFolder(to, restored, { now: 1 });
    const copy = await folders.open(restored);
    let behind = 0;
    for (const [at, sid] of sids.entries()) {
      const [log, whole] = [await logOf(copy.sessions, sid), await logOf(store.sessions, sid)];
      expect(log).toEqual(whole.slice(0, log.length));
      expect(log.length).toBeGreaterThanOrEqual(before[at] ?? 0);
      behind += whole.length - log.length;
      expect(await rebuildCheck(copy.sessions, sid)).toEqual([]);
      expect(await copy.sessions.payload(sid, log.length)).toBeDefined();
    }
    expect(behind).toBeGreaterThan(0);
    // The server went on, and nothing that it wrote is lost to the next start.
    const logs = await Promise.all(sids.map((sid) => logOf(store.sessions, sid)));
    await store.close();
    const next = await folders.open(folder);
    expect(await Promise.all(sids.map((sid) => logOf(next.sessions, sid)))).toEqual(logs);
  });

  it('BF1 that is killed in the middle leaves nothing that is taken for one', async () => {
    const { folder } = await filled(20, 2_000_000);
    let inTheMiddle = 0;
    // Where a kill strikes is the machine's business.
    for (let round = 0; round < 6 || (inTheMiddle === 0 && round < 60); round += 1) {
      const out = folders.make();
      const run = spawn(process.execPath, [child, 'backup', folder, fileIn(out)], { stdio: 'ignore' });
      const ended = once(run, 'exit');
      const partial = (): string | undefined =>
        readdirSync(out).find((name) => name.includes('.partial-') && (statSync(join(out, name), { throwIfNoEntry: false })?.size ?? 0) > 0);
      while (partial() === undefined && run.exitCode === null) await wait(1);
      await wait((round % 6) * 20);
      run.kill('SIGKILL');
      await ended;
      const left = listed(out).filter((name) => !name.endsWith('-journal'));
      if (left.length === 0 || existsSync(fileIn(out))) continue;
      inTheMiddle += 1;
      for (const name of left) {
        const target = folders.make();
        expect(() => restoreFolder(join(out, name), target, { now: 1 }), name).toThrow();
        expect(listed(target)).toEqual(['lock.db']);
      }
    }
    expect(inTheMiddle).toBeGreaterThan(0);
  });

  it('BF2 that was damaged is refused', async () => {
    const { folder } = await filled();
    const good = await backedUp(folder);
    expect(checkBackup(good).manifest).toMatchObject({ format: 1, madeAt: 5, from: 'sqlite', tables: { sessions: { rows: 3 }, events: { rows: 6 } } });
    const bytes = readFileSync(good);
    const refusedWith = (change: (copy: Buffer) => Buffer): void => {
      const bad = fileIn(folders.make());
      writeFileSync(bad, change(Buffer.from(bytes)));
      const target = folders.make();
      expect(() => restoreFolder(bad, target, { now: 1 })).toThrow(
        expect.objectContaining({ details: expect.objectContaining({ reason: 'damaged' }) as unknown }),
      );
      expect(listed(target)).toEqual(['lock.db']);
    };
    refusedWith((copy) => copy.subarray(0, copy.length - 4096));
    refusedWith((copy) => copy.subarray(0, 100));
    refusedWith(() => Buffer.alloc(0));
    refusedWith(() => Buffer.from('not a database'.repeat(1_000)));
    for (const mark of ['"error_message":"2"', 'xxxxxxxx', 'session.status_created'])
      refusedWith((copy) => {
        copy[copy.lastIndexOf(mark) + 1] = 0x7e;
        return copy;
      });
    expect(() => restoreFolder(join(folder, 'turnkeeper.db'), folders.make(), { now: 1 })).toThrow(/not a backup/);
  });

  it('is not written over another file, and says what is missing', async () => {
    const { folder } = await filled();
    const to = await backedUp(folder);
    await expect(backUpFolder(folder, { to, madeAt: 1 })).rejects.toMatchObject({ details: { reason: 'exists' } });
    await expect(backUpFolder(folders.make(), { to: `${to}.2`, madeAt: 1 })).rejects.toMatchObject({ details: { reason: 'missing' } });
    await expect(backUpFolder(folder, { to: join(to, 'x'), madeAt: 1 })).rejects.toMatchObject({ details: { reason: 'not_writable' } });
    expect(statSync(to).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.platform !== 'linux')('leaves nothing half on a full disk, nor does putting one back', async () => {
    const { folder } = await filled(4, 1_000_000);
    const limited = (what: string, at: string, file: string): unknown => {
      // The signal that comes with the limit ends a process that does not ignore it.
      const shell = `trap "" XFSZ; exec prlimit --fsize=1500000: "$0" "$@"`;
      return JSON.parse(spawnSync('sh', ['-c', shell, process.execPath, child, what, at, file]).stdout.toString());
    };
    const out = folders.make();
    expect(limited('backup', folder, fileIn(out))).toMatchObject({ reason: 'not_writable' });
    expect(listed(out)).toEqual([]);
    const target = folders.make();
    expect(limited('restore', target, await backedUp(folder))).toMatchObject({ reason: 'not_writable' });
    expect(listed(target)).toEqual(['lock.db']);
  });
});

describe('a restore', () => {
  it('wants a folder that is free and empty; what is there is moved aside, never deleted', async () => {
    const { folder, sids } = await filled(1);
    const file = await backedUp(folder);
    const other = await filled(2);
    const store = await openSqliteStore({ folder: other.folder, clock: systemClock });
    expect(() => restoreFolder(file, other.folder, { now: 1, force: true })).toThrow(/another process|a server uses it/);
    await store.close();
    expect(() => restoreFolder(file, other.folder, { now: 1 })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ reason: 'not_empty' }) as unknown }),
    );
    const { movedTo } = restoreFolder(file, other.folder, { now: 1, force: true });
    const copy = await folders.open(other.folder);
    expect(await logOf(copy.sessions, sids[0] ?? 0)).toHaveLength(2);
    expect(await copy.sessions.loadBySid(2)).toBeUndefined();
    const aside = await folders.open(movedTo ?? '');
    expect(await aside.sessions.loadBySid(2)).toBeDefined();
  });

  it('BF3 brings the key for secrets along only if it was asked for', async () => {
    const { folder } = await filled(1);
    const key = 'ab'.repeat(32);
    writeFileSync(join(folder, 'secret.key'), `${key}\n`);
    const without = await backedUp(folder);
    expect(readFileSync(without).includes(key)).toBe(false);
    const first = folders.make();
    expect(restoreFolder(without, first, { now: 1 })).toMatchObject({ secretKey: 'none' });
    const to = fileIn(folders.make());
    await backUpFolder(folder, { to, madeAt: 1, secretKey: secretKeyIn(folder) });
    const second = folders.make();
    expect(restoreFolder(to, second, { now: 1 })).toMatchObject({ secretKey: 'restored' });
    expect(secretKeyIn(second)).toBe(key);
    expect(statSync(join(second, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(second, 'turnkeeper.db')).includes(key)).toBe(false);
    // Another key is not written over.
    const third = folders.make();
    writeFileSync(join(third, 'secret.key'), `${'cd'.repeat(32)}\n`);
    expect(() => restoreFolder(to, third, { now: 1 })).toThrow(/secret\.key/);
    const { movedTo } = restoreFolder(to, third, { now: 1, force: true });
    expect([secretKeyIn(third), secretKeyIn(movedTo ?? '')]).toEqual([key, 'cd'.repeat(32)]);
  });
});
