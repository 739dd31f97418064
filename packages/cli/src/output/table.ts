/** Columns, padded by what they look like: East Asian characters and emoji are two cells wide. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const segmenter = new Intl.Segmenter();

/** `paint` colours the text after it was measured: escape sequences have no width. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

const textOfCell = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text);
const painted = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.paint(cell.text));

export const cellWidth = (text: string): number => {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
};

/** Rows as lines; the last column is not padded. */
export const tableLines = (rows: readonly (readonly Cell[])[]): string[] => {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cellWidth(textOfCell(cell)));
  const padded = (cell: Cell, at: number): string => painted(cell) + ' '.repeat((widths[at] ?? 0) - cellWidth(textOfCell(cell)));
  return rows.map((row) => row.map((cell, at) => (at === row.length - 1 ? painted(cell) : padded(cell, at))).join('  '));
};
