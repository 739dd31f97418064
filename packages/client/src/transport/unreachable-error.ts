/**
 * The server gave no answer: refused connection, lost network, time-out. It is no refusal, so it has no row in core's
 * table of error codes (which maps codes to HTTP statuses); `code` tells it apart from those.
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly code = 'unreachable';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }
}
