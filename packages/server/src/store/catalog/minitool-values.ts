/** What a mini-tool keeps by itself: values and secrets. Nothing is kept for one that is not installed (MS2). */
import type { AuditRow } from '../../ports/catalog.ts';
import type { MinitoolStore } from '../../ports/minitools.ts';
import { auditInsert } from './audit.ts';
import type { CatalogDatabase, SqlStatement, SqlValue } from './catalog-database.ts';
import { text } from './columns.ts';
import { sqlBuilder } from './sql-builder.ts';
import type { Ask } from './statements.ts';

type Names = 'value' | 'setValue' | 'deleteValue' | 'clearValues' | 'keys' | 'secret' | 'setSecret';

/** Left out where the write that it tells of wrote nothing (MS1). */
const auditStatement = (dialect: CatalogDatabase['dialect'], entry: AuditRow): SqlStatement => {
  const { sql, parameters } = auditInsert(sqlBuilder(dialect), entry).compile();
  return { sql, params: parameters as readonly SqlValue[], needs: 0 };
};

const bytes = (value: string): number => Buffer.byteLength(value, 'utf8');

export const createMinitoolValues = ({ all, one, statement, write }: Ask, dialect: CatalogDatabase['dialect']): Pick<MinitoolStore, Names> => ({
  value: async (minitoolId, key) => {
    const row = await one('SELECT value FROM minitool_values WHERE minitool_id = ? AND name = ?', minitoolId, key);
    return row && text(row, 'value');
  },
  setValue: async (minitoolId, key, value, most) => {
    const size = bytes(key) + bytes(value);
    // Writes of one mini-tool take turns: many at once are no more together than they may be.
    const lock = dialect === 'postgres' ? 'FOR NO KEY UPDATE' : '';
    const [, room] = await write(
      statement(`SELECT id FROM minitools WHERE id = ? ${lock}`, minitoolId),
      statement(
        `SELECT n FROM (SELECT coalesce(sum(bytes), 0) AS n FROM minitool_values WHERE minitool_id = ? AND name <> ?) AS others WHERE n <= ${most - size}`,
        minitoolId,
        key,
      ),
      {
        ...statement(
          `INSERT INTO minitool_values (minitool_id, name, value, bytes) SELECT id, ?, ?, cast(? AS bigint) FROM minitools WHERE id = ?
            ON CONFLICT (minitool_id, name) DO UPDATE SET value = excluded.value, bytes = excluded.bytes`,
          key,
          value,
          size,
          minitoolId,
        ),
        needs: 1,
      },
    );
    return (room?.length ?? 0) > 0 ? 'set' : 'full';
  },
  deleteValue: async (minitoolId, key) => {
    await write(statement('DELETE FROM minitool_values WHERE minitool_id = ? AND name = ?', minitoolId, key));
  },
  clearValues: async (minitoolId) => {
    await write(statement('DELETE FROM minitool_values WHERE minitool_id = ?', minitoolId));
  },
  keys: async (minitoolId) => (await all('SELECT name FROM minitool_values WHERE minitool_id = ? ORDER BY name', minitoolId)).map((row) => text(row, 'name')),

  secret: async (minitoolId, key) => {
    const row = await one('SELECT ciphertext FROM minitool_secrets WHERE minitool_id = ? AND name = ?', minitoolId, key);
    return row && text(row, 'ciphertext');
  },
  setSecret: async (minitoolId, key, ciphertext, at, audit) => {
    await write(
      ciphertext === null
        ? statement('DELETE FROM minitool_secrets WHERE minitool_id = ? AND name = ? RETURNING name', minitoolId, key)
        : statement(
            `INSERT INTO minitool_secrets (minitool_id, name, ciphertext, updated_at) SELECT id, ?, ?, cast(? AS bigint) FROM minitools WHERE id = ?
              ON CONFLICT (minitool_id, name) DO UPDATE SET ciphertext = excluded.ciphertext, updated_at = excluded.updated_at RETURNING name`,
            key,
            ciphertext,
            at,
            minitoolId,
          ),
      ...(audit ? [auditStatement(dialect, audit)] : []),
    );
  },
});
