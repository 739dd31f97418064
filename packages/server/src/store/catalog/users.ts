/**
 * Users.
 *
 * G7 is held by a unique index on the name in lower case, which is also what a name is looked up by.
 *
 * G6 is held by the statement that would break it: it takes an admin's place away only while another active admin is
 * there. PostgreSQL looks at rows as of the statement's start, so every such statement first locks all active admins, in
 * the order of their ids: of two nodes that take the last two away at the same moment, the second sees what the first did.
 */
import { type Compilable, type Expression, type SqlBool, sql } from 'kysely';
import type { UserChanges, UserRow } from '../../ports/catalog.ts';
import { auditInsert } from './audit.ts';
import type { Access, Part } from './catalog-access.ts';
import type { SqlRow } from './catalog-database.ts';
import { json, number, text, textOrNull } from './columns.ts';
import type { CatalogTables } from './schema.ts';
import { revokeTokens } from './tokens.ts';

const userOf = (row: SqlRow): UserRow => ({
  id: text(row, 'id'),
  username: text(row, 'username'),
  displayName: text(row, 'display_name'),
  roles: json<UserRow['roles']>(row, 'roles'),
  status: text(row, 'status') as UserRow['status'],
  passwordHash: textOrNull(row, 'password_hash'),
  createdAt: number(row, 'created_at'),
});
const userValues = (user: UserRow): CatalogTables['users'] => ({
  id: user.id,
  username: user.username,
  display_name: user.displayName,
  roles: JSON.stringify(user.roles),
  status: user.status,
  password_hash: user.passwordHash,
  created_at: user.createdAt,
});

/** Absent members stay as they are. */
const changedValues = ({ displayName, roles, status }: UserChanges): Partial<CatalogTables['users']> => ({
  ...(displayName === undefined ? {} : { display_name: displayName }),
  ...(roles === undefined ? {} : { roles: JSON.stringify(roles) }),
  ...(status === undefined ? {} : { status }),
});

/** Of the row of `users` that goes by this name; in brackets, so that it can be denied. */
const isActiveAdmin = (table: string): Expression<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${table}.status`)} = 'active' and ${sql.ref(`${table}.roles`)} like '%"admin"%')`;

const takesAdminAway = ({ roles, status }: UserChanges): boolean => status === 'disabled' || (roles !== undefined && !roles.includes('admin'));

/** G6 */
const createUpdate =
  ({ dialect, db, one, change }: Access): Part<'updateUser'>['updateUser'] =>
  async (id, changes, audit) => {
    // The id stands for itself: a change of nothing is a statement too.
    const update = db
      .updateTable('users')
      .set({ id, ...changedValues(changes) })
      .where('users.id', '=', id);
    const another = db.selectFrom('users as other').select('other.id').where('other.id', '<>', id).where(isActiveAdmin('other'));
    const guarded = update.where((is) => is.or([is.not(isActiveAdmin('users')), is.exists(another)]));
    // The user's own row too, in its place: it may become an admin's meanwhile.
    const lock = db
      .selectFrom('users')
      .select('users.id')
      .where((is) => is.or([is('users.id', '=', id), isActiveAdmin('users')]))
      .orderBy('users.id')
      .forUpdate();
    const guard = takesAdminAway(changes);
    // SQLite has one writer, and no such lock.
    const before: readonly Compilable[] = guard && dialect === 'postgres' ? [lock] : [];
    if (await change((guard ? guarded : update).returning('id'), [auditInsert(db, audit)], before)) return 'updated';
    return (await one(db.selectFrom('users').select('id').where('id', '=', id))) ? 'last_admin' : 'not_found';
  };

/** G8: the row's lock is held to the end, so that nobody who compared with the hash of before adds a token after this. */
const createSetPassword =
  ({ db, one, change }: Access): Part<'setPassword'>['setPassword'] =>
  async ({ userId, hash, was, revokeAllBut }, audit, revoked) => {
    const update = db.updateTable('users').set({ password_hash: hash }).where('id', '=', userId);
    const guarded = was === undefined ? update : update.where('password_hash', was === null ? 'is' : '=', was);
    const revoke = revokeAllBut === undefined ? [] : revokeTokens(db, userId, revokeAllBut, revoked);
    if (await change(guarded.returning('id'), [auditInsert(db, audit), ...revoke])) return 'updated';
    return (await one(db.selectFrom('users').select('id').where('id', '=', userId))) ? 'changed_meanwhile' : 'not_found';
  };

type Names = 'createUser' | 'updateUser' | 'user' | 'userByName' | 'users' | 'firstAdmin' | 'setPassword';

export const createUsers = (access: Access): Part<Names> => {
  const { db, all, one, change } = access;
  const every = () => db.selectFrom('users').selectAll().orderBy('created_at').orderBy('id');
  const only = async (query: Compilable): Promise<UserRow | undefined> => {
    const row = await one(query);
    return row && userOf(row);
  };
  return {
    createUser: async (user, audit) => {
      const insert = db
        .insertInto('users')
        .values(userValues(user))
        .onConflict((conflict) => conflict.doNothing())
        .returning('id');
      return (await change(insert, [auditInsert(db, audit)])) ? 'created' : 'already_exists';
    },
    updateUser: createUpdate(access),
    user: (id) => only(db.selectFrom('users').selectAll().where('id', '=', id)),
    userByName: (username) => only(db.selectFrom('users').selectAll().where(sql<SqlBool>`lower(username) = lower(${username})`)),
    users: async ({ offset, limit, ids }) => {
      // `in ()` is no SQL everywhere.
      if (ids?.length === 0) return [];
      const named = ids ? every().where('id', 'in', ids) : every();
      return (await all(named.limit(limit).offset(offset))).map(userOf);
    },
    firstAdmin: () => only(every().where(isActiveAdmin('users')).limit(1)),
    setPassword: createSetPassword(access),
  };
};
