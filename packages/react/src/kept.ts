/** What this tab remembers over a reload. Where a browser keeps nothing (a frame of another site may not), it is simply forgotten. */
const storage = (): Storage | undefined => {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
};

export const readKept = (name: string): string | undefined => {
  try {
    return storage()?.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
};

/** Undefined forgets. */
export const keep = (name: string, text: string | undefined): void => {
  try {
    if (text === undefined) storage()?.removeItem(name);
    else storage()?.setItem(name, text);
  } catch {
    // Full, or refused.
  }
};
