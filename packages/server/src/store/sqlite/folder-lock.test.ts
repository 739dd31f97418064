import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, createdSession } from '../../testing/store-contract/samples.ts';
import { useTestFolders } from './test-folder.ts';

const storeUrl = new URL('./open-sqlite-store.ts', import.meta.url).href;
const clockUrl = new URL('../../ports/clock.ts', import.meta.url).href;
/** Opens the store in another process and says how that went; stays until it is killed when it could. */
const script = `
  const { openSqliteStore } = await import('${storeUrl}');
  const { systemClock } = await import('${clockUrl}');
  try {
    await openSqliteStore({ folder: process.argv[1], clock: systemClock });
    console.log('open');
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(JSON.stringify({ code: error.code, message: error.message, details: error.details }));
  }
`;
const args = (folder: string): string[] => ['--input-type=module', '-e', script, folder];

describe('the folder of a store', () => {
  const folders = useTestFolders();

  it('is made for its owner only', async () => {
    const folder = join(folders.make(), 'a', 'b');
    await folders.open(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('is held by one store: a second one is told which folder and why, and may come after the first', async () => {
    const folder = folders.make();
    const first = await folders.open(folder);
    await expect(folders.open(folder)).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(`${folder}.*another process`) as unknown,
      details: { folder, reason: 'in_use' },
    });
    await createdSession(first.sessions);
    await first.close();
    await expect(folders.open(folder)).resolves.toBeDefined();
  });

  it('is held against other processes, and free again when its process was killed', async () => {
    const folder = folders.make();
    const holder = spawn(process.execPath, args(folder), { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(holder.stdout, 'data')) as [Buffer];
    expect(said.toString()).toBe('open\n');
    await expect(folders.open(folder)).rejects.toMatchObject({ details: { reason: 'in_use' } });
    const gone = once(holder, 'exit');
    holder.kill('SIGKILL');
    await gone;
    const store = await folders.open(folder);
    await createdSession(store.sessions);
    const other = spawnSync(process.execPath, args(folder)).stdout.toString();
    expect(JSON.parse(other)).toMatchObject({ code: 'storage_unavailable', details: { reason: 'in_use' } });
  });

  it('is closed for reads and writes after close', async () => {
    const { sessions, close } = await folders.open(folders.make());
    const { head } = await createdSession(sessions);
    await close();
    await close();
    // Another code than that of a store that may recover: a fact is not tried again for ever.
    const closed = { code: 'shutting_down' };
    await expect(sessions.write(command(head))).rejects.toMatchObject(closed);
    await expect(sessions.loadBySid(head.sid)).rejects.toMatchObject(closed);
    await expect(sessions.resources(head.sid, [])).rejects.toMatchObject(closed);
    await expect(sessions.ping()).rejects.toMatchObject(closed);
  });

  it('that cannot be made is named', async () => {
    const file = join(folders.make(), 'file');
    writeFileSync(file, '');
    const folder = join(file, 'data');
    await expect(folders.open(folder)).rejects.toMatchObject({ code: 'storage_unavailable', message: expect.stringContaining(folder) as unknown });
  });

  it('that is read-only is named', async () => {
    const folder = join(folders.make(), 'data');
    mkdirSync(folder);
    chmodSync(folder, 0o555);
    // Root may write everywhere: the attempt is made as another user then.
    const nobody = 65_534;
    const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
    chmodSync(join(folder, '..'), 0o755);
    const result = spawnSync(process.execPath, args(folder), asUser);
    expect(JSON.parse(result.stdout.toString() || JSON.stringify(result.stderr.toString()))).toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(`${folder}.*cannot be written to`) as unknown,
      details: { folder, reason: 'not_writable' },
    });
  });
});
