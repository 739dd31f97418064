const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;

/** A text in pieces of at most `units` UTF-16 units; no piece ends inside a character. The empty text is one piece. */
export const pieces = (text: string, units: number): readonly string[] => {
  if (text.length <= units) return [text];
  const cut: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = Math.min(at + units, text.length);
    const whole = end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
    cut.push(text.slice(at, whole));
    at = whole;
  }
  return cut;
};
