/** Use cases: applications. Any user makes one and manages it; members see it; to others it is not there. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { ApplicationMember, ApplicationResource, CreateApplicationRequest, PatchApplicationRequest } from '@turnkeeper/core/protocol/wire/identity';
import type { ApplicationChanges, ApplicationRow } from '../ports/catalog.ts';
import type { Quota } from '../ports/session-store.ts';
import { type Administration, everyRow, type Items, pageOf, requireUser, unknownUsers } from './administration.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import type { Caller, UserCaller } from './caller.ts';

export type ApplicationAnswer = { readonly application: ApplicationResource };

const applicationResource = async (app: App, row: ApplicationRow): Promise<ApplicationResource> =>
  resourceOf(row, await app.sessions.store.quota(`app:${row.id}`));

const uncounted: Quota = { unfinished: 0, running: 0, tokens: 0 };

const resourceOf = (row: ApplicationRow, { running, unfinished, tokens }: Quota): ApplicationResource => {
  const members = row.members.map(({ userId, roles }) => ({ userId, roles: [...roles] }));
  return { ...row, members, usage: { running, unfinished, tokens } };
};

/** An application that the caller is a member or the owner of, or any for admins. Throws `not_found`, for keys `forbidden`. */
export const findApplication = async (
  { app }: Administration,
  caller: Caller,
  id: string,
): Promise<{ readonly user: UserCaller; readonly application: ApplicationRow }> => {
  const user = requireUser(caller);
  const application = await app.catalog.application(id);
  const sees = application && (user.admin || application.ownerId === user.id || application.members.some(({ userId }) => userId === user.id));
  if (!sees) throw new TurnkeeperError('not_found', 'There is no such application.');
  return { user, application };
};

/** The same, to be changed. Throws `not_found`, `forbidden`. */
export const findManagedApplication: typeof findApplication = async (administration, caller, id) => {
  const found = await findApplication(administration, caller, id);
  if (!found.user.admin && found.application.ownerId !== found.user.id)
    throw new TurnkeeperError('forbidden', 'Only the owner of the application, and admins, may change it and its keys.');
  return found;
};

/** Throws `validation_failed`, naming the members who are no users. */
const checkMembers = async (app: App, members: readonly ApplicationMember[]): Promise<void> => {
  const unknown = await unknownUsers(
    app,
    members.map(({ userId }) => userId),
  );
  const errors = members.flatMap(({ userId }, index) =>
    unknown.has(userId) ? [{ pointer: `/members/${index}/userId`, detail: 'there is no such user' }] : [],
  );
  if (errors.length > 0) throw new TurnkeeperError('validation_failed', errors.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; '), { errors });
};

const uniqueRoles = (members: readonly ApplicationMember[]) => members.map(({ userId, roles }) => ({ userId, roles: [...new Set(roles)] }));

export const listApplications = async (
  { app }: Administration,
  caller: Caller,
  page: { readonly offset: number; readonly limit: number },
): Promise<Items<ApplicationResource>> => {
  const user = requireUser(caller);
  const rows = await app.catalog.applications({ offset: page.offset, limit: page.limit + 1, ...(user.admin ? {} : { userId: user.id }) });
  const quotas = await app.sessions.store.quotas(rows.map(({ id }) => `app:${id}`));
  return pageOf(
    rows.map((row, at) => resourceOf(row, quotas[at] ?? uncounted)),
    page,
    (resource) => resource,
  );
};

export const readApplication = async (administration: Administration, caller: Caller, id: string): Promise<ApplicationAnswer> => {
  const { application } = await findApplication(administration, caller, id);
  return { application: await applicationResource(administration.app, application) };
};

/** Whoever makes it owns it, and is a member with all roles unless the request says with which. */
export const createApplication = async ({ app, identity }: Administration, caller: Caller, body: CreateApplicationRequest): Promise<ApplicationAnswer> => {
  const user = requireUser(caller);
  await checkMembers(app, body.members);
  const listed = body.members.some(({ userId }) => userId === user.id);
  const members = uniqueRoles(listed ? body.members : [...body.members, { userId: user.id, roles: ['viewer', 'operator', 'approver'] }]);
  const at = app.clock.now();
  const row: ApplicationRow = { ...body, id: app.ids.next('app'), status: 'active', ownerId: user.id, members, version: 1, createdAt: at, updatedAt: at };
  const details = { name: row.name, members: members as unknown as JsonObject[] };
  await app.catalog.createApplication(row, auditOf(app, user, { action: 'application.created', subject: `application:${row.id}`, details }));
  for (const { userId } of members) identity.forgetUser(userId);
  return { application: await applicationResource(app, row) };
};

const changesOf = ({ version: _version, members, ...given }: PatchApplicationRequest): ApplicationChanges => {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as ApplicationChanges;
  return members === undefined ? said : { ...said, members: uniqueRoles(members) };
};

const stale = (application: ApplicationRow | undefined, version: number): TurnkeeperError =>
  new TurnkeeperError('version_conflict', `The application is at version ${application?.version}, not ${version}. Read it again and repeat the change.`, {
    version: application?.version,
  });

/** Its keys stop working at once when it is disabled. Throws `not_found`, `forbidden`, `version_conflict`. */
export const changeApplication = async (
  administration: Administration,
  caller: Caller,
  id: string,
  body: PatchApplicationRequest,
): Promise<ApplicationAnswer> => {
  const { user, application } = await findManagedApplication(administration, caller, id);
  const { app, identity } = administration;
  await checkMembers(app, body.members ?? []);
  const changes = changesOf(body);
  const entry = auditOf(app, user, { action: 'application.changed', subject: `application:${id}`, details: changes as JsonObject });
  const ends = changes.status === 'disabled' && body.version === application.version ? await everyRow((page) => app.catalog.credentials(id, page)) : [];
  const write = async (): Promise<void> => {
    switch (await app.catalog.updateApplication(id, body.version, changes, app.clock.now(), entry)) {
      case 'updated':
        return;
      case 'version_conflict':
        throw stale(await app.catalog.application(id), body.version);
      case 'not_found':
        throw new TurnkeeperError('not_found', 'There is no such application.');
    }
  };
  await identity.whileRevoking(
    ends.map(({ hash }) => hash),
    write,
  );
  identity.forgetApplication(id);
  app.sessions.limits.forget(`app:${id}`);
  for (const { userId } of [...application.members, ...(changes.members ?? [])]) identity.forgetUser(userId);
  return readApplicationRow(administration, id);
};

/** As it is after a change, also for an owner who has just left. */
const readApplicationRow = async ({ app }: Administration, id: string): Promise<ApplicationAnswer> => {
  const row = await app.catalog.application(id);
  if (!row) throw new TurnkeeperError('not_found', 'There is no such application.');
  return { application: await applicationResource(app, row) };
};
