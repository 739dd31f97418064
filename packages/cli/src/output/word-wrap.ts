/**
 * Wraps text that arrives piece by piece at the terminal's width, between words. What there is of a word is shown at
 * once; when the rest of it turns out not to fit, the word is taken back and set on the next row.
 */
import { cellWidth } from './cell-width.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours, which have no width
const tokens = /\u001b\[[0-9;]*m|\n|[ \t]|[^\n \t\u001b]+|\u001b/g;
const segmenter = new Intl.Segmenter();

export class WordWrap {
  #column = 0;
  /** The word that the last row ends with. */
  #word = '';
  #wordWidth = 0;

  /** How many cells of the last row are taken. */
  get column(): number {
    return this.#column;
  }

  /** Something else has ended the row. */
  newLine(): void {
    this.#column = 0;
    this.#endWord();
  }

  /** What to write so that `text` goes on where the last piece ended. */
  feed(text: string, columns: number): string {
    // The last column stays free: where the cursor is after it, terminals do not agree.
    const limit = Math.max(columns - 1, 1);
    let out = '';
    /** Where in `out` the word begins; undefined = on the screen already. */
    let wordAt: number | undefined;
    const breakRow = (): void => {
      if (this.#wordWidth > 0 && this.#wordWidth < this.#column) {
        out = wordAt === undefined ? `${out}\u001b[${this.#wordWidth}D\u001b[K\n${this.#word}` : `${out.slice(0, wordAt)}\n${this.#word}`;
        wordAt = out.length - this.#word.length;
        this.#column = this.#wordWidth;
      } else {
        out += '\n';
        this.newLine();
      }
    };
    const put = (segment: string): void => {
      const width = cellWidth(segment);
      // East Asian text may be broken anywhere.
      if (width > 1) this.#endWord();
      if (this.#column > 0 && this.#column + width > limit) breakRow();
      // The word alone fills a row: it is broken after all.
      if (this.#column > 0 && this.#column + width > limit) breakRow();
      if (this.#word === '') wordAt = out.length;
      out += segment;
      this.#column += width;
      this.#word += segment;
      this.#wordWidth += width;
      if (width > 1) this.#endWord();
    };
    for (const [token] of text.matchAll(tokens)) {
      if (token === '\n') {
        out += token;
        this.newLine();
      } else if (token === ' ' || token === '\t') {
        this.#endWord();
        const width = token === ' ' ? 1 : 8 - (this.#column % 8);
        const shown = Math.min(width, limit - this.#column);
        out += ' '.repeat(Math.max(shown, 0));
        this.#column = Math.min(this.#column + width, limit);
      } else if (token.startsWith('\u001b')) {
        if (this.#word === '') wordAt = out.length;
        out += token;
        this.#word += token;
      } else for (const { segment } of segmenter.segment(token)) put(segment);
    }
    return out;
  }

  #endWord(): void {
    this.#word = '';
    this.#wordWidth = 0;
  }
}
