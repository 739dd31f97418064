/** Events of whole turns, for tests. */
import type { Form, SessionEvent, ToolNote } from '@turnkeeper/core/session/events';
import type { TurnId } from '@turnkeeper/core/session/ids';

export const userSays = (turnId: TurnId, n: number, text: string): SessionEvent[] => [
  { type: 'turn.accepted', data: { turn_id: turnId, n, preview: text } },
  { type: 'turn.queued', data: { turn_id: turnId, reason: 'accepted', queue_position: 0 } },
];

export const runBegins = (turnId: TurnId, text: string): SessionEvent[] => [
  { type: 'session.status_running', data: {} },
  { type: 'run.started', data: { turn_id: turnId, run_id: `run_${turnId}`, n: 1 } },
  { type: 'turn.running', data: { turn_id: turnId, run_id: `run_${turnId}` } },
  {
    type: 'item.completed',
    data: {
      turn_id: turnId,
      run_id: `run_${turnId}`,
      item_id: `item_${turnId}_1`,
      item: { id: `item_${turnId}_1`, type: 'message', role: 'user', content: [{ type: 'text', text }], status: 'completed' },
    },
  },
];

/** An assistant's item that streams piece by piece. */
export const answerStreams = (turnId: TurnId, pieces: readonly string[]): SessionEvent[] => {
  const call = { turn_id: turnId, run_id: `run_${turnId}`, item_id: `item_${turnId}_2`, model_call_id: `call_${turnId}_1` };
  const item = { id: call.item_id, type: 'message', role: 'assistant' } as const;
  return [
    { type: 'item.started', data: { ...call, item: { ...item, content: [], status: 'in_progress' } } },
    ...pieces.map((text, position): SessionEvent => ({ type: 'item.delta', data: { ...call, position, content: [{ type: 'text', text }] } })),
    {
      type: 'item.completed',
      data: { ...call, item: { ...item, content: [{ type: 'text', text: pieces.join('') }], status: 'completed' }, final_output: true },
    },
  ];
};

export const turnCompletes = (turnId: TurnId, text: string): SessionEvent[] => [
  { type: 'run.ended', data: { turn_id: turnId, run_id: `run_${turnId}`, status: 'completed' } },
  { type: 'turn.completed', data: { turn_id: turnId, output_text: text } },
  { type: 'session.status_idle', data: {} },
];

/** A turn from its acceptance to its outcome. */
export const wholeTurn = (turnId: TurnId, n: number, question: string, pieces: readonly string[]): SessionEvent[] => [
  ...userSays(turnId, n, question),
  ...runBegins(turnId, question),
  ...answerStreams(turnId, pieces),
  ...turnCompletes(turnId, pieces.join('')),
];

/** The model calls a tool, which begins to run. */
export const callRuns = (turnId: TurnId, name: string): SessionEvent[] => {
  const call = { turn_id: turnId, run_id: `run_${turnId}`, item_id: `item_${turnId}_2` };
  const tool = { ...call, execution_id: turnId, tool_call_id: 'c1', name, input: {} };
  const content = [{ type: 'tool_use' as const, id: 'c1', name, input: {} }];
  return [
    { type: 'item.completed', data: { ...call, item: { id: call.item_id, type: 'message', role: 'assistant', content, status: 'completed' } } },
    { type: 'tool.requested', data: { ...tool, model_call_id: `call_${turnId}_1`, executor: 'server', replay_safe: false, asks: false } },
    { type: 'tool.dispatched', data: tool },
  ];
};

/** That call says how far it is. */
export const callReports = (turnId: TurnId, report: { readonly message: string; readonly stage?: string; readonly percent?: number }): SessionEvent => ({
  type: 'tool.delta',
  data: {
    turn_id: turnId,
    run_id: `run_${turnId}`,
    execution_id: turnId,
    tool_call_id: 'c1',
    output: [{ type: 'data', data: { type: 'progress', ...report } }],
  },
});

/** That call puts a form to people, and goes on meanwhile. */
export const callAsksForm = (turnId: TurnId, name: string, form: Form, note: ToolNote): SessionEvent => ({
  type: 'required_action.created',
  data: {
    turn_id: turnId,
    request_id: 'act_1',
    kind: 'form',
    version: 1,
    tool_call: { id: 'c1', name, input: {} },
    tool_note: note,
    while_running: true,
    form,
    answer_schema: {},
    approver: 'owner',
  },
});

/** It was filled in. */
export const formIsAnswered = (turnId: TurnId): SessionEvent => ({
  type: 'required_action.resolved',
  data: { turn_id: turnId, request_id: 'act_1', kind: 'form', resolution: 'answered', tool_call_id: 'c1', while_running: true },
});

/** That call has its result. */
export const callEnds = (turnId: TurnId, name: string): SessionEvent => ({
  type: 'tool.completed',
  data: {
    turn_id: turnId,
    execution_id: turnId,
    tool_call_id: 'c1',
    name,
    status: 'success',
    result: { type: 'tool_result', id: 'c1', name, output: [{ type: 'text', text: 'Connected.' }], state: 'success' },
  },
});
