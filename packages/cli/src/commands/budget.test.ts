import { afterEach, beforeEach, expect, test } from 'vitest';
import { usageRow } from '../output/usage-row.ts';
import { type CliRig, createCliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
const used = { model_calls: 3, total_tokens: 1_500, cost: 0.25, unreported_calls: 1, unpriced_calls: 0, turn_tokens: null };
let kept: object;

beforeEach(async () => {
  rig = await createCliRig();
  kept = { max_model_calls: 30, max_cost: 2.5, currency: 'EUR', used };
  rig.server.on('GET', /\/agent-sessions$/, () => ({
    status: 200,
    body: { items: [{ id: 'ses_1', title: 'a', updatedAt: 2, createdAt: 1, status: 'idle', archived: false }], next_offset: null },
  }));
  rig.route('GET', /\/ses_1\/budget$/, () => kept);
  rig.route('PUT', /\/ses_1\/budget$/, () => kept);
});
afterEach(() => rig.stop());

const put = () => rig.calls.findLast(({ method }) => method === 'PUT')?.body;

test('budget shows what is used of each limit, and what nobody knows', async () => {
  const { code, out } = await rig.run(['budget']);
  expect(code).toBe(0);
  expect(out.split('\n').slice(0, 5)).toEqual([
    '                    used                  limit',
    'model calls         3                     30',
    'tokens              1,500                 no limit  1 call(s) without a report',
    'cost                0.25 EUR              2.5 EUR',
    'tokens of the turn  no turn is under way  no limit',
  ]);
  expect(put()).toBeUndefined();
  expect(JSON.parse((await rig.run(['budget', '--json'])).out)).toEqual(kept);
});

test('budget changes the limits that are named and keeps the others', async () => {
  await rig.run(['budget', 'ses_1', '--calls', '40', '--per-turn', '9']);
  expect(put()).toEqual({ max_model_calls: 40, max_total_tokens: null, max_cost: 2.5, currency: 'EUR', max_tokens_per_turn: 9 });
  await rig.run(['budget', 'ses_1', '--cost', 'none']);
  expect(put()).toMatchObject({ max_model_calls: 30, max_cost: null, currency: null });
  await rig.run(['budget', 'ses_1', '--clear']);
  expect(put()).toEqual({});
});

test('budget refuses what is no limit', async () => {
  for (const args of [
    ['--calls', '1.5'],
    ['--tokens', 'many'],
    ['--cost', '-1'],
    ['--clear', '--calls', '1'],
  ]) {
    expect((await rig.run(['budget', 'ses_1', ...args])).code, args.join(' ')).toBe(2);
  }
  expect(put()).toBeUndefined();
});

test('usage lists each model and the sum', async () => {
  const sums = {
    model_calls: 2,
    input_tokens: 10,
    output_tokens: 5,
    total_tokens: 15,
    estimated_cost: 0.5,
    currency: 'USD',
    cost_complete: false,
    unpriced_calls: 1,
  };
  rig.route('GET', /\/ses_1\/usage/, { data: { ...sums, by_model: { 'demo:a': sums } }, as_of: 'c' });
  const { out } = await rig.run(['usage', 'ses_1', '--children']);
  expect(rig.calls.at(-1)?.path).toContain('include_children=true');
  expect(out).toContain('demo:a');
  expect(out).toMatch(/in all +2 call\(s\) +15 tokens \(10 in, 5 out\) +at least 0.5 USD \(call\(s\): 1 unreported\)\n/);
});

test('usage tells calls that reported nothing from those without a price', () => {
  const none = { input_tokens: 0, output_tokens: 0, total_tokens: 0, estimated_cost: 0, currency: null, cost_complete: false };
  const cost = (more: { readonly model_calls: number; readonly unpriced_calls: number; readonly unreported_calls: number }) =>
    usageRow('m', { ...none, ...more }).at(-1);
  expect(cost({ model_calls: 1, unpriced_calls: 1, unreported_calls: 1 })).toBe('no use reported');
  expect(cost({ model_calls: 2, unpriced_calls: 2, unreported_calls: 0 })).toBe('no price known (call(s): 2 without a price)');
  expect(cost({ model_calls: 3, unpriced_calls: 3, unreported_calls: 1 })).toBe('no price known (call(s): 1 unreported, 2 without a price)');
});

test('usage over a time: by what is asked for, of all sessions; as a table for other programs, too', async () => {
  const sums = { model_calls: 2, input_tokens: 10, output_tokens: 5, total_tokens: 15, estimated_cost: 0.5, currency: 'USD', cost_complete: true };
  const usage = { ...sums, unpriced_calls: 0 };
  const groups = [
    { key: 'key_1', name: 'nightly', submitted_by: 'app:shop', turns: 1, usage },
    { key: 'minitool:bot', name: '', submitted_by: 'minitool:bot', turns: 1, usage },
    { key: '', name: '', turns: 1, usage },
  ];
  const report = { from: 1, to: 2, group_by: 'key', groups, left_out: 3, total: usage, turns: 3, costliest: [], complete: false };
  rig.route('GET', /\/v1\/usage$/, report);
  const { code, out, err } = await rig.run(['usage', '--by', 'key', '--since', '7d']);
  const asked = new URL(`http://x${rig.calls.at(-1)?.path}`).searchParams;
  expect([code, asked.get('group_by')]).toEqual([0, 'key']);
  expect(Math.abs(Number(asked.get('from')) - (Date.now() - 7 * 86_400_000))).toBeLessThan(60_000);
  expect(out).toMatch(/^app:shop nightly .*\nminitool:bot, without a key .*\nnot noted .*\nin all .*0\.5 USD\n$/);
  expect(err).toMatch(/And 3 more.*\n.*--since/);
  expect(JSON.parse((await rig.run(['usage', '--by', 'key', '--json'])).out)).toEqual(report);
  // Either of one session or of all of them.
  expect((await rig.run(['usage', 'ses_1', '--by', 'key'])).code).toBe(2);
  expect((await rig.run(['usage', '--by', 'mood'])).code).toBe(2);
});
