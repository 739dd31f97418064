/** Installations of mini-tools, who hosts them, and what people have not looked at yet (MS1, MS2). */
import type { SessionId } from '@turnkeeper/core/session/ids';
import type { AuditRow } from '../../ports/catalog.ts';
import type { MarkRow, MinitoolChanges, MinitoolRow, MinitoolStatus, MinitoolStore } from '../../ports/minitools.ts';
import { auditInsert } from './audit.ts';
import type { CatalogDatabase, SqlRow, SqlStatement, SqlValue } from './catalog-database.ts';
import { json, number, text, textOrNull } from './columns.ts';
import { tablesOfMinitool } from './minitool-tables.ts';
import { sqlBuilder } from './sql-builder.ts';
import { type Ask, places } from './statements.ts';

type Names = 'install' | 'change' | 'remove' | 'minitool' | 'minitools' | 'mark' | 'unmark' | 'marks' | 'marked' | 'markCounts' | 'host' | 'hostedBy';

const minitoolOf = (row: SqlRow): MinitoolRow => ({
  id: text(row, 'id'),
  version: text(row, 'version'),
  source: text(row, 'source'),
  folder: text(row, 'folder'),
  manifest: json(row, 'manifest'),
  status: text(row, 'status') as MinitoolStatus,
  reason: textOrNull(row, 'reason'),
  settings: json(row, 'settings'),
  consent: row['consent'] === null ? null : json(row, 'consent'),
  users: json(row, 'users'),
  containerAgents: json(row, 'container_agents'),
  installedAt: number(row, 'installed_at'),
  updatedAt: number(row, 'updated_at'),
});

const markOf = (row: SqlRow): MarkRow => ({
  sessionId: text(row, 'session_id') as SessionId,
  minitoolId: text(row, 'minitool_id'),
  container: text(row, 'container'),
  unreadSince: number(row, 'unread_since'),
});

const columns = 'id, version, source, folder, manifest, status, reason, settings, consent, users, container_agents, installed_at, updated_at';

/** In the order of `columns`. */
const valuesOf = (row: MinitoolRow): readonly SqlValue[] => [
  row.id,
  row.version,
  row.source,
  row.folder,
  JSON.stringify(row.manifest),
  row.status,
  row.reason,
  JSON.stringify(row.settings),
  row.consent && JSON.stringify(row.consent),
  JSON.stringify(row.users),
  JSON.stringify(row.containerAgents),
  row.installedAt,
  row.updatedAt,
];

/** The columns that a change sets, each with its value. */
const changed = ({
  manifest,
  settings,
  consent,
  users,
  containerAgents,
  ...plain
}: MinitoolChanges): readonly (readonly [column: string, value: SqlValue])[] => {
  const { version, source, folder, status, reason } = plain;
  const wanted: readonly (readonly [string, SqlValue | undefined])[] = [
    ['version', version],
    ['source', source],
    ['folder', folder],
    ['status', status],
    ['reason', reason],
    ['manifest', manifest && JSON.stringify(manifest)],
    ['settings', settings && JSON.stringify(settings)],
    ['consent', consent && JSON.stringify(consent)],
    ['users', users && JSON.stringify(users)],
    ['container_agents', containerAgents && JSON.stringify(containerAgents)],
  ];
  return wanted.flatMap(([column, value]) => (value === undefined ? [] : [[column, value] as const]));
};

const wrote = (rows: readonly (readonly SqlRow[])[]): boolean => (rows[0]?.length ?? 0) > 0;
const hostLease = 'minitools';
/** What is archived was looked at, as far as anybody wants to. */
const isShown = 's.deleted_at IS NULL AND s.archived_at IS NULL';

export const createMinitoolInstallations = ({ all, one, statement, write }: Ask, dialect: CatalogDatabase['dialect']): Pick<MinitoolStore, Names> => {
  /** Left out where the write that it tells of wrote nothing (MS1). */
  const audited = (entry: AuditRow): SqlStatement => {
    const { sql, parameters } = auditInsert(sqlBuilder(dialect), entry).compile();
    return { sql, params: parameters as readonly SqlValue[], needs: 0 };
  };
  return {
    install: async (row, audit) => {
      const insert = statement(`INSERT INTO minitools (${columns}, events) VALUES (${places(13)}, 0) ON CONFLICT DO NOTHING RETURNING id`, ...valuesOf(row));
      return wrote(await write(insert, audited(audit))) ? 'installed' : 'already_exists';
    },
    change: async (id, changes, at, audit, only = {}) => {
      const set = [...changed(changes), ['updated_at', at] as const];
      const assignments = set.map(([column]) => `${column} = ?`).join(', ');
      const where = [['id', id] as const, ...changed(only)];
      const conditions = where.map(([column]) => `${column} = ?`).join(' AND ');
      const values = [...set, ...where].map(([, value]) => value);
      const update = statement(`UPDATE minitools SET ${assignments} WHERE ${conditions} RETURNING id`, ...values);
      return wrote(await write(update, ...(audit ? [audited(audit)] : [])));
    },
    remove: async (id, audit) =>
      wrote(
        await write(
          statement('DELETE FROM minitools WHERE id = ? RETURNING id', id),
          audited(audit),
          ...tablesOfMinitool.map((table) => ({ ...statement(`DELETE FROM ${table} WHERE minitool_id = ?`, id), needs: 0 })),
        ),
      ),
    minitool: async (id) => {
      const row = await one('SELECT * FROM minitools WHERE id = ?', id);
      return row && minitoolOf(row);
    },
    minitools: async () => (await all('SELECT * FROM minitools ORDER BY id')).map(minitoolOf),

    mark: async ({ sessionId, minitoolId, container, unreadSince }) => {
      // Since when there is something new: what comes later makes it no younger.
      const insert = `INSERT INTO minitool_marks (sid, session_id, minitool_id, container, unread_since)
        SELECT s.sid, s.id, m.id, ?, cast(? AS bigint) FROM sessions s JOIN minitools m ON m.id = ? WHERE s.id = ? ON CONFLICT DO NOTHING`;
      await write(statement(insert, container, unreadSince, minitoolId, sessionId));
    },
    unmark: async (sessionId) => {
      await write(statement('DELETE FROM minitool_marks WHERE sid = (SELECT sid FROM sessions WHERE id = ?)', sessionId));
    },
    marks: async (minitoolId) =>
      (
        await all(
          `SELECT m.* FROM minitool_marks m JOIN sessions s ON s.sid = m.sid WHERE m.minitool_id = ? AND ${isShown} ORDER BY m.unread_since, m.sid`,
          minitoolId,
        )
      ).map(markOf),
    marked: async (sids) => {
      if (sids.length === 0) return new Set();
      return new Set(
        (await all(`SELECT m.sid FROM minitool_marks m JOIN sessions s ON s.sid = m.sid WHERE ${isShown} AND m.sid IN (${places(sids.length)})`, ...sids)).map(
          (row) => number(row, 'sid'),
        ),
      );
    },
    markCounts: async () => {
      const rows = await all(
        `SELECT m.minitool_id, count(*) AS marks FROM minitool_marks m JOIN sessions s ON s.sid = m.sid WHERE ${isShown} GROUP BY m.minitool_id`,
      );
      return new Map(rows.map((row) => [text(row, 'minitool_id'), number(row, 'marks')]));
    },

    host: async (node, now, until) => {
      const [, rows] = await write(
        statement(`INSERT INTO leases (name, node, lease_until) VALUES (?, '', 0) ON CONFLICT DO NOTHING`, hostLease),
        statement(
          'UPDATE leases SET node = ?, lease_until = ? WHERE name = ? AND (node = ? OR lease_until <= ?) RETURNING name',
          node,
          until,
          hostLease,
          node,
          now,
        ),
      );
      return (rows?.length ?? 0) > 0;
    },
    hostedBy: async () => {
      const row = await one(`SELECT node, lease_until FROM leases WHERE name = ? AND node <> ''`, hostLease);
      return row && { node: String(row['node']), until: Number(row['lease_until']) };
    },
  };
};
