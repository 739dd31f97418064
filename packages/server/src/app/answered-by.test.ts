import type { ActionKind } from '@turnkeeper/core/session/events';
import { approverRoles, roleAsked } from '@turnkeeper/core/session/standing';
import { expect, test } from 'vitest';
import { type ActionFilter, roleApprover } from '../ports/session-store.ts';
import { userCaller } from '../testing/harness/client.ts';
import { mayAnswer } from './access.ts';
import { answeredBy } from './answered-by.ts';
import type { Caller } from './caller.ts';

const kinds: readonly ActionKind[] = ['confirmation', 'external_execution', 'question', 'form', 'approval', 'signal', 'reconciliation'];
const owners = ['user:ann', 'user:bob', 'app:shop', 'app:other', 'minitool:m'];
const approvers = ['owner', 'application', ['ann'], ['bob', 'ann'], ['bob'], [], ...approverRoles.map((role) => `role:${role}`)] as const;
const places = ['app:shop', 'app:other', 'space:team', 'space:other', 'installation'] as const;
/** An action that asks for a role says whose. */
const placed = (approver: string | readonly string[]) => (roleAsked(approver) === undefined ? [undefined] : places);

type Action = { readonly owner: string; readonly kind: ActionKind; readonly approver: string | readonly string[]; readonly role_of?: string | undefined };

const finds = (filter: ActionFilter, { owner, kind, approver, role_of }: Action): boolean => {
  const role = typeof approver === 'string' && role_of !== undefined ? [roleApprover(approver, role_of)] : approver;
  const named = typeof role === 'object' ? role : undefined;
  if ('approver' in filter) return named?.includes(filter.approver) === true;
  return named === undefined && filter.kinds.includes(kind) && (filter.owner === undefined || filter.owner === owner);
};

const everyAction: readonly Action[] = owners.flatMap((owner) =>
  kinds.flatMap((kind) => approvers.flatMap((approver) => placed(approver).map((role_of) => ({ owner, kind, approver, role_of })))),
);
const differing = (caller: Caller) => {
  const filters = answeredBy(caller);
  return everyAction.map((action) => ({
    ...action,
    found: filters.some((filter) => finds(filter, action)),
    may: mayAnswer(caller, action.owner, action),
  }));
};

const inShop = (...roles: ('viewer' | 'operator' | 'approver')[]) => userCaller('ann', { applications: new Map([['shop', roles]]) });
test.each([
  ['a user', userCaller('ann')],
  ['a viewer', inShop('viewer')],
  ['an operator', inShop('operator')],
  ['an approver', inShop('approver')],
  ['both', inShop('operator', 'approver')],
  ['a member of a space', userCaller('ann', { spaces: new Map([['team', 'member']]) })],
  ['a manager of a space', userCaller('ann', { spaces: new Map([['team', 'manager']]) })],
  ['an admin', userCaller('ann', { admin: true })],
  ['an admin and approver', { ...inShop('approver'), admin: true }],
])('A11 %s is looked up what it may answer, and nothing else', (_, caller) => {
  expect(differing(caller).filter(({ found, may }) => found !== may)).toEqual([]);
  expect(differing(caller).some(({ found }) => found)).toBe(true);
});

test('A11 a key is looked up all that it may answer', () => {
  const key: Caller = {
    type: 'application',
    id: 'shop',
    name: 'Shop',
    credentialId: 'key_1',
    scopes: new Set(['read', 'interact']),
    targets: [],
  };
  expect(differing(key).filter(({ found, may }) => may && !found)).toEqual([]);
});
