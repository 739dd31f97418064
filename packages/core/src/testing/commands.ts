/**
 * Short words for commands, for tests: what matters to a case is written out, the rest is filled in.
 */

import type { BudgetLimit, WarningLevels } from '../session/budget.ts';
import type { ChildReport } from '../session/child-report.ts';
import type { Answer, AnswerPayload, Command, RequestedCall, SessionRules } from '../session/commands.ts';
import type { DeltaBlock, Question, ToolEnd } from '../session/events.ts';
import type { ChildOutcome } from '../session/family-events.ts';
import type { SessionId, TurnId } from '../session/ids.ts';
import type { Inquiry } from '../session/inquiry.ts';

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
export const alwaysAsks = { asks: true, alwaysAsks: true } as const;
export const external = { executor: 'application', approver: 'application' } as const;

export const question = (header: string, more: Partial<Question> = {}): Question => ({
  question: `Which ${header}?`,
  header,
  multi_select: false,
  options: [],
  ...more,
});
/** Of a call that asks this, whatever it is. */
export const inquiring = (inquiry: Inquiry) => ({ executor: 'person', inquiry, replaySafe: true }) as const;
/** Of a call that asks people. */
export const asking = (...questions: readonly Question[]) => inquiring({ kind: 'question', questions });

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
/** The call puts a form to people while it runs. */
export const askForm = (callId: string, more: Partial<Extract<Wish, { type: 'ask_form' }>> = {}): Wish => ({
  type: 'ask_form',
  callId,
  input: { id: callId },
  form: { title: 'Who?', schema: { type: 'object' } },
  key: 'key',
  approver: 'owner',
  ...more,
});
export const takeBackForm = (callId: string): Wish => ({ type: 'take_back_form', callId });
export const rejectAnswer = (name: string, requestId: string): Wish => ({
  type: 'reject_answer',
  turnId: turn(name),
  requestId,
  commandId: 'cmd_1',
  reason: 'withdrawn',
});
export const toolsLost = (...callIds: readonly string[]): Wish => ({ type: 'tools_lost', callIds, inputs: {} });
export const filledIn: AnswerPayload = { kind: 'form', submitted: true, sealed: 'sealed' };
export const stopped = (outcome: 'cancelled' | 'timed_out' = 'cancelled', partialText = ''): Wish => ({ type: 'stopped', outcome, partialText });
export const fail = (errorCode = 'internal_error'): Wish => ({ type: 'fail', errorCode, errorMessage: 'broken', retryable: false, partialText: '' });
export const lost: Wish = { type: 'end_run', cause: 'lost' };
export const handedOver: Wish = { type: 'end_run', cause: 'handed_over' };
export const cancel = (name: string, commandId = `cmd_cancel_${name}`): Wish => ({ type: 'cancel', turnId: turn(name), commandId });
export const resume = (name: string): Wish => ({ type: 'resume', turnId: turn(name), commandId: `cmd_resume_${name}` });
export const steer = (name: string, n = 1, say = `mind ${n}`): Wish => ({
  type: 'steer',
  turnId: turn(name),
  inputId: `inp_${n}`,
  commandId: `cmd_steer_${n}`,
  input: [{ role: 'user', content: [text(say)] }],
});
export const inject = (n = 1, say = `know ${n}`): Wish => ({ type: 'inject', inputId: `inp_${n}`, input: [{ role: 'user', content: [text(say)] }] });
export const applyInputs = (...ids: readonly string[]): Wish => ({
  type: 'apply_inputs',
  inputs: ids.map((id) => ({ id, input: [{ role: 'user', content: [text(`as said: ${id}`)] }] })),
});
export const childResumed = (childId: SessionId): Wish => ({ type: 'child_resumed', childId });
export const exceedBudget: Wish = { type: 'exceed_budget', exceeded: { limit: 'max_model_calls', reason: 'reached', used: 2, max: 2 } };
export const warnBudget = (used: number, max = 10, limit: BudgetLimit = 'max_total_tokens'): Wish => ({ type: 'warn_budget', uses: [{ limit, used, max }] });
export const noteBudget = (max: number, passed: WarningLevels = {}): Wish => ({ type: 'note_budget', budget: { max_total_tokens: max }, passed });
export const reorder = (...names: readonly string[]): Wish => ({ type: 'reorder', order: names.map(turn) });
/** Published by the turn of that name; by a person without one. */
export const publishArtifact = (n = 1, name?: string): Wish => ({
  type: 'publish_artifact',
  artifact: { artifact_id: `art_${n}`, name: `result-${n}.txt`, file_id: `file_${n}` },
  ...(name === undefined ? {} : { turnId: turn(name) }),
});
export const deleteArtifact = (n = 1, name?: string): Wish => ({
  type: 'delete_artifact',
  artifactId: `art_${n}`,
  ...(name === undefined ? {} : { turnId: turn(name) }),
});
export const expire = (requestId: string, at: number): Wish => ({ type: 'expire', requestId, at });

/** A call that a child session is to answer. */
export const delegating = (id: string, background = false): RequestedCall => ({
  ...call(id, { name: 'delegate', executor: 'session' }),
  input: { background },
});
const childName = { name: 'helper', agentId: 'agt_1', path: 'helper:1' } as const;
export const childMade = (childId: SessionId): Wish => ({ type: 'child_made', childId, ...childName });
export const childTells = (childId: SessionId, report: Partial<ChildReport> & Pick<ChildReport, 'is'>): Wish => ({
  type: 'child_report',
  childId,
  report: { ...childName, actions: [], closed: {}, ...report },
});
export const childEnded = (childId: SessionId, status: ChildOutcome = 'completed', say = 'found it'): Wish =>
  childTells(childId, { is: { status, output: [text(say)] } });

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
export const remember: AnswerPayload = { kind: 'confirmation', allow: true, remember: 'session' };
export const deny: AnswerPayload = { kind: 'confirmation', allow: false };
export const result = (say = 'done', isError = false): AnswerPayload => ({ kind: 'external_execution', output: [text(say)], isError });
export const answered = (answers: Extract<AnswerPayload, { kind: 'question' }>['answers'] = { size: 'L' }): AnswerPayload => ({ kind: 'question', answers });
export const succeeded: AnswerPayload = { kind: 'reconciliation', outcome: 'succeeded', output: [text('it was sent')], reason: 'looked it up' };

/** A turn named `name` whose model has just asked for these calls. */
export const turnWithCalls = (name: string, ...calls: readonly RequestedCall[]): readonly Wish[] => [
  submit(name),
  start(),
  openItem,
  modelDone('let me see', ...calls),
];
export const rules = (more: Partial<SessionRules>): SessionRules => ({ maxQueued: 20, maxSteps: 20, maxModelFailures: 4, ...more });
