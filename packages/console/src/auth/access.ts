/**
 * What this person may do with a session, so that no button is shown that would be refused.
 *
 * Owns: how the person stands to the session; what that allows is core's table, which the server refuses by.
 */
import type { ApplicationRole, UserResource } from '@turnkeeper/core/protocol/wire/identity';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { type Answerable, type PersonStanding, personMay, personMayAnswer } from '@turnkeeper/core/session/standing';

export type Owner = SessionResource['owner'];

export type SessionAccess = {
  /** Submit, cancel, fork, limit. */
  readonly control: boolean;
  /** Rename, archive, delete. */
  readonly manage: boolean;
  /** Resume. */
  readonly interact: boolean;
  /** See what the model was shown. */
  readonly inspect: boolean;
  readonly mayAnswer: (action: Answerable) => boolean;
};

type Person = Pick<UserResource, 'id' | 'roles'>;

/** Of a space nothing is known here: its members see the page, and the server says which of them may answer. */
const rolesIn = ({ admin, roles }: PersonStanding, place = ''): readonly string[] => {
  if (place.startsWith('app:')) return roles;
  if (place.startsWith('space:')) return ['manager', 'member'];
  return admin ? ['admin'] : [];
};

/**
 * `roles`: those that the person has in the application that owns the session; none where a user owns it. `isUser`: the person is one
 * of the people of the mini-tool that owns it.
 */
export const accessTo = (person: Person, owner: Owner, roles: readonly ApplicationRole[], isUser = false): SessionAccess => {
  const standing: PersonStanding = {
    id: person.id,
    admin: person.roles.includes('admin'),
    owns: (owner.type === 'user' && owner.id === person.id) || (owner.type === 'minitool' && isUser),
    roles,
    // Whoever sees the page reads the session, for whatever reason.
    shares: true,
  };
  return {
    control: personMay(standing, 'manage'),
    manage: personMay(standing, 'manage'),
    interact: personMay(standing, 'interact'),
    inspect: personMay(standing, 'inspect'),
    mayAnswer: (action) => personMayAnswer({ ...standing, rolesThere: rolesIn(standing, action.role_of) }, action),
  };
};

export const fullAccess: SessionAccess = { control: true, manage: true, interact: true, inspect: true, mayAnswer: () => true };
export const noAccess: SessionAccess = { control: false, manage: false, interact: false, inspect: false, mayAnswer: () => false };

/** In what was brought back from an export nothing new is done, whoever asks: it is named, archived and deleted, and that is all. */
export const accessIn = (session: Pick<SessionResource, 'imported'> | undefined, access: SessionAccess): SessionAccess =>
  session?.imported ? { ...noAccess, manage: access.manage } : access;
