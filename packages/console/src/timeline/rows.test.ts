import {
  answerStreams,
  callAsksForm,
  callEnds,
  callRuns,
  formIsAnswered,
  runBegins,
  turnCompletes,
  userSays,
  wholeTurn,
} from '@turnkeeper/client/testing/turn-script';
import { createWholeTimeline } from '@turnkeeper/client/view/whole-timeline';
import { envelopeOf } from '@turnkeeper/core/protocol/envelope';
import type { SessionEvent } from '@turnkeeper/core/session/events';
import { applyEvent, emptyView, type SessionView } from '@turnkeeper/core/view/session-view';
import { expect, test } from 'vitest';
import { createRows, nextForEyes, type Row, rowsOf, sameRow } from './rows.ts';

const envelope = (event: SessionEvent, seq: number) =>
  envelopeOf('ses_1', { kind: 'session', sid: 1 }, { sid: 1, seq, turn: 0, type: event.type, at: seq, data: JSON.stringify(event.data) });
const viewOf = (events: readonly SessionEvent[]): SessionView =>
  events.map((event, at) => envelope(event, at + 1)).reduce(applyEvent, emptyView({ id: 'ses_1', status: 'idle', archived: false }, ''));
const nothing = { items: [], tools: [], turns: [], hasMore: false };
const rowsOfView = (view: SessionView, timelineOf = createWholeTimeline(), older = nothing as Parameters<typeof timelineOf>[1]): readonly Row[] =>
  rowsOf({ timeline: timelineOf(view, older), turns: view.turns, inputs: view.inputs, outbox: [] });
const keys = (rows: readonly Row[]): string[] => rows.map(({ key }) => key);

test('while one turn streams, all rows but that of its message stay the same', () => {
  let view = viewOf([...wholeTurn('turn_1', 1, 'a', ['x']), ...userSays('turn_2', 2, 'b'), ...runBegins('turn_2', 'b')]);
  for (const [at, event] of answerStreams('turn_2', ['y', 'z']).slice(0, 3).entries()) {
    const before = rowsOfView(view);
    view = applyEvent(view, envelope(event, 100 + at));
    const after = rowsOfView(view);
    const changed = after.filter((row, n) => !(before[n] && sameRow(before[n], row))).map(({ key }) => key);
    // The first piece opens the message, and ends "working".
    expect(changed).toEqual(at === 0 ? ['item_turn_2_2', 'end:turn_2'] : ['item_turn_2_2']);
  }
});

test('what is remembered is what would be made anew, and for other turns than the one that streams the same object', () => {
  let view = viewOf([...wholeTurn('turn_1', 1, 'a', ['x']), ...userSays('turn_2', 2, 'b'), ...runBegins('turn_2', 'b')]);
  const [timelineOf, made] = [createWholeTimeline(), createRows()];
  const rowsNow = () => made({ timeline: timelineOf(view, nothing), turns: view.turns, inputs: view.inputs, outbox: [] });
  let before = rowsNow();
  for (const [at, event] of [...answerStreams('turn_2', ['w', 'x', 'y', 'z']), ...turnCompletes('turn_2', 'wxyz')].entries()) {
    view = applyEvent(view, envelope(event, 100 + at));
    const rows = rowsNow();
    expect(rows).toEqual(rowsOfView(view));
    if (at > 1 && event.type === 'item.delta') expect(rows.map((row, n) => row === before[n])).toEqual([true, true, true, false, false, false]);
    before = rows;
  }
});

test('what is remembered of a turn is forgotten when others begin: it is the newest no more, and nothing rests', () => {
  const view = viewOf([...wholeTurn('turn_1', 1, 'a', ['x']), ...userSays('turn_2', 2, 'b'), ...runBegins('turn_2', 'b')]);
  const timeline = createWholeTimeline()(view, nothing);
  const made = createRows();
  const parts = { turns: view.turns, inputs: view.inputs, outbox: [] };
  for (const shown of [timeline.slice(0, 1), timeline, timeline.slice(0, 1)])
    expect(made({ ...parts, timeline: shown })).toEqual(rowsOf({ ...parts, timeline: shown }));
});

test('what is older stands above, a turn that begins there and goes on in the view is one, and all is the same when read in parts', () => {
  const events = [1, 2, 3, 4].flatMap((n) => wholeTurn(`turn_${n}`, n, `q${n}`, ['x', 'y']));
  const view = viewOf(events);
  const all = keys(rowsOfView(view));
  for (let cut = 0; cut <= view.items.length; cut += 1) {
    const newer = { ...view, items: view.items.slice(cut), turns: view.turns.slice(2) };
    const older = { ...nothing, items: view.items.slice(0, cut), turns: view.turns.slice(0, 2) };
    expect(keys(rowsOfView(newer, createWholeTimeline(), older))).toEqual(all);
  }
  const part = { ...view, items: view.items.slice(4) };
  expect(keys(rowsOfView(part, createWholeTimeline(), { ...nothing, hasMore: true }))).toEqual(all.slice(6));
  const timelineOf = createWholeTimeline();
  const older = { ...nothing, items: view.items.slice(0, 4) };
  expect(timelineOf(part, older)[0]).toBe(timelineOf({ ...part, as_of: 'later' }, older)[0]);
});

test('what waits comes last, in the order in which it will start', () => {
  const view = viewOf([
    ...userSays('turn_1', 1, 'a'),
    ...runBegins('turn_1', 'a'),
    ...userSays('turn_2', 2, 'b'),
    ...userSays('turn_3', 3, 'c'),
    { type: 'turn.queued', data: { turn_id: 'turn_3', reason: 'reordered', queue_position: 1 } },
    { type: 'turn.queued', data: { turn_id: 'turn_2', reason: 'reordered', queue_position: 2 } },
  ] as SessionEvent[]);
  const queued = rowsOfView(view).filter((row) => row.kind === 'queued');
  expect(queued.map(({ turnId }) => turnId)).toEqual(['turn_3', 'turn_2']);
  expect(queued.map(({ live }) => live?.turn_id)).toEqual(['turn_1', 'turn_1']);
});

test('a steer shows that it was received, then stands where it was used', () => {
  const said = { role: 'user', content: [{ type: 'text', text: 'shorter' }] };
  const accepted = { type: 'input.accepted', data: { turn_id: 'turn_1', input_id: 'inp_1', kind: 'steer', input: [said] } };
  let view = viewOf([...userSays('turn_1', 1, 'a'), ...runBegins('turn_1', 'a'), accepted as unknown as SessionEvent]);
  expect(rowsOfView(view).map(({ kind }) => kind)).toEqual(['entry', 'steer', 'end']);
  const applied = { type: 'input.applied', data: { turn_id: 'turn_1', input_id: 'inp_1', item_ids: ['item_turn_1_1'] } };
  view = applyEvent(view, envelope(applied as unknown as SessionEvent, 50));
  expect(rowsOfView(view)[0]).toMatchObject({ steer: { status: 'applied' } });
  expect(rowsOfView(view).map(({ kind }) => kind)).toEqual(['entry', 'end']);
});

test('the next that wants eyes: below, or from the top again', () => {
  const failed: SessionEvent = {
    type: 'turn.failed',
    data: { turn_id: 'turn_1', error_code: 'model_error', error_message: 'x', retryable: false },
  } as SessionEvent;
  const view = viewOf([...userSays('turn_1', 1, 'a'), ...runBegins('turn_1', 'a'), failed, ...wholeTurn('turn_2', 2, 'b', ['x'])]);
  const rows = rowsOfView(view);
  expect(keys(rows)[nextForEyes(rows, -1) ?? -1]).toBe('end:turn_1');
  expect(nextForEyes(rows, rows.length - 1)).toBe(nextForEyes(rows, -1));
  expect(nextForEyes(rowsOfView(viewOf(wholeTurn('turn_1', 1, 'a', ['x']))), 0)).toBeUndefined();
});

test('nothing is said to be at work while a form of a call that runs waits for people', () => {
  const running = [...userSays('turn_1', 1, 'a'), ...runBegins('turn_1', 'a'), ...callRuns('turn_1', 'bot_connect')];
  const asked = [...running, callAsksForm('turn_1', 'bot_connect', { title: 'Connect', schema: {} }, {})];
  const works = (events: readonly SessionEvent[]) => rowsOfView(viewOf(events)).flatMap((row) => (row.kind === 'end' ? [row.turn.status, row.working] : []));
  expect(works(asked)).toEqual(['running', false]);
  expect(works([...asked, formIsAnswered('turn_1'), callEnds('turn_1', 'bot_connect')])).toEqual(['running', true]);
});
