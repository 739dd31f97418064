/** Which mini-tools a user may use. */
import { sql } from 'kysely';
import type { Access, Part } from './catalog-access.ts';
import { text } from './columns.ts';

export const createMinitoolUsers = ({ db, all }: Access): Part<'minitoolsOf'> => ({
  minitoolsOf: async (userId) => {
    // There are few of them; their users are a list of ids in JSON, in which no id is part of another.
    const rows = await all(
      db
        .selectFrom('minitools')
        .select(['id', 'users'])
        .where(sql<boolean>`users like ${`%${JSON.stringify(userId)}%`}`)
        .orderBy('id'),
    );
    return rows.filter((row) => (JSON.parse(text(row, 'users')) as readonly string[]).includes(userId)).map((row) => text(row, 'id'));
  },
});
