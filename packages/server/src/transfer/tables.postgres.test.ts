/** What a move takes along is all that the stores have: a table or column that is forgotten would be lost without a word. */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate as migratePostgres } from '../store/postgres/migrate.ts';
import { migrate as migrateSqlite } from '../store/sqlite/migrate.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../testing/private-postgres.ts';
import { leftBehind, madeThere, tables } from './tables.ts';

let server: PrivatePostgres;
let client: pg.Client;
beforeAll(async () => {
  server = await startPrivatePostgres();
  client = new pg.Client({ connectionString: await server.freshDatabase() });
  await client.connect();
  await migratePostgres(client);
});
afterAll(async () => {
  await client?.end();
  await server?.stop();
});

const taken = new Set(tables.map(({ name }) => name));
const sorted = (names: Iterable<string>): string[] => [...names].toSorted();

test('every table and column of the embedded store goes along, or is left behind for a reason', () => {
  const db = new DatabaseSync(':memory:');
  migrateSqlite(db);
  const names = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`).all();
  const found = names.map((row) => String(row['name']));
  expect(sorted(found)).toEqual(sorted([...taken, ...Object.keys(leftBehind)]));
  for (const { name, columns, key } of tables) {
    const info = db.prepare(`SELECT name, type FROM pragma_table_info('${name}')`).all();
    expect(sorted(info.map((row) => String(row['name']))), name).toEqual(sorted(columns.map((column) => column.name)));
    for (const row of info) {
      const column = columns.find((each) => each.name === row['name']);
      const should = column?.type === 'integer' || column?.type === 'flag' ? /INT/ : /TEXT/;
      expect(String(row['type']), `${name}.${column?.name}`).toMatch(should);
    }
    expect(key.length, name).toBeGreaterThan(0);
  }
  // Numbers that a store gives out by itself are set by hand (sessions); there are no others.
  expect(db.prepare(`SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'`).all()).toEqual([expect.objectContaining({ name: 'sessions' })]);
  db.close();
});

test('every table, column and sequence of PostgreSQL is filled by a move', async () => {
  const ask = async (text: string): Promise<string[]> => (await client.query<{ name: string }>(text)).rows.map(({ name }) => name);
  const found = await ask(`select table_name as name from information_schema.tables where table_schema = 'public'`);
  expect(sorted(found)).toEqual(sorted([...taken, ...Object.keys(leftBehind).filter((name) => name !== 'pings')]));
  for (const { name, columns, derived } of tables) {
    const info = await ask(`select column_name as name from information_schema.columns where table_schema = 'public' and table_name = '${name}'`);
    expect(sorted(info), name).toEqual(
      sorted([...columns.map(({ postgres }) => postgres), ...derived.map((column) => column.name), ...(madeThere[name] ?? [])]),
    );
  }
  expect(await ask(`select sequence_name as name from information_schema.sequences`)).toEqual(['session_sids']);
  expect(await ask(`select column_name as name from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`)).toEqual([]);
});
