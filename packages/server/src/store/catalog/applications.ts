/**
 * Applications with their members.
 *
 * Members are rows of their own, so that the applications of a user are a query. They are read with their application in
 * one statement and replaced in the transaction that moves its version: nobody sees one version with another's members.
 */
import type { Compilable, Kysely } from 'kysely';
import type { ApplicationChanges, ApplicationMember, ApplicationRow } from '../../ports/catalog.ts';
import { auditInsert } from './audit.ts';
import type { Access, Part } from './catalog-access.ts';
import type { SqlRow } from './catalog-database.ts';
import { json, number, numberOrNull, text } from './columns.ts';
import type { CatalogTables } from './schema.ts';

const applicationOf = (row: SqlRow, members: readonly ApplicationMember[]): ApplicationRow => ({
  id: text(row, 'id'),
  name: text(row, 'name'),
  description: text(row, 'description'),
  status: text(row, 'status') as ApplicationRow['status'],
  maxConcurrent: numberOrNull(row, 'max_concurrent'),
  tokenBudget: numberOrNull(row, 'token_budget'),
  maxUnfinished: numberOrNull(row, 'max_unfinished'),
  ownerId: text(row, 'owner_id'),
  members,
  version: number(row, 'version'),
  createdAt: number(row, 'created_at'),
  updatedAt: number(row, 'updated_at'),
});

/** Of rows that come application by application, each repeated for every member (or once, without one). */
const applicationsOf = (rows: readonly SqlRow[]): readonly ApplicationRow[] => {
  const grouped = new Map<string, { readonly row: SqlRow; readonly members: ApplicationMember[] }>();
  for (const row of rows) {
    const id = text(row, 'id');
    const group = grouped.get(id) ?? { row, members: [] };
    grouped.set(id, group);
    if (row['member_id'] !== null) group.members.push({ userId: text(row, 'member_id'), roles: json<ApplicationMember['roles']>(row, 'member_roles') });
  }
  return [...grouped.values()].map(({ row, members }) => applicationOf(row, members));
};

const applicationValues = (application: ApplicationRow): CatalogTables['applications'] => ({
  id: application.id,
  name: application.name,
  description: application.description,
  status: application.status,
  max_concurrent: application.maxConcurrent,
  token_budget: application.tokenBudget,
  max_unfinished: application.maxUnfinished,
  owner_id: application.ownerId,
  version: application.version,
  created_at: application.createdAt,
  updated_at: application.updatedAt,
});

/** Absent members stay as they are; null takes a limit away. */
const changedValues = (changes: ApplicationChanges): Partial<CatalogTables['applications']> => ({
  ...(changes.name === undefined ? {} : { name: changes.name }),
  ...(changes.description === undefined ? {} : { description: changes.description }),
  ...(changes.status === undefined ? {} : { status: changes.status }),
  ...(changes.maxConcurrent === undefined ? {} : { max_concurrent: changes.maxConcurrent }),
  ...(changes.tokenBudget === undefined ? {} : { token_budget: changes.tokenBudget }),
  ...(changes.maxUnfinished === undefined ? {} : { max_unfinished: changes.maxUnfinished }),
});

type Db = Kysely<CatalogTables>;

const insertMembers = (db: Db, applicationId: string, members: readonly ApplicationMember[]): readonly Compilable[] => {
  const values = members.map(({ userId, roles }, place) => ({ application_id: applicationId, user_id: userId, roles: JSON.stringify(roles), place }));
  return values.length > 0 ? [db.insertInto('application_members').values(values)] : [];
};

const replaceMembers = (db: Db, applicationId: string, members: readonly ApplicationMember[] | undefined): readonly Compilable[] =>
  members === undefined ? [] : [db.deleteFrom('application_members').where('application_id', '=', applicationId), ...insertMembers(db, applicationId, members)];

/** The given applications with their members, in the order of creation. */
const withMembers = (db: Db, found: ReturnType<typeof selected>): Compilable =>
  db
    .selectFrom(found.as('a'))
    .leftJoin('application_members as m', 'm.application_id', 'a.id')
    .selectAll('a')
    .select(['m.user_id as member_id', 'm.roles as member_roles'])
    .orderBy('a.created_at')
    .orderBy('a.id')
    .orderBy('m.place');
const selected = (db: Db) => db.selectFrom('applications').selectAll('applications');

export const createApplications = ({
  db,
  all,
  one,
  write,
  change,
}: Access): Part<'createApplication' | 'updateApplication' | 'application' | 'applications' | 'applicationRolesOf'> => ({
  createApplication: async (application, audit) => {
    const insert = db.insertInto('applications').values(applicationValues(application));
    await write(insert, ...insertMembers(db, application.id, application.members), auditInsert(db, audit));
  },
  updateApplication: async (id, version, changes, at, audit) => {
    const move = db
      .updateTable('applications')
      .set({ ...changedValues(changes), version: version + 1, updated_at: at })
      .where('id', '=', id)
      .where('version', '=', version)
      .returning('id');
    if (await change(move, [...replaceMembers(db, id, changes.members), auditInsert(db, audit)])) return 'updated';
    return (await one(db.selectFrom('applications').select('id').where('id', '=', id))) ? 'version_conflict' : 'not_found';
  },
  application: async (id) => applicationsOf(await all(withMembers(db, selected(db).where('id', '=', id))))[0],
  applications: async ({ offset, limit, userId }) => {
    const everyones = selected(db);
    const visible =
      userId === undefined
        ? everyones
        : everyones.where((is) => {
            const membership = is.selectFrom('application_members as own').select('own.place').whereRef('own.application_id', '=', 'applications.id');
            return is.or([is('owner_id', '=', userId), is.exists(membership.where('own.user_id', '=', userId))]);
          });
    return applicationsOf(await all(withMembers(db, visible.orderBy('created_at').orderBy('id').limit(limit).offset(offset))));
  },
  applicationRolesOf: async (userId) => {
    const theirs = db.selectFrom('application_members').select(['application_id', 'roles']).where('user_id', '=', userId);
    return (await all(theirs)).map((row) => ({ applicationId: text(row, 'application_id'), roles: json<ApplicationMember['roles']>(row, 'roles') }));
  },
});
