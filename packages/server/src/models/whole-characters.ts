/**
 * Keeps deltas from splitting a character (M3).
 *
 * Providers send JSON, and JSON may cut a character outside the Basic Multilingual Plane into two escapes
 * (`\ud83d`, `\ude00`) in two events. A dangling high surrogate waits for its other half; a half that stays
 * alone becomes U+FFFD, since it is no character and cannot be encoded.
 */
export type CharacterJoiner = {
  /** The text that can be shown now; may be empty. */
  readonly push: (text: string) => string;
  /** What is still held back, at the end. */
  readonly end: () => string;
};

const endsInHighSurrogate = (text: string): boolean => {
  const unit = text.charCodeAt(text.length - 1);
  return unit >= 0xd800 && unit <= 0xdbff;
};

export const createCharacterJoiner = (): CharacterJoiner => {
  let held = '';
  return {
    push: (text) => {
      const all = held + text;
      const cut = endsInHighSurrogate(all) ? all.length - 1 : all.length;
      held = all.slice(cut);
      return all.slice(0, cut).toWellFormed();
    },
    end: () => {
      const rest = held.toWellFormed();
      held = '';
      return rest;
    },
  };
};
