/** Spaces and who is in them. */
import type { SpaceMember, SpaceRow } from '../../ports/catalog.ts';
import { auditInsert } from './audit.ts';
import type { Access, Part } from './catalog-access.ts';
import type { SqlRow } from './catalog-database.ts';
import { number, text } from './columns.ts';
import type { CatalogTables } from './schema.ts';

const spaceOf = (row: SqlRow): SpaceRow => ({ id: text(row, 'id'), name: text(row, 'name'), createdAt: number(row, 'created_at') });
const memberOf = (row: SqlRow): SpaceMember => ({
  spaceId: text(row, 'space_id'),
  userId: text(row, 'user_id'),
  role: text(row, 'role') as SpaceMember['role'],
});
const memberValues = ({ spaceId, userId, role }: SpaceMember): CatalogTables['space_members'] => ({ space_id: spaceId, user_id: userId, role });

export const createSpaces = ({
  db,
  all,
  one,
  write,
  change,
}: Access): Part<'createSpace' | 'renameSpace' | 'space' | 'spaces' | 'putSpaceMember' | 'deleteSpaceMember' | 'spaceMembers' | 'spacesOf'> => ({
  createSpace: async ({ id, name, createdAt }, first, audit) => {
    const insert = db
      .insertInto('spaces')
      .values({ id, name, created_at: createdAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id');
    const members = first ? [db.insertInto('space_members').values(memberValues(first))] : [];
    return (await change(insert, [...members, auditInsert(db, audit)])) ? 'created' : 'already_exists';
  },
  renameSpace: async (id, name, audit) => {
    const renamed = await change(db.updateTable('spaces').set({ name }).where('id', '=', id).returning('id'), [auditInsert(db, audit)]);
    return renamed ? 'updated' : 'not_found';
  },
  space: async (id) => {
    const row = await one(db.selectFrom('spaces').selectAll().where('id', '=', id));
    return row && spaceOf(row);
  },
  spaces: async ({ offset, limit, ids }) => {
    // `in ()` is no SQL everywhere.
    if (ids?.length === 0) return [];
    const every = db.selectFrom('spaces').selectAll();
    const named = ids ? every.where('id', 'in', ids) : every;
    return (await all(named.orderBy('created_at').orderBy('id').limit(limit).offset(offset))).map(spaceOf);
  },
  putSpaceMember: async (member, audit) => {
    const put = db
      .insertInto('space_members')
      .values(memberValues(member))
      .onConflict((conflict) => conflict.columns(['space_id', 'user_id']).doUpdateSet({ role: member.role }));
    await write(put, auditInsert(db, audit));
  },
  deleteSpaceMember: (spaceId, userId, audit) =>
    change(db.deleteFrom('space_members').where('space_id', '=', spaceId).where('user_id', '=', userId).returning('user_id'), [auditInsert(db, audit)]),
  spaceMembers: async (spaceId, { offset, limit }) => {
    const theirs = db.selectFrom('space_members').selectAll().where('space_id', '=', spaceId);
    return (await all(theirs.orderBy('user_id').limit(limit).offset(offset))).map(memberOf);
  },
  spacesOf: async (userId) => (await all(db.selectFrom('space_members').selectAll().where('user_id', '=', userId).orderBy('space_id'))).map(memberOf),
});
