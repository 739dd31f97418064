/**
 * Opening required actions: what is asked, of whom, and what an answer looks like.
 *
 * S24 What a person allowed for the session is not asked for again in it, in no later turn either; but a tool that asks
 *     every time does, and where it would ask, no answer can be remembered.
 */
import type { RequestedCall } from '../commands.ts';
import type { Draft } from '../decision.ts';
import type { EventData } from '../events.ts';
import { requestId } from '../ids.ts';
import { isAllowed, maxAllowedTools, type SessionState } from '../state.ts';
import { type Asked, askedFor } from './inquiries.ts';

/** Whether a person must allow the call first. */
export const mustAsk = (state: SessionState, call: RequestedCall): boolean =>
  call.executor !== 'person' && call.asks && (call.alwaysAsks === true || !isAllowed(state, call.name));

type Created = EventData<'required_action.created'>;
/** The action that a new call waits for; undefined when it may run at once. */
export const askedBy = (state: SessionState, call: RequestedCall): Asked | undefined => {
  if (mustAsk(state, call)) return { ...confirmation(state, call), ...(call.note ? { tool_note: call.note } : {}) };
  switch (call.executor) {
    case 'server':
    case 'session':
      return undefined;
    case 'application':
      return execution;
    case 'person':
      return call.inquiry && askedFor(call.inquiry);
  }
};

const confirmation = (state: SessionState, { alwaysAsks }: RequestedCall): Asked => {
  const can_remember = alwaysAsks !== true && (state.allowedTools?.length ?? 0) < maxAllowedTools;
  const properties = { allow: { type: 'boolean' }, reason: { type: 'string' }, input: { type: 'object' } };
  return {
    kind: 'confirmation',
    can_remember,
    answer_schema: { type: 'object', required: ['allow'], properties: can_remember ? { ...properties, remember: { const: 'session' } } : properties },
  };
};

export const execution: Asked = {
  kind: 'external_execution',
  answer_schema: { type: 'object', required: ['output'], properties: { output: {}, is_error: { type: 'boolean' } } },
};

/** Opens an action of any kind for the live turn: of a call, or of none. */
export const openAction = (out: Draft, asked: Asked, toolCall: Created['tool_call'], from: Pick<RequestedCall, 'approver' | 'roleOf' | 'expiresAt'>): void => {
  const { id, actions } = out.live();
  const { kind, answer_schema, ...more } = asked;
  out.emit({
    type: 'required_action.created',
    data: {
      turn_id: id,
      request_id: requestId(id, actions + 1),
      kind,
      version: 1,
      ...(toolCall ? { tool_call: toolCall } : {}),
      ...more,
      answer_schema,
      approver: from.approver,
      ...(from.roleOf === undefined ? {} : { role_of: from.roleOf }),
      ...(from.expiresAt === undefined ? {} : { expires_at: from.expiresAt }),
    },
  });
};
