/** What holds of every view: a snapshot and the rest is the whole (V1–V5). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorOf, type StreamRef } from '../protocol/cursors.ts';
import { type Envelope, envelopeOf, type LogRow, loggedEvent } from '../protocol/envelope.ts';
import { type LoggedEvent, turnOf } from '../session/events.ts';
import { type History, history } from '../testing/arbitraries.ts';
import { applyToResource, type Body, type ResourceKind, touched } from './resources.ts';
import { applyEvent, emptyView, isShown, type SessionInfo, type SessionView, snapshotMember } from './session-view.ts';
import { applyTurnEvent, emptyTurnView, type TurnView } from './turn-view.ts';

const sessionStream: StreamRef = { kind: 'session', sid: 7 };
const info: SessionInfo = { id: 'ses_x', status: 'idle', archived: false };

const turnNumbers = (log: readonly LoggedEvent[]): ReadonlyMap<string, number> =>
  new Map(log.flatMap((event) => (event.type === 'turn.accepted' ? [[event.data.turn_id as string, event.data.n] as const] : [])));

const logRows = ({ log }: History): readonly LogRow[] => {
  const numbers = turnNumbers(log);
  return log.map((event, index) => ({
    sid: 7,
    seq: index + 1,
    turn: numbers.get(String(turnOf(event))) ?? 0,
    type: event.type,
    at: event.at,
    data: JSON.stringify(event.data),
  }));
};
const watched = (rows: readonly LogRow[], stream: StreamRef): readonly Envelope[] => rows.map((row) => envelopeOf('ses_x', stream, row));
const viewOf = (view: SessionView, envelopes: readonly Envelope[]): SessionView => envelopes.reduce(applyEvent, view);
const start = emptyView(info, cursorOf(sessionStream, 0));

describe('the session view', () => {
  it('from a snapshot at any point, moved on by the rest, is the view from the start (V4)', () => {
    fc.assert(
      fc.property(history(), fc.nat(), (whole, cut) => {
        const envelopes = watched(logRows(whole), sessionStream);
        const at = cut % (envelopes.length + 1);
        const snapshot = JSON.parse(JSON.stringify(viewOf(start, envelopes.slice(0, at)))) as SessionView;
        expect(snapshot.as_of).toBe(cursorOf(sessionStream, at));
        expect(viewOf(snapshot, envelopes.slice(at))).toEqual(viewOf(start, envelopes));
      }),
      { numRuns: 500 },
    );
  });

  it('lists what the resource-by-resource folds give, in the order of first appearance (V1, V3)', () => {
    fc.assert(
      fc.property(history(), (whole) => {
        const rows = logRows(whole);
        const bodies = new Map<string, { kind: ResourceKind; body: Body }>();
        for (const row of rows) {
          const event = loggedEvent(row.type, row.at, JSON.parse(row.data));
          for (const { kind, id } of touched(event)) {
            const body = applyToResource(kind, bodies.get(`${kind} ${id}`)?.body, event);
            if (body) bodies.set(`${kind} ${id}`, { kind, body });
          }
        }
        const view = viewOf(start, watched(rows, sessionStream));
        for (const kind of ['turn', 'run', 'item', 'tool', 'required_action', 'command', 'input', 'artifact', 'subagent'] as const) {
          const shown = [...bodies.values()].filter((entry) => entry.kind === kind && isShown(kind, entry.body)).map((entry) => entry.body);
          expect(view[snapshotMember(kind)].map((entry) => entry.data)).toEqual(shown);
        }
        const usage = bodies.get('usage session')?.body;
        if (usage) expect(view.usage).toEqual(usage);
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with the state: statuses, open actions, and what streams', () => {
    fc.assert(
      fc.property(history(), (whole) => {
        const { state } = whole;
        const view = viewOf(start, watched(logRows(whole), sessionStream));
        if (!state.terminated) expect(view.session.status).toBe(state.status);
        expect(view.session.archived).toBe(state.archived);
        const unfinished = view.turns
          .filter(({ data }) => ['queued', 'running', 'requires_action', 'interrupted'].includes(data.status))
          .map(({ data }) => [data.turn_id, data.status]);
        const expected = [...(state.live ? [[state.live.id, state.live.status]] : []), ...state.queue.map(({ id }) => [id, 'queued'])];
        // A list is in the order of acceptance; the queue need not be (QO1).
        expect(unfinished.toSorted()).toEqual(expected.toSorted());
        const waiting = view.inputs.filter(({ data }) => data.status === 'accepted').map(({ data }) => data.input_id);
        if (!state.terminated) expect(waiting).toEqual(state.inputs?.map(({ id }) => id) ?? []);
        expect(view.required_actions.map(({ data }) => data.request_id)).toEqual(state.live?.openActions.map(({ id }) => id) ?? []);
        const streaming = view.items.filter(({ data }) => data.item.status === 'in_progress').map(({ data }) => data.item_id);
        expect(streaming).toEqual(state.live?.open ? [state.live.open.itemId] : []);
        expect(view.runs.filter(({ data }) => data.status === 'running').length).toBe(state.live?.status === 'running' ? 1 : 0);
        const calls = new Map(state.live?.calls.map((call) => [call.id, call.status]));
        for (const { data } of view.tools) {
          if (data.completed_at === undefined) expect(calls.get(data.tool_call_id), data.tool_call_id).not.toBe('done');
          const asks = state.live?.openActions.some(({ callId, whileRunning }) => whileRunning && callId === data.tool_call_id);
          if (data.status === 'waiting') expect(calls.get(data.tool_call_id)).toBe(asks ? 'dispatched' : 'waiting');
          if (asks) expect(data.status).toBe('waiting');
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the turn view', () => {
  it('from a snapshot at any point, moved on by the rest, is the view from the start, and agrees with the session’s', () => {
    fc.assert(
      fc.property(history(), fc.nat(), (whole, cut) => {
        const rows = logRows(whole);
        const session = viewOf(start, watched(rows, sessionStream));
        for (const [id, turn] of turnNumbers(whole.log)) {
          const stream: StreamRef = { kind: 'turn', sid: 7, turn };
          const envelopes = watched(
            rows.filter((row) => row.turn === turn),
            stream,
          );
          const at = cut % (envelopes.length + 1);
          const empty = emptyTurnView(cursorOf(stream, 0));
          const snapshot = JSON.parse(JSON.stringify(envelopes.slice(0, at).reduce(applyTurnEvent, empty))) as TurnView;
          const end = envelopes.slice(at).reduce(applyTurnEvent, snapshot);
          expect(end).toEqual(envelopes.reduce(applyTurnEvent, empty));
          const ofTurn = <Each extends { readonly turn_id: string }>(list: readonly { readonly data: Each }[]): readonly Each[] =>
            list.map(({ data }) => data).filter((data) => data.turn_id === id);
          expect(end.turn).toEqual(ofTurn(session.turns)[0]);
          expect(Object.values(end.items)).toEqual(ofTurn(session.items));
          expect(Object.values(end.tools)).toEqual(ofTurn(session.tools));
          expect(Object.values(end.required_actions)).toEqual(ofTurn(session.required_actions));
          expect(end.usage).toEqual(end.turn?.usage);
        }
      }),
      { numRuns: 400 },
    );
  });
});
