/** Moves that are refused, broken off, gone on with, and found out. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import { openPostgresStore } from '../store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { createClient } from '../testing/harness/client.ts';
import { openWorld, type World } from '../testing/harness/world.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../testing/private-postgres.ts';
import { createdSession, event, runWrite } from '../testing/store-contract/samples.ts';
import { steadyStore } from '../testing/transfer/steady-store.ts';
import { moveFolder } from './move.ts';

let server: PrivatePostgres;
let folder: string;
let url: string;
const worlds: World[] = [];

beforeAll(async () => {
  server = await startPrivatePostgres();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnkeeper-move-'));
  url = await server.freshDatabase();
});
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
  rmSync(folder, { recursive: true });
});

const opened = async (world: Promise<World>): Promise<World> => {
  worlds.push(await world);
  return world;
};
const closed = async (world: World): Promise<void> => {
  worlds.splice(worlds.indexOf(world), 1);
  await world.close();
};
const onSqlite = async (): Promise<World> => opened(openWorld({ store: steadyStore(await openSqliteStore({ folder, clock: systemClock })) }));

describe('a move', () => {
  const filled = async (): Promise<void> => {
    const world = await onSqlite();
    const client = createClient(world);
    const agent = await client.agent();
    for (let n = 0; n < 3; n += 1) {
      const session = await client.session(agent);
      await client.until(session, await client.submit(session, 'hi'));
    }
    await closed(world);
  };
  const query = async (text: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const serve = () => openPostgresStore({ url, clock: systemClock });

  it('refuses a folder in use, one without a store, and a database that is not empty', async () => {
    await expect(moveFolder(folder, { url })).rejects.toMatchObject({ details: { reason: 'missing' } });
    const store = await openSqliteStore({ folder, clock: systemClock });
    await expect(moveFolder(folder, { url })).rejects.toMatchObject({ details: { reason: 'in_use' } });
    await store.close();
    const used = await serve();
    await expect(moveFolder(folder, { url })).rejects.toMatchObject({ details: { reason: 'in_use' } });
    await used.close();
    await query(`insert into users (id, username, display_name, roles, created_at) values ('u', 'u', 'u', '[]', 1)`);
    await expect(moveFolder(folder, { url })).rejects.toMatchObject({ details: { reason: 'not_empty', found: ['users (1)'] } });
    url = await server.freshDatabase();
    await query('create table theirs (a int)');
    await expect(moveFolder(folder, { url })).rejects.toMatchObject({ details: { reason: 'not_empty', found: ['the table theirs'] } });
    expect(await query(`select table_name from information_schema.tables where table_schema = 'public'`)).toHaveLength(1);
  });

  it('that was broken off keeps servers out, and goes on with --resume, at any page', async () => {
    await filled();
    for (let stopAt = 1; ; stopAt += 23) {
      url = await server.freshDatabase();
      const stop = new AbortController();
      let pages = 0;
      const onProgress = (): void => {
        pages += 1;
        if (pages === stopAt) stop.abort(new Error('enough'));
      };
      const first = await moveFolder(folder, { url, onProgress, signal: stop.signal }).catch((error: unknown) => error);
      if (!(first instanceof Error)) break;
      expect(first.message).toBe('enough');
      await expect(serve()).rejects.toMatchObject({
        code: 'storage_unavailable',
        details: { reason: 'unfinished_copy' },
        message: expect.stringContaining('--resume') as unknown,
      });
      await expect(moveFolder(folder, { url })).rejects.toMatchObject({ details: { reason: 'unfinished_copy' } });
      expect(await moveFolder(folder, { url, resume: true })).toMatchObject({ same: true });
      await (await serve()).close();
    }
  });

  it('is not gone on with when the source was used since', async () => {
    await filled();
    const stop = AbortSignal.abort(new Error('enough'));
    await expect(moveFolder(folder, { url, signal: stop })).rejects.toThrow('enough');
    await filled();
    await expect(moveFolder(folder, { url, resume: true })).rejects.toMatchObject({ details: { reason: 'changed' } });
  });

  it('MV2 what was held is nobody’s, and known to have been held; the old holder writes no more', async () => {
    const store = await openSqliteStore({ folder, clock: systemClock });
    const { head } = await createdSession(store.sessions, { owner: 'app:busy', due: 0 });
    await store.sessions.heartbeat('old', 60_000);
    const claimed = await store.sessions.claim({ node: 'old', now: 1, limit: 1 });
    expect(claimed).toMatchObject([{ orphaned: false, loaded: { head: { sid: head.sid, fence: 1, node: 'old' } } }]);
    await store.close();
    expect(await moveFolder(folder, { url })).toMatchObject({ same: true });
    const { sessions, close } = await serve();
    try {
      // Though its owner may begin nothing new: it is to be taken up again, also by a node of the same name.
      await sessions.heartbeat('old', 60_000);
      const again = await sessions.claim({ node: 'old', now: 1, limit: 1, except: ['app:busy'] });
      expect(again).toMatchObject([{ orphaned: true, loaded: { head: { sid: head.sid, fence: 2, node: 'old' } } }]);
      const late = runWrite({ ...head, fence: 1, wn: 0 }, { events: [event('session.error', { error_code: 'x', error_message: '' })] });
      expect(await sessions.write(late)).toMatchObject({ ok: false, reason: 'fenced' });
    } finally {
      await close();
    }
  });

  it('MV3 a copy that differs is told, and no server starts on it', async () => {
    await filled();
    let tampered = false;
    const onProgress = ({ phase }: { phase: string }): void => {
      if (phase === 'verify') tampered = true;
    };
    const stop = new AbortController();
    await moveFolder(folder, {
      url,
      signal: stop.signal,
      onProgress: (progress) => {
        onProgress(progress);
        if (tampered) stop.abort(new Error('enough'));
      },
    }).catch(() => {});
    await query(`update events set at = at + 1 where seq = 1 and sid = 1`);
    const result = await moveFolder(folder, { url, resume: true });
    expect(result.same).toBe(false);
    expect(result.tables.filter(({ same }) => !same).map(({ table }) => table)).toEqual(['events']);
    await expect(serve()).rejects.toMatchObject({ details: { reason: 'unfinished_copy' } });
    await expect(moveFolder(folder, { url, resume: true })).rejects.toMatchObject({ details: { reason: 'differs' } });
  });
});
