import { expect, test } from 'vitest';
import type { ListQuery } from '../../ports/session-store.ts';
import { listStatement } from './lists.ts';

const base = { status: 'all', offset: 0, limit: 10 } as const;
const nameOf = (query: Partial<ListQuery>): string => listStatement({ ...base, ...query }).statement.name;

test('ordinary lists are prepared, one name a text; those with rarer filters are not: there would be thousands on each connection', () => {
  const ordinary: Partial<ListQuery>[] = [{}, { owner: 'user:a' }, { placement: 'space:a' }, { q: 'x' }, { order: 'updated' }, { status: 'active' }];
  expect(new Set(ordinary.map(nameOf)).size).toBe(ordinary.length);
  expect(ordinary.map(nameOf)).not.toContain('');
  const rare: Partial<ListQuery>[] = [
    { activity: 'idle' },
    { configHolds: 'x' },
    { created: { from: 1 } },
    { created: { before: 0 } },
    { updated: { from: 1 } },
    { updated: { before: 0 } },
    { metadataHolds: [['"a":1']] },
  ];
  expect(rare.map(nameOf)).toEqual(rare.map(() => ''));
});
