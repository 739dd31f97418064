/**
 * What waits for people and applications, and their answers.
 *
 * Owns: the default keys of answers. Does not own: what an answer means, nor who may give it (the server says).
 *
 * AK1 The default key of an answer is made of the action, its version and what was decided: who sends the same decision
 *     again, after a lost answer or a restart, makes no second one. A changed mind has another key, and is told
 *     `action_resolved`.
 */

import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import type { AnsweredActionsPage, CommandReceipt, CommandResource } from '@turnkeeper/core/protocol/wire/actions';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { Transport } from '../transport/transport.ts';
import { api, type Cancellable, type Retried, turnPath } from './paths.ts';

/** An open action, with the session that it is answered in. */
export type OpenAction = ActionBody & { readonly session_id: string; readonly session_title?: string };

/** Which action is meant; of what `list` gives, this is all that an answer needs. With `version`, one that changed since is refused. */
export type ActionRef = { readonly session_id: string; readonly turn_id: string; readonly request_id: string; readonly version?: number };

export type AnswerOptions = Cancellable & { /** Instead of the one that is made of the decision (AK1). */ readonly idempotencyKey?: string };
export type ToolOutput = string | readonly OutputBlock[];

export type ActionCalls = {
  /** All that waits for the caller, over all sessions and pages. */
  readonly list: (options?: Cancellable) => Promise<readonly OpenAction[]>;
  /** One page of it, oldest first. */
  readonly page: (query?: ActionQuery, options?: Retried) => Promise<ActionPage>;
  /** Who answered what, when and from where, of the sessions that one may read; the newest first. For users. */
  readonly answered: (query?: ActionQuery, options?: Cancellable) => Promise<AnsweredActionsPage>;
  /** Allows a tool call, with other arguments where `input` is given; `remember`: this tool is not asked for again in the session. */
  readonly confirm: (
    action: ActionRef,
    how?: { readonly input?: JsonObject; readonly remember?: boolean; readonly reason?: string },
    options?: AnswerOptions,
  ) => Promise<CommandReceipt>;
  readonly deny: (action: ActionRef, reason?: string, options?: AnswerOptions) => Promise<CommandReceipt>;
  /** Answers questions, by their headers. */
  readonly answer: (action: ActionRef, answers: { readonly [header: string]: Json }, options?: AnswerOptions) => Promise<CommandReceipt>;
  /** The result of a tool that the application executes. */
  readonly complete: (action: ActionRef, output: ToolOutput, options?: AnswerOptions) => Promise<CommandReceipt>;
  /** That tool failed: the agent is told why, and goes on. */
  readonly fail: (action: ActionRef, message: ToolOutput, options?: AnswerOptions) => Promise<CommandReceipt>;
  /** Fills in a form: values by the names of its fields. */
  readonly fillIn: (action: ActionRef, values: JsonObject, options?: AnswerOptions) => Promise<CommandReceipt>;
  /** Hands a form back as it is: the agent is told that nobody fills it in. */
  readonly decline: (action: ActionRef, options?: AnswerOptions) => Promise<CommandReceipt>;
  readonly approve: (action: ActionRef, reason?: string, options?: AnswerOptions) => Promise<CommandReceipt>;
  readonly reject: (action: ActionRef, reason?: string, options?: AnswerOptions) => Promise<CommandReceipt>;
  /** Sends the signal that is waited for, with any JSON. */
  readonly signal: (action: ActionRef, payload: Json, options?: AnswerOptions) => Promise<CommandReceipt>;
  /** What really became of a call whose result was lost, and how that is known. */
  readonly reconcile: (
    action: ActionRef,
    result: { readonly outcome: 'succeeded' | 'failed'; readonly output: ToolOutput; readonly reason: string },
    options?: AnswerOptions,
  ) => Promise<CommandReceipt>;
};

export type ActionPage = {
  readonly required_actions: { readonly [requestId: string]: OpenAction };
  readonly commands: readonly CommandResource[];
  readonly next_cursor?: string | null;
  readonly has_more?: boolean;
};

type ActionQuery = { readonly after?: string | undefined; readonly limit?: number | undefined };

const readPage = ({ request }: Transport, query: ActionQuery, options: Retried): Promise<ActionPage> =>
  request('GET', `${api}/required-actions`, { ...options, query });

const listAll = async (transport: Transport, options: Cancellable): Promise<readonly OpenAction[]> => {
  const found: OpenAction[] = [];
  let after: string | undefined;
  do {
    const page: ActionPage = await readPage(transport, { after }, options);
    found.push(...Object.values(page.required_actions));
    after = page.has_more ? (page.next_cursor ?? undefined) : undefined;
  } while (after !== undefined);
  return found;
};

/** See AK1. */
export const answerKey = ({ request_id, version }: ActionRef, decision: string): string =>
  `${decision}-${request_id}${version === undefined ? '' : `-${version}`}`;

export const createActionCalls = (transport: Transport): ActionCalls => {
  type Said = { readonly payload: Json; readonly decision?: 'approved' | 'rejected' };
  const sendSaid = (action: ActionRef, decision: string, said: Said, { idempotencyKey, signal }: AnswerOptions = {}): Promise<CommandReceipt> => {
    const { session_id, turn_id, request_id, version } = action;
    return transport.request('POST', `${turnPath(session_id, turn_id)}/actions`, {
      body: { request_id, ...(version === undefined ? {} : { expected_version: version }), ...said },
      idempotencyKey: idempotencyKey ?? answerKey(action, decision),
      ...(signal ? { signal } : {}),
    });
  };
  const send = (action: ActionRef, decision: string, payload: Json, options?: AnswerOptions): Promise<CommandReceipt> =>
    sendSaid(action, decision, { payload }, options);
  const because = (reason: string | undefined): JsonObject => (reason ? { reason } : {});
  return {
    list: (options = {}) => listAll(transport, options),
    page: (query = {}, options = {}) => readPage(transport, query, options),
    answered: (query = {}, { signal } = {}) => transport.request('GET', `${api}/required-actions/answered`, { query, ...(signal ? { signal } : {}) }),
    confirm: (action, { input, remember, reason } = {}, options = {}) => {
      const payload = { allow: true, ...(input ? { input } : {}), ...(remember ? { remember: 'session' } : {}), ...(reason ? { reason } : {}) };
      return send(action, 'confirm', payload, options);
    },
    deny: (action, reason, options) => send(action, 'deny', { allow: false, ...(reason ? { reason } : {}) }, options),
    answer: (action, answers, options) => send(action, 'answer', { answers }, options),
    complete: (action, output, options) => send(action, 'complete', { output: output as Json, is_error: false }, options),
    fail: (action, message, options) => send(action, 'fail', { output: message as Json, is_error: true }, options),
    fillIn: (action, values, options) => send(action, 'fill-in', { submitted: true, values }, options),
    decline: (action, options) => send(action, 'decline', { submitted: false }, options),
    approve: (action, reason, options) => sendSaid(action, 'approve', { decision: 'approved', payload: because(reason) }, options),
    reject: (action, reason, options) => sendSaid(action, 'reject', { decision: 'rejected', payload: because(reason) }, options),
    signal: (action, payload, options) => send(action, 'signal', payload, options),
    reconcile: (action, { outcome, output, reason }, options) => send(action, `reconcile-${outcome}`, { outcome, output: output as Json, reason }, options),
  };
};
