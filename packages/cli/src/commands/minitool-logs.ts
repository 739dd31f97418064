/** `turnkeeper minitool logs`: an entry a line, `<time> <level> <message>`, the message as it was said. */
import type { MinitoolLogEntry } from '@turnkeeper/core/protocol/wire/minitools';
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable } from '../output/printable.ts';

export type LogOptions = { readonly lines?: number; readonly follow?: boolean };

/** Further lines of a message are indented, so that none looks like an entry of its own. */
export const logLine = ({ time, level, message }: MinitoolLogEntry): string => `${time} ${level} ${printable(message).replaceAll('\n', '\n  ')}`;

const againMs = 1_000;
const linesAgain = 200;

/** Tells entries until Ctrl+C; where the connection is lost it goes on, with what is new. */
export const followLog = async ({ client, io }: CommandContext, id: string, lines: number, tell: (entry: MinitoolLogEntry) => void): Promise<void> => {
  let wanted = lines;
  let last = '';
  let again = false;
  while (!io.interrupted.aborted) {
    try {
      for await (const entry of client.minitools.followLogs(id, { lines: wanted, signal: io.interrupted })) {
        if (again && entry.time <= last) continue;
        last = entry.time;
        tell(entry);
      }
    } catch (error) {
      if ((error as { readonly name?: string }).name !== 'UnreachableError') throw error;
    }
    // What was said meanwhile is among the newest.
    wanted = linesAgain;
    again = true;
    if (!io.interrupted.aborted) await new Promise((resolve) => setTimeout(resolve, againMs));
  }
};

export const minitoolLogs = async (context: CommandContext, id: string, { lines = 100, follow = false }: LogOptions): Promise<ExitCode> => {
  const tell = (entry: MinitoolLogEntry): void => (context.json ? context.printJson(entry) : context.print(logLine(entry)));
  if (!follow) {
    const { items } = await context.client.minitools.logs(id, lines);
    for (const entry of items) tell(entry);
    return exitCodes.completed;
  }
  await followLog(context, id, lines, tell);
  return exitCodes.detached;
};
