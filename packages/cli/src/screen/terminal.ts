/**
 * The terminal under a full screen: takes it, draws frames on it, gives it back.
 *
 * Owns: what the terminal is told. Does not own: what stands in a frame.
 *
 * TY1 It is given back as it was, however this ends: by leaving, a crash, SIGTERM, SIGHUP or Ctrl+Z.
 * TY2 Only rows that changed are written, at most thirty times a second, each frame in one piece: nothing flickers.
 * TY3 No byte is written that did not go through `paintLine`, but for the sequences below.
 */
import type { Io } from '../io.ts';
import { isInteractive, type Style } from '../output/style.ts';
import { type Key, KeyDecoder } from './keys.ts';
import { lineWidth, paintLine } from './line.ts';
import type { Frame, Size } from './model.ts';

const take = '\u001b[?1049h\u001b[?2004h\u001b[?7l\u001b[2J';
const giveBack = '\u001b[?1006l\u001b[?1000l\u001b[?2004l\u001b[?7h\u001b[0m\u001b[?1049l\u001b[?25h';
const mouseOn = '\u001b[?1000h\u001b[?1006h';
const mouseOff = '\u001b[?1006l\u001b[?1000l';
const frameBegins = '\u001b[?2026h\u001b[?25l';
const frameEnds = '\u001b[?2026l';
const showCursor = '\u001b[?25h';
const to = (row: number, column: number): string => `\u001b[${row + 1};${column + 1}H`;
const eraseRest = '\u001b[K';

const frameMs = 33;
/** A signal takes a moment. */
const resumeMs = 50;
const smallest: Size = { columns: 40, rows: 12 };

const sizeOf = ({ stdout }: Io): Size => ({ columns: stdout.columns ?? 0, rows: stdout.rows ?? 0 });

/** Whether a full screen can be shown: a terminal at both ends, and not too small a window. */
export const fitsFullScreen = (io: Io): boolean => {
  const { columns, rows } = sizeOf(io);
  return io.stdin.isTTY === true && isInteractive(io.stdout, io.env) && columns >= smallest.columns && rows >= smallest.rows;
};

export type TerminalOptions = { readonly style: Style; readonly frame: (size: Size) => Frame; readonly onKey: (key: Key) => void };

export class Terminal {
  readonly #io: Io;
  readonly #options: TerminalOptions;
  readonly #keys: KeyDecoder;
  /** What stands on the screen, as it was written. */
  #drawn: string[] = [];
  #cursor = '';
  #timer: NodeJS.Timeout | undefined;
  #drawnAt = 0;
  #taken = false;
  #closed = false;
  #mouse = true;

  constructor(io: Io, options: TerminalOptions) {
    this.#io = io;
    this.#options = options;
    this.#keys = new KeyDecoder(options.onKey);
  }

  open(): void {
    this.#take();
    process.on('exit', this.#giveBack);
    process.on('SIGCONT', this.#onContinue);
    process.on('SIGTERM', this.#onEnd);
    process.on('SIGHUP', this.#onEnd);
    this.#io.stdout.on?.('resize', this.#onResize);
  }

  close(): void {
    this.#giveBack();
    this.#closed = true;
    process.off('exit', this.#giveBack);
    process.off('SIGCONT', this.#onContinue);
    process.off('SIGTERM', this.#onEnd);
    process.off('SIGHUP', this.#onEnd);
    this.#io.stdout.off?.('resize', this.#onResize);
    this.#keys.close();
  }

  /** Draws what is to be seen now, soon. */
  changed(): void {
    if (!this.#taken || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#draw(), Math.max(this.#drawnAt + frameMs - performance.now(), 0));
  }

  redraw(): void {
    this.#forget();
    this.changed();
  }

  setMouse(on: boolean): void {
    this.#mouse = on;
    if (this.#taken) this.#io.stdout.write(on ? mouseOn : mouseOff);
  }

  /** Ctrl+Z: the shell gets the terminal, until it says `fg`. */
  readonly suspend = (): void => {
    if (process.platform === 'win32') return;
    this.#giveBack();
    // The whole job, with what has started this process.
    process.kill(0, 'SIGTSTP');
    // Where no shell controls the job, nothing has stopped: then it simply goes on.
    setTimeout(() => this.#take(), resumeMs);
  };

  /** Another program has the terminal meanwhile, an editor say. */
  async lend<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#giveBack();
    try {
      return await run();
    } finally {
      this.#take();
    }
  }

  readonly #onData = (bytes: Buffer | string): void => this.#keys.feed(bytes);
  readonly #onResize = (): void => this.redraw();
  readonly #onContinue = (): void => {
    this.#giveBack();
    this.#take();
  };
  readonly #onEnd = (signal: NodeJS.Signals): void => {
    this.close();
    process.kill(process.pid, signal);
  };

  #take(): void {
    if (this.#taken || this.#closed) return;
    this.#taken = true;
    process.on('SIGTSTP', this.suspend);
    const { stdin, stdout } = this.#io;
    stdout.write(take + (this.#mouse ? mouseOn : ''));
    stdin.setRawMode?.(true);
    stdin.on('data', this.#onData);
    stdin.resume();
    this.redraw();
  }

  readonly #giveBack = (): void => {
    if (!this.#taken) return;
    this.#taken = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    process.off('SIGTSTP', this.suspend);
    const { stdin, stdout } = this.#io;
    stdin.off('data', this.#onData);
    stdin.pause();
    stdin.setRawMode?.(false);
    stdout.write(giveBack);
  };

  #forget(): void {
    this.#drawn = [];
    this.#cursor = '';
  }

  #draw(): void {
    this.#timer = undefined;
    this.#drawnAt = performance.now();
    const size = sizeOf(this.#io);
    const { rows, cursor } = this.#options.frame(size);
    let out = '';
    for (const [at, line] of rows.entries()) {
      const text = paintLine(line, this.#options.style);
      if (this.#drawn[at] === text) continue;
      this.#drawn[at] = text;
      // Behind a full row nothing is left to erase, and some terminals would erase its last cell.
      out += to(at, 0) + text + (lineWidth(line) < size.columns ? eraseRest : '');
    }
    const place = cursor ? to(cursor.row, Math.min(cursor.column, size.columns - 1)) + showCursor : '';
    if (out === '' && place === this.#cursor) return;
    this.#cursor = place;
    this.#io.stdout.write(frameBegins + out + place + frameEnds);
  }
}
