/** A PostgreSQL database as one side of a move. */
import type pg from 'pg';
import { int8Array, textArray } from '../store/postgres/binary-array.ts';
import { latest } from '../store/sqlite/session-rows.ts';
import { type Page, pageCharacters, pageRows, type Side, type Target } from './side.ts';
import { type Column, type ColumnType, canonicalRow, keyOf, type Row, type Table, type Value } from './tables.ts';

/** Texts are compared by their bytes, whatever the database's locale is: so the pages' order is one. */
const ordered = (from: string, { type, postgres }: Column): string => `${from}.${postgres}${type === 'text' ? ' collate "C"' : ''}`;
const list = (columns: readonly Column[], each: (column: Column, at: number) => string): string => columns.map(each).join(', ');

const sizeText = (from: string, { columns }: Table): string =>
  ['0', ...columns.filter(({ type }) => type === 'text').map(({ postgres }) => `coalesce(octet_length(${from}.${postgres}), 0)`)].join(' + ');

/** A page ends where it would grow too large: looking at the size of a text does not read it. */
const pageText = (table: Table, behind: boolean): string => {
  const { name, key, columns } = table;
  const order = list(key, (column) => ordered('t', column));
  const where = behind ? `where (${order}) > (${list(key, (_column, at) => `$${at + 1}`)})` : '';
  return `
    with page as materialized (
      select ${list(key, ({ postgres }) => `t.${postgres}`)}, ${sizeText('t', table)} as size from ${name} t ${where} order by ${order} limit ${pageRows}
    ), cut as (
      select p.*, sum(p.size) over (order by ${list(key, (column) => ordered('p', column))}) - p.size as before from page p
    )
    select ${list(columns, ({ postgres }) => `t.${postgres}`)} from cut c join ${name} t on ${key.map(({ postgres }) => `t.${postgres} = c.${postgres}`).join(' and ')}
    where c.before < ${pageCharacters} order by ${order}`;
};

const portable = ({ name, type }: Column, value: unknown): Value => {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'integer':
      return name === 'due' ? Math.min(Number(value), latest) : Number(value);
    case 'flag':
      return value === true ? 1 : 0;
    case 'text':
      return value as string;
  }
};

async function* pagesOf(client: pg.Client, table: Table, after?: Row): AsyncGenerator<Page, void, undefined> {
  for (let last = after; ; ) {
    const { rows } = await client.query<unknown[]>({ text: pageText(table, last !== undefined), values: last ? [...last] : [], rowMode: 'array' });
    const page = rows.map((row) => table.columns.map((column, at) => portable(column, row[at])));
    const end = page.at(-1);
    if (!end) return;
    last = keyOf(table, end);
    yield { rows: page.map((row) => canonicalRow(table, row)), last };
  }
}

/** The caller keeps all reads to one moment, and ends the client. */
export const postgresSide = (client: pg.Client, name: string): Side => ({
  name,
  pages: (table, after) => pagesOf(client, table, after),
  count: async ({ name: of }) => (await client.query<{ n: number }>(`select count(*) as n from ${of}`)).rows[0]?.n ?? 0,
  lastSid: async () =>
    (await client.query<{ sid: number }>('select case when is_called then last_value else 0 end as sid from session_sids')).rows[0]?.sid ?? 0,
});

const arrayTypes: Readonly<Record<ColumnType, 'bigint[]' | 'text[]'>> = { integer: 'bigint[]', flag: 'bigint[]', text: 'text[]' };

const stored = (name: string, type: ColumnType): string => {
  switch (type) {
    case 'integer':
    case 'text':
      return `x.${name}`;
    case 'flag':
      return `x.${name} <> 0`;
  }
};

const putText = ({ name, columns, derived }: Table): string => {
  const all = [...columns.map(({ postgres, type }) => ({ name: postgres, type })), ...derived.map((column) => ({ name: column.name, type: 'text' as const }))];
  const arrays = all.map(({ type }, at) => `$${at + 1}::${arrayTypes[type]}`).join(', ');
  const into = all.map((column) => column.name).join(', ');
  return `insert into ${name} (${into}) select ${all.map((column) => stored(column.name, column.type)).join(', ')} from unnest(${arrays}) as x(${into})`;
};

const arrayOf = (type: ColumnType, values: readonly Value[]): Buffer =>
  arrayTypes[type] === 'bigint[]' ? int8Array(values as readonly (number | null)[]) : textArray(values as readonly (string | null)[]);

const putValues = ({ columns, derived }: Table, rows: readonly Row[]): Buffer[] => [
  ...columns.map(({ type }, at) =>
    arrayOf(
      type,
      rows.map((row) => row[at] ?? null),
    ),
  ),
  ...derived.map(({ of, make }) => {
    const at = columns.findIndex(({ name }) => name === of);
    return textArray(rows.map((row) => make(row[at] ?? null)));
  }),
];

/** `also` runs in the transaction of each page. */
export const postgresTarget = (client: pg.Client, name: string, also: (table: Table, last: Row) => Promise<unknown>): Target => ({
  ...postgresSide(client, name),
  put: async (table, { rows, last }) => {
    await client.query('begin');
    try {
      await client.query(putText(table), putValues(table, rows));
      await also(table, last);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  },
  setLastSid: async (sid) => {
    await client.query(`select setval('session_sids', $1, $2)`, [Math.max(sid, 1), sid > 0]);
  },
});
