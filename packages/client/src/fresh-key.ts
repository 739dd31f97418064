/**
 * A new idempotency key. Made once a submission and kept across its retries: the key is what makes "send again" safe.
 * Not `crypto.randomUUID`: pages on plain http (other than localhost) do not have it.
 */
export const freshKey = (prefix = 'key'): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `${prefix}-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

export type WishKeys = {
  /** The key of this wish: the same one for the same wish sent again, a new one for another. */
  readonly of: (wish: string) => string;
  /** It was granted: the same words are a new wish from here on. */
  readonly forget: () => void;
};

/** For a place that sends one wish after the other, e.g. a form: what failed and is sent again counts once. */
export const createWishKeys = (prefix?: string): WishKeys => {
  let last: { readonly wish: string; readonly key: string } | undefined;
  return {
    of: (wish) => {
      if (last?.wish !== wish) last = { wish, key: freshKey(prefix) };
      return last.key;
    },
    forget: () => {
      last = undefined;
    },
  };
};
