/**
 * A random life of a session: commands in any order, of which core takes those that make sense.
 */
import type { Command } from '@turnkeeper/core/session/commands';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { Guard } from '../../ports/session-store.ts';

/** A small seeded generator (mulberry32): a printed seed replays the walk. Gives integers in [0, below). */
export const seeded = (seed: number): ((below: number) => number) => {
  let at = seed >>> 0;
  return (below) => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

export type Step = { readonly as: Guard['kind']; readonly command: Command };
type Pick = (below: number) => number;

const text = (value: string) => [{ type: 'text' as const, text: value }];
const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };

const modelDone = (pick: Pick, n: number, at: number): Command => {
  const calls =
    pick(2) === 0
      ? []
      : Array.from({ length: 1 + pick(3) }, (_, index) => ({
          id: `c${n}_${index}`,
          name: 'tool',
          input: { n },
          executor: pick(4) === 0 ? ('application' as const) : ('server' as const),
          replaySafe: pick(2) === 0,
          asks: pick(3) === 0,
          approver: 'owner',
        }));
  return {
    type: 'model_done',
    at,
    model: 'demo',
    content: text(`answer ${n}`),
    parts: [{ type: 'text', text: `answer ${n}` }],
    calls,
    ...(pick(4) === 0 ? {} : { usage, cost: { amount: 0.01, currency: 'USD' } }),
  };
};

const runnerStep = (pick: Pick, state: SessionState, n: number, at: number): Command => {
  const { live } = state;
  if (!live) return { type: 'start', at, message: [{ role: 'user', content: text(`question ${n}`) }] };
  if (live.status === 'queued') return { type: 'restart', at };
  if (live.cancelRequested) return { type: 'stopped', at, outcome: 'cancelled', partialText: '' };
  const open = live.calls.filter((call) => call.status !== 'done');
  const call = open[pick(Math.max(open.length, 1))];
  if (call?.status === 'requested') return { type: 'dispatch', at, callId: call.id, input: {} };
  if (call?.status === 'dispatched') {
    return pick(2) === 0
      ? { type: 'tool_delta', at, callId: call.id, output: text(`progress ${n}`) }
      : { type: 'tool_done', at, callId: call.id, outcome: { status: 'success', output: text(`result ${n}`) } };
  }
  if (!live.open)
    return pick(6) === 0
      ? { type: 'model_failed', at, model: 'demo', errorCode: 'model_error', errorMessage: 'busy', retryable: true, retryAt: at }
      : { type: 'open_item', at };
  return pick(4) === 0 ? modelDone(pick, n, at) : { type: 'item_delta', at, position: n, content: text(`piece ${n} "x" `) };
};

const clientStep = (pick: Pick, state: SessionState, n: number, at: number): Command => {
  const turnId = (state.live?.id ?? state.queue[0]?.id ?? state.last?.id ?? 'turn_0') as TurnId;
  const action = state.live?.openActions[0];
  if (action && pick(3) > 0) {
    const payload =
      action.kind === 'confirmation'
        ? { kind: 'confirmation' as const, allow: pick(3) > 0 }
        : action.kind === 'reconciliation'
          ? { kind: 'reconciliation' as const, outcome: 'succeeded' as const, output: text('found'), reason: 'looked' }
          : { kind: 'external_execution' as const, output: text('done'), isError: false };
    return { type: 'answer', at, turnId, commandId: `cmd_${n}`, answeredBy: 'user_1', answers: [{ requestId: action.id, payload }] };
  }
  switch (pick(8)) {
    case 0:
      return { type: 'cancel', at, turnId, commandId: `cmd_${n}` };
    case 1:
      return { type: 'resume', at, turnId, commandId: `cmd_${n}` };
    case 2:
      return { type: state.archived ? 'unarchive' : 'archive', at };
    default:
      return { type: 'submit', at, turnId: `turn_${n}_x`, preview: `question ${n}` };
  }
};

/** The n-th step of a walk from this state. */
export const nextStep = (pick: Pick, state: SessionState, n: number): Step => {
  const at = 1_800_000_000_000 + n * 10;
  const kind = pick(10);
  if (kind === 0) return { as: 'run', command: { type: 'end_run', at, cause: pick(2) === 0 ? 'lost' : 'handed_over' } };
  if (kind <= 2 || (!state.live && state.queue.length === 0)) return { as: 'command', command: clientStep(pick, state, n, at) };
  if (state.live && (state.live.status === 'requires_action' || state.live.status === 'interrupted'))
    return { as: 'command', command: clientStep(pick, state, n, at) };
  return { as: 'run', command: runnerStep(pick, state, n, at) };
};
