/**
 * Whatever a provider's call throws, as a `ModelError`.
 *
 * Owns: which failures are worth another attempt, and what may be said about them. The original is not kept as
 * `cause`: the AI SDK's errors carry the request and the provider's headers (M5).
 */
import { AISDKError, APICallError, EmptyResponseBodyError, InvalidResponseDataError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import { isProviderStreamError } from '@ai-sdk/provider-utils';
import { ModelError } from '../ports/model.ts';
import { retryAfterMs } from './retry-after.ts';
import { safeMessage } from './safe-message.ts';
import { saysTooLong } from './too-long.ts';

export type ErrorContext = {
  readonly provider: string;
  readonly secrets: readonly string[];
  /** All text of the request, asked for only when there is an error. */
  readonly requestTexts: () => readonly string[];
  /** Whether the provider had begun to answer. */
  readonly answered: boolean;
  readonly now: number;
};

type Failure = {
  readonly status?: number;
  readonly said?: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** The error as the provider wrote it. */
  readonly data?: unknown;
};

const member = (value: unknown, name: string): unknown => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined);

/** Retryable by definition, which the AI SDK does not know. For all others its word counts: it has read the error's code. */
const tooEarly = 425;

const isRetryableStatus = (status: number): boolean => status === 408 || status === 409 || status === tooEarly || status === 429 || status >= 500;

/** Used up for good, though it comes as a 429. */
const isOutOfQuota = (data: unknown): boolean => {
  const error = member(data, 'error') ?? data;
  return ['code', 'type'].some((name) => member(error, name) === 'insufficient_quota');
};

/** What we threw into the body ourselves (bounded-body.ts), however the AI SDK wrapped it. */
const ownError = (error: unknown): ModelError | undefined => {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof ModelError) return current;
    current = current.cause;
  }
  return undefined;
};

/** The code of a network failure (`ECONNREFUSED` …) anywhere in the chain of causes. */
const networkCode = (error: unknown): string | undefined => {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    const code = member(current, 'code');
    if (typeof code === 'string' && /^(E[A-Z]+|EAI_[A-Z]+|UND_ERR_[A-Z_]+|HPE_[A-Z_]+|[A-Z_]*CERT[A-Z_]*)$/.test(code)) return code;
    current = current.cause;
  }
  return undefined;
};

const describe = (provider: string, { status, said }: Failure): string => {
  const name = `The model provider "${provider}"`;
  if (status === 401 || status === 403) return `${name} refused the credentials (${status}).`;
  const head = status === undefined ? `${name} failed` : `${name} answered with status ${status}`;
  return said ? `${head}: ${said}` : `${head}.`;
};

const ofCall = (error: APICallError, context: ErrorContext): Failure => {
  const wait = retryAfterMs(error.responseHeaders, context.now);
  const asked = error.responseHeaders?.['x-should-retry'];
  const status = error.statusCode;
  const refused = status !== undefined && status >= 300;
  // An answer that began well and broke off carries the status of its beginning.
  const byKind = error.isRetryable || (refused ? status === tooEarly : status !== undefined);
  return {
    ...(refused ? { status } : {}),
    said: error.message,
    data: error.data,
    retryable: asked === 'true' || (asked !== 'false' && byKind && !isOutOfQuota(error.data)),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
};

/** An error inside the stream that the AI SDK hands over as the server wrote it. */
const ofFrame = (frame: unknown): Failure => {
  const said = typeof frame === 'string' ? frame : member(frame, 'message');
  const status = Number(member(frame, 'statusCode') ?? member(frame, 'code') ?? Number.NaN);
  const known = Number.isInteger(status) && status >= 400 && status < 600;
  const declared = member(frame, 'isRetryable');
  return {
    ...(known ? { status } : {}),
    ...(typeof said === 'string' ? { said } : {}),
    data: frame,
    retryable: typeof declared === 'boolean' ? declared : !isOutOfQuota(frame) && (known ? isRetryableStatus(status) : true),
  };
};

const isGarbled = (error: unknown): boolean =>
  JSONParseError.isInstance(error) ||
  TypeValidationError.isInstance(error) ||
  InvalidResponseDataError.isInstance(error) ||
  EmptyResponseBodyError.isInstance(error);

const toFailure = (error: unknown, context: ErrorContext): Failure => {
  const code = networkCode(error);
  const answeredBadly = APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 300;
  if (code !== undefined && !answeredBadly) {
    // Not the network's own words: they name hosts and addresses inside the operator's net.
    return { said: context.answered ? `the connection broke (${code})` : `it could not be reached (${code})`, retryable: !code.includes('CERT') };
  }
  if (APICallError.isInstance(error)) return ofCall(error, context);
  if (isProviderStreamError(error)) return ofFrame(error);
  if (isGarbled(error)) return { said: 'its answer could not be read', retryable: true };
  // What is left of the AI SDK's errors says that the request itself cannot be made, e.g. audio for a model without.
  if (AISDKError.isInstance(error)) return { said: error.message, retryable: false };
  if (error instanceof Error) return { retryable: context.answered };
  return ofFrame(error);
};

export const toModelError = (error: unknown, context: ErrorContext): ModelError => {
  const own = ownError(error);
  if (own) return own;
  const failure = toFailure(error, context);
  const { said, data: _, ...rest } = failure;
  const safe = said === undefined ? undefined : safeMessage(said, context.secrets, context.requestTexts());
  const tooLong = !context.answered && saysTooLong(failure);
  const shown = describe(context.provider, safe === undefined ? rest : { ...rest, said: safe });
  return new ModelError(shown, tooLong ? { ...rest, code: 'context_length_exceeded', retryable: false } : rest);
};
