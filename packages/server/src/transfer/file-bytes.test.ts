/** Files go along with a backup, byte for byte, or the backup is not used. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import { createFolderBlobs } from '../store/blobs/folder-blobs.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { useTestFolders } from '../store/sqlite/test-folder.ts';
import { partsOf, textOf } from '../testing/blobs/blobs-contract.ts';
import { createdSession } from '../testing/store-contract/samples.ts';
import { backUpFolder } from './back-up.ts';
import { restoreFolder } from './restore.ts';

const folders = useTestFolders();
const limits = { files: 100, bytes: 1_000_000 };
const content = `\x00\xff bytes ${'x'.repeat(100_000)}`;

/** A store with two files of one session, one of them without its bytes. */
const filled = async (): Promise<{ folder: string; session: string }> => {
  const folder = folders.make();
  const store = await openSqliteStore({ folder, clock: systemClock });
  const { id: session } = await createdSession(store.sessions);
  const blobs = createFolderBlobs({ folder: join(folder, 'files'), shared: false });
  for (const name of ['one', 'two', 'gone']) {
    const blob = `${session}/blob_${name}`;
    await store.files.note(blob, 1);
    await blobs.put(blob, partsOf(name, content));
    const file = {
      id: `file_${name}`,
      sessionId: session,
      name,
      mediaType: 'text/plain',
      size: 1,
      sha256: 'x',
      blob,
      path: `uploads/${name}`,
      source: 'upload',
      createdAt: 1,
    } as const;
    expect(await store.files.add(file, { limits, key: { scope: 's', key: name, hash: 'h' } })).toBe('added');
  }
  await blobs.put(`${session}/blob_loose`, partsOf('of nobody'));
  await blobs.remove(`${session}/blob_gone`);
  await store.close();
  return { folder, session };
};
const backedUp = async (folder: string): Promise<string> => {
  const to = join(folders.make(), 'backup.db');
  await backUpFolder(folder, { to, madeAt: 5, filesFolder: join(folder, 'files') });
  return to;
};

it('BF4 a backup brings the files of its sessions, and what none of them names stays behind', async () => {
  const { folder, session } = await filled();
  const to = await backedUp(folder);
  rmSync(folder, { recursive: true });
  const target = folders.make();
  restoreFolder(to, target, { now: 1 });
  const store = await openSqliteStore({ folder: target, clock: systemClock });
  const blobs = createFolderBlobs({ folder: join(target, 'files'), shared: false });
  for (const name of ['one', 'two']) {
    const file = await store.files.file(session, `file_${name}`);
    expect(file).toMatchObject({ name, path: `uploads/${name}` });
    expect(await textOf(await blobs.get(file?.blob ?? ''))).toBe(name + content);
    expect((await store.files.fileByKey('s', name))?.file.id).toBe(`file_${name}`);
  }
  await store.close();
  expect(readdirSync(join(target, 'files', session)).toSorted()).toEqual(['blob_one', 'blob_two']);
  const db = new DatabaseSync(join(target, 'turnkeeper.db'), { readOnly: true });
  expect(db.prepare(`SELECT name FROM sqlite_schema WHERE name IN ('blobs', 'backup')`).all()).toEqual([]);
  db.close();
  expect(readFileSync(join(target, 'turnkeeper.db')).includes(content)).toBe(false);
});

it('BF2 a backup whose bytes were damaged is not used, and no file of it is put back', async () => {
  const { folder } = await filled();
  const to = await backedUp(folder);
  const db = new DatabaseSync(to);
  db.exec(`UPDATE blobs SET bytes = x'00' WHERE name LIKE '%one'`);
  db.close();
  const target = folders.make();
  expect(() => restoreFolder(to, target, { now: 1 })).toThrow(expect.objectContaining({ details: expect.objectContaining({ reason: 'damaged' }) }));
  expect(existsSync(join(target, 'files'))).toBe(false);
});

it('with --force the files that were there are moved aside with their store, nothing is deleted', async () => {
  const { folder, session } = await filled();
  const to = await backedUp(folder);
  writeFileSync(join(folder, 'files', session, 'blob_late'), 'late');
  const { movedTo = '' } = restoreFolder(to, folder, { now: 1, force: true });
  expect(readFileSync(join(movedTo, 'files', session, 'blob_late'), 'utf8')).toBe('late');
  expect(readdirSync(join(folder, 'files', session)).toSorted()).toEqual(['blob_one', 'blob_two']);
});

it('bytes that are kept elsewhere are not looked for', async () => {
  const { folder } = await filled();
  const to = join(folders.make(), 'backup.db');
  await backUpFolder(folder, { to, madeAt: 5 });
  const target = folders.make();
  restoreFolder(to, target, { now: 1 });
  expect(existsSync(join(target, 'files'))).toBe(false);
});
