/** Holds the transition table of docs/session-states.md to the code: the folds to their cells, decisions to non-empty ones. */
import type { AnswerPayload, Command, RequestedCall } from '@turnkeeper/core/session/commands';
import { decide } from '@turnkeeper/core/session/decide';
import type { LoggedEvent, SessionEvent } from '@turnkeeper/core/session/events';
import { evolve, fold } from '@turnkeeper/core/session/evolve';
import type { TurnId } from '@turnkeeper/core/session/ids';
import { emptyState, type SessionState } from '@turnkeeper/core/session/state';
import { describe, expect, it } from 'vitest';
import { read } from './repository.ts';

const turn: TurnId = 'turn_1';
const at = 1_000;

/** Drives a session by commands; each must be allowed. */
const after = (state: SessionState, ...commands: readonly Command[]): SessionState =>
  commands.reduce((now, command) => {
    const decision = decide(now, command);
    if (!decision.ok) throw new Error(`${command.type} refused: ${decision.code}`);
    return fold(now, decision.events);
  }, state);

type Call = Pick<RequestedCall, 'id' | 'asks' | 'replaySafe'> & Partial<RequestedCall>;
const call = (id: 'c1' | 'c2', asks: boolean, replaySafe: boolean): Call => ({ id, asks, replaySafe });
const size = { question: 'Which size?', header: 'size', multi_select: false, options: [] };
/** It asks people something, and somebody must answer within a second. */
const askingCall: Call = { ...call('c1', false, true), executor: 'person', inquiry: { kind: 'question', questions: [size] }, expiresAt: at + 1_000 };
const modelDone = (...calls: readonly Call[]): Command => ({
  type: 'model_done',
  at,
  model: 'm',
  content: [],
  parts: calls.map(({ id }) => ({ type: 'tool_call', id, name: 'send', input: {} })),
  calls: calls.map((entry) => ({ name: 'send', input: {}, executor: 'server', approver: 'owner', ...entry })),
});
const start: Command = { type: 'start', at, message: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] };
const fail: Command = { type: 'fail', at, errorCode: 'model_error', errorMessage: '', retryable: true, partialText: '' };
const dispatch: Command = { type: 'dispatch', at, callId: 'c1', input: {} };
const endRun = (cause: 'lost' | 'handed_over'): Command => ({ type: 'end_run', at, cause });

const steered: Command = { type: 'steer', at, turnId: turn, inputId: 'inp_1', commandId: 'cmd', input: [] };

const fresh = after(emptyState, { type: 'submit', at, turnId: turn, preview: 'hi' });
const running = after(fresh, start);

const flow: Command = { type: 'create', at, target: 'workflow' };
const submitted: Command = { type: 'submit', at, turnId: turn, preview: 'hi' };
const approval: Extract<Command, { type: 'advance_flow' }> = {
  type: 'advance_flow',
  at,
  moves: [{ do: 'ask', key: 'ok', type: 'approval', inquiry: { kind: 'approval', prompt: 'Well?' }, approver: 'owner' }],
};
const nap: Extract<Command, { type: 'advance_flow' }> = { type: 'advance_flow', at, moves: [{ do: 'sleep', key: 'nap', type: 'timer', until: at + 1_000 }] };
const pause: Command = { type: 'pause', at, turnId: turn, commandId: 'cmd' };
/** A workflow that runs, sleeps, waits for people, waits for them and a time, is paused. */
const flowing = after(emptyState, flow, submitted, start);
const asleep = after(flowing, nap);
const asking = after(flowing, approval);
const racing = after(flowing, { ...approval, moves: [...approval.moves, ...nap.moves] });
const paused = after(asking, pause);

/** The columns of the table, each with states that stand for it. */
const columns: Readonly<Record<string, readonly SessionState[]>> = {
  'queued (never ran)': [fresh],
  'queued (at the head)': [
    after(running, endRun('lost')),
    after(running, modelDone(call('c1', true, true), call('c2', false, true)), endRun('handed_over')),
    asleep,
  ],
  running: [
    running,
    flowing,
    after(running, { type: 'open_item', at }),
    after(running, steered),
    after(running, { type: 'open_item', at }, steered, modelDone()),
    after(running, modelDone(call('c1', false, false)), dispatch),
    after(running, modelDone(call('c1', true, true), call('c2', false, true))),
    after(running, modelDone(askingCall, call('c2', false, true))),
  ],
  requires_action: [after(running, modelDone(call('c1', true, false))), after(running, modelDone(askingCall)), asking, racing],
  interrupted: [after(running, modelDone(call('c1', false, false)), dispatch, endRun('lost')), paused],
  'failed, last': [after(running, fail)],
};

const payloads: readonly AnswerPayload[] = [
  { kind: 'confirmation', allow: true },
  { kind: 'confirmation', allow: true, remember: 'session' },
  { kind: 'confirmation', allow: false },
  { kind: 'question', answers: { size: 'L' } },
  { kind: 'reconciliation', outcome: 'succeeded', output: [], reason: 'seen' },
];

/** Every command, as far as it could concern the turn; most are refused in most states. */
const commands: readonly Command[] = [
  { type: 'cancel', at, turnId: turn, commandId: 'cmd' },
  { type: 'resume', at, turnId: turn, commandId: 'cmd' },
  ...payloads.map(
    (payload): Command => ({ type: 'answer', at, turnId: turn, commandId: 'cmd', answeredBy: 'user:1', answers: [{ requestId: 'act_1_1', payload }] }),
  ),
  steered,
  { type: 'inject', at, inputId: 'inp_2', input: [] },
  { type: 'apply_inputs', at, inputs: [{ id: 'inp_1', input: [] }] },
  { type: 'reorder', at, order: [turn] },
  { type: 'expire', at: at + 1_000, requestId: 'act_1_1' },
  { type: 'archive', at },
  { type: 'delete', at },
  start,
  { type: 'restart', at },
  { type: 'open_item', at },
  modelDone(),
  modelDone(call('c1', true, false)),
  modelDone(askingCall),
  { type: 'model_failed', at, model: 'm', errorCode: 'model_error', errorMessage: '', retryable: false, retryAt: 0 },
  dispatch,
  { type: 'tool_done', at, callId: 'c1', outcome: { status: 'success', output: [] } },
  { type: 'tool_done', at, callId: 'c2', outcome: { status: 'success', output: [] } },
  { type: 'stopped', at, outcome: 'cancelled', partialText: '' },
  { type: 'stopped', at, outcome: 'timed_out', partialText: '' },
  fail,
  endRun('lost'),
  endRun('handed_over'),
  nap,
  approval,
  { type: 'wake_flow', at: at + 1_000 },
  pause,
];

const statusOf = (state: SessionState): string => {
  if (state.live?.id === turn) return state.live.status;
  if (state.queue.some((entry) => entry.id === turn)) return 'queued';
  return state.last?.id === turn ? state.last.outcome : 'gone';
};

const columnOf = (state: SessionState): string => {
  const status = statusOf(state);
  if (status === 'queued') return state.live ? 'queued (at the head)' : 'queued (never ran)';
  return status === 'failed' ? 'failed, last' : status;
};

const lines = read('docs/session-states.md').split('\n');
const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const headLine = lines.findIndex((line) => line.startsWith('| event |'));
const head = cellsOf(lines[headLine] ?? '');
const rows = lines.slice(headLine + 2, lines.indexOf('', headLine)).map(cellsOf);

const sampleEvent = (type: string): LoggedEvent =>
  ({ type, at, data: { turn_id: turn, reason: 'resumed', run_id: 'run_1_1', unverified_calls: [] } }) as unknown as LoggedEvent & SessionEvent;

describe('the transition table', () => {
  it('has a column for every state that goes on', () => {
    expect(head.slice(1)).toEqual(Object.keys(columns));
    expect(rows.length).toBe(10);
  });

  it.each(rows)('says what the fold makes of %s', (type, ...cells) => {
    for (const [index, cell] of cells.entries()) {
      for (const state of columns[head[index + 1] ?? ''] ?? []) {
        if (cell === '–') continue;
        const next = evolve(state, sampleEvent(type ?? ''));
        // A turn that never ran and settles is not the last that started: nothing of it stays in the state.
        expect([cell, ...(cell === 'cancelled' ? ['gone'] : [])], `${head[index + 1]} + ${type}`).toContain(statusOf(next));
      }
    }
  });

  it('knows every transition that decisions make', () => {
    const seen = new Set<string>();
    const unknown: string[] = [];
    for (const state of Object.values(columns).flat()) {
      for (const command of commands) {
        const decision = decide(state, command);
        if (!decision.ok) continue;
        let now = state;
        for (const event of decision.events) {
          const from = columnOf(now);
          now = evolve(now, event);
          const row = rows.find((cells) => cells[0] === event.type);
          if (!row) continue;
          seen.add(event.type);
          const cell = row[head.indexOf(from)];
          if (cell === undefined || cell === '–') unknown.push(`${command.type}: ${from} + ${event.type} → ${columnOf(now)}`);
        }
      }
    }
    expect([...new Set(unknown)]).toEqual([]);
    expect(seen.size).toBeGreaterThanOrEqual(9);
  });
});
