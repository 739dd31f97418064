import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { sessionIdPlaces, sessionTables } from '../catalog/retention.ts';
import { migrate } from './migrate.ts';

it('every table that names a session by its number is purged with it', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db);
  const found = db
    .prepare(
      `SELECT m.name AS name, i.name AS place FROM sqlite_schema m, pragma_table_info(m.name) i WHERE m.type = 'table' AND i.name IN ('sid', 'subject_sid')`,
    )
    .all();
  const listed = Object.entries(sessionTables).map(([name, { sid }]) => `${name}.${sid}`);
  expect(found.map(({ name, place }) => `${name}.${place}`).toSorted()).toEqual(listed.toSorted());
  // What a session was made of goes before it does.
  expect(Object.keys(sessionTables).slice(-2)).toEqual(['heads', 'sessions']);
  db.close();
});

it('every table that names a session by its id alone is purged with it, or says here why not', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db);
  const found = db
    .prepare(
      `SELECT m.name AS name FROM sqlite_schema m, pragma_table_info(m.name) i WHERE m.type = 'table' AND i.name = 'session_id'
        AND NOT EXISTS (SELECT 1 FROM pragma_table_info(m.name) o WHERE o.name IN ('sid', 'subject_sid'))`,
    )
    .all();
  // The audit log stays; files are swept; a mini-tool's events have no gap and go by their age.
  const others = ['audit', 'files', 'minitool_events'];
  const listed = sessionIdPlaces.filter(({ id }) => id === 'session_id').map(({ table }) => table);
  expect(found.map(({ name }) => String(name)).toSorted()).toEqual([...listed, ...others].toSorted());
  db.close();
});
