import { expect, test } from 'vitest';
import { submitterOf } from './turn.ts';
import { noSums, type UsageBody, type UsageSums } from './usage.ts';
import { type ReportedTurn, type ReportOptions, tallyUsage, type UsageGrouping } from './usage-report.ts';

const sums = (cost: number | undefined, tokens = 10): UsageSums => ({
  ...noSums,
  model_calls: 1,
  total_tokens: tokens,
  ...(cost === undefined ? { cost_complete: false, unpriced_calls: 1 } : { estimated_cost: cost, currency: 'USD' }),
});
const usage = (model: string, cost: number | undefined, tokens?: number): UsageBody => ({ ...sums(cost, tokens), by_model: { [model]: sums(cost, tokens) } });
const turn = (n: number, body: UsageBody, more: Partial<ReportedTurn> = {}): ReportedTurn => ({
  ...{ session_id: 'ses_1', session_title: 'One', target: 'agent:a', target_name: 'A', owner: 'user:u', turn_id: `turn_${n}`, preview: '', at: n, usage: body },
  ...more,
});
const report = (by: UsageGrouping, turns: readonly ReportedTurn[], more: Partial<ReportOptions> = {}) => {
  const tally = tallyUsage({ by, dayOf: (at) => `day-${Math.floor(at / 10)}`, most: 100, ...more });
  for (const each of turns) tally.add(each);
  return tally.report();
};

test('UX1 what has no price is said of the groups that it is in, and of the sum', () => {
  const { groups, total, turns } = report('model', [turn(1, usage('x:a', 2)), turn(2, usage('x:b', undefined)), turn(3, usage('x:a', 1))]);
  expect(groups.map(({ key, turns: count, usage: { estimated_cost, cost_complete } }) => [key, count, estimated_cost, cost_complete])).toEqual([
    ['x:a', 2, 3, true],
    ['x:b', 1, 0, false],
  ]);
  expect([turns, total]).toMatchObject([3, { model_calls: 3, estimated_cost: 3, currency: 'USD', cost_complete: false, unpriced_calls: 1 }]);
});

test('two currencies are no complete sum', () => {
  const euro = { ...sums(1), currency: 'EUR' };
  expect(report('owner', [turn(1, usage('m', 1)), turn(2, { ...euro, by_model: { m: euro } })]).total.cost_complete).toBe(false);
});

test('UX2 days stand in their order, the newest of them are shown; others by cost, then tokens', () => {
  const days = report('day', [turn(25, usage('m', 1)), turn(1, usage('m', 9)), turn(11, usage('m', 5))], { most: 2 });
  expect([days.groups.map(({ key }) => key), days.left_out]).toEqual([['day-1', 'day-2'], 1]);
  const turns = [
    turn(1, usage('m', 1, 5), { session_id: 's1' }),
    turn(2, usage('m', 1, 50), { session_id: 's2' }),
    turn(3, usage('m', 2), { session_id: 's3' }),
  ];
  const sessions = report('session', turns);
  expect(sessions.groups.map(({ key }) => key)).toEqual(['s3', 's2', 's1']);
  expect(sessions.costliest.map(({ turn_id }) => turn_id)).toEqual(['turn_3', 'turn_2', 'turn_1']);
});

test('a turn that called no model is not counted', () => {
  expect(report('day', [turn(1, { ...noSums, by_model: {} })])).toMatchObject({ groups: [], turns: 0, costliest: [] });
});

test('UK1 by key: of a browser it is that of its token’s maker; without one who submitted it; what was not noted is nobody’s', () => {
  const nightly = { submitted_by: 'app:shop', credential_id: 'key_1' };
  const { groups } = report('key', [
    turn(1, usage('m', 5), nightly),
    turn(2, usage('m', 4), { ...nightly, submitted_by: 'client:app:shop' }),
    turn(3, usage('m', 3), { submitted_by: 'minitool:bot' }),
    turn(4, usage('m', 2)),
    turn(5, usage('m', 1), { submitted_by: 'client:app:shop' }),
  ]);
  expect(groups.map(({ key, submitted_by, turns }) => [key, submitted_by, turns])).toEqual([
    ['key_1', 'app:shop', 2],
    ['minitool:bot', 'minitool:bot', 1],
    ['', undefined, 1],
    ['app:shop', 'app:shop', 1],
  ]);
});

test('who submitted a turn is told only where the log has a text for it', () => {
  expect(submitterOf({ submitted_by: 'user:u' })).toEqual({ submitted_by: 'user:u' });
  expect(submitterOf({ submitted_by: 7, credential_id: null } as never)).toEqual({});
});
