/**
 * How many cells of a terminal a text takes: East Asian characters and emoji take two, combining marks none. What Unicode calls
 * ambiguous takes one, as in nearly all terminals.
 */

/** East Asian Wide and Fullwidth, without the emoji: those say so themselves. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4c6],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18d08],
  [0x1aff0, 0x1b2fb],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];
const segmenter = new Intl.Segmenter();
const plain = /^[\u0020-\u007e]*$/;
/** Texts of which each character stands alone: letters, ideographs, punctuation, lines. Nearly all are, and the segmenter is slow. */
const simple =
  /^[\u0020-\u007e\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u0370-\u0373\u0384-\u0482\u2010-\u2027\u2030-\u203b\u2500-\u259f\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;
const emoji = /^\p{Emoji_Presentation}/u;
const nothing = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;
/** Asks for the emoji of a character that is text by itself: ❤️ */
const asEmoji = '\ufe0f';

/** One character for each byte, so that lengths are widths. */
export const isPlain = (text: string): boolean => plain.test(text);

/** What a reader takes for one character: marks and joined emoji stay with what they belong to. */
export const graphemes = (text: string): readonly string[] => (simple.test(text) ? [...text] : [...segmenter.segment(text)].map(({ segment }) => segment));

const isWide = (code: number): boolean => {
  if (code < 0x1100) return false;
  if (code >= 0x4e00 && code <= 0x9fff) return true;
  return wideRanges.some(([from, to]) => code >= from && code <= to);
};

/** Of one grapheme. */
export const graphemeWidth = (grapheme: string): 0 | 1 | 2 => {
  if (isPlain(grapheme)) return grapheme === '' ? 0 : 1;
  if (isWide(grapheme.codePointAt(0) ?? 0)) return 2;
  if (simple.test(grapheme)) return 1;
  if (emoji.test(grapheme) || grapheme.includes(asEmoji)) return 2;
  return nothing.test(grapheme) ? 0 : 1;
};

export const cellWidth = (text: string): number => {
  if (isPlain(text)) return text.length;
  let width = 0;
  if (simple.test(text)) for (const character of text) width += isWide(character.codePointAt(0) ?? 0) ? 2 : 1;
  else for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment);
  return width;
};

/** The beginning of a text that fits, with `…` at its end where it was cut. */
export const cutToWidth = (text: string, width: number): string => {
  if (cellWidth(text) <= width) return text;
  let cut = '';
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += graphemeWidth(grapheme);
    if (used > width - 1) break;
    cut += grapheme;
  }
  return width > 0 ? `${cut}…` : '';
};
