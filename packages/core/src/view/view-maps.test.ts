import { expect, test } from 'vitest';
import type { Envelope } from '../protocol/envelope.ts';
import { applyEvent, emptyView, type SessionView } from './session-view.ts';
import { listsOf, mapsOf } from './view-maps.ts';

const envelope = (n: number, type: string, data: object): Envelope => ({
  ...{ schema_version: 1, id: `evt_${n}`, type, session_id: 'ses_1', created_at: n, cursor: `c${n}` },
  data: data as never,
});
const accepted = (n: number) => envelope(n, 'turn.accepted', { turn_id: `turn_${n}`, n, preview: 'x', queue_position: 0 });
const step = (n: number, status: string) =>
  envelope(n, 'step.updated', { turn_id: 'turn_1', step_id: 'step_1_a', key: 'a', type: 'agent', attempt: 1, status });

const after = (view: SessionView, events: readonly Envelope[]): SessionView => events.reduce(applyEvent, view);
const empty = emptyView({ id: 'ses_1', status: 'idle', archived: false }, 'c0');
const bodies = (view: SessionView) => [view.as_of, view.turns.map(({ data }) => data), view.steps.map(({ data }) => data)];

test('a snapshot by id has the resources themselves, in the order of first appearance', () => {
  const maps = mapsOf({ ...after(empty, [accepted(1), accepted(2), step(3, 'running')]), has_more: { turns: false } });
  expect(Object.keys(maps.turns)).toEqual(['turn_1', 'turn_2']);
  expect(maps.steps).toMatchObject({ step_1_a: { key: 'a', status: 'running' } });
  expect(maps).toMatchObject({ as_of: 'c3', has_more: { turns: false }, items: {}, usage: { model_calls: 0 } });
});

test('V4 from a snapshot by id, events lead to what somebody sees who watched from the start', () => {
  const [before, behind] = [
    [accepted(1), step(2, 'running')],
    [accepted(3), step(4, 'succeeded')],
  ];
  const read = listsOf(JSON.parse(JSON.stringify(mapsOf(after(empty, before)))) as SessionView);
  expect(bodies(after(read, behind))).toEqual(bodies(after(empty, [...before, ...behind])));
});

test('lists stay as they are', () => {
  const view = after(empty, [accepted(1)]);
  expect(listsOf(view)).toBe(view);
});
