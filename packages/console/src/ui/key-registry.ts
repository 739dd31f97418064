/**
 * Which keys do something now, in the order in which they came: what the list of keys shows is what works.
 *
 * KR1 A key is listed while the part of the page is there that acts on it, and no longer.
 */
export type ListedKey = { readonly keys: string; readonly text: string };
/** Given anew with each rendering: the list is read when somebody looks at it. */
type Source = { readonly current: readonly ListedKey[] };

const sources = new Set<Source>();

export const listKeysOf = (source: Source): (() => void) => {
  sources.add(source);
  return () => {
    sources.delete(source);
  };
};

/** Each once, though several parts may act on it. */
export const listedKeys = (): readonly ListedKey[] => {
  const seen = new Map<string, ListedKey>();
  for (const { current } of sources) for (const key of current) seen.set(`${key.keys} ${key.text}`, key);
  return [...seen.values()];
};
