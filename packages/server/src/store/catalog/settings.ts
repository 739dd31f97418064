/** Single values by name, of the installation itself. */
import { auditInsert } from './audit.ts';
import type { Access, Part } from './catalog-access.ts';

export const createSettings = ({ db, one, write }: Access): Part<'setting' | 'setSetting'> => ({
  setting: async (name) => {
    const value = (await one(db.selectFrom('settings').select('value').where('name', '=', name)))?.['value'];
    return value === undefined ? undefined : String(value);
  },
  setSetting: async (name, value, audit) => {
    const put =
      value === null
        ? db.deleteFrom('settings').where('name', '=', name)
        : db
            .insertInto('settings')
            .values({ name, value })
            .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }));
    await write(put, ...(audit ? [auditInsert(db, audit)] : []));
  },
});
