/** Columns, padded by what they look like: East Asian characters and emoji are two cells wide. */
import { cellWidth } from './cell-width.ts';

/** `paint` colours the text after it was measured: escape sequences have no width. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

const textOfCell = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text);
const painted = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.paint(cell.text));

/** Rows as lines; the last column is not padded. */
export const tableLines = (rows: readonly (readonly Cell[])[]): string[] => {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cellWidth(textOfCell(cell)));
  const padded = (cell: Cell, at: number): string => painted(cell) + ' '.repeat((widths[at] ?? 0) - cellWidth(textOfCell(cell)));
  return rows.map((row) => row.map((cell, at) => (at === row.length - 1 ? painted(cell) : padded(cell, at))).join('  '));
};
