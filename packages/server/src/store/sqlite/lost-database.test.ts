/** LD1: what is taken for a lost database, and what for a new folder. */
import { existsSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useTestFolders } from './test-folder.ts';

const folders = useTestFolders();
const lost = (named: string) => ({
  code: 'storage_unavailable',
  message: expect.stringContaining(named) as unknown,
  details: { reason: 'lost_database' },
});

it('LD1 an empty or missing database beside a log is refused, and the log stays', async () => {
  const folder = folders.make();
  const log = join(folder, 'turnkeeper.db-wal');
  writeFileSync(log, 'frames');
  await expect(folders.open(folder)).rejects.toMatchObject(lost('turnkeeper.db is missing, but turnkeeper.db-wal'));
  writeFileSync(join(folder, 'turnkeeper.db'), '');
  await expect(folders.open(folder)).rejects.toMatchObject(lost('turnkeeper.db is empty, but turnkeeper.db-wal'));
  expect(statSync(log).size).toBe(6);
});

it.each(['cli-token', 'server.json'])('LD1 an emptied database beside %s is refused, and left as it is', async (name) => {
  const folder = folders.make();
  await (await folders.open(folder)).close();
  writeFileSync(join(folder, name), 'x');
  truncateSync(join(folder, 'turnkeeper.db'));
  await expect(folders.open(folder)).rejects.toMatchObject(lost(name));
  expect(statSync(join(folder, 'turnkeeper.db')).size).toBe(0);
  expect(existsSync(join(folder, 'turnkeeper.db-wal'))).toBe(false);
});

it('a folder without a database that a server on PostgreSQL used, and an empty file alone, are new', async () => {
  const folder = folders.make();
  writeFileSync(join(folder, 'cli-token'), 'x');
  await (await folders.open(folder)).close();
  rmSync(join(folder, 'cli-token'));
  truncateSync(join(folder, 'turnkeeper.db'));
  await expect(folders.open(folder)).resolves.toBeDefined();
});
