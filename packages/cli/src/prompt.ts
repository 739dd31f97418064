/**
 * Questions of a command to its user: a line, a line that is not shown, a yes. Asked on stderr, so that what a pipe reads
 * stays clean. Without a terminal nothing is asked: the caller says what option stands for the answer.
 */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { InterruptedError, UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';
import { readAll } from './read-all.ts';

type Asked = Pick<Io, 'stdin' | 'stderr'>;

export const canAsk = ({ stdin }: Pick<Io, 'stdin'>): boolean => stdin.isTTY === true;

/** Undefined when the input ends (Ctrl+D). Rejects with InterruptedError on Ctrl+C. */
export const askLine = ({ stdin, stderr }: Asked, question: string, how: { readonly hidden?: boolean } = {}): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    let muted = false;
    const screen = new Writable({
      write: (piece, _encoding, done) => {
        if (!muted) stderr.write(String(piece));
        done();
      },
    });
    const output = Object.assign(screen, { columns: stderr.columns ?? 80 });
    const reader = createInterface({ input: stdin, output, terminal: true });
    const end = (settle: () => void): void => {
      muted = false;
      if (how.hidden) stderr.write('\n');
      settle();
      reader.close();
    };
    reader.on('SIGINT', () => end(() => reject(new InterruptedError())));
    reader.on('close', () => resolve(undefined));
    reader.question(question, (text) => end(() => resolve(text)));
    muted = how.hidden === true;
  });

/** What is piped in, without its last line break. */
const pipedText = async (io: Asked, what: string): Promise<string> => {
  const text = (await readAll(io)).replace(/\r?\n$/, '');
  if (text === '') throw new UsageError(`The ${what} is read from standard input, and nothing came from there.`);
  return text;
};

/** Exactly so many lines of what is piped in: two secrets must not become one that nobody can type. */
export const pipedLines = async (io: Asked, what: string, count: number): Promise<readonly string[]> => {
  const lines = (await pipedText(io, what)).split(/\r?\n/);
  if (lines.length === count && lines.every((line) => line !== '')) return lines;
  const wanted = count === 1 ? 'one line on standard input' : `${count} lines on standard input, none of them empty`;
  throw new UsageError(`The ${what} is ${wanted}; there came ${lines.length}. Nothing was done.`);
};

export type SecretHow = {
  /** It is new: typed twice. */
  readonly twice?: boolean;
  /** Several lines are one secret, e.g. a private key. */
  readonly multiline?: boolean;
};

/** A secret: typed unseen, or piped in. Never an argument: those are seen by everybody on the machine. */
export const askSecret = async (io: Asked, what: string, how: SecretHow = {}): Promise<string> => {
  if (!canAsk(io)) return how.multiline ? pipedText(io, what) : ((await pipedLines(io, what, 1))[0] ?? '');
  const text = await askLine(io, `${what}: `, { hidden: true });
  if (!text) throw new UsageError(`No ${what} was given.`);
  if (how.twice && (await askLine(io, `${what} again: `, { hidden: true })) !== text) throw new UsageError(`The two are not the same: no ${what} was set.`);
  return text;
};

/** True with `--yes` or after a yes; throws UsageError where nobody can be asked. */
export const confirmed = async (io: Asked, question: string, yes: boolean | undefined): Promise<boolean> => {
  if (yes === true) return true;
  if (!canAsk(io)) throw new UsageError(`${question} Say so with --yes.`);
  return /^y(es)?$/i.test(((await askLine(io, `${question} [y/N] `)) ?? '').trim());
};
