/** A backup of PostgreSQL is the same kind of file, of one moment, and goes back into either store. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyState } from '@turnkeeper/core/session/state';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { openPostgresStore, type PostgresStore } from '../store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../testing/private-postgres.ts';
import { rebuildCheck } from '../testing/store-contract/rebuild-check.ts';
import { auditRow, command, createdSession, event, headOf, logOf, quotaMove, taken } from '../testing/store-contract/samples.ts';
import { backUpDatabase } from './back-up.ts';
import { checkBackup } from './backup-file.ts';
import { restoreDatabase, restoreFolder } from './restore.ts';

let server: PrivatePostgres;
let url: string;
let folder: string;
let store: PostgresStore;
beforeAll(async () => {
  server = await startPrivatePostgres();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnkeeper-backup-'));
  url = await server.freshDatabase();
  store = await openPostgresStore({ url, clock: systemClock });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const state = { body: JSON.stringify(emptyState), due: null };
const sessionIn = async (on: SessionStore): Promise<number> =>
  (await createdSession(on, { owner: 'user:ann', row: { title: 'Ein Titel Ä' }, write: { events: [event('session.status_created')], state } })).head.sid;
const append = async (on: SessionStore, sid: number, size = 100): Promise<void> => {
  const head = await headOf(on, sid);
  const n = head.seq + 1;
  const events = [event('session.error', { error_code: 'x', error_message: `${n} 😀` })];
  const receipts = [{ scope: `s${sid}`, key: `k${n}`, hash: 'h', answer: '{}', at: 1 }];
  taken(
    await on.write(
      command(head, { events, receipts, payloads: [{ n, body: `"${'x'.repeat(size)}"` }], quota: quotaMove('user:ann', { unfinished: 1 }), state }),
    ),
  );
};

it('while nodes write, it is a prefix of each log; restored into a folder and into a database it is the same', async () => {
  const sids = await Promise.all(Array.from({ length: 4 }, () => sessionIn(store.sessions)));
  for (const sid of sids) await append(store.sessions, sid, 1_500_000);
  for (let n = 0; n < 1_100; n += 100) await Promise.all(Array.from({ length: 100 }, () => sessionIn(store.sessions)));
  await store.catalog.putSecret({ name: 'KEY', ciphertext: 'c', updatedAt: 1, updatedBy: 'ann' }, auditRow());
  let writing = true;
  const writers = sids.map(async (sid) => {
    while (writing) await append(store.sessions, sid);
  });
  const to = join(folder, 'backup.db');
  const manifest = await backUpDatabase(url, { to, madeAt: 7 });
  writing = false;
  await Promise.all(writers);
  expect(manifest).toMatchObject({ from: 'postgres', madeAt: 7, tables: { sessions: { rows: 1_104 } } });
  expect(checkBackup(to).manifest).toEqual(manifest);

  const other = await server.freshDatabase();
  expect(await restoreDatabase(to, { url: other })).toMatchObject({ same: true });
  const data = join(folder, 'data');
  restoreFolder(to, data, { now: 1 });
  const [embedded, again] = [await openSqliteStore({ folder: data, clock: systemClock }), await openPostgresStore({ url: other, clock: systemClock })];
  try {
    let behind = 0;
    for (const copy of [embedded, again])
      for (const sid of sids) {
        const [log, whole] = [await logOf(copy.sessions, sid), await logOf(store.sessions, sid)];
        expect(log).toEqual(whole.slice(0, log.length));
        behind += whole.length - log.length;
        expect(await rebuildCheck(copy.sessions, sid)).toEqual([]);
        expect(await copy.sessions.receipt(`s${sid}`, `k${log.length}`)).toMatchObject({ hash: 'h' });
        expect(await copy.sessions.receipt(`s${sid}`, `k${log.length + 1}`)).toBeUndefined();
        await append(copy.sessions, sid);
      }
    expect(behind).toBeGreaterThan(0);
    const found = { q: 'TITEL ä', status: 'all' as const, offset: 0, limit: 5 };
    expect(await embedded.sessions.list(found)).toHaveLength(5);
    expect(await again.sessions.list(found)).toHaveLength(5);
    const counted = manifest.tables['events']?.rows;
    expect(counted).toBeGreaterThan(1_104);
    // Numbers of sessions are not given out twice.
    const [one, two] = [await sessionIn(embedded.sessions), await sessionIn(again.sessions)];
    expect([one, two]).toEqual([1_105, 1_105]);
    expect(await again.catalog.secrets()).toHaveLength(1);
  } finally {
    await Promise.all([embedded.close(), again.close()]);
  }
});

it('is refused for a database of another release, and for one without a store; nothing is left of it', async () => {
  const to = join(folder, 'backup.db');
  await expect(backUpDatabase(await server.freshDatabase(), { to, madeAt: 1 })).rejects.toMatchObject({ details: { reason: 'missing' } });
  const stop = AbortSignal.abort(new Error('enough'));
  await expect(backUpDatabase(url, { to, madeAt: 1, signal: stop })).rejects.toThrow('enough');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`insert into migrations (version, name) values (1000, 'later')`);
  await client.end();
  await expect(backUpDatabase(url, { to, madeAt: 1 })).rejects.toMatchObject({ details: { reason: 'other_release' } });
  expect(readdirSync(folder)).toEqual([]);
});
