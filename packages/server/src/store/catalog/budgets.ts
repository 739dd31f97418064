/**
 * Budgets over a store's database, for both stores.
 *
 * How BS1 is held: by the statements themselves. The limits' rows are locked in the order of their sessions' numbers (a parent's is
 * smaller than its children's), and only the next statement of the transaction counts. SQLite has one writer, and needs no lock.
 */
import type { Budget } from '@turnkeeper/core/session/budget';
import type { SessionId, TurnId } from '@turnkeeper/core/session/ids';
import type { UsageBody } from '@turnkeeper/core/view/usage';
import type { BudgetStore, CallerPlace, SessionUse, TreePlace } from '../../ports/budgets.ts';
import type { AuditRow } from '../../ports/catalog.ts';
import { auditInsert } from './audit.ts';
import type { CatalogDatabase, SqlRow, SqlStatement, SqlValue } from './catalog-database.ts';
import { json, number, text } from './columns.ts';
import { sqlBuilder } from './sql-builder.ts';
import { createAsk, places } from './statements.ts';

const limitedOf = (row: SqlRow) => ({
  sid: number(row, 'sid'),
  id: text(row, 'id') as SessionId,
  path: text(row, 'path'),
  budget: { ...(row['max_model_calls'] === null ? {} : { max_model_calls: number(row, 'max_model_calls') }), ...json<Budget>(row, 'limits') },
});

const useOf = (row: SqlRow): SessionUse => ({
  sid: number(row, 'sid'),
  id: text(row, 'id') as SessionId,
  path: text(row, 'path'),
  usage: row['body'] === null ? undefined : json<UsageBody>(row, 'body'),
  calls: number(row, 'calls'),
  ...(row['turn_id'] === undefined ? {} : { turn: text(row, 'turn_id') as TurnId }),
});

/** The paths of a session and of all above it, the root's ('') first. */
const pathsAbove = ({ path }: Pick<TreePlace, 'path'>): readonly string[] => {
  const names = path === '' ? [] : path.split('/');
  return ['', ...names.map((_, n) => names.slice(0, n + 1).join('/'))];
};

/** Children are found by their root, the root by its id: that is how they are indexed. */
const inTree = (table: string): string => `(${table}.id = ? OR (${table}.root = ? AND ${table}.path <> ''))`;

export const createBudgetStore = (database: CatalogDatabase): BudgetStore => {
  const { all, statement, write } = createAsk(database);
  const isPostgres = database.dialect === 'postgres';
  const greatest = isPostgres ? 'greatest' : 'max';
  const lock = (rows: string): string => (isPostgres ? `${rows} FOR UPDATE OF b` : rows);
  const callsIn = (body: string): string => (isPostgres ? `cast(${body}::json->>'model_calls' AS bigint)` : `json_extract(${body}, '$.model_calls')`);
  const audited = (entry: AuditRow): SqlStatement => {
    const { sql, parameters } = auditInsert(sqlBuilder(database.dialect), entry).compile();
    return { sql, params: parameters as readonly SqlValue[], needs: 0 };
  };

  /** How many calls a session has made: taken ones, or reported ones where those are more. */
  const made = `${greatest}(coalesce(${callsIn('r.body')}, 0), coalesce(c.calls, 0))`;
  const ofSessions = `FROM sessions s LEFT JOIN resources r ON r.sid = s.sid AND r.kind = 'usage' LEFT JOIN budget_calls c ON c.sid = s.sid`;
  /** Of the session `a` and all below it. */
  const below = `(s.id = a.id OR (s.root = a.root AND s.path <> '' AND (a.path = '' OR substr(s.path, 1, length(a.path) + 1) = a.path || '/')))`;
  /** Of what was made with the context of `a` or of a session below it, each with its own tree (BS5). */
  const isLinked = `s.id = l.session_id OR (s.root = l.session_id AND s.path <> '')`;
  const linked = `FROM budget_links l JOIN sessions s ON (${isLinked}) LEFT JOIN resources r ON r.sid = s.sid AND r.kind = 'usage'
    LEFT JOIN budget_calls c ON c.sid = s.sid WHERE l.root = a.root AND (a.path = '' OR l.path = a.path OR substr(l.path, 1, length(a.path) + 1) = a.path || '/')`;
  const madeBelow = `((SELECT coalesce(sum(${made}), 0) ${ofSessions} WHERE ${below}) + (SELECT coalesce(sum(${made}), 0) ${linked}))`;

  const limits = (above: readonly TreePlace[]): { readonly sql: string; readonly params: readonly SqlValue[] } => {
    const each = above.map(({ root, path }) => ({ root, paths: pathsAbove({ path }) }));
    const isAbove = each.map(({ paths }) => `(${inTree('a')} AND a.path IN (${places(paths.length)}))`).join(' OR ');
    return {
      sql: `FROM budgets b JOIN sessions a ON a.sid = b.sid WHERE (${isAbove}) AND b.max_model_calls IS NOT NULL`,
      params: each.flatMap(({ root, paths }) => [root, root, ...paths]),
    };
  };

  const usesWhere = async (where: string, ...params: readonly SqlValue[]): Promise<readonly SessionUse[]> =>
    (await all(`SELECT s.sid, s.id, s.path, r.body, coalesce(c.calls, 0) AS calls ${ofSessions} WHERE ${where} ORDER BY s.sid`, ...params)).map(useOf);

  return {
    put: async (sid, budget, at, audit) => {
      const { max_model_calls: calls, ...rest } = budget;
      const empty = calls === undefined && Object.keys(rest).length === 0;
      const change = empty
        ? statement('DELETE FROM budgets WHERE sid = ?', sid)
        : statement(
            `INSERT INTO budgets (sid, max_model_calls, limits, updated_at) VALUES (?, ?, ?, ?)
              ON CONFLICT (sid) DO UPDATE SET max_model_calls = excluded.max_model_calls, limits = excluded.limits, updated_at = excluded.updated_at`,
            sid,
            calls ?? null,
            JSON.stringify(rest),
            at,
          );
      const there = statement(`SELECT sid FROM sessions WHERE sid = ? AND deleted_at IS NULL ${isPostgres ? 'FOR NO KEY UPDATE' : ''}`, sid);
      const [sessions] = await write(there, { ...change, needs: 0 }, audited(audit));
      return (sessions?.length ?? 0) > 0;
    },
    limited: async (root) =>
      (
        await all(
          `SELECT s.sid, s.id, s.path, b.max_model_calls, b.limits FROM sessions s JOIN budgets b ON b.sid = s.sid WHERE ${inTree('s')} ORDER BY s.sid`,
          root,
          root,
        )
      ).map(limitedOf),
    limitedRoots: async () =>
      (await all('SELECT DISTINCT s.root FROM budgets b JOIN sessions s ON s.sid = b.sid')).map((row) => text(row, 'root') as SessionId),
    uses: async (root) => [
      ...(await usesWhere(inTree('s'), root, root)),
      ...(
        await all(
          `SELECT s.sid, s.id, l.path, l.turn_id, r.body, coalesce(c.calls, 0) AS calls FROM budget_links l JOIN sessions s ON (${isLinked})
            LEFT JOIN resources r ON r.sid = s.sid AND r.kind = 'usage' LEFT JOIN budget_calls c ON c.sid = s.sid WHERE l.root = ? ORDER BY s.sid`,
          root,
        )
      ).map(useOf),
    ],
    link: async (sessionId, callers) => {
      const linkTo = ({ root, path, turnId }: CallerPlace) =>
        statement('INSERT INTO budget_links (session_id, root, path, turn_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING', sessionId, root, path, turnId);
      if (callers.length > 0) await write(...callers.map(linkTo));
    },
    take: async ({ sid, call, root, path, callers = [] }) => {
      const above = limits([{ root, path }, ...callers]);
      const full = `SELECT a.id, ${madeBelow} AS used, b.max_model_calls AS max ${above.sql} AND ${madeBelow} >= b.max_model_calls
        AND NOT EXISTS (SELECT 1 FROM budget_calls k WHERE k.sid = ? AND k.call = ?)`;
      const params = [...above.params, sid, call];
      const taken = `INSERT INTO budget_calls (sid, call, calls)
        SELECT s.sid, ?, ${made} + 1 ${ofSessions} WHERE s.sid = ?
        ON CONFLICT (sid) DO UPDATE SET call = excluded.call, calls = excluded.calls WHERE budget_calls.call <> excluded.call`;
      const [, , , rows] = await write(
        statement(lock(`SELECT b.sid ${above.sql} ORDER BY b.sid`), ...above.params),
        statement(`SELECT 1 AS free WHERE NOT EXISTS (${full})`, ...params),
        { ...statement(taken, call, sid), needs: 1 },
        statement(`${full} ORDER BY b.sid`, ...params),
      );
      const first = rows?.[0];
      return first && { id: text(first, 'id') as SessionId, used: number(first, 'used'), max: number(first, 'max') };
    },
  };
};
