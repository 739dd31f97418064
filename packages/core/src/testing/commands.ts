/**
 * Short words for commands, for tests: what matters to a case is written out, the rest is filled in.
 */
import type { Answer, AnswerPayload, Command, RequestedCall, SessionRules } from '../session/commands.ts';
import type { DeltaBlock, ToolEnd } from '../session/events.ts';
import type { TurnId } from '../session/ids.ts';

type WithoutTime<Each> = Each extends unknown ? Omit<Each, 'at'> & { readonly at?: number } : never;
/** A command whose time may be left to the kit. */
export type Wish = WithoutTime<Command>;

export const turn = (name: string): TurnId => `turn_${name}`;
export const text = (value: string) => ({ type: 'text', text: value }) as const;

export const submit = (name: string): Wish => ({ type: 'submit', turnId: turn(name), preview: `do ${name}` });
export const start = (say = 'hello', more: { readonly alone?: boolean } = {}): Wish => ({
  type: 'start',
  message: [{ role: 'user', content: [text(say)] }],
  ...more,
});
export const restart = (more: { readonly alone?: boolean } = {}): Wish => ({ type: 'restart', ...more });
export const openItem: Wish = { type: 'open_item', model: 'demo:test' };
export const itemDelta = (...content: readonly DeltaBlock[]): Wish => ({ type: 'item_delta', position: 0, content });

/** A call as the model makes it: of the server, not replay-safe, asking nobody. */
export const call = (id: string, more: Partial<RequestedCall> = {}): RequestedCall => ({
  id,
  name: `tool_${id}`,
  input: { id },
  executor: 'server',
  replaySafe: false,
  asks: false,
  approver: 'owner',
  ...more,
});
export const safe = { replaySafe: true } as const;
export const asks = { asks: true } as const;
export const external = { executor: 'application', approver: 'application' } as const;

export const modelDone = (say: string, ...calls: readonly RequestedCall[]): Extract<Wish, { type: 'model_done' }> => ({
  type: 'model_done',
  model: 'demo:test',
  content: [text(say), ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: input as Record<string, never> }) as const)],
  parts: [text(say), ...calls.map(({ id, name, input }) => ({ type: 'tool_call', id, name, input }) as const)],
  calls,
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
  cost: { amount: 0.01, currency: 'USD' },
});
export const modelFailed = (more: { readonly retryable?: boolean; readonly retryAt?: number } = {}): Wish => ({
  type: 'model_failed',
  model: 'demo:test',
  errorCode: 'model_error',
  errorMessage: 'the provider said no',
  retryable: true,
  retryAt: 5_000,
  ...more,
});
export const dispatch = (callId: string, input: Record<string, string> = { id: callId }): Wish => ({ type: 'dispatch', callId, input });
export const toolDone = (callId: string, status: ToolEnd = 'success'): Wish => ({
  type: 'tool_done',
  callId,
  outcome: { status, output: [text(`${callId}: ${status}`)] },
});
export const stopped = (outcome: 'cancelled' | 'timed_out' = 'cancelled', partialText = ''): Wish => ({ type: 'stopped', outcome, partialText });
export const fail = (errorCode = 'internal_error'): Wish => ({ type: 'fail', errorCode, errorMessage: 'broken', retryable: false, partialText: '' });
export const lost: Wish = { type: 'end_run', cause: 'lost' };
export const handedOver: Wish = { type: 'end_run', cause: 'handed_over' };
export const cancel = (name: string, commandId = `cmd_cancel_${name}`): Wish => ({ type: 'cancel', turnId: turn(name), commandId });
export const resume = (name: string): Wish => ({ type: 'resume', turnId: turn(name), commandId: `cmd_resume_${name}` });
export const expire = (requestId: string, at: number): Wish => ({ type: 'expire', requestId, at });

export const answer = (name: string, ...answers: readonly Answer[]): Extract<Wish, { type: 'answer' }> => ({
  type: 'answer',
  turnId: turn(name),
  commandId: `cmd_answer_${name}`,
  answeredBy: 'user:ann',
  answers,
});
/** The n-th required action of a turn. */
export const action = (name: string, n: number): string => `act_${name}_${n}`;
export const to = (requestId: string, payload: AnswerPayload): Answer => ({ requestId, payload });
export const allow: AnswerPayload = { kind: 'confirmation', allow: true };
export const deny: AnswerPayload = { kind: 'confirmation', allow: false };
export const result = (say = 'done', isError = false): AnswerPayload => ({ kind: 'external_execution', output: [text(say)], isError });
export const succeeded: AnswerPayload = { kind: 'reconciliation', outcome: 'succeeded', output: [text('it was sent')], reason: 'looked it up' };

/** A turn named `name` whose model has just asked for these calls. */
export const turnWithCalls = (name: string, ...calls: readonly RequestedCall[]): readonly Wish[] => [
  submit(name),
  start(),
  openItem,
  modelDone('let me see', ...calls),
];
export const rules = (more: Partial<SessionRules>): SessionRules => ({ maxQueued: 20, maxSteps: 20, maxModelFailures: 4, ...more });
