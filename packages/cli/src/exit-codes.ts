/** Exit codes that scripts rely on, and how outcomes and errors map to them. */
import type { TurnStatus } from '@turnkeeper/core/session/events';

export const exitCodes = {
  completed: 0,
  failed: 1,
  usage: 2,
  stillRunning: 3,
  waiting: 4,
  queueFull: 5,
  auth: 6,
  detached: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The call itself was wrong: said without a stack, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** There is no server to talk to. Exit code 1. */
export class NoServerError extends Error {
  override readonly name = 'NoServerError';
}

/** No credential for it. Exit code 6. */
export class NoCredentialError extends Error {
  override readonly name = 'NoCredentialError';
}

/** Ctrl+C in the middle of a question of ours, or of a copy: what was done is said. Exit code 130. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(message = 'Nothing was done.') {
    super(message);
  }
}

export const exitCodeOfStatus = (status: TurnStatus): ExitCode => {
  switch (status) {
    case 'completed':
    case 'partial_succeeded':
      return exitCodes.completed;
    case 'failed':
    case 'cancelled':
    case 'timed_out':
      return exitCodes.failed;
    case 'requires_action':
    case 'interrupted':
      return exitCodes.waiting;
    case 'queued':
    case 'running':
      return exitCodes.stillRunning;
  }
};

export const exitCodeOfError = (error: unknown): ExitCode => {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof NoCredentialError) return exitCodes.auth;
  if (error instanceof InterruptedError) return exitCodes.detached;
  const code = (error as { readonly code?: unknown }).code;
  switch (code) {
    case 'unauthenticated':
    case 'forbidden':
    case 'scope_missing':
    case 'target_not_granted':
    case 'approver_required':
      return exitCodes.auth;
    case 'queue_full':
    case 'inputs_full':
      return exitCodes.queueFull;
    // What was named is not there, or not one's own.
    case 'not_found':
    case 'invalid_request':
    case 'validation_failed':
    case 'invalid_idempotency_key':
    case 'idempotency_conflict':
      return exitCodes.usage;
    default:
      return exitCodes.failed;
  }
};
