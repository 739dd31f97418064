/** From an HTTP error answer to the one error class. */
import { type ErrorCode, type ErrorDetails, errorTable, TurnkeeperError } from '@turnkeeper/core/protocol/errors';

/** For answers that are not ours (a proxy's page, say): the nearest code by status. */
const codeOfStatus = (status: number): ErrorCode => {
  if (status === 502 || status === 503 || status === 504) return 'shutting_down';
  const known = (Object.keys(errorTable) as ErrorCode[]).find((code) => errorTable[code].status === status);
  return known ?? (status >= 500 ? 'internal_error' : 'invalid_request');
};

const retryAfterMs = (response: Response, members: Record<string, unknown>): number | undefined => {
  if (typeof members['retry_after_ms'] === 'number') return members['retry_after_ms'];
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
};

/**
 * Reads a problem document. `code` and the message come from it; all its other members stand in `details`, with
 * `status` and, when the server named one, `retry_after_ms`.
 */
export const errorFromResponse = async (response: Response): Promise<TurnkeeperError> => {
  const text = await response.text().catch(() => '');
  const members = parseObject(text);
  const { code, detail, title, ...others } = members;
  const wait = retryAfterMs(response, members);
  const details: ErrorDetails = { ...others, status: response.status, ...(wait === undefined ? {} : { retry_after_ms: wait }) };
  const message = [detail, title].find((part): part is string => typeof part === 'string' && part !== '') ?? `The server answered ${response.status}.`;
  // A code that this version does not know is passed on as it is: callers tell errors apart by code.
  return new TurnkeeperError(typeof code === 'string' ? (code as ErrorCode) : codeOfStatus(response.status), message, details);
};

const parseObject = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};
