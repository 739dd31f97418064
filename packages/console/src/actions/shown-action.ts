import type { ActionBody } from '@turnkeeper/core/view/action';

/** What of an open action is shown and answered; a session's view and the list over all sessions both have it. */
export type ShownAction = Pick<
  ActionBody,
  | 'request_id'
  | 'turn_id'
  | 'kind'
  | 'version'
  | 'tool_call'
  | 'tool_note'
  | 'prompt'
  | 'questions'
  | 'form'
  | 'signal_name'
  | 'can_remember'
  | 'expires_at'
  | 'approver'
  | 'role_of'
>;
