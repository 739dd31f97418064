import { envelopeOf } from '@turnkeeper/core/protocol/envelope';
import type { SessionEvent } from '@turnkeeper/core/session/events';
import { applyEvent, emptyView } from '@turnkeeper/core/view/session-view';
import { expect, test } from 'vitest';
import { callAsksForm, callReports, callRuns, runBegins, userSays, wholeTurn } from '../testing/turn-script.ts';
import { asksPeople, liveTurn, timelineOf, waitsForPeople } from './timeline.ts';

const viewOf = (events: readonly SessionEvent[]) =>
  events
    .map((event, index) =>
      envelopeOf('ses_1', { kind: 'session', sid: 1 }, { sid: 1, seq: index + 1, turn: 0, type: event.type, at: index, data: JSON.stringify(event.data) }),
    )
    .reduce(applyEvent, emptyView({ id: 'ses_1', status: 'idle', archived: false }, ''));

const call = { turn_id: 'turn_2', run_id: 'run_turn_2', item_id: 'item_turn_2_2', model_call_id: 'call_1' } as const;
const toolTurn: SessionEvent[] = [
  ...userSays('turn_2', 2, 'look'),
  ...runBegins('turn_2', 'look'),
  {
    type: 'item.completed',
    data: {
      ...call,
      item: {
        id: call.item_id,
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'c1', name: 'find', input: { q: 1 } },
        ],
        status: 'completed',
      },
    },
  },
  {
    type: 'tool.requested',
    data: { ...call, execution_id: 'turn_2', tool_call_id: 'c1', name: 'find', input: { q: 1 }, executor: 'application', replay_safe: false, asks: false },
  },
  {
    type: 'required_action.created',
    data: {
      turn_id: 'turn_2',
      request_id: 'act_1',
      kind: 'external_execution',
      version: 1,
      tool_call: { id: 'c1', name: 'find', input: { q: 1 } },
      answer_schema: {},
      approver: 'owner',
    },
  },
];

test('turns in order; a call stands where it was made, its action beside it', () => {
  const view = viewOf([...wholeTurn('turn_1', 1, 'hi', ['yes']), ...toolTurn, ...userSays('turn_3', 3, 'later')]);
  const timeline = timelineOf(view);
  expect(timeline.map(({ turnId, entries }) => [turnId, ...entries.map((entry) => entry.kind)])).toEqual([
    ['turn_1', 'message', 'message'],
    ['turn_2', 'message', 'message', 'tool'],
    ['turn_3'],
  ]);
  expect(timeline[1]?.entries[2]).toMatchObject({ name: 'find', input: { q: 1 }, action: { request_id: 'act_1' }, tool: { status: 'waiting' } });
  expect(liveTurn(view)?.turn_id).toBe('turn_2');
});

test('items whose turn the snapshot no longer shows come first', () => {
  const view = viewOf([...wholeTurn('turn_1', 1, 'hi', ['yes']), ...wholeTurn('turn_2', 2, 'ho', ['no'])]);
  const timeline = timelineOf({ ...view, turns: view.turns.slice(1) });
  expect(timeline.map(({ turnId, turn }) => [turnId, turn?.n])).toEqual([
    ['turn_1', undefined],
    ['turn_2', 2],
  ]);
});

test('a call stands with the newest that it says of its progress; while it asks people it is not at work', () => {
  const running = [...userSays('turn_1', 1, 'a'), ...runBegins('turn_1', 'a'), ...callRuns('turn_1', 'bot_connect')];
  const told = [...running, callReports('turn_1', { message: 'begins' }), callReports('turn_1', { message: 'half', percent: 50 })];
  const entriesOf = (events: readonly SessionEvent[]) => timelineOf(viewOf(events))[0]?.entries ?? [];
  expect(entriesOf(told).at(-1)).toMatchObject({ kind: 'tool', progress: { message: 'half', percent: 50 } });
  expect(asksPeople(entriesOf(told))).toBe(false);
  const asking = entriesOf([...told, callAsksForm('turn_1', 'bot_connect', { title: 'Connect', schema: {} }, {})]);
  expect(asking.at(-1)).not.toHaveProperty('progress');
  expect(asksPeople(asking)).toBe(true);
  const waits = (events: readonly SessionEvent[]) => {
    const view = viewOf(events);
    const live = liveTurn(view);
    return live && [live.status, waitsForPeople(view, live)];
  };
  expect(waits(told)).toEqual(['running', false]);
  expect(waits([...told, callAsksForm('turn_1', 'bot_connect', { title: 'Connect', schema: {} }, {})])).toEqual(['running', true]);
});
