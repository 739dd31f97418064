/** Secrets, as ciphertext (G4). */
import type { SecretRow } from '../../ports/catalog.ts';
import { auditInsert } from './audit.ts';
import type { Access, Part } from './catalog-access.ts';
import type { SqlRow } from './catalog-database.ts';
import { number, text } from './columns.ts';

const secretOf = (row: SqlRow): SecretRow => ({
  name: text(row, 'name'),
  ciphertext: text(row, 'ciphertext'),
  updatedAt: number(row, 'updated_at'),
  updatedBy: text(row, 'updated_by'),
});

export const createSecrets = ({ db, all, one, write, change }: Access): Part<'putSecret' | 'secret' | 'secrets' | 'deleteSecret'> => ({
  putSecret: async ({ name, ciphertext, updatedAt, updatedBy }, audit) => {
    const values = { ciphertext, updated_at: updatedAt, updated_by: updatedBy };
    const put = db
      .insertInto('secrets')
      .values({ name, ...values })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values));
    await write(put, auditInsert(db, audit));
  },
  secret: async (name) => {
    const row = await one(db.selectFrom('secrets').selectAll().where('name', '=', name));
    return row && secretOf(row);
  },
  secrets: async () => (await all(db.selectFrom('secrets').selectAll().orderBy('name'))).map(secretOf),
  deleteSecret: (name, audit) => change(db.deleteFrom('secrets').where('name', '=', name).returning('name'), [auditInsert(db, audit)]),
});
