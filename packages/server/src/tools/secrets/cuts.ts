/** Where a text may be cut so that no part of a secret's value is left on its own. */

export type Cuts = {
  /** UTF-16 units of the longest form of a value; 0 when there is none. */
  readonly longest: number;
  /** From where on a text may be shown whose beginning was cut off. */
  readonly safeStart: (text: string) => number;
  /** Up to where a text may be shown whose end was cut off. */
  readonly safeEnd: (text: string) => number;
  /** How much of a text's end may be the beginning of a value. */
  readonly begun: (text: string) => number;
};

/** `forms`: the longest first. Beginnings of less than `shortest` are none. */
export const createCuts = (forms: readonly string[], shortest: number): Cuts => {
  const longest = forms[0]?.length ?? 0;
  /** Where a value lies across `at`: its start and its end. */
  const across = (from: string, at: number): readonly [number, number] | undefined => {
    for (const form of forms) {
      const start = from.indexOf(form, Math.max(0, at - form.length + 1));
      if (start >= 0 && start < at && start + form.length > at) return [start, start + form.length];
    }
    return undefined;
  };
  const safeStart = (from: string): number => {
    let at = Math.min(from.length, longest);
    for (let value = across(from, at); value; value = across(from, at)) at = value[1];
    return at;
  };
  const safeEnd = (from: string): number => {
    let at = Math.max(0, from.length - longest);
    for (let value = across(from, at); value; value = across(from, at)) at = value[0];
    return at;
  };
  const begun = (from: string): number => {
    for (let length = Math.min(longest - 1, from.length); length >= shortest; length -= 1) {
      const end = from.slice(-length);
      if (forms.some((form) => form.length > length && form.startsWith(end))) return length;
    }
    return 0;
  };
  return { longest, safeStart, safeEnd, begun };
};
