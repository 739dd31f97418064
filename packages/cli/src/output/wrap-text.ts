/** Whole texts as rows of a given width, between words; East Asian text breaks anywhere, and a word that fills a row is cut. */
import { cellWidth, graphemes, graphemeWidth, isPlain } from './cell-width.ts';

const tabStop = 4;
const spacesOrWord = / +|[^ ]+/g;

/** What is never parted: words and, one by one, wide characters. */
const piecesOf = (word: string): readonly string[] => {
  if (isPlain(word)) return [word];
  const pieces: string[] = [];
  let narrow = '';
  for (const grapheme of graphemes(word)) {
    if (graphemeWidth(grapheme) < 2) {
      narrow += grapheme;
      continue;
    }
    if (narrow !== '') pieces.push(narrow);
    narrow = '';
    pieces.push(grapheme);
  }
  return narrow === '' ? pieces : [...pieces, narrow];
};

const withoutTabs = (line: string): string => {
  if (!line.includes('\t')) return line;
  let out = '';
  for (const [at, part] of line.split('\t').entries()) out += at === 0 ? part : ' '.repeat(tabStop - (cellWidth(out) % tabStop)) + part;
  return out;
};

const wrapLine = (line: string, width: number): readonly string[] => {
  if (cellWidth(line) <= width) return [line];
  const rows: string[] = [];
  let row = '';
  let used = 0;
  const put = (text: string, cells: number): void => {
    row += text;
    used += cells;
  };
  const breakRow = (): void => {
    rows.push(row.trimEnd());
    row = '';
    used = 0;
  };
  const cut = (piece: string): void => {
    for (const grapheme of graphemes(piece)) {
      const cells = graphemeWidth(grapheme);
      if (used > 0 && used + cells > width) breakRow();
      put(grapheme, cells);
    }
  };
  for (const [token] of line.matchAll(spacesOrWord)) {
    if (token.startsWith(' ')) {
      // Between two rows there is no space to show.
      if (used + token.length <= width && (used > 0 || rows.length === 0)) put(token, token.length);
      else if (used > 0) breakRow();
      continue;
    }
    for (const piece of piecesOf(token)) {
      const cells = cellWidth(piece);
      if (used > 0 && used + cells > width && (cells <= width || row.trim() !== '')) breakRow();
      if (cells <= width) put(piece, cells);
      else cut(piece);
    }
  }
  if (row !== '' || rows.length === 0) rows.push(row.trimEnd());
  return rows;
};

export const wrapText = (text: string, width: number): readonly string[] => text.split('\n').flatMap((line) => wrapLine(withoutTabs(line), Math.max(width, 2)));
