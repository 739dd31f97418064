/**
 * Use cases: users.
 *
 * US1 Names differ by more than their case, or one could pass for another.
 * US2 Whoever loses a role, a password or the account itself loses what was opened by it: at once on this node, streams
 *     included. A password and the tokens that go with it are one write.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { CreateUserRequest, PatchUserRequest, SetPasswordRequest, UserResource } from '@turnkeeper/core/protocol/wire/identity';
import type { AuditRow, PasswordChange, UserChanges, UserRow } from '../ports/catalog.ts';
import { type Administration, everyRow, type Items, type PageQuery, pageOf, requireAdmin, requireUser } from './administration.ts';
import { auditOf } from './audit.ts';
import type { Caller, UserCaller } from './caller.ts';
import type { PasswordAttempts } from './password-attempts.ts';

export type UserAnswer = { readonly user: UserResource };

export const userResource = ({ passwordHash, roles, ...row }: UserRow): UserResource => ({
  id: row.id,
  username: row.username,
  displayName: row.displayName,
  roles: [...roles],
  status: row.status,
  hasPassword: passwordHash !== null,
  createdAt: row.createdAt,
});

const noSuchUser = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such user.');

const find = async ({ app }: Administration, id: string): Promise<UserRow> => {
  const user = await app.catalog.user(id);
  if (!user) throw noSuchUser();
  return user;
};

const distinct = <Of>(list: readonly Of[]): readonly Of[] => [...new Set(list)];

export const listUsers = async ({ app }: Administration, caller: Caller, page: PageQuery): Promise<Items<UserResource>> => {
  requireAdmin(caller, 'list users');
  return pageOf(await app.catalog.users({ offset: page.offset, limit: page.limit + 1 }), page, userResource);
};

export const readUser = async (administration: Administration, caller: Caller, id: string): Promise<UserAnswer> => {
  requireAdmin(caller, 'read users');
  return { user: userResource(await find(administration, id)) };
};

/** Throws `already_exists` (US1). */
export const createUser = async ({ app, identity }: Administration, caller: Caller, body: CreateUserRequest): Promise<UserAnswer> => {
  const admin = requireAdmin(caller, 'make users');
  const user: UserRow = {
    id: app.ids.next('user'),
    username: body.username,
    displayName: body.displayName ?? body.username,
    roles: distinct(body.roles),
    status: 'active',
    passwordHash: body.password === undefined ? null : await identity.passwords.hash(body.password),
    createdAt: app.clock.now(),
  };
  const details = { username: user.username, roles: [...user.roles] };
  const made = await app.catalog.createUser(user, auditOf(app, admin, { action: 'user.created', subject: `user:${user.id}`, details }));
  if (made === 'already_exists') throw new TurnkeeperError('already_exists', `There is a user with the name "${body.username}" already.`);
  return { user: userResource(user) };
};

/** Writes the changes while the user's tokens are refused, where the change ends them. Throws `not_found`, `last_admin`. */
const update = async ({ app, identity }: Administration, id: string, changes: UserChanges, entry: AuditRow): Promise<void> => {
  const ends = changes.status === 'disabled' ? await everyRow((page) => app.catalog.tokensOf(id, page)) : [];
  const write = async (): Promise<void> => {
    switch (await app.catalog.updateUser(id, changes, entry)) {
      case 'updated':
        return;
      case 'not_found':
        throw noSuchUser();
      case 'last_admin':
        throw new TurnkeeperError('last_admin', 'This is the last active admin. Make another one first.');
    }
  };
  await identity.whileRevoking(
    ends.map(({ hash }) => hash),
    write,
  );
  identity.forgetUser(id);
};

/** Throws `not_found`, `last_admin`. */
export const changeUser = async (administration: Administration, caller: Caller, id: string, body: PatchUserRequest): Promise<UserAnswer> => {
  const admin = requireAdmin(caller, 'change users');
  const changes: UserChanges = {
    ...(body.displayName === undefined ? {} : { displayName: body.displayName }),
    ...(body.roles === undefined ? {} : { roles: distinct(body.roles) }),
    ...(body.status === undefined ? {} : { status: body.status }),
  };
  const entry = auditOf(administration.app, admin, { action: 'user.changed', subject: `user:${id}`, details: changes as JsonObject });
  await update(administration, id, changes, entry);
  return readUser(administration, caller, id);
};

export type PasswordAdministration = Administration & { readonly attempts: PasswordAttempts };

/** Throws `rate_limited` (PA1: whoever has somebody's token must not find out the password by it), `forbidden`. */
const requirePresent = async ({ identity, attempts }: PasswordAdministration, caller: Caller, user: UserRow, given: string | undefined): Promise<void> => {
  if (user.passwordHash === null) return;
  attempts({ username: user.username, address: caller.address ?? '' });
  if (!(await identity.passwords.matches(given ?? '', user.passwordHash)))
    throw new TurnkeeperError('forbidden', 'The present password is wrong.', { pointer: '/currentPassword' });
};

/**
 * One's own password, which wants the present one; or anyone's, by an admin. A password that replaces another, or that
 * somebody else sets, revokes the user's tokens but that of this request. Throws `not_found`, `forbidden`, `rate_limited`.
 */
export const setPassword = async (administration: PasswordAdministration, caller: Caller, id: string, body: SetPasswordRequest): Promise<void> => {
  const self = requireUser(caller);
  const own = self.id === id;
  if (!own) requireAdmin(caller, 'set the passwords of others');
  const user = await find(administration, id);
  if (own) await requirePresent(administration, caller, user, body.currentPassword);
  const hash = await administration.identity.passwords.hash(body.password);
  await writePassword(administration, self, {
    userId: id,
    hash,
    ...(own ? { was: user.passwordHash } : {}),
    ...(own && user.passwordHash === null ? {} : { revokeAllBut: self.credentialId }),
  });
};

/** The tokens that go with it are refused from now on, also while it is being written. */
const writePassword = async ({ app, identity }: Administration, caller: UserCaller, change: PasswordChange): Promise<void> => {
  const { userId, revokeAllBut } = change;
  const details = { own: caller.id === userId };
  const entry = auditOf(app, caller, { action: 'user.password_set', subject: `user:${userId}`, details });
  const revoked = auditOf(app, caller, { action: 'token.revoked', subject: 'token', details: { user: userId, reason: 'password_set' } });
  const ends = revokeAllBut === undefined ? [] : await everyRow((page) => app.catalog.tokensOf(userId, page));
  const hashes = ends.flatMap(({ id, hash }) => (id === revokeAllBut ? [] : [hash]));
  const result = await identity.whileRevoking(hashes, () => app.catalog.setPassword(change, entry, revoked));
  // A token that was made meanwhile went, too.
  identity.forgetUser(userId);
  switch (result) {
    case 'updated':
      return;
    case 'changed_meanwhile':
      throw new TurnkeeperError('forbidden', 'The password was changed meanwhile.', { pointer: '/currentPassword' });
    case 'not_found':
      throw noSuchUser();
  }
};
