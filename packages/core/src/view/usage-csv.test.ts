import { expect, test } from 'vitest';
import { noSums } from './usage.ts';
import { usageCsv } from './usage-csv.ts';

test('a table for other programs: quoted where it must be, no formulas, and no zero where there is no price', () => {
  const usage = { ...noSums, model_calls: 1, total_tokens: 7, cost_complete: false, unpriced_calls: 1, unreported_calls: 1 };
  const csv = usageCsv(
    [
      { key: 'a', name: '=cmd("x"), 1', turns: 2, usage },
      { key: 'b', name: 'B', turns: 1, usage: { ...noSums, estimated_cost: 0.5, currency: 'USD' } },
    ],
    'model',
  );
  expect(csv.split('\r\n').slice(1, 3)).toEqual([`a,"'=cmd(""x""), 1",2,1,0,0,7,,,false,1,1`, 'b,B,1,0,0,0,0,0.5,USD,true,0,0']);
});

test('nor a formula behind a sign that ends a cell elsewhere', () => {
  const csv = usageCsv([{ key: 'a', name: 'x;=1+1;-2; y', turns: 1, usage: noSums }], 'session');
  expect(csv.split('\r\n')[1]).toMatch(/^a,x;'=1\+1;'-2; y,1,/);
});

test('of keys it says whose each is', () => {
  const csv = usageCsv(
    [
      { key: 'key_1', name: 'nightly', submitted_by: 'app:shop', turns: 1, usage: noSums },
      { key: '', name: '', turns: 1, usage: noSums },
    ],
    'key',
  );
  expect(csv.split('\r\n').map((row) => row.split(',').at(-1))).toEqual(['submitted_by', 'app:shop', '', '']);
  // The columns are those of the grouping, whatever is in it.
  expect(usageCsv([], 'key')).toMatch(/,submitted_by\r\n$/);
});
