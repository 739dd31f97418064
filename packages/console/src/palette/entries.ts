/** What the palette offers for what was typed. Pure: what fits, and in which order. */

export type Entry = {
  readonly id: string;
  readonly group: 'groupHere' | 'groupPages' | 'groupSessions' | 'groupPreferences';
  readonly text: string;
  /** Small, behind the text: an id, a key. */
  readonly note?: string;
  /** Fits whatever was typed: the server has looked. */
  readonly found?: true;
  readonly run: () => void;
};

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Every word that was typed is in the text, in any order. */
export const fits = (text: string, typed: string): boolean => {
  const whole = folded(text);
  return folded(typed)
    .split(/\s+/)
    .every((word) => whole.includes(word));
};

const groups = ['groupHere', 'groupPages', 'groupSessions', 'groupPreferences'] as const;

/** In the order of the groups; the order within each stays. */
export const entriesFor = (entries: readonly Entry[], typed: string): readonly Entry[] => {
  const fitting = entries.filter(({ text, note = '', found }) => found || fits(`${text} ${note}`, typed.trim()));
  return groups.flatMap((group) => fitting.filter((entry) => entry.group === group));
};
