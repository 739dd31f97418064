/**
 * The terminal of a chat: lines come in while text streams out, and the two never mix.
 *
 * While an answer streams there is no prompt. The first key that is typed brings it up and holds the output back until
 * the line is sent or emptied. A line of output that is open then is gone on with afterwards, as if nothing had stood
 * below it. Without a terminal, lines are read as they are and nothing is echoed.
 */
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from '../io.ts';
import { cellWidth } from '../output/cell-width.ts';
import { isInteractive } from '../output/style.ts';
import { WordWrap } from '../output/word-wrap.ts';

export type LineInputOptions = {
  readonly prompt: string;
  readonly onLine: (text: string) => void;
  readonly onEscape: () => void;
  readonly onInterrupt: () => void;
  /** Ctrl+D, or the end of the pipe. */
  readonly onEnd: () => void;
  /** A line was sent or emptied: there is room for a question. */
  readonly onFree: () => void;
};

type Key = { readonly name?: string } | undefined;
type Question = { readonly text: string; readonly hidden: boolean; readonly answer: (text: string | undefined) => void };
/** `signal`: the question is taken back. `hidden`: the answer is a secret, and is neither shown nor remembered. */
export type QuestionHow = { readonly signal?: AbortSignal; readonly hidden?: boolean };

const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : '');
const eraseBelow = '\r\u001b[J';
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours, which have no width
const colours = /\u001b\[[0-9;]*m/g;

export class LineInput {
  readonly interactive: boolean;
  readonly #io: Io;
  readonly #options: LineInputOptions;
  readonly #reader: Interface;
  /** An answer streams, so no prompt stands in its way. */
  #busy = true;
  /** The prompt is on the screen, and what is typed behind it. */
  #prompting = false;
  #held = '';
  readonly #wrap = new WordWrap();
  /** An open line of output stands right above the prompt, to be gone on with. */
  #openAbove = false;
  /** An open line was left for good: its own line break would leave an empty line. */
  #brokeLine = false;
  /** Remarks that wait for the end of the line that is being written. */
  #notices = '';
  /** What was being typed when a question came up: no part of its answer. */
  #draft = '';
  #lastKeyAt = Number.NEGATIVE_INFINITY;
  #question: Question | undefined;
  #closed = false;

  constructor(io: Io, options: LineInputOptions) {
    this.#io = io;
    this.#options = options;
    this.interactive = io.stdin.isTTY === true && isInteractive(io.stdout, io.env);
    const screen = new Writable({
      write: (piece, _encoding, done) => {
        if (this.#prompting && !this.#question?.hidden) io.stdout.write(String(piece));
        done();
      },
    });
    const output = Object.assign(screen, { columns: this.#columns() });
    this.#reader = createInterface({ input: io.stdin, output, terminal: this.interactive, escapeCodeTimeout: 50 });
    this.#reader.on('line', (text) => this.#onLine(text));
    this.#reader.on('history', (lines) => {
      if (this.#question?.hidden) lines.shift();
    });
    this.#reader.on('close', () => this.#onClose());
    this.#reader.on('SIGINT', options.onInterrupt);
    if (this.interactive) io.stdin.on('keypress', this.#onKey);
  }

  /** True while the user is in the middle of a line. */
  isComposing(): boolean {
    return this.interactive && this.#reader.line !== '';
  }

  /** How long ago the last key was, in ms. */
  quietMs(): number {
    return performance.now() - this.#lastKeyAt;
  }

  /** Takes what is typed out of the line; what was to be a secret is gone. */
  takeLine(): string {
    const { line } = this.#reader;
    const isSecret = this.#question?.hidden === true;
    if (this.interactive && line !== '') {
      this.#reader.write(null, { ctrl: true, name: 'e' });
      this.#reader.write(null, { ctrl: true, name: 'u' });
    }
    return isSecret ? '' : line;
  }

  /** Keeps a text apart until `restoreDraft`. */
  keep(text: string): void {
    const between = this.#draft === '' || /\s$/.test(this.#draft) ? '' : ' ';
    if (text !== '') this.#draft += between + text;
  }

  /** Makes room for a question in the middle of a line: what was held back comes out first. */
  setAside(): void {
    this.keep(this.takeLine());
    this.#hidePrompt();
    this.#release();
  }

  /** What was kept is in the line again, to be gone on with. */
  restoreDraft(): void {
    const draft = this.#draft;
    this.#draft = '';
    if (draft === '' || this.#closed || !this.interactive) return;
    this.#reader.write(draft);
    if (!this.#prompting) this.#showPrompt();
  }

  /** A remark that may wait: it never stands in the middle of a line that is being written. */
  notice(text: string): void {
    this.#notices += text;
    if (!this.isComposing() && !this.#question) this.write('');
  }

  write(text: string): void {
    if (this.isComposing() || this.#question) {
      this.#held += text;
      return;
    }
    this.#hidePrompt();
    this.#put(text);
    if (!this.#busy) this.#showPrompt();
  }

  setBusy(busy: boolean): void {
    if (this.#busy === busy) return;
    this.#busy = busy;
    if (this.isComposing() || this.#question) return;
    if (busy) this.#hidePrompt();
    else this.#showPrompt();
  }

  /** Asks for one line; undefined when the input has ended, or the question was taken back by the signal. */
  ask(text: string, { signal, hidden = false }: QuestionHow = {}): Promise<string | undefined> {
    return new Promise((resolve) => {
      const takeBack = (): void => {
        if (this.#question !== question) return;
        this.#hidePrompt();
        this.#question = undefined;
        resolve(undefined);
        this.#settle();
      };
      const question: Question = {
        text,
        hidden,
        answer: (line) => {
          signal?.removeEventListener('abort', takeBack);
          resolve(line);
        },
      };
      if (signal?.aborted || this.#closed) {
        resolve(undefined);
        return;
      }
      signal?.addEventListener('abort', takeBack, { once: true });
      this.#hidePrompt();
      this.#question = question;
      this.#showPrompt();
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#io.stdin.off('keypress', this.#onKey);
    this.#hidePrompt();
    this.#release();
    if (this.#wrap.column > 0 || this.#notices !== '') this.#put('\n');
    this.#reader.close();
  }

  #columns(): number {
    return this.#io.stdout.columns ?? 80;
  }

  #put(text: string): void {
    const rest = this.#brokeLine && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.#brokeLine = false;
    // Only where a line ends is there room for what else is to be said.
    const end = this.#wrap.column === 0 ? 0 : rest.indexOf('\n') + 1;
    const room = this.#notices !== '' && (this.#wrap.column === 0 || end > 0);
    const notices = room ? this.#notices : '';
    if (room) this.#notices = '';
    this.#print(rest.slice(0, end) + notices + rest.slice(end));
  }

  #print(text: string): void {
    if (text === '') return;
    // A pipe gets the text as it is; where its last line ends matters all the same.
    const wrapped = this.#wrap.feed(text, this.interactive ? this.#columns() : Number.MAX_SAFE_INTEGER);
    this.#io.stdout.write(this.interactive ? wrapped : text);
  }

  #release(): void {
    const text = this.#held;
    this.#held = '';
    this.#put(text);
  }

  #showPrompt(): void {
    if (!this.interactive || this.#closed) return;
    if (!this.#prompting && this.#wrap.column > 0) {
      this.#io.stdout.write('\n');
      this.#openAbove = true;
    }
    this.#prompting = true;
    this.#reader.setPrompt(this.#question?.text ?? this.#options.prompt);
    this.#reader.prompt(true);
    // What is typed ahead of the question would stand behind it.
    if (this.#question?.hidden) this.#io.stdout.write(this.#question.text);
  }

  #hidePrompt(): void {
    if (!this.#prompting) return;
    this.#io.stdout.write(up(this.#promptRows()) + eraseBelow);
    this.#prompting = false;
    this.#returnToOpenLine();
  }

  /** How many rows the cursor is below the first one of the prompt. */
  #promptRows(): number {
    if (!this.#question?.hidden) return this.#reader.getCursorPos().rows;
    return Math.floor(cellWidth(this.#question.text) / this.#columns());
  }

  #returnToOpenLine(): void {
    if (this.#openAbove) this.#io.stdout.write(`${up(1)}\u001b[${this.#wrap.column}C`);
    this.#openAbove = false;
  }

  /** A line was sent, and readline has moved the screen to the next row. */
  #afterEcho(text: string): void {
    if (!this.#prompting) return;
    if (this.#question?.hidden) this.#io.stdout.write('\n');
    this.#prompting = false;
    if (this.#openAbove && this.#busy && !this.#question) {
      // An answer is in the middle of a line: what was sent must not cut it in two. It is shown where its turn begins.
      const width = cellWidth(this.#options.prompt.replace(colours, '') + text);
      this.#io.stdout.write(up(Math.floor(width / this.#columns()) + 1) + eraseBelow);
      this.#returnToOpenLine();
    } else {
      this.#brokeLine = this.#openAbove;
      this.#openAbove = false;
      this.#wrap.newLine();
    }
  }

  #onLine(text: string): void {
    this.#afterEcho(text);
    const question = this.#question;
    this.#question = undefined;
    if (question) question.answer(text);
    else this.#options.onLine(text);
    this.#settle();
  }

  #onClose(): void {
    this.#question?.answer(undefined);
    this.#question = undefined;
    if (!this.#closed) this.#options.onEnd();
  }

  /** After a line was sent or emptied: what was held back comes out, and the prompt stays only if nothing streams. */
  #settle(): void {
    this.#release();
    if (!this.#busy) this.#showPrompt();
    this.#options.onFree();
  }

  readonly #onKey = (_text: string | undefined, key: Key): void => {
    this.#lastKeyAt = performance.now();
    if (key?.name === 'escape') this.#options.onEscape();
    if (!this.#busy || this.#question) return;
    if (this.isComposing() && !this.#prompting) this.#showPrompt();
    else if (!this.isComposing() && this.#prompting) {
      this.#hidePrompt();
      this.#settle();
    }
  };
}
