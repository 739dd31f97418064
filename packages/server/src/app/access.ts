/**
 * What of a session is whose (semantics, section 6, "Who sees and answers").
 *
 * Owns: how a caller stands to a session, what a key may do with it, and the words of refusals. The table of who may do what
 * is core's (session/standing.ts). Pure; everybody asks here.
 *
 * AC1 What a caller may not even read is not there: the answer is the same as for a random id, on the same code path.
 * AC2 What a caller may read but not do is 403, with what is missing: a scope, a grant, or a role.
 * AC3 A key does only what its scopes and grants say, and only with its own application's sessions.
 * AC6 A mini-tool has the sessions that it owns, and they are as its users' own; for everybody else the rules for users hold.
 * AC7 What a model was shown is read by people alone: by no key, no client's token and no mini-tool, whatever their scopes.
 * AC5 A role that an action asks for is the one that the caller has now, in the application or the space that the action names.
 */
import { type Refusal, refuse } from '@turnkeeper/core/protocol/errors';
import type { SessionId } from '@turnkeeper/core/session/ids';
import {
  type Answerable,
  keyMayAnswer,
  minitoolMayAnswer,
  type PersonStanding,
  personMay,
  personMayAnswer,
  spaceRoles,
  type Use,
} from '@turnkeeper/core/session/standing';
import { type ApplicationCaller, type Caller, type ClientCaller, ownerOf, type UserCaller } from './caller.ts';
import { installation } from './role-place.ts';
import { defaultSpace } from './spaces.ts';

export type { Use };

/** What of a session decides who may use it. */
export type Subject = {
  /** `user:<id>`, `app:<id>` or `minitool:<id>`. */
  readonly owner: string;
  /** `space:<id>` or `container:<minitool>/<id>`. */
  readonly placement: string;
  readonly target: Target;
  /** The session itself, and the one at the top of its tree: a client's token is for one of them. */
  readonly session?: SessionId;
  readonly root?: SessionId;
};
/** `space`: where the target itself stands; undefined where that was not kept. */
type Target = { readonly type: string; readonly id: string; readonly space: string | undefined };

/** The same answer for what does not exist and for what is another's (semantics, section 10). */
export const noSuchSession = (): Refusal => refuse('not_found', 'There is no such session.');

/** Why this caller may not use the session so, or undefined. `not_found` where it may not even see it (AC1). */
export const accessRefusal = (caller: Caller, subject: Subject, use: Use): Refusal | undefined => {
  switch (caller.type) {
    case 'user':
      return userRefusal(caller, subject, use);
    case 'application':
      return keyRefusal(caller, subject, use);
    case 'client':
      return clientRefusal(caller, subject, use);
    case 'minitool':
      // Its own sessions, and of those everything: what its manifest allows is looked at by its host.
      return subject.owner === ownerOf(caller) ? personsOnly(use) : noSuchSession();
  }
};

/** What the model was shown is for people: a key in a program says nothing of who looks (AC7). */
const personsOnly = (use: Use): Refusal | undefined =>
  use === 'inspect' ? refuse('forbidden', 'What the model was shown is for people who are signed in: no key or client’s token reads it.') : undefined;

/** Its session and what that delegated to, by the scopes of the token, as far as its issuer may [CT1, CT3]. */
const clientRefusal = (caller: ClientCaller, subject: Subject, use: Use): Refusal | undefined => {
  if (subject.session !== caller.sessionId && subject.root !== caller.sessionId) return noSuchSession();
  if (use === 'inspect') return personsOnly(use);
  if (use === 'manage' || use === 'webhooks') return refuse('forbidden', 'A client’s token changes nothing of the session itself.');
  if (!caller.scopes.has(use)) return refuse('scope_missing', `This token lacks the scope "${use}".`, { scope: use });
  return accessRefusal(caller.issuer, subject, use);
};

const userRefusal = (caller: UserCaller, subject: Subject, use: Use): Refusal | undefined => {
  const standing = standingOf(caller, subject);
  if (personMay(standing, use)) return undefined;
  if (!personMay(standing, 'read')) return noSuchSession();
  if (use === 'inspect')
    return refuse('forbidden', 'You may read this session but not what its model was shown: its owner, an operator of its application, or an admin may.');
  return refuse('forbidden', 'You may read this session but not control it: its owner, or an operator of its application, may.');
};

/** The same of a session of which only its place is known. */
export const userMay = (caller: UserCaller, place: Pick<Subject, 'owner' | 'placement'>, use: Use): boolean => personMay(standingOf(caller, place), use);

const ofMinitool = 'minitool:';

const standingOf = (caller: UserCaller, { owner, placement }: Pick<Subject, 'owner' | 'placement'>): PersonStanding => ({
  id: caller.id,
  admin: caller.admin,
  owns: owner === ownerOf(caller) || (owner.startsWith(ofMinitool) && caller.minitools.has(owner.slice(ofMinitool.length))),
  roles: owner.startsWith('app:') ? (caller.applications.get(owner.slice('app:'.length)) ?? []) : [],
  shares: (owner.startsWith('user:') || owner.startsWith(ofMinitool)) && placement.startsWith('space:') && caller.spaces.has(placement.slice('space:'.length)),
});

/** What a user is in an application, in a space, or for the whole installation. */
const rolesIn = ({ admin, applications, spaces }: UserCaller, place = ''): readonly string[] => {
  if (place === installation) return admin ? ['admin'] : [];
  if (place.startsWith('app:')) return applications.get(place.slice('app:'.length)) ?? [];
  return place.startsWith('space:') ? spaceRoles(spaces.get(place.slice('space:'.length))) : [];
};

/** Changing the session itself goes with submitting to it. */
const scopeFor: Readonly<Record<Exclude<Use, 'inspect'>, string>> = {
  read: 'read',
  invoke: 'invoke',
  interact: 'interact',
  cancel: 'cancel',
  manage: 'invoke',
  webhooks: 'webhooks:write',
};

const keyRefusal = (caller: ApplicationCaller, subject: Subject, use: Use): Refusal | undefined => {
  if (subject.owner !== ownerOf(caller)) return noSuchSession();
  return use === 'inspect' ? personsOnly(use) : (scopeRefusal(caller, scopeFor[use]) ?? grantRefusal(caller, subject.target));
};

export const scopeRefusal = (caller: ApplicationCaller, scope: string): Refusal | undefined =>
  caller.scopes.has(scope) ? undefined : refuse('scope_missing', `This key lacks the scope "${scope}".`, { scope });

/** `*` covers what stands in the space `default` (TG1). The same whether the target exists or not (TG2). */
export const grantRefusal = (caller: ApplicationCaller, { type, id, space }: Target): Refusal | undefined =>
  caller.targets.some((grant) => grant.type === type && (grant.id === id || (grant.id === '*' && space === defaultSpace)))
    ? undefined
    : refuse('target_not_granted', `This key has no grant for the ${type} of this session.`, { target: { type, id } });

/** True when this caller may answer the action. A list of approvers names users, a role who has it, and nobody else (A4, AC5). */
export const mayAnswer = (caller: Caller, owner: string, action: Answerable, denies = false): boolean => {
  switch (caller.type) {
    case 'user':
      return personMayAnswer({ ...standingOf(caller, { owner, placement: '' }), rolesThere: rolesIn(caller, action.role_of) }, action);
    case 'application':
      return owner === ownerOf(caller) && caller.scopes.has('interact') && keyMayAnswer(action);
    case 'client':
      // Whoever holds it was given a session, not a say in what needs a person's consent. That it reaches the session is looked at before.
      return caller.scopes.has('interact') && keyMayAnswer(action);
    case 'minitool':
      return owner === ownerOf(caller) && minitoolMayAnswer(action, denies);
  }
};
