/**
 * How somebody stands to a session, and what that allows (semantics, section 6, "Who sees and answers").
 *
 * Owns: the one table of who may do what. Pure: the server refuses by it, and a page offers by it. Which scopes and
 * grants a key has for a session, and the words of refusals, are the server's (app/access.ts).
 *
 * AC5 An action that asks for a role is answered by whoever has it when the answer comes, in the application or the space that the
 *     action names, and by nobody else: not by the session's owner, and by no key.
 * AC4 Only a user's own session and an operator's are controlled; whoever may read one for any other reason reads it only.
 */
import type { ApplicationRole, SpaceRole } from '../protocol/wire/identity.ts';
import type { ActionKind } from './events.ts';

/**
 * `read` sees; `invoke` submits turns; `interact` answers and resumes; `cancel` cancels; `manage` changes, archives and
 * deletes the session itself; `webhooks` sees and changes whom it tells; `inspect` sees what its model was shown.
 */
export type Use = 'read' | 'invoke' | 'interact' | 'cancel' | 'manage' | 'webhooks' | 'inspect';

/** What of an action decides who may answer it: a list of approvers names users, `role:<name>` who has that role, and nobody else. */
export type Answerable = {
  readonly kind: ActionKind;
  readonly approver: string | readonly string[];
  /** Of an approver `role:<name>`: whose role it is. */
  readonly role_of?: string | undefined;
  /** Of the tool that is asked for. */
  readonly tool_note?: { readonly destructive?: boolean | undefined } | undefined;
};

/** A user, before one session. */
export type PersonStanding = {
  readonly id: string;
  readonly admin: boolean;
  /** The session is the user's own. */
  readonly owns: boolean;
  /** What the user is in the application that owns the session; none where none does. */
  readonly roles: readonly ApplicationRole[];
  /** The session stands, as another user's, in a space that the user is a member of. */
  readonly shares: boolean;
  /** What the user is where the action asks for a role (`role_of`); none where it asks for none. */
  readonly rolesThere?: readonly string[];
};

/** The roles that an action may ask for: those of an application's members, of a space's, and `admin` of the installation. */
export const approverRoles = ['viewer', 'operator', 'approver', 'manager', 'member', 'admin'] as const;
const rolePrefix = 'role:';

/** The role that an approver names, if it names one. */
export const roleAsked = (approver: Answerable['approver']): string | undefined =>
  typeof approver === 'string' && approver.startsWith(rolePrefix) ? approver.slice(rolePrefix.length) : undefined;

/** A space's manager is a member of it, too. */
export const spaceRoles = (role: SpaceRole | undefined): readonly string[] => (role === undefined ? [] : [...new Set([role, 'member'])]);

/**
 * Members of an application read its sessions, members of a space what users placed there, admins all. What the model was shown is
 * more than the history says: whoever controls the session sees it, and whoever runs the installation.
 */
export const personMay = ({ owns, admin, roles, shares }: PersonStanding, use: Use): boolean => {
  if (owns || roles.includes('operator')) return true;
  if (use === 'inspect') return admin;
  return use === 'read' && (admin || shares || roles.length > 0);
};

export const personMayAnswer = ({ id, owns, admin, roles, rolesThere = [] }: PersonStanding, { kind, approver }: Answerable): boolean => {
  if (typeof approver !== 'string') return approver.includes(id);
  const role = roleAsked(approver);
  if (role !== undefined) return rolesThere.includes(role);
  if (owns) return true;
  switch (kind) {
    case 'confirmation':
    case 'approval':
      return roles.includes('approver');
    case 'reconciliation':
      // What really happened is said by whoever runs the application, or the installation.
      return roles.includes('operator') || admin;
    case 'external_execution':
    case 'question':
    case 'form':
    case 'signal':
      return roles.includes('operator');
  }
};

/** Of a key of the application that owns the session, with the scope to answer at all. */
export const keyMayAnswer = ({ kind, approver }: Answerable): boolean => {
  if (typeof approver !== 'string' || roleAsked(approver) !== undefined) return false;
  switch (kind) {
    case 'confirmation':
    case 'approval':
      // A key is no person: it confirms and approves only where the tool asks the application.
      return approver === 'application';
    case 'reconciliation':
      return false;
    case 'external_execution':
    case 'question':
    case 'form':
    case 'signal':
      return true;
  }
};

/**
 * Of the mini-tool that owns the session: what its people are asked, as far as no user or role is named. It may deny any call, and
 * allows none that cannot be undone: that wants a person.
 */
export const minitoolMayAnswer = ({ kind, approver, tool_note }: Answerable, denies: boolean): boolean => {
  if (kind === 'confirmation' && denies) return true;
  if (kind === 'confirmation' && tool_note?.destructive === true) return false;
  if (typeof approver !== 'string' || roleAsked(approver) !== undefined) return false;
  switch (kind) {
    case 'confirmation':
    case 'question':
    case 'form':
      return true;
    case 'approval':
    case 'external_execution':
    case 'signal':
    case 'reconciliation':
      return false;
  }
};
