import { expect, test } from 'vitest';
import { addressOf, placeOf } from '../shell/address.ts';
import { parseFilters, printFilters, queryOf, type SessionFilters, usualFilters } from './filters.ts';

test('filters go into the address and come back, whatever was searched for', () => {
  const unusual: readonly Partial<SessionFilters>[] = [
    {},
    { status: 'archived', owner: 'all', q: '100% & more = 你好' },
    { status: 'all', owner: 'app:a b', q: '?' },
    { q: 'tea', in: 'messages', activity: 'running', target: 'agent_1', place: 'container:a/b', since: '7', cost: '0.5' },
  ];
  for (const filters of unusual.map((some): SessionFilters => ({ ...usualFilters, ...some }))) {
    expect(parseFilters(new URLSearchParams(printFilters(filters)))).toEqual(filters);
    const { pathname, search } = new URL(addressOf({ kind: 'sessions', filters }), 'http://localhost');
    expect(placeOf(pathname, search)).toEqual({ kind: 'sessions', filters });
  }
});

test('what is usual is left out, what is not known is usual', () => {
  expect(printFilters(usualFilters)).toBe('');
  expect(parseFilters(new URLSearchParams('?status=gone&owner=&in=nowhere&activity=asleep&since=9&cost=much'))).toEqual(usualFilters);
});

test('addresses of the other pages', () => {
  expect(placeOf('/approvals/', '?action=act_1')).toEqual({ kind: 'approvals', action: 'act_1' });
  expect(placeOf('/approvals', '')).toEqual({ kind: 'approvals' });
  expect(placeOf('/', '?session=ses_1')).toEqual({ kind: 'session', id: 'ses_1', query: {} });
  expect(placeOf('/', '?new')).toEqual({ kind: 'new' });
  expect(placeOf('/somewhere', '')).toEqual({ kind: 'nowhere', path: '/somewhere' });
});

test('the server is asked for what is filtered, and for nothing else', () => {
  const now = new Date(2026, 4, 3, 15, 30).getTime();
  const ask = (filters: Partial<SessionFilters>, isAdmin = false) => queryOf({ ...usualFilters, ...filters }, { isAdmin, now });
  expect(ask({})).toEqual({ status: 'active', order: 'updated', owner: 'me' });
  expect(ask({ owner: 'all' })).toEqual({ status: 'active', order: 'updated' });
  expect(ask({ owner: 'all' }, true)).toMatchObject({ owner: 'all' });
  expect(ask({ q: '  tea ' })).toMatchObject({ q: 'tea' });
  expect(ask({ q: 'tea', in: 'messages' })).toEqual({ status: 'active', order: 'updated', owner: 'me', text: 'tea' });
  expect(ask({ place: 'container:notes/1:2' })).toMatchObject({ container: 'notes/1:2' });
  expect(ask({ place: 'space:sales', activity: 'idle', target: 'agent_1', cost: '0.5' })).toMatchObject({
    space: 'sales',
    activity: 'idle',
    target: 'agent_1',
    min_cost: 0.5,
  });
  expect(ask({ since: 'today' }).updated_from).toBe(new Date(2026, 4, 3).getTime());
  expect(ask({ since: '7' }).updated_from).toBe(now - 7 * 86_400_000);
});
