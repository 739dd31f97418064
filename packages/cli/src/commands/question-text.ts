/** What `ask` asks: its argument, what is piped in, or the one above the other. */

import { UsageError } from '../exit-codes.ts';
import type { Input, Io } from '../io.ts';

/** After this long without a byte, a person is told what is being waited for. */
const silenceMs = 3_000;

const readAll = async (stdin: Input, onSilence: () => void): Promise<string> => {
  const timer = setTimeout(onSilence, silenceMs);
  try {
    const pieces: Buffer[] = [];
    for await (const piece of stdin) {
      clearTimeout(timer);
      pieces.push(Buffer.from(piece as Uint8Array));
    }
    return Buffer.concat(pieces).toString('utf8');
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Throws UsageError when there is nothing to ask. Beside a text standard input is read only on request (`below`): a
 * program that starts `ask "text"` may leave it open for ever.
 */
export const questionText = async ({ stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>, argument: string | undefined, below: boolean): Promise<string> => {
  if (argument?.trim() === '') throw new UsageError('The question is empty.');
  if (argument === undefined && stdin.isTTY) throw new UsageError('What is to be asked? turnkeeper ask "text", or pipe the text in.');
  const said = argument === '-' ? undefined : argument;
  if (said !== undefined && (!below || stdin.isTTY)) return said;
  const piped = await readAll(stdin, () => stderr.write('reading standard input … (</dev/null gives none)\n'));
  if (piped.trim() !== '') return said === undefined ? piped.trimEnd() : `${said}\n\n${piped.trimEnd()}`;
  if (said === undefined) throw new UsageError('The question is empty: nothing came from standard input.');
  return said;
};
