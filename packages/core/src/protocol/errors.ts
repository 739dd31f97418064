/**
 * The one table of error codes: server, client and docs read it (code → HTTP status, retryable, meaning).
 *
 * F1 A code keeps its meaning and its status. Tests and clients tell errors apart by code, never by text.
 */

type Row = { readonly status: number; readonly retryable: boolean; readonly title: string };

const row = (status: number, retryable: boolean, title: string): Row => ({ status, retryable, title });

export const errorTable = {
  invalid_request: row(400, false, 'The request is malformed'),
  idempotency_key_required: row(400, false, 'An Idempotency-Key header is required'),
  invalid_idempotency_key: row(400, false, 'The Idempotency-Key is blank or longer than 512 characters'),
  invalid_cursor: row(400, false, 'The cursor is not a cursor of this stream'),
  unauthenticated: row(401, false, 'A valid credential is required'),
  forbidden: row(403, false, 'The credential does not allow this'),
  target_not_granted: row(403, false, 'The key has no grant for this target'),
  scope_missing: row(403, false, 'The credential lacks a scope'),
  approver_required: row(403, false, 'This action must be answered by its approver'),
  not_found: row(404, false, 'There is nothing here, or it is not yours'),
  method_not_allowed: row(405, false, 'This path does not take this method'),
  idempotency_conflict: row(409, false, 'The Idempotency-Key was used with other content'),
  cursor_ahead: row(409, false, 'The cursor lies beyond what is committed'),
  session_archived: row(409, false, 'The session is archived'),
  turn_closed: row(409, false, 'The turn has ended'),
  turn_not_resumable: row(409, false, 'The turn cannot be resumed'),
  turn_not_queued: row(409, false, 'The turn has started: it is not in the queue any more'),
  action_pending: row(409, false, 'An open action must be answered first'),
  action_resolved: row(409, false, 'The action has already been answered or closed'),
  action_version_conflict: row(409, false, 'The action has changed since it was read'),
  tool_result_unknown: row(409, false, 'A tool result is unknown and must be reconciled first'),
  session_busy: row(409, false, 'The session is not at rest'),
  fork_target_unfit: row(409, false, 'The target session cannot take over this context'),
  not_supported: row(409, false, 'The target does not support this'),
  not_published: row(409, false, 'The workflow has no published revision'),
  version_conflict: row(409, false, 'The resource has changed since it was read'),
  webhook_limit: row(409, false, 'There are as many webhooks here as there may be'),
  schedule_limit: row(409, false, 'There are as many schedules here as there may be'),
  last_admin: row(409, false, 'There must be an active admin'),
  already_exists: row(409, false, 'A resource with this name exists'),
  cursor_expired: row(410, false, 'The cursor is older than what is kept'),
  page_expired: row(410, false, 'The page cursor has expired'),
  payload_too_large: row(413, false, 'The request is larger than allowed'),
  unsupported_media_type: row(415, false, 'The content type is not supported'),
  range_not_satisfiable: row(416, false, 'The range lies beyond the end'),
  validation_failed: row(422, false, 'The request does not match its schema'),
  queue_full: row(429, true, 'Too many unfinished turns'),
  inputs_full: row(429, true, 'Too many inputs wait to be used'),
  rate_limited: row(429, true, 'Too many requests'),
  token_budget_exhausted: row(429, false, 'The token budget is spent'),
  internal_error: row(500, true, 'Something went wrong on our side'),
  storage_unavailable: row(503, true, 'The store cannot take writes now'),
  newer_release: row(503, true, 'A newer release than this server is of has written the session'),
  shutting_down: row(503, true, 'The server is stopping'),
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof errorTable;

/** Members that an error carries beside its code: limits, counts, the faults of a validation … */
export type ErrorDetails = { readonly [member: string]: unknown };

/** A refusal as a value: expected, told apart by code. */
export type Refusal = { readonly ok: false; readonly code: ErrorCode; readonly detail: string; readonly details: ErrorDetails };

export const refuse = (code: ErrorCode, detail: string, details: ErrorDetails = {}): Refusal => ({ ok: false, code, detail, details });

/** RFC 9457 problem details, plus `code`, `error` (the same) and the members named in the semantics. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly error: ErrorCode;
  readonly request_id: string;
};

export const problemOf = (code: ErrorCode, detail: string, requestId: string, details: ErrorDetails = {}): Problem & ErrorDetails => ({
  ...details,
  type: `urn:turnkeeper:error:${code}`,
  title: errorTable[code].title,
  status: errorTable[code].status,
  detail,
  code,
  error: code,
  request_id: requestId,
});

/** The one error class: something thrown that a caller may tell apart by `code`. */
export class TurnkeeperError extends Error {
  override readonly name = 'TurnkeeperError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** Why a turn failed. Not an HTTP error: it stands in `turn.failed` and on the turn resource. */
export const turnFailures = {
  model_error: 'The model could not be called, or refused',
  model_not_configured: 'No provider is configured for the model',
  context_length_exceeded: 'What the model was to be shown is too long for it',
  max_steps: 'The turn used up its model calls',
  output_schema_violation: 'The answer does not fit the output schema of the session, at its second try either',
  output_mapping_failed: 'A pointer of the result mapping leads to nothing in the answer',
  crash_loop: 'The turn kept crashing its process',
  tools_unavailable: 'A tool server of the agent could not be reached',
  context_invalid: 'The stored context could not be read',
  step_failed: 'A step of a workflow failed, and nothing took that up. Where the step says why, its own code stands here instead',
  expression_failed: 'An expression of a workflow could not be evaluated',
  join_unsatisfied: 'A join of a workflow did not get what it waited for',
  rejected: 'A person rejected a step of a workflow, and no edge took that up',
  timed_out: 'A step ran out of its time, or nobody answered it in time, and no edge took that up',
  output_too_large: 'What a step or a workflow came to is too large',
  internal_error: 'Something went wrong on our side',
} as const;

/** Why a turn was interrupted: it can go on, once what stopped it is out of the way. */
export const turnInterruptions = {
  budget_exceeded: 'A limit of the session’s budget was reached. Raise it, then resume the turn',
  tool_result_unknown:
    'A tool was running when its process ended: nobody knows whether it had its effect. Answer the reconciliations; the turn goes on by itself',
  paused: 'A person paused the workflow. Resume the turn',
} as const;
