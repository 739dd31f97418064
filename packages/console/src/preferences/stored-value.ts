/**
 * A small value that outlives the page, shared by everything that shows it, also in other tabs. Storage may be
 * forbidden or full: then the value lives as long as the page.
 */
export type StoredValue<Value> = {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

export const readStored = (key: string): string | undefined => {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
};

/** Stores a text; undefined removes it. */
export const writeStored = (key: string, value: string | undefined): void => {
  try {
    if (value === undefined || value === '') localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Kept in memory by whoever asked.
  }
};

export const createStoredValue = <Value>(
  key: string,
  parse: (text: string | undefined) => Value,
  print: (value: Value) => string | undefined,
): StoredValue<Value> => {
  let value = parse(readStored(key));
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of [...listeners]) listener();
  };
  addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return;
    value = parse(readStored(key));
    tell();
  });
  return {
    get: () => value,
    set: (next) => {
      value = next;
      writeStored(key, print(next));
      tell();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
