import { expect, test } from 'vitest';
import { accessOf, noAccess } from './access.ts';

const uses = ['read', 'invoke', 'interact', 'cancel'] as const;
const mays = (access: ReturnType<typeof accessOf>) => uses.filter(access.may);
const client = (...scopes: readonly string[]) => accessOf({ client: { id: 'ctok_1', sessionId: 'ses_1', scopes: [...scopes] } });

test('a visitor’s token does what its scopes say, and answers what the application is asked', () => {
  expect([client('read').sessionId, mays(client('read', 'invoke'))]).toEqual(['ses_1', ['read', 'invoke']]);
  const interacts = client('read', 'interact');
  expect(interacts.mayAnswer({ kind: 'question', approver: 'owner' })).toBe(true);
  expect(interacts.mayAnswer({ kind: 'confirmation', approver: 'application' })).toBe(true);
  for (const approver of ['owner', ['user_1'], 'role:approver']) expect(interacts.mayAnswer({ kind: 'confirmation', approver })).toBe(false);
  expect(client('read').mayAnswer({ kind: 'question', approver: 'owner' })).toBe(false);
});

test('a user is taken for the owner; without a credential nothing is offered', () => {
  const user = accessOf({ user: { id: 'user_1', roles: ['user'] } as never });
  expect(mays(user)).toEqual(uses);
  expect(user.mayAnswer({ kind: 'confirmation', approver: 'owner' })).toBe(true);
  expect(user.mayAnswer({ kind: 'confirmation', approver: ['user_2'] })).toBe(false);
  expect(mays(accessOf({}))).toEqual(mays(noAccess));
});
