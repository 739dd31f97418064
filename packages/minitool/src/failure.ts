/**
 * Failures between the server and a mini-tool: thrown with a `code` on either side, a `WireFailure` in between.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { WireFailure } from './protocol.ts';

/** What a mini-tool catches: told apart by `code`, never by its text. */
export class MinitoolError extends Error {
  override readonly name = 'MinitoolError';
  readonly code: string;
  readonly details: JsonObject;

  constructor(code: string, message: string, details: JsonObject = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

export const invalidArgument = (message: string, details: JsonObject = {}): MinitoolError => new MinitoolError('invalid_argument', message, details);

/** Errors of ours; a `code` of Node's or of a library means nothing to the other side. */
const hasOurCode = (error: unknown): error is Error & { readonly code: string; readonly details?: JsonObject } =>
  error instanceof Error && (error.name === 'MinitoolError' || error.name === 'TurnkeeperError') && 'code' in error && typeof error.code === 'string';

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** How an error goes over the wire; what has no code of ours is an `internal_error`. */
export const failureOf = (error: unknown): WireFailure => {
  if (!hasOurCode(error)) return { code: 'internal_error', message: messageOf(error) };
  const { code, message, details } = error;
  return details === undefined || Object.keys(details).length === 0 ? { code, message } : { code, message, details };
};

const isFailure = (value: unknown): value is WireFailure =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string' && 'message' in value && typeof value.message === 'string';

/** The error of an answer; one without a `WireFailure` comes of the connection itself. */
export const errorOf = (data: unknown, message: string): MinitoolError =>
  isFailure(data) ? new MinitoolError(data.code, data.message, data.details ?? {}) : new MinitoolError('internal_error', message);
