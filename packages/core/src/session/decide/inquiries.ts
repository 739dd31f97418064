/**
 * Actions that people or the world outside answer: what each kind asks, and what an answer makes of the call that waits for it.
 *
 * AQ1 Every kind has one opening, whoever opens it: a tool call of an agent, or a node of a workflow.
 * AQ2 What nobody answered in time is never taken for consent: a confirmation and an approval expire as denied, whatever
 *     their tool says of it.
 */
import type { OutputBlock } from '../../protocol/content.ts';
import type { Json, JsonObject } from '../../protocol/json.ts';
import type { AnswerPayload } from '../commands.ts';
import type { ActionKind, EventData, Form, Question, ToolEnd } from '../events.ts';
import type { Inquiry } from '../inquiry.ts';

type Created = EventData<'required_action.created'>;
/** What is particular to an action of some kind. */
export type Asked = Pick<
  Created,
  | 'kind'
  | 'step_id'
  | 'answer_schema'
  | 'prompt'
  | 'questions'
  | 'options'
  | 'form'
  | 'signal_name'
  | 'can_remember'
  | 'tool_note'
  | 'while_running'
  | 'answer_key'
>;

/** The action that an inquiry opens. */
export const askedFor = (inquiry: Inquiry): Asked => {
  switch (inquiry.kind) {
    case 'question':
      return question(inquiry.questions);
    case 'form':
      return form(inquiry.form);
    case 'approval':
      return { kind: 'approval', prompt: inquiry.prompt, answer_schema: approvalSchema };
    case 'signal':
      return { kind: 'signal', prompt: `Waits for the signal "${inquiry.signalName}".`, signal_name: inquiry.signalName, answer_schema: {} };
  }
};

/** Nobody could answer it: it holds no question. */
export const asksNothing = (inquiry: Inquiry | undefined): boolean => inquiry === undefined || (inquiry.kind === 'question' && inquiry.questions.length === 0);

const approvalSchema: JsonObject = {
  type: 'object',
  required: ['decision'],
  properties: { decision: { enum: ['approved', 'rejected'] }, payload: { type: 'object', properties: { reason: { type: 'string' } } } },
};

const form = (asked: Form): Asked => ({
  kind: 'form',
  prompt: asked.title,
  form: asked,
  answer_schema: { type: 'object', required: ['submitted'], properties: { submitted: { type: 'boolean' }, values: asked.schema } },
});

const question = (questions: readonly Question[]): Asked => {
  const [first] = questions;
  return {
    kind: 'question',
    questions,
    ...(first ? { prompt: first.question, options: first.options } : {}),
    answer_schema: { type: 'object', required: ['answers'], properties: { answers: answersSchema(questions) } },
  };
};

/** Options are offers: other words are an answer too. */
const answersSchema = (questions: readonly Question[]): JsonObject => ({
  type: 'object',
  required: questions.map(({ header }) => header),
  additionalProperties: false,
  properties: Object.fromEntries(questions.map(({ header, multi_select }) => [header, multi_select ? severalTexts : oneText])),
});
const oneText = { type: 'string', minLength: 1 } as const;
const severalTexts = { type: 'array', minItems: 1, items: oneText } as const;

/** The end of a call. */
export type CallEnd = { readonly status: ToolEnd; readonly output: readonly OutputBlock[] };

const told = (status: ToolEnd, value: string): CallEnd => ({ status, output: [{ type: 'text', text: value }] });
const toldJson = (value: Json): CallEnd => told('success', JSON.stringify(value));

/** Whether an answer says no: the action resolves as denied. */
export const saysNo = (payload: AnswerPayload): boolean => {
  switch (payload.kind) {
    case 'confirmation':
      return !payload.allow;
    case 'approval':
      return !payload.approved;
    case 'form':
      return !payload.submitted;
    case 'external_execution':
    case 'question':
    case 'signal':
    case 'reconciliation':
      return false;
  }
};

/** What an answer makes of its tool call at once; nothing for a confirmation, which lets it run. */
export const resultOf = (payload: AnswerPayload): CallEnd | undefined => {
  switch (payload.kind) {
    case 'external_execution':
      return { status: payload.isError ? 'error' : 'success', output: payload.output };
    case 'question':
      return toldJson(payload.answers);
    case 'form':
      return payload.submitted ? toldJson({ submitted: true, values: payload.values ?? {} }) : told('denied', 'The form was not filled in: it was declined.');
    case 'approval': {
      if (payload.approved) return toldJson(payload.reason === undefined ? { decision: 'approved' } : { decision: 'approved', reason: payload.reason });
      return told('denied', payload.reason ? `Rejected: ${payload.reason}` : 'Rejected.');
    }
    case 'signal':
      return toldJson(payload.payload);
    case 'reconciliation':
      return { status: payload.outcome === 'succeeded' ? 'success' : 'error', output: payload.output };
    case 'confirmation':
      if (payload.allow) return undefined;
      return told('denied', payload.reason ? `Denied: ${payload.reason}` : 'Denied by the user.');
  }
};

/** What becomes of a call whose action expired. `otherwise`: what its tool says is to stand in for the answer (AQ2). */
export const expiredEnd = (kind: ActionKind, otherwise: Json | undefined): CallEnd => {
  switch (kind) {
    case 'confirmation':
    case 'approval':
    case 'reconciliation':
      return told('denied', 'Nobody answered in time.');
    case 'external_execution':
    case 'question':
    case 'form':
      return otherwise === undefined ? told('denied', 'Nobody answered in time.') : toldJson(otherwise);
    case 'signal':
      return otherwise === undefined ? told('error', 'The signal did not come in time.') : toldJson(otherwise);
  }
};
