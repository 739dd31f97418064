/**
 * The terminal of a chat: lines come in while text streams out, and the two never mix.
 *
 * While an answer streams there is no prompt. The first key that is typed brings it up and holds the output back until
 * the line is sent or emptied. Without a terminal, lines are read as they are and nothing is echoed.
 */
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from '../io.ts';
import { isInteractive } from '../output/style.ts';

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
type Question = { readonly text: string; readonly answer: (text: string | undefined) => void };

const eraseLine = '\r\u001b[J';

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
  #atLineStart = true;
  /** A line of output was broken off for the prompt: its own line break would leave an empty line. */
  #brokeLine = false;
  #question: Question | undefined;
  #closed = false;

  constructor(io: Io, options: LineInputOptions) {
    this.#io = io;
    this.#options = options;
    this.interactive = io.stdin.isTTY === true && isInteractive(io.stdout, io.env);
    const screen = new Writable({
      write: (piece, _encoding, done) => {
        if (this.#prompting) io.stdout.write(String(piece));
        done();
      },
    });
    const output = Object.assign(screen, { columns: io.stdout.columns ?? 80 });
    this.#reader = createInterface({ input: io.stdin, output, terminal: this.interactive, escapeCodeTimeout: 50 });
    this.#reader.on('line', (text) => this.#onLine(text));
    this.#reader.on('close', () => this.#onClose());
    this.#reader.on('SIGINT', options.onInterrupt);
    if (this.interactive) io.stdin.on('keypress', this.#onKey);
  }

  /** True while the user is in the middle of a line. */
  isComposing(): boolean {
    return this.interactive && this.#reader.line !== '';
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

  /** Asks for one line; undefined when the input has ended. */
  ask(text: string): Promise<string | undefined> {
    return new Promise((answer) => {
      this.#hidePrompt();
      this.#question = { text, answer };
      this.#showPrompt();
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#io.stdin.off('keypress', this.#onKey);
    this.#hidePrompt();
    this.#release();
    if (!this.#atLineStart) this.#put('\n');
    this.#reader.close();
  }

  #put(text: string): void {
    const rest = this.#brokeLine && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.#brokeLine = false;
    if (rest === '') return;
    this.#io.stdout.write(rest);
    this.#atLineStart = rest.endsWith('\n');
  }

  #release(): void {
    const text = this.#held;
    this.#held = '';
    this.#put(text);
  }

  #showPrompt(): void {
    if (!this.interactive || this.#closed) return;
    if (!this.#atLineStart) {
      this.#put('\n');
      this.#brokeLine = true;
    }
    this.#prompting = true;
    this.#reader.setPrompt(this.#question?.text ?? this.#options.prompt);
    this.#reader.prompt(true);
  }

  #hidePrompt(): void {
    if (!this.#prompting) return;
    this.#io.stdout.write(eraseLine);
    this.#prompting = false;
  }

  #onLine(text: string): void {
    // readline has moved the screen to a new line.
    if (this.#prompting) this.#atLineStart = true;
    this.#prompting = false;
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
    if (key?.name === 'escape') this.#options.onEscape();
    if (!this.#busy || this.#question) return;
    if (this.isComposing() && !this.#prompting) this.#showPrompt();
    else if (!this.isComposing() && this.#prompting) {
      this.#hidePrompt();
      this.#settle();
    }
  };
}
