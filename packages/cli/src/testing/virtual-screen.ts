/**
 * What a terminal shows after all that was written to it: enough of one for what this program sends. What it does not know is an error,
 * so that a test sees it.
 */
import { graphemes, graphemeWidth } from '../output/cell-width.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences
const token = /\u001b\[([?<>=]?)([0-9;]*)([A-Za-z])|\u001b[()][A-Z0-9]|\r|\n|\u0008|\u0007|[^\u001b\r\n\b\u0007]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of one
const open = /\u001b(?:\[[?<>=]?[0-9;]*)?$/;

type Grid = { cells: string[][]; row: number; column: number };

export class VirtualScreen {
  columns: number;
  rows: number;
  /** Private modes that are on: 1049 the other screen, 25 the cursor, 2004 paste, 1000 mouse. */
  readonly modes = new Set<number>([25, 7]);
  #rest = '';
  #grid: Grid;
  #other: Grid;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
    this.#grid = this.#blank();
    this.#other = this.#blank();
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    for (const grid of [this.#grid, this.#other]) {
      grid.cells = Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => grid.cells[row]?.[column] ?? ' '));
      grid.row = Math.min(grid.row, rows - 1);
      grid.column = Math.min(grid.column, columns - 1);
    }
  }

  get text(): string {
    return this.lines.join('\n');
  }

  get lines(): readonly string[] {
    return this.#grid.cells.map((row) => row.join('').trimEnd());
  }

  get cursor(): { readonly row: number; readonly column: number } {
    return { row: this.#grid.row, column: this.#grid.column };
  }

  write(text: string): void {
    const all = this.#rest + text;
    const cut = open.exec(all);
    this.#rest = cut?.[0] ?? '';
    for (const match of all.slice(0, all.length - this.#rest.length).matchAll(token)) {
      const [piece, mark, parameters = '', final] = match;
      if (final !== undefined) this.#sequence(mark ?? '', parameters.split(';').map(Number), final);
      else if (piece === '\r') this.#grid.column = 0;
      else if (piece === '\n') this.#newLine();
      else if (piece === '\b') this.#grid.column = Math.max(this.#grid.column - 1, 0);
      else if (!piece.startsWith('\u001b') && piece !== '\u0007') for (const grapheme of graphemes(piece)) this.#put(grapheme);
    }
  }

  #blank(): Grid {
    return { cells: Array.from({ length: this.rows }, () => this.#blankRow()), row: 0, column: 0 };
  }

  #blankRow(): string[] {
    return Array.from({ length: this.columns }, () => ' ');
  }

  #newLine(): void {
    const grid = this.#grid;
    if (grid.row < this.rows - 1) grid.row += 1;
    else grid.cells = [...grid.cells.slice(1), this.#blankRow()];
  }

  #put(grapheme: string): void {
    const grid = this.#grid;
    const width = graphemeWidth(grapheme);
    if (grid.column + width > this.columns) {
      // Without automatic line breaks the last cell is overwritten.
      if (!this.modes.has(7)) grid.column = this.columns - width;
      else {
        grid.column = 0;
        this.#newLine();
      }
    }
    const row = grid.cells[grid.row] ?? [];
    row[grid.column] = grapheme;
    // The second cell of a wide character holds nothing of its own.
    if (width === 2) row[grid.column + 1] = '';
    grid.column += width;
  }

  #sequence(mark: string, [first = 0, second = 0]: readonly number[], final: string): void {
    const grid = this.#grid;
    const row = grid.cells[grid.row] ?? [];
    switch (final) {
      case 'm':
        return;
      case 'h':
      case 'l':
        if (mark === '?') this.#mode(first, final === 'h');
        return;
      case 'H':
        grid.row = Math.min(Math.max(first, 1), this.rows) - 1;
        grid.column = Math.min(Math.max(second, 1), this.columns) - 1;
        return;
      case 'A':
        grid.row = Math.max(grid.row - Math.max(first, 1), 0);
        return;
      case 'C':
        grid.column = Math.min(grid.column + Math.max(first, 1), this.columns - 1);
        return;
      case 'D':
        grid.column = Math.max(grid.column - Math.max(first, 1), 0);
        return;
      case 'G':
        grid.column = Math.max(first, 1) - 1;
        return;
      case 'K':
        for (let column = grid.column; column < this.columns; column += 1) row[column] = ' ';
        return;
      case 'J':
        for (let at = first === 2 ? 0 : grid.row + 1; at < this.rows; at += 1) grid.cells[at] = this.#blankRow();
        if (first !== 2) for (let column = grid.column; column < this.columns; column += 1) row[column] = ' ';
        return;
      default:
        throw new Error(`The virtual screen does not know the sequence CSI ${mark}${first};${second}${final}.`);
    }
  }

  #mode(mode: number, on: boolean): void {
    if (on === this.modes.has(mode)) return;
    if (on) this.modes.add(mode);
    else this.modes.delete(mode);
    if (mode !== 1049) return;
    [this.#grid, this.#other] = [this.#other, this.#grid];
    if (on) this.#grid = this.#blank();
  }
}
