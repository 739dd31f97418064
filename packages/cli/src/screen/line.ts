/** Rows of a full screen as pieces of text with a look; what becomes escape sequences only when it is drawn. */
import { cellWidth, cutToWidth, graphemes, graphemeWidth } from '../output/cell-width.ts';
import { printable } from '../output/printable.ts';
import type { Style } from '../output/style.ts';
import { wrapText } from '../output/wrap-text.ts';

export type Look = keyof Style;
/** Printable text: whoever makes one of what others said takes it through output/printable.ts. */
export type Span = { readonly text: string; readonly look?: Look };
export type Line = readonly Span[];

export const span = (text: string, look?: Look): Span => (look === undefined ? { text } : { text, look });
export const lineOf = (text: string, look?: Look): Line => [span(text, look)];
export const emptyLine: Line = [];

export const lineWidth = (line: Line): number => line.reduce((sum, { text }) => sum + cellWidth(text), 0);

/** At most `width` cells. */
export const cutLine = (line: Line, width: number): Line => {
  if (lineWidth(line) <= width) return line;
  const out: Span[] = [];
  let left = width;
  for (const each of line) {
    const cells = cellWidth(each.text);
    out.push(cells <= left ? each : { ...each, text: cutToWidth(each.text, left) });
    left -= cells;
    if (left <= 0) break;
  }
  return out;
};

/** Two texts at the ends of one row; the left one gives way. */
export const betweenEnds = (left: Line, right: Line, width: number): Line => {
  const end = cutLine(right, width);
  const room = width - lineWidth(end);
  const start = cutLine(left, Math.max(room - 2, 0));
  return [...start, span(' '.repeat(Math.max(room - lineWidth(start), 0))), ...end];
};

/** Wrapped text, each row behind a mark of the same width; the first row's mark may be another. */
export const wrapped = (text: string, width: number, marks: { readonly first: Span; readonly rest: Span }, look?: Look): readonly Line[] =>
  wrapText(text, width - cellWidth(marks.first.text)).map((row, at) => [at === 0 ? marks.first : marks.rest, span(row, look)]);

/** Cut anywhere, as an editor shows what is typed. */
export const cutRows = (text: string, width: number): readonly string[] => {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const grapheme of graphemes(text)) {
    const cells = graphemeWidth(grapheme);
    if (used + cells > width && used > 0) {
      rows.push(row);
      row = '';
      used = 0;
    }
    row += grapheme;
    used += cells;
  }
  return [...rows, row];
};

/** What was not made printable before is so here: nothing but looks becomes an escape sequence. */
export const paintLine = (line: Line, style: Style): string =>
  line
    .map(({ text, look }) => {
      const shown = printable(text).replaceAll(/[\n\t]/g, ' ');
      return look === undefined ? shown : style[look](shown);
    })
    .join('');
export const textOfLine = (line: Line): string => line.map(({ text }) => text).join('');
