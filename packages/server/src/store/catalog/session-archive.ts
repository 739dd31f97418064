/**
 * Brings back exported sessions, in both stores alike but for what each of them keeps besides (SA1, SA2).
 *
 * SA3 Registrations hold the application's row, too (write-within.ts): either they see the session, or it sees them.
 * SA4 SQLite goes on behind the highest number by itself. On PostgreSQL the sequence is moved past the number first, in a
 *     transaction of its own: for so short only do creations wait for its lock, and a number that an import then does not use
 *     is a gap like any other.
 */
import type { AuditRow } from '../../ports/catalog.ts';
import type { ArchivedSession, SessionArchive } from '../../ports/session-archive.ts';
import { auditInsert } from './audit.ts';
import type { CatalogDatabase, SqlStatement, SqlValue } from './catalog-database.ts';
import { sqlBuilder } from './sql-builder.ts';
import { createAsk, places } from './statements.ts';

/** PostgreSQL takes at most 65,535 parameters a statement. */
const rowsAtOnce = 500;

const chunks = <Of>(items: readonly Of[]): readonly (readonly Of[])[] =>
  Array.from({ length: Math.ceil(items.length / rowsAtOnce) }, (_, n) => items.slice(n * rowsAtOnce, (n + 1) * rowsAtOnce));

/** Texts as PostgreSQL keeps them for searches. */
export type Folds = { readonly title: (text: string) => string; readonly metadata: (text: string) => string | null };

/** `folds`: where the store keeps them. */
export const createSessionArchive = (database: CatalogDatabase, folds?: Folds): SessionArchive => {
  const { statement, write } = createAsk(database);
  const isPostgres = database.dialect === 'postgres';
  const many = (table: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): readonly SqlStatement[] =>
    chunks(rows).map((some) => ({
      ...statement(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${some.map((row) => `(${places(row.length)})`).join(', ')}`, ...some.flat()),
      needs: 0,
    }));

  const sessionInsert = ({ row }: ArchivedSession): SqlStatement => {
    const columns = ['sid', 'id', 'owner', 'root', 'path', 'placement', 'config_ref', 'title', 'metadata', 'status', 'archived_at', 'created_at', 'updated_at'];
    const values: SqlValue[] = [
      row.sid,
      row.id,
      row.owner,
      row.root,
      row.path,
      row.placement,
      row.configRef,
      row.title,
      row.metadata,
      row.status,
      row.archivedAt,
      row.createdAt,
      row.updatedAt,
    ];
    if (folds) {
      columns.push('title_folded', 'metadata_folded');
      values.push(folds.title(row.title), folds.metadata(row.metadata));
    }
    return statement(`INSERT INTO sessions (${columns.join(', ')}) VALUES (${places(values.length)}) ON CONFLICT DO NOTHING RETURNING sid`, ...values);
  };

  const audited = (entry: AuditRow): SqlStatement => {
    const { sql, parameters } = auditInsert(sqlBuilder(database.dialect), entry).compile();
    return { sql, params: parameters as readonly SqlValue[], needs: 0 };
  };

  /** SA4. What changes nothing of a sequence locks it all the same: `setval` alone would take it back behind what was given out since. */
  const passNumber = async ({ sid, id }: ArchivedSession['row']): Promise<void> => {
    await write(
      statement('SELECT 1 AS free WHERE NOT EXISTS (SELECT FROM sessions WHERE sid = ? OR id = ?)', sid, id),
      { ...statement('ALTER SEQUENCE session_sids OWNED BY NONE'), needs: 0 },
      { ...statement(`SELECT setval('session_sids', greatest(last_value, ?)) FROM session_sids`, sid), needs: 0 },
    );
  };

  /** SA3 */
  const followed = ({ row }: ArchivedSession): readonly SqlStatement[] => {
    if (!row.owner.startsWith('app:')) return [];
    const application = row.owner.slice('app:'.length);
    const held = statement(`SELECT id FROM applications WHERE id = ? ${isPostgres ? 'FOR SHARE' : ''}`, application);
    const lanes = statement(
      `INSERT INTO webhook_lanes (webhook_id, sid, seq, fence, lease_until)
        SELECT w.id, h.sid, h.seq, 0, 0 FROM webhooks w JOIN heads h ON h.sid = ? WHERE w.application_id = ? AND w.deleted_at IS NULL`,
      row.sid,
      application,
    );
    return [held, lanes].map((one) => ({ ...one, needs: 0 }));
  };

  return {
    bringBack: async (session, audit) => {
      const { row, config, state, format, seq, stateSeq } = session;
      const { sid } = row;
      const gone = isPostgres ? 'false' : '0';
      if (isPostgres) await passNumber(row);
      const statements: SqlStatement[] = [
        sessionInsert(session),
        audited(audit),
        ...many('configs', ['ref', 'body'], [[config.ref, config.body]]).map((one) => ({ ...one, sql: `${one.sql} ON CONFLICT DO NOTHING` })),
        {
          ...statement(
            `INSERT INTO heads (sid, seq, state_seq, horizon, fence, node, wn, owner, due, gone, v) VALUES (?, ?, ?, 0, 0, NULL, 0, ?, NULL, ${gone}, ?)`,
            sid,
            seq,
            stateSeq,
            row.owner,
            format,
          ),
          needs: 0,
        },
        ...many('states', ['sid', 'body'], [[sid, state]]),
        ...many(
          'events',
          ['sid', 'seq', 'turn', 'type', 'at', 'data'],
          session.events.map((event) => [sid, event.seq, event.turn, event.type, event.at, event.data]),
        ),
        ...many(
          'resources',
          ['sid', 'kind', 'n', 'id', 'last_seq', 'base_seq', 'last_at', 'body'],
          session.resources.map(({ kind, n, id, lastSeq, baseSeq, lastAt, body }) => [sid, kind, n, id, lastSeq, baseSeq, lastAt, body]),
        ),
        ...followed(session),
      ];
      const [made] = await write(...statements);
      return (made?.length ?? 0) > 0 ? 'done' : 'taken';
    },
  };
};
