import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { expect, test } from 'vitest';
import { barsOf, busySpans, scaleOf, ticksOf } from './scale.ts';
import { isFault, timesOf, traceOf } from './trace.ts';
import { fits, nextOf, panned, parseFilter, parseZoom, printFilter, printZoom, zoomed } from './view-query.ts';

const turn_id = 'turn_1';
const run = { turn_id, run_id: 'run_1_1' };
const event = (created_at: number, type: string, data: Record<string, unknown> = {}): Envelope => ({
  schema_version: 1,
  id: `evt_${created_at}_${type}`,
  type,
  session_id: 'ses_1',
  turn_id,
  created_at,
  cursor: String(created_at),
  data: { turn_id, ...data },
});
const call = (n: number) => ({ ...run, item_id: `item_1_${n}`, model_call_id: `call_1_${n}` });
const usage = (n: number) => ({
  ...call(n),
  model: 'demo:script',
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  cost: { amount: 0.1, currency: 'USD' },
});
const item = (n: number) => ({ ...call(n), item: { id: `item_1_${n}`, type: 'message', role: 'assistant', content: [], status: 'completed' } });
const tool = { execution_id: turn_id, tool_call_id: 'look' };

/** Fails once, asks for a tool that a person allows after an hour, and answers. */
const told: readonly Envelope[] = [
  event(0, 'turn.accepted', { n: 1, preview: 'x' }),
  event(0, 'turn.queued', { reason: 'accepted' }),
  event(100, 'turn.running', run),
  event(100, 'run.started', { ...run, n: 1 }),
  event(100, 'item.completed', { ...run, item_id: 'item_1_0', item: { role: 'user', content: [] } }),
  event(300, 'model.completed', { ...call(1), model: 'demo:script', status: 'failed', error_code: 'model_error', error_message: 'busy', retry_at: 1_300 }),
  event(1_500, 'item.started', { ...call(2), item: {} }),
  event(2_000, 'item.completed', item(2)),
  event(2_000, 'usage.recorded', usage(2)),
  event(2_000, 'tool.requested', { ...tool, ...call(2), name: 'look', input: {}, executor: 'server' }),
  event(2_000, 'required_action.created', { request_id: 'act_1', kind: 'confirmation', tool_call: { id: 'look', name: 'look', input: {} } }),
  event(2_000, 'turn.requires_action', { request_ids: ['act_1'] }),
  event(2_000, 'run.ended', { ...run, status: 'suspended' }),
  event(3_602_000, 'required_action.resolved', { request_id: 'act_1', kind: 'confirmation', resolution: 'answered', tool_call_id: 'look' }),
  event(3_602_000, 'turn.running', { turn_id, run_id: 'run_1_2' }),
  event(3_602_000, 'run.started', { turn_id, run_id: 'run_1_2', n: 2 }),
  event(3_602_100, 'tool.dispatched', { ...tool, run_id: 'run_1_2', name: 'look', input: {} }),
  event(3_602_600, 'tool.completed', { ...tool, name: 'look', status: 'error', result: {} }),
  event(3_602_700, 'item.started', { ...call(3), run_id: 'run_1_2', item: {} }),
];
const ended = [
  event(3_603_000, 'item.completed', { ...item(3), run_id: 'run_1_2' }),
  event(3_603_000, 'usage.recorded', { ...usage(3), run_id: 'run_1_2' }),
  event(3_603_000, 'run.ended', { turn_id, run_id: 'run_1_2', status: 'completed' }),
  event(3_603_000, 'turn.completed', { output_text: '' }),
];
const whole = traceOf(turn_id, [...told, ...ended]);
const rowNamed = (id: string, { rows } = whole) => rows.find((row) => row.id === id);

test('a turn becomes rows in the order in which things began, parts behind what they are a part of', () => {
  expect(whole.rows.map(({ kind, id, status }) => [kind, id, status])).toEqual([
    ['turn', 'turn_1', 'ok'],
    ['run', 'run_1_1', 'ok'],
    ['model', 'call_1_1', 'failed'],
    ['model', 'call_1_2', 'ok'],
    ['tool', 'look', 'failed'],
    ['wait', 'act_1', 'ok'],
    ['run', 'run_1_2', 'ok'],
    ['model', 'call_1_3', 'ok'],
  ]);
  expect(whole).toMatchObject({ from: 0, to: 3_603_000 });
  // TF1
  const events = whole.rows.flatMap((row) => row.events);
  expect(new Set(events).size).toBe(told.length + ended.length);
  expect(events).toHaveLength(told.length + ended.length);
});

test('waiting and working are told apart, retries and costs stand where they were', () => {
  expect(rowNamed('look')?.segments.map(({ from, to, kind }) => [from, to, kind])).toEqual([
    [2_000, 2_000, 'starting'],
    [2_000, 3_602_000, 'waiting'],
    [3_602_000, 3_602_100, 'starting'],
    [3_602_100, 3_602_600, 'working'],
  ]);
  expect(timesOf({ segments: rowNamed('look')?.segments ?? [] }, 0)).toEqual({ worked: 600, waited: 3_600_000 });
  // The second try was owed from the moment that the first one named.
  expect(rowNamed('call_1_2')).toMatchObject({
    attempt: 2,
    segments: [
      { from: 1_300, to: 1_500, kind: 'starting' },
      { from: 1_500, to: 2_000 },
    ],
  });
  expect(rowNamed('call_1_1')).toMatchObject({ error: 'busy', usage: undefined });
  expect(rowNamed('run_1_1')).toMatchObject({ usage: { total_tokens: 15 }, cost: { amount: 0.1 } });
  expect(rowNamed('turn_1')).toMatchObject({ usage: { total_tokens: 30 }, cost: { amount: 0.2, currency: 'USD' } });
  // What failed may have cost something, as the session counts it, too; what used nothing has not.
  expect(['turn_1', 'run_1_1', 'run_1_2', 'call_1_1', 'call_1_2'].map((id) => rowNamed(id)?.costComplete)).toEqual([false, false, true, false, true]);
  const unused = told.map((each) => (each.type === 'model.completed' ? { ...each, data: { ...each.data, unused: true } } : each));
  expect(rowNamed('turn_1', traceOf(turn_id, [...unused, ...ended]))?.costComplete).toBe(true);
});

test('while it runs, what goes on reaches up to now', () => {
  const open = traceOf(turn_id, told);
  expect(open.to).toBeNull();
  expect(rowNamed('call_1_3', open)).toMatchObject({ status: 'running', segments: [{ kind: 'starting' }, { from: 3_602_700, to: null }] });
  const waiting = traceOf(turn_id, told.slice(0, 13));
  expect(waiting.rows.filter(({ status }) => status === 'waiting').map(({ id }) => id)).toEqual(['turn_1', 'look', 'act_1']);
});

test('teams and workflows: their steps, and children with what they wait for', () => {
  const { rows } = traceOf(turn_id, [
    event(0, 'turn.accepted'),
    event(1, 'step.updated', { step_id: 'step_a', key: 'a', name: 'Research', attempt: 1, status: 'running' }),
    event(5, 'step.failed', { step_id: 'step_a', key: 'a', attempt: 1, status: 'failed', error_message: 'no' }),
    event(6, 'subagent.started', { child_session_id: 'ses_1-1', child_turn_id: 't', name: 'helper' }),
    event(8, 'subagent.updated', { child_session_id: 'ses_1-1', child_turn_id: 't', status: 'requires_action' }),
  ]);
  expect(rows.slice(1).map(({ kind, name, status, error }) => [kind, name, status, error])).toEqual([
    ['step', 'Research', 'failed', 'no'],
    ['child', 'helper', 'waiting', undefined],
  ]);
  expect(rows.filter(isFault).map(({ id }) => id)).toEqual(['step_a']);
});

test('an hour of waiting is folded, and the rest keeps its proportions (FO1, FO2)', () => {
  const busy = busySpans(whole.rows, 3_603_000);
  const scale = scaleOf(busy, { from: 0, to: 3_603_000 });
  expect(scale.folds.map(({ from, to }) => [from, to])).toEqual([[2_000, 3_602_000]]);
  const [fold] = scale.folds;
  expect((fold?.x1 ?? 0) - (fold?.x0 ?? 0)).toBeCloseTo(0.07 / 1.07);
  const seconds = [0, 500, 1_000, 2_000, 1_800_000, 3_602_000, 3_602_500, 3_603_000];
  const places = seconds.map(scale.at);
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
  expect([places[0], places.at(-1)]).toEqual([0, 1]);
  expect((places[2] ?? 0) - (places[1] ?? 0)).toBeCloseTo((places[6] ?? 0) - (places[5] ?? 0));
  for (const time of seconds) expect(scale.timeAt(scale.at(time))).toBeCloseTo(time, 3);
  expect(ticksOf(scale, 0, 0.1).every(({ time }) => time <= 2_000 || time >= 3_602_000)).toBe(true);
  const bars = barsOf({ segments: rowNamed('look')?.segments ?? [] }, scaleOf(busy, { from: 3_602_050, to: 3_602_650 }), 3_603_000);
  expect(bars.map(({ kind, x0, x1 }) => [kind, x0 > 0, x1 < 1])).toEqual([
    ['starting', false, true],
    ['working', true, true],
  ]);
});

test('short pauses and a turn without any time are drawn as they are', () => {
  expect(
    scaleOf(
      [
        { from: 0, to: 1_000 },
        { from: 2_000, to: 3_000 },
      ],
      { from: 0, to: 3_000 },
    ).folds,
  ).toEqual([]);
  expect(scaleOf([], { from: 5, to: 5 }).at(5)).toBe(0);
});

test('the filter and the stretch that is looked at stand in the address', () => {
  const filter = parseFilter('kind:tool look status:failed  kind:nonsense');
  expect(filter).toEqual({ kind: 'tool', status: 'failed', text: 'look' });
  expect(parseFilter(printFilter(filter))).toEqual(filter);
  expect(whole.rows.filter((row) => fits(row, filter)).map(({ id }) => id)).toEqual(['look']);
  expect(whole.rows.filter((row) => fits(row, parseFilter('BUSY'))).map(({ id }) => id)).toEqual(['call_1_1']);
  expect(nextOf(whole.rows, 'call_1_1', isFault)?.id).toBe('look');
  expect(nextOf(whole.rows, 'look', isFault)?.id).toBe('call_1_1');
  const all = { from: 1_000, to: 2_000 };
  const near = zoomed(all, all, 1_500, 0.5);
  expect(near).toEqual({ from: 1_250, to: 1_750 });
  expect(parseZoom(printZoom(near, 1_000), 1_000)).toEqual(near);
  expect(zoomed({ from: 1_250, to: 1_750 }, all, 1_500, 2)).toBeUndefined();
  expect(panned({ from: 1_250, to: 1_750 }, all, 0.9)).toEqual({ from: 1_500, to: 2_000 });
  expect(parseZoom({ from: '9', to: '3' }, 0)).toBeUndefined();
});
