type Headers = Readonly<Record<string, string | undefined>>;

const numberOf = (text: string | undefined): number | undefined => {
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
};

/**
 * How long the provider asks us to wait, in milliseconds: `retry-after-ms`, else `retry-after` in seconds or as an
 * HTTP date. A date is measured against the answer's own `date`, so a wrong clock on this side does not matter.
 */
export const retryAfterMs = (headers: Headers | undefined, now: number): number | undefined => {
  const ms = numberOf(headers?.['retry-after-ms']);
  if (ms !== undefined) return Math.ceil(ms);
  const text = headers?.['retry-after'];
  const seconds = numberOf(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const until = Date.parse(text ?? '');
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers?.date ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
};
