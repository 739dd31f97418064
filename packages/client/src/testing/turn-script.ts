/** Events of whole turns, for tests. */
import type { SessionEvent } from '@turnkeeper/core/session/events';
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
