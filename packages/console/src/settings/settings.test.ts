import { expect, test } from 'vitest';
import { addressOf, pageAt, placeOf } from '../shell/address.ts';
import { auditQueryOf, readAuditFilters } from './audit-filters.ts';
import { expiresAt } from './expiry.ts';
import { grantsOf } from './grants.ts';
import { curlOfKey } from './key-snippet.ts';
import { tabOf, tabsFor } from './tabs.ts';

test('who is no admin has no tabs that would be refused, also not by address', () => {
  expect(tabsFor(true).map(({ id }) => id)).toContain('audit');
  expect(tabsFor(false).map(({ id }) => id)).toEqual(['account', 'tokens', 'applications', 'spaces']);
  expect([tabOf('users', true), tabOf('users', false), tabOf('nowhere', true), tabOf(undefined, false)]).toEqual(['users', 'account', 'account', 'account']);
});

test('filters of the audit log stand in the address', () => {
  const filters = { action: 'user.created', subject: 'user:a b' };
  const { pathname, search } = new URL(addressOf(pageAt('settings', auditQueryOf({ ...filters, actor: ' ' }))), 'http://localhost');
  const place = placeOf(pathname, search);
  expect(place.kind === 'settings' && readAuditFilters(place.query)).toEqual(filters);
});

test('an end is a time from now, and no end is no member', () => {
  expect(expiresAt('7d', 1_000)).toEqual({ expiresAt: 1_000 + 7 * 86_400_000 });
  expect(expiresAt('never', 1_000)).toEqual({});
});

test('grants are what was chosen; what is no grant is left out', () => {
  expect(grantsOf(['agent:shop:eu', 'team:*', 'planet:earth', 'x'])).toEqual([
    { type: 'agent', id: 'shop:eu' },
    { type: 'team', id: '*' },
  ]);
});

test('the command that comes with a key is one that the key may run', () => {
  const created = (scopes: readonly string[], targets: readonly { type: string; id: string }[]) => ({ apiKey: 'k1', credential: { scopes, targets } }) as never;
  expect(curlOfKey('http://h', created(['invoke'], [{ type: 'agent', id: 'shop' }]))).toContain('"agent":"shop"');
  expect(curlOfKey('http://h', created(['read'], [{ type: 'agent', id: 'shop' }]))).toContain('/agent-sessions?limit=5');
  expect(curlOfKey('http://h', created(['invoke', 'read'], [{ type: 'team', id: '*' }]))).toContain('/agent-sessions?limit=5');
});
