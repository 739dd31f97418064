/** W1 when the folder is taken from under a running store, and who may read its files. */
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';
import { command, createdSession, headOf, waitMs } from '../../testing/store-contract/samples.ts';
import { useTestFolders } from './test-folder.ts';

const started: Worker[] = [];
vi.mock('./threads.ts', async (original) => {
  const real = await original<typeof import('./threads.ts')>();
  return {
    ...real,
    startThread: (...args: Parameters<typeof real.startThread>) => {
      const worker = real.startThread(...args);
      started.push(worker);
      return worker;
    },
  };
});

const folders = useTestFolders();
const gone = { code: 'storage_unavailable', message: expect.stringContaining('the database file was removed or replaced') as unknown, details: {} };
/** Longer than a look at the files is believed. */
const aLook = 300;

describe('DF1: the files of a running store', () => {
  it.each(['turnkeeper.db', 'turnkeeper.db-wal', 'turnkeeper.db-shm'])('%s removed: nothing more is taken', async (name) => {
    const folder = folders.make();
    const { sessions } = await folders.open(folder);
    const { head } = await createdSession(sessions);
    rmSync(join(folder, name));
    await expect(sessions.ping()).rejects.toMatchObject(gone);
    await waitMs(aLook);
    await expect(sessions.write(command(head))).rejects.toMatchObject(gone);
  });

  it('a folder moved away: nothing more is taken, also while another store uses its name; back again: all goes on', async () => {
    const folder = join(folders.make(), 'data');
    const first = await folders.open(folder);
    const { head } = await createdSession(first.sessions);
    renameSync(folder, `${folder}-moved`);
    await waitMs(aLook);
    await expect(first.sessions.write(command(head))).rejects.toMatchObject(gone);
    const second = await folders.open(folder);
    await createdSession(second.sessions);
    await expect(first.sessions.ping()).rejects.toMatchObject(gone);
    await expect(first.sessions.write(command(head))).rejects.toMatchObject(gone);
    await second.close();
    rmSync(folder, { recursive: true });
    renameSync(`${folder}-moved`, folder);
    await first.sessions.ping();
    expect(await first.sessions.write(command(await headOf(first.sessions, head.sid)))).toMatchObject({ ok: true });
  });

  it('a thread that is started again makes no new file in the place of the one that is gone', async () => {
    const folder = folders.make();
    const { sessions } = await folders.open(folder);
    const { head } = await createdSession(sessions);
    const before = readdirSync(folder);
    for (const name of before) rmSync(join(folder, name));
    await started.at(-1)?.terminate();
    await expect(sessions.write(command(head))).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(existsSync(join(folder, 'turnkeeper.db'))).toBe(false);
  });
});

describe('DF2: the files of a store', () => {
  const files = ['turnkeeper.db', 'turnkeeper.db-wal', 'turnkeeper.db-shm', 'lock.db'];
  const modes = (folder: string): string[] => files.map((name) => `${name} ${(statSync(join(folder, name)).mode & 0o777).toString(8)}`);

  it("are their owner's only, new or not, also in a folder that is open to others", async () => {
    const folder = join(folders.make(), 'data');
    mkdirSync(folder, { mode: 0o755 });
    const first = await folders.open(folder);
    const wanted = files.map((name) => `${name} 600`);
    expect(modes(folder)).toEqual(wanted);
    await first.close();
    for (const name of ['turnkeeper.db', 'lock.db']) chmodSync(join(folder, name), 0o644);
    await folders.open(folder);
    expect(modes(folder)).toEqual(wanted);
  });
});
