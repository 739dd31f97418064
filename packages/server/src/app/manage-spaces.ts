/** Use cases: spaces and who belongs to them. Admins make them; a space's managers change it and its members. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { CreateSpaceRequest, SpaceMemberResource, SpaceResource, SpaceRole } from '@turnkeeper/core/protocol/wire/identity';
import type { SpaceRow } from '../ports/catalog.ts';
import { type Administration, faultAt, type Items, type PageQuery, pageOf, requireAdmin, requireUser } from './administration.ts';
import { auditOf } from './audit.ts';
import type { Caller, UserCaller } from './caller.ts';
import { belongsTo, defaultSpace } from './spaces.ts';

export type SpaceAnswer = { readonly space: SpaceResource };

const spaceResource = ({ id, name, createdAt }: SpaceRow, { spaces }: UserCaller): SpaceResource => ({ id, name, createdAt, role: spaces.get(id) ?? null });

/** A space that the caller belongs to; to others it is not there. Throws `not_found`. */
const find = async ({ app }: Administration, caller: UserCaller, id: string): Promise<SpaceRow> => {
  const space = belongsTo(caller, id) ? await app.catalog.space(id) : undefined;
  if (!space) throw new TurnkeeperError('not_found', 'There is no such space.');
  return space;
};

/** Throws `not_found`, `forbidden`. */
const findManaged = async (administration: Administration, caller: Caller, id: string): Promise<{ readonly space: SpaceRow; readonly user: UserCaller }> => {
  const user = requireUser(caller);
  const space = await find(administration, user, id);
  if (!user.admin && user.spaces.get(id) !== 'manager') throw new TurnkeeperError('forbidden', 'Only managers of the space, and admins, may change it.');
  return { space, user };
};

/** Those that the caller belongs to, and `default`; all of them for admins. */
export const listSpaces = async ({ app }: Administration, caller: Caller, page: PageQuery): Promise<Items<SpaceResource>> => {
  const user = requireUser(caller);
  const which = user.admin ? {} : { ids: [defaultSpace, ...user.spaces.keys()] };
  const rows = await app.catalog.spaces({ ...which, offset: page.offset, limit: page.limit + 1 });
  return pageOf(rows, page, (space) => spaceResource(space, user));
};

export const readSpace = async (administration: Administration, caller: Caller, id: string): Promise<SpaceAnswer> => {
  const user = requireUser(caller);
  return { space: spaceResource(await find(administration, user, id), user) };
};

/** Whoever makes a space manages it. Throws `already_exists`. */
export const createSpace = async ({ app, identity }: Administration, caller: Caller, body: CreateSpaceRequest): Promise<SpaceAnswer> => {
  const user = requireAdmin(caller, 'make spaces');
  const taken = () => new TurnkeeperError('already_exists', `There is a space with the id "${body.id}" already.`);
  const space: SpaceRow = { id: body.id, name: body.name ?? body.id, createdAt: app.clock.now() };
  const entry = auditOf(app, user, { action: 'space.created', subject: `space:${space.id}`, details: { name: space.name } });
  if ((await app.catalog.createSpace(space, { spaceId: space.id, userId: user.id, role: 'manager' }, entry)) === 'already_exists') throw taken();
  identity.forgetUser(user.id);
  return { space: { ...spaceResource(space, user), role: 'manager' } };
};

export const renameSpace = async (administration: Administration, caller: Caller, id: string, name: string): Promise<SpaceAnswer> => {
  const { space, user } = await findManaged(administration, caller, id);
  const { app } = administration;
  await app.catalog.renameSpace(id, name, auditOf(app, user, { action: 'space.changed', subject: `space:${id}`, details: { name } }));
  return { space: spaceResource({ ...space, name }, user) };
};

export const listSpaceMembers = async (administration: Administration, caller: Caller, id: string, page: PageQuery): Promise<Items<SpaceMemberResource>> => {
  await find(administration, requireUser(caller), id);
  const { catalog } = administration.app;
  const members = await catalog.spaceMembers(id, { offset: page.offset, limit: page.limit + 1 });
  const users = await catalog.users({ ids: members.map(({ userId }) => userId), offset: 0, limit: members.length });
  const known = new Map(users.map((user) => [user.id, user]));
  return pageOf(members, page, ({ userId, role }) => {
    const user = known.get(userId);
    return { userId, role, username: user?.username ?? userId, displayName: user?.displayName ?? userId };
  });
};

/** Adds a user, or changes its role. Throws `validation_failed` when there is no such user. */
export const putSpaceMember = async (
  administration: Administration,
  caller: Caller,
  id: string,
  userId: string,
  role: SpaceRole,
): Promise<SpaceMemberResource> => {
  const { user } = await findManaged(administration, caller, id);
  const { app, identity } = administration;
  // SP1
  if (id === defaultSpace) throw new TurnkeeperError('not_supported', 'The space "default" has no members: everyone uses it.');
  const member = await app.catalog.user(userId);
  if (!member) throw faultAt('/userId', 'there is no such user');
  const entry = auditOf(app, user, { action: 'space.member_set', subject: `space:${id}`, details: { user: userId, role } });
  await app.catalog.putSpaceMember({ spaceId: id, userId, role }, entry);
  identity.forgetUser(userId);
  return { userId, role, username: member.username, displayName: member.displayName };
};

/** Throws `not_found` when the user is no member. */
export const removeSpaceMember = async (administration: Administration, caller: Caller, id: string, userId: string): Promise<void> => {
  const { user } = await findManaged(administration, caller, id);
  const { app, identity } = administration;
  const entry = auditOf(app, user, { action: 'space.member_removed', subject: `space:${id}`, details: { user: userId } });
  const removed = await app.catalog.deleteSpaceMember(id, userId, entry);
  identity.forgetUser(userId);
  if (!removed) throw new TurnkeeperError('not_found', 'There is no such member.');
};
