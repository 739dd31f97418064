/**
 * The files of sessions, for both stores.
 *
 * FB6 is held by the statements themselves: each write locks its session's row first (SQLite has one writer, and needs
 * none), and looks at the limits behind that lock. Who writes into another's workspace locks that session's row, too, and, as that may
 * be gone, what says who works there.
 */
import { type RawBuilder, sql } from 'kysely';
import { type FileIndex, type FileKey, type FileLimits, type FileRow, type FileSource, workspaceUse } from '../../ports/file-index.ts';
import type { CatalogDatabase, SqlRow, SqlStatement, SqlValue } from './catalog-database.ts';
import { number, text, textOrNull } from './columns.ts';
import { sqlBuilder } from './sql-builder.ts';

const fileOf = (row: SqlRow): FileRow => ({
  id: text(row, 'id'),
  sessionId: text(row, 'session_id'),
  name: text(row, 'name'),
  mediaType: text(row, 'media_type'),
  size: number(row, 'size'),
  sha256: text(row, 'sha256'),
  blob: text(row, 'blob'),
  path: textOrNull(row, 'path'),
  source: text(row, 'source') as FileSource,
  createdAt: number(row, 'created_at'),
});

/** A parameter that stands where PostgreSQL would take it for a text. */
const int = (value: number): RawBuilder<number> => sql`cast(${value} as bigint)`;

const columns = sql.raw('id, session_id, name, media_type, size, sha256, blob, path, source, key_scope, key, key_hash, created_at');

/** True while the file fits beside the others of its session; one at the same path makes room. */
const fits = ({ sessionId, path, size }: FileRow, limits: FileLimits): RawBuilder<boolean> => sql`
  (select coalesce(sum(size), 0) from files where session_id = ${sessionId} and (path is null or path <> ${path ?? ''})) + ${int(size)} <= ${int(limits.bytes)}
  and (select count(*) from files where session_id = ${sessionId} and (path is null or path <> ${path ?? ''})) < ${int(limits.files)}`;

const values = (file: FileRow, key?: FileKey): RawBuilder<unknown> => sql`
  select ${file.id}, ${file.sessionId}, ${file.name}, ${file.mediaType}, ${int(file.size)}, ${file.sha256}, ${file.blob}, ${file.path}, ${file.source},
    ${key?.scope ?? null}, ${key?.key ?? null}, ${key?.hash ?? null}, ${int(file.createdAt)}`;

const inSession = (sessionId: string): RawBuilder<boolean> => sql`session_id = ${sessionId}`;

type Query = RawBuilder<unknown> | { readonly query: RawBuilder<unknown>; readonly needs: number };

const createRun = (database: CatalogDatabase) => {
  const builder = sqlBuilder(database.dialect);
  const statement = (query: RawBuilder<unknown>): SqlStatement => {
    const compiled = query.compile(builder);
    return { sql: compiled.sql, params: compiled.parameters as readonly SqlValue[] };
  };
  return {
    read: (query: RawBuilder<unknown>) => database.read(statement(query)),
    write: (...queries: readonly Query[]) =>
      database.write(queries.map((entry) => ('query' in entry ? { ...statement(entry.query), needs: entry.needs } : statement(entry)))),
  };
};

/** What the four statements of an addition gave. */
const outcomeOf = ([sessions, added, , rivals]: readonly (readonly SqlRow[])[]): 'added' | 'taken' | 'full' | 'gone' => {
  if (!sessions?.length) return 'gone';
  if (added?.length) return 'added';
  return rivals?.length ? 'taken' : 'full';
};

/** The files over a store's database, which must have the tables of `file-tables.ts`. */
export const createFileIndex = (database: CatalogDatabase): FileIndex => {
  const { read, write } = createRun(database);
  const lock = sql.raw(database.dialect === 'postgres' ? 'for no key update' : '');
  const held = (sessionId: string) => sql`select id from sessions where id = ${sessionId} and deleted_at is null ${lock}`;
  /** Of a workspace that is not the writer's own. */
  const shared = (sessionId: string, by: string) =>
    by === sessionId || database.dialect !== 'postgres'
      ? []
      : [
          sql`select id from sessions where id = ${sessionId} ${lock}`,
          sql`select key from receipts where scope = ${workspaceUse(sessionId)} order by key ${lock}`,
        ];
  const named = (blob: string) => sql`delete from loose_blobs where blob = ${blob}`;
  const find = async (where: RawBuilder<boolean>): Promise<SqlRow | undefined> => (await read(sql`select * from files where ${where}`))[0];
  return {
    note: async (blob, at) => {
      await write(sql`insert into loose_blobs (blob, since) values (${blob}, ${int(at)}) on conflict do nothing`);
    },
    add: async (file, { limits, key, ahead = false }) => {
      const rival = key
        ? sql`path = ${file.path ?? ''} and session_id = ${file.sessionId} or key_scope = ${key.scope} and key = ${key.key}`
        : sql`path = ${file.path ?? ''}`;
      const results = await write(
        ahead ? sql`select 1 as there` : held(file.sessionId),
        { query: sql`insert into files (${columns}) ${values(file, key)} where ${fits(file, limits)} on conflict do nothing returning id`, needs: 0 },
        { query: named(file.blob), needs: 1 },
        sql`select id from files where (${key ? rival : sql`session_id = ${file.sessionId} and ${rival}`}) and id <> ${file.id}`,
      );
      return outcomeOf(results);
    },
    put: async (file, limits, over, by = file.sessionId) => {
      const locks = shared(file.sessionId, by);
      const upserted = locks.length + 2;
      const at = sql`${inSession(file.sessionId)} and path = ${file.path}`;
      const mayReplace = over === undefined ? sql`files.source = 'workspace'` : sql`files.source = 'workspace' and files.id = ${over}`;
      const replaced = sql`id = excluded.id, name = excluded.name, media_type = excluded.media_type, size = excluded.size, sha256 = excluded.sha256,
        blob = excluded.blob, created_at = excluded.created_at`;
      const upsert = sql`insert into files (${columns}) ${values(file)} where ${fits(file, limits)}
        on conflict (session_id, path) do update set ${replaced} where ${mayReplace} returning id`;
      const results = await write(
        held(by),
        ...locks,
        {
          query: sql`insert into loose_blobs (blob, since) select blob, ${int(file.createdAt)} from files
            where ${at} and ${mayReplace} and ${fits(file, limits)} on conflict do nothing`,
          needs: 0,
        },
        { query: upsert, needs: 0 },
        { query: named(file.blob), needs: upserted },
        sql`select id from files where ${at} and (${mayReplace}) is not true`,
      );
      return outcomeOf([results[0] ?? [], results[upserted] ?? [], [], results[upserted + 2] ?? []]);
    },
    drop: async (sessionId, id, at) => {
      const one = sql`${inSession(sessionId)} and id = ${id}`;
      await write(
        sql`insert into loose_blobs (blob, since) select blob, ${int(at)} from files where ${one} on conflict do nothing`,
        sql`delete from files where ${one}`,
      );
    },
    file: async (sessionId, id) => {
      const row = await find(sql`${inSession(sessionId)} and id = ${id}`);
      return row && fileOf(row);
    },
    filesOf: async (sessionId, ids) => {
      const rows = ids.length === 0 ? [] : await read(sql`select * from files where ${inSession(sessionId)} and id in (${sql.join(ids)})`);
      return rows.map(fileOf);
    },
    fileAt: async (sessionId, path) => {
      const row = await find(sql`${inSession(sessionId)} and path = ${path}`);
      return row && fileOf(row);
    },
    fileByKey: async (scope, key) => {
      const row = await find(sql`key_scope = ${scope} and key = ${key}`);
      return row && { file: fileOf(row), hash: text(row, 'key_hash') };
    },
    files: async (sessionId, { offset, limit }) => {
      const rows = await read(
        sql`select * from files where ${inSession(sessionId)} and source <> 'workspace' order by id limit ${int(limit)} offset ${int(offset)}`,
      );
      return rows.map(fileOf);
    },
    paths: async (sessionId, limit) => {
      const rows = await read(sql`select * from files where ${inSession(sessionId)} and path is not null order by path limit ${int(limit)}`);
      return rows.map(fileOf);
    },
    dropDeleted: async (at, sessionId) => {
      // Also of those that have been purged since, and of those whose root is.
      const gone = sql`not exists (select 1 from sessions s join sessions r on r.id = s.root
          where s.id = files.session_id and s.deleted_at is null and r.deleted_at is null)
        and (files.path is null or not exists (select 1 from receipts u join sessions c on c.sid = u.sid
          where u.scope = ${workspaceUse('')} || files.session_id and c.deleted_at is null))
        ${sessionId === undefined ? sql`` : sql`and session_id = ${sessionId}`}`;
      await write(
        sql`insert into loose_blobs (blob, since) select blob, ${int(at)} from files where ${gone} on conflict do nothing`,
        // A session that is deleted between the two waits for the next time (FB5).
        sql`delete from files where ${gone} and exists (select 1 from loose_blobs where loose_blobs.blob = files.blob)`,
        // One that is not gone any more, as somebody began to work there between the two, keeps its bytes.
        sql`delete from loose_blobs where since = ${int(at)} and exists (select 1 from files where files.blob = loose_blobs.blob)`,
      );
    },
    loose: async (before, limit) => {
      const rows = await read(sql`select blob from loose_blobs where since < ${int(before)} order by since, blob limit ${int(limit)}`);
      return rows.map((row) => text(row, 'blob'));
    },
    forget: async (blobs) => {
      if (blobs.length > 0) await write(sql`delete from loose_blobs where blob in (${sql.join(blobs)})`);
    },
  };
};
