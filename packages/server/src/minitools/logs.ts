/**
 * The log of one mini-tool: a file in its folder, `<time> <level> <message>` an entry.
 *
 * LG1 The message stands there as it was said. Its further lines are indented, so that none looks like an entry of its own; what
 *     would move a terminal's cursor is shown instead.
 * LG2 Two files of at most `fileBytes` are kept. What comes faster than the disk takes it is left out, and an entry says how much.
 */
import { appendFile, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../ports/clock.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const fileBytes = 1024 * 1024;
const mostWaiting = 512 * 1024;
const mostCharacters = 16_384;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const colours = /\u001b\[[0-9;]*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const shown = (control: string): string => (control.charCodeAt(0) < 0x20 ? String.fromCharCode(0x2400 + control.charCodeAt(0)) : '\ufffd');

/** An entry, with the end of its line. */
export const logEntry = (at: number, level: LogLevel, message: string): string => {
  const text = message.length > mostCharacters ? `${message.slice(0, mostCharacters)}…` : message;
  const plain = text.replaceAll('\r\n', '\n').replace(colours, '').replace(controls, shown).trimEnd();
  return `${new Date(at).toISOString()} ${level} ${plain.replaceAll('\n', '\n  ')}\n`;
};

export type LogEntry = { readonly time: string; readonly level: LogLevel; readonly message: string };

const beginning = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (debug|info|warn|error) ?(.*)$/;

/** The entries of a log's text. */
const entriesOf = (text: string): readonly LogEntry[] => {
  const entries: { time: string; level: LogLevel; message: string }[] = [];
  for (const line of text.split('\n')) {
    const [, time, level, message] = beginning.exec(line) ?? [];
    const last = entries.at(-1);
    if (time !== undefined && message !== undefined) entries.push({ time, level: level as LogLevel, message });
    else if (last && line.startsWith('  ')) last.message += `\n${line.slice(2)}`;
  }
  return entries;
};

export class MinitoolLog {
  readonly #path: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #listeners = new Set<(entry: LogEntry) => void>();
  #waiting = '';
  #leftOut = 0;
  #size: number | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, clock: Pick<Clock, 'now'>) {
    this.#path = path;
    this.#clock = clock;
  }

  write(level: LogLevel, message: string): void {
    const entry = logEntry(this.#clock.now(), level, message);
    if (this.#waiting.length + entry.length > mostWaiting) {
      this.#leftOut += 1;
      return;
    }
    const idle = this.#waiting === '';
    this.#waiting += entry;
    if (this.#listeners.size > 0) for (const told of entriesOf(entry)) for (const tell of this.#listeners) tell(told);
    // Never rejects: a full disk must not end what is logged.
    if (idle) this.#writing = this.#writing.then(() => this.#flush()).catch(() => {});
  }

  /** The newest entries, the oldest of them first. */
  async tail(count: number): Promise<readonly LogEntry[]> {
    await this.#writing;
    const texts = await Promise.all([this.#before, this.#path].map((path) => readFile(path, 'utf8').catch(() => '')));
    return count <= 0 ? [] : texts.flatMap(entriesOf).slice(-count);
  }

  /** Tells each entry from now on; the function ends that. */
  follow(tell: (entry: LogEntry) => void): () => void {
    this.#listeners.add(tell);
    return () => this.#listeners.delete(tell);
  }

  /** Everything that was written is in the file. */
  async flushed(): Promise<void> {
    await this.#writing;
  }

  get #before(): string {
    return `${this.#path}.1`;
  }

  async #flush(): Promise<void> {
    const note = this.#leftOut === 0 ? '' : logEntry(this.#clock.now(), 'warn', `${this.#leftOut} entries were left out: they came too fast.`);
    const text = this.#waiting + note;
    this.#waiting = '';
    this.#leftOut = 0;
    await mkdir(dirname(this.#path), { recursive: true });
    this.#size ??= await stat(this.#path).then(
      ({ size }) => size,
      () => 0,
    );
    if (this.#size + text.length > fileBytes && this.#size > 0) {
      await rm(this.#before, { force: true });
      await rename(this.#path, this.#before);
      this.#size = 0;
    }
    await appendFile(this.#path, text, { mode: 0o600 });
    this.#size += Buffer.byteLength(text);
  }
}
