/**
 * Which open actions the store is asked for when somebody asks what it may answer.
 *
 * A11 Whatever a caller may answer (`mayAnswer`) is asked for, and of users nothing else: what waits for others, however much
 *    of it is older, never keeps a user's own actions from the first page.
 */
import type { ActionKind } from '@turnkeeper/core/session/events';
import { spaceRoles } from '@turnkeeper/core/session/standing';
import { type ActionFilter, roleApprover } from '../ports/session-store.ts';
import { type Caller, ownerOf, type UserCaller } from './caller.ts';
import { installation } from './role-place.ts';

const ofApprovers: readonly ActionKind[] = ['confirmation', 'approval'];
const ofOperators: readonly ActionKind[] = ['external_execution', 'question', 'form', 'signal', 'reconciliation'];
/** What a mini-tool may answer in its own sessions. */
const ofMinitools: readonly ActionKind[] = ['confirmation', 'question', 'form'];
const everything = [...ofApprovers, ...ofOperators];

/** Who may answer what is said by `mayAnswer` alone: each row is still looked at. */
export const answeredBy = (caller: Caller): readonly ActionFilter[] => {
  // What waits in its one session is read there.
  if (caller.type === 'client') return [];
  if (caller.type === 'application') return [{ owner: ownerOf(caller), kinds: everything.filter((kind) => kind !== 'reconciliation') }];
  if (caller.type === 'minitool') return [{ owner: ownerOf(caller), kinds: ofMinitools }];
  return [
    { approver: caller.id },
    ...rolesOf(caller).map((approver) => ({ approver })),
    { owner: ownerOf(caller), kinds: everything },
    ...ofApplications(caller),
    ...[...caller.minitools].map((id) => ({ owner: `minitool:${id}`, kinds: everything })),
    ...(caller.admin ? [{ kinds: ['reconciliation' as const] }] : []),
  ];
};

/** By the names under which stores find actions that ask for a role (`roleApprover`). */
const rolesOf = ({ admin, spaces, applications }: UserCaller): readonly string[] => [
  ...(admin ? [roleApprover('role:admin', installation)] : []),
  ...[...applications].flatMap(([id, roles]) => roles.map((role) => roleApprover(`role:${role}`, `app:${id}`))),
  ...[...spaces].flatMap(([id, role]) => spaceRoles(role).map((each) => roleApprover(`role:${each}`, `space:${id}`))),
];

const ofApplications = (caller: UserCaller): readonly ActionFilter[] =>
  [...caller.applications].map(([id, roles]) => ({
    owner: `app:${id}`,
    kinds: [...(roles.includes('approver') ? ofApprovers : []), ...(roles.includes('operator') ? ofOperators : [])],
  }));
