/** What `ask` asks: its argument, what is piped in, or the one above the other. */
import { UsageError } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { readAll } from '../read-all.ts';

/**
 * Throws UsageError when there is nothing to ask. Beside a text standard input is read only on request (`below`): a
 * program that starts `ask "text"` may leave it open for ever.
 */
export const questionText = async (io: Pick<Io, 'stdin' | 'stderr'>, argument: string | undefined, below: boolean): Promise<string> => {
  const { stdin } = io;
  if (argument?.trim() === '') throw new UsageError('The question is empty.');
  if (argument === undefined && stdin.isTTY) throw new UsageError('What is to be asked? turnkeeper ask "text", or pipe the text in.');
  const said = argument === '-' ? undefined : argument;
  if (said !== undefined && (!below || stdin.isTTY)) return said;
  const piped = await readAll(io);
  if (piped.trim() !== '') return said === undefined ? piped.trimEnd() : `${said}\n\n${piped.trimEnd()}`;
  if (said === undefined) throw new UsageError('The question is empty: nothing came from standard input.');
  return said;
};
