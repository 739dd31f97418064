/** A database of the embedded store as one side of a move. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { latest } from '../store/sqlite/session-rows.ts';
import { type Page, pageCharacters, pageRows, type Side, type Target } from './side.ts';
import { type Column, canonicalRow, keyOf, type Row, type Table } from './tables.ts';

const quoted = (name: string): string => `"${name}"`;
const names = (columns: readonly Column[]): string => columns.map(({ name }) => quoted(name)).join(', ');

/** A time beyond what JavaScript can hold is read as the stores read it. */
const read = ({ name }: Column): string => (name === 'due' ? `min(due, ${latest})` : quoted(name));

const sizeOf = (row: Row): number => row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

const rowsOf = (db: DatabaseSync, table: Table, after?: Row): Iterable<Row> => {
  const key = names(table.key);
  const behind = after ? `WHERE (${key}) > (${table.key.map(() => '?').join(', ')})` : '';
  const select = db.prepare(`SELECT ${table.columns.map(read).join(', ')} FROM ${quoted(table.name)} ${behind} ORDER BY ${key}`);
  select.setReturnArrays(true);
  return select.iterate(...((after ?? []) as SQLInputValue[])) as Iterable<unknown> as Iterable<Row>;
};

async function* pagesOf(db: DatabaseSync, table: Table, after?: Row): AsyncGenerator<Page, void, undefined> {
  let rows: Row[] = [];
  let last: Row = [];
  let size = 0;
  for (const row of rowsOf(db, table, after)) {
    rows.push(canonicalRow(table, row));
    last = keyOf(table, row);
    size += sizeOf(row);
    if (rows.length < pageRows && size < pageCharacters) continue;
    yield { rows, last };
    // SQLite answers at once: without a pause neither Ctrl+C nor anything else would be heard.
    await setImmediate();
    rows = [];
    size = 0;
  }
  if (rows.length > 0) yield { rows, last };
}

/** The caller keeps others from writing meanwhile, and closes the database. */
export const sqliteSide = (db: DatabaseSync, name: string): Side => ({
  name,
  pages: (table, after) => pagesOf(db, table, after),
  count: async ({ name: of }) => Number(db.prepare(`SELECT count(*) AS n FROM ${quoted(of)}`).get()?.['n']),
  lastSid: async () => Number(db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'sessions'`).get()?.['seq'] ?? 0),
});

/** For a new file that nobody else knows of. */
export const sqliteTarget = (db: DatabaseSync, name: string): Target => ({
  ...sqliteSide(db, name),
  put: async (table, { rows }) => {
    const insert = db.prepare(`INSERT INTO ${quoted(table.name)} (${names(table.columns)}) VALUES (${table.columns.map(() => '?').join(', ')})`);
    db.exec('BEGIN');
    try {
      for (const row of rows) insert.run(...row);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  },
  setLastSid: async (sid) => {
    db.exec(`DELETE FROM sqlite_sequence WHERE name = 'sessions'`);
    if (sid > 0) db.prepare(`INSERT INTO sqlite_sequence (name, seq) VALUES ('sessions', ?)`).run(sid);
  },
});
