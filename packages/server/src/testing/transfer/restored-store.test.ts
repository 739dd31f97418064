/** What clients of a store notice that was put back. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEvents } from '../../app/read-events.ts';
import { systemClock } from '../../ports/clock.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { useTestFolders } from '../../store/sqlite/test-folder.ts';
import { backUpFolder } from '../../transfer/back-up.ts';
import { restoreFolder } from '../../transfer/restore.ts';
import { ann, createClient } from '../harness/client.ts';
import { openWorld } from '../harness/world.ts';
import { steadyStore } from './steady-store.ts';

const folders = useTestFolders();

test('a restored store is an earlier moment: what clients saw before it is still true, a cursor beyond it is told so', async () => {
  const folder = folders.make();
  const world = await openWorld({ store: steadyStore(await openSqliteStore({ folder, clock: systemClock })) });
  const client = createClient(world);
  const session = await client.session(await client.agent());
  await client.until(session, await client.submit(session, 'one'));
  const { data: early } = await readEvents(world.engine.app, ann, session, undefined, { limit: 200 });
  const file = join(folders.make(), 'backup.db');
  await backUpFolder(folder, { to: file, madeAt: 1 });
  await client.until(session, await client.submit(session, 'two'));
  const { data: late } = await readEvents(world.engine.app, ann, session, undefined, { limit: 200 });
  await world.close();
  const target = folders.make();
  restoreFolder(file, target, { now: 1 });
  const restored = await openWorld({ store: steadyStore(await openSqliteStore({ folder: target, clock: systemClock })) });
  const { app } = restored.engine;
  const page = (after: string | undefined) => readEvents(app, ann, session, undefined, { after: after ?? '', limit: 200 });
  expect((await page(early[0]?.cursor)).data).toEqual(early.slice(1));
  expect((await page(early.at(-1)?.cursor)).data).toEqual([]);
  await expect(page(late.at(-1)?.cursor)).rejects.toMatchObject({ code: 'cursor_ahead' });
  await restored.close();
});
