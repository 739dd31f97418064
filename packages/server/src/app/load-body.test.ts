/** Bodies of a page: each delta is parsed once, and only what it appends to gets it. */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import { afterEach, expect, test, vi } from 'vitest';
import type { ResourceRow } from '../ports/session-store.ts';
import { current, deltasByResource } from './load-body.ts';

afterEach(() => void vi.restoreAllMocks());

const row = (kind: ResourceRow['kind'], id: string, baseSeq: number, body: object): ResourceRow => ({
  kind,
  id,
  n: 1,
  lastSeq: baseSeq,
  baseSeq,
  lastAt: 1,
  body: JSON.stringify(body),
});
const item = (id: string, baseSeq = 1): ResourceRow =>
  row('item', id, baseSeq, { turn_id: 't', item_id: id, item: { id, type: 'message', role: 'assistant', content: [], status: 'in_progress' } });
const delta = (seq: number, data: object, type = 'item.delta'): LogRow => ({ sid: 1, seq, turn: 1, type, at: seq * 10, data: JSON.stringify(data) });
const said = (seq: number, id: string, text: string): LogRow => delta(seq, { turn_id: 't', item_id: id, content: [{ type: 'text', text }] });

test('an item gets the deltas that are its own and newer than its body, in order', () => {
  const deltas = deltasByResource([said(2, 'item_1', 'old'), said(3, 'item_1', 'a'), said(4, 'item_12', '"item_1"'), said(5, 'item_1', 'b')]);
  expect(current(item('item_1', 2), deltas)).toMatchObject({ seq: 5, at: 50, body: { item: { content: [{ type: 'text', text: 'ab' }] } } });
  expect(current(item('item_3', 7), deltas)).toMatchObject({ seq: 7, at: 1, body: { item: { content: [] } } });
});

test('a tool gets its own, also where a call id contains another', () => {
  const tool = (id: string) => row('tool', `t:${id}`, 1, { turn_id: 't', tool_call_id: id, status: 'running', progress: [] });
  const progress = (seq: number, id: string) => delta(seq, { turn_id: 't', tool_call_id: id, output: [{ type: 'text', text: id }] }, 'tool.delta');
  const deltas = deltasByResource([progress(2, 'a'), progress(3, 'a:b')]);
  expect(current(tool('a'), deltas).body).toMatchObject({ progress: [{ text: 'a' }] });
  expect(current(tool('a:b'), deltas).body).toMatchObject({ progress: [{ text: 'a:b' }] });
});

test('a page costs its rows plus its deltas, not their product', () => {
  const rows = Array.from({ length: 300 }, (_, n) => item(`item_${n}`));
  const log = Array.from({ length: 200 }, (_, n) => said(n + 2, 'item_299', 'x'));
  const work = [vi.spyOn(JSON, 'parse'), vi.spyOn(JSON, 'stringify'), vi.spyOn(String.prototype, 'includes')];
  const deltas = deltasByResource(log);
  for (const entry of rows) current(entry, deltas);
  const calls = work.map((spy) => spy.mock.calls.length);
  expect(calls.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(rows.length + log.length);
});
