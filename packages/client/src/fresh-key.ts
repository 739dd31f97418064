/**
 * A new idempotency key. Made once a submission and kept across its retries: the key is what makes "send again" safe.
 * Not `crypto.randomUUID`: pages on plain http (other than localhost) do not have it.
 */
export const freshKey = (prefix = 'key'): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `${prefix}-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};
