/** One run of the command line: arguments in, exit code out. Errors are said in one line, never as a stack. */
import { CommanderError } from 'commander';
import { type ExitCode, exitCodeOfError, exitCodes, UsageError } from './exit-codes.ts';
import type { Io } from './io.ts';
import { printable } from './output/printable.ts';
import { createProgram } from './program.ts';

const wantsJson = (args: readonly string[]): boolean => args.includes('--json');

/** What went wrong, for a person; with `--json` as an object for a program. */
const describe = (error: unknown): { readonly code: string; readonly message: string } => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return {
    code: typeof code === 'string' ? code : error instanceof UsageError ? 'usage' : 'error',
    message: typeof message === 'string' ? message : String(error),
  };
};

export const runCli = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  let result: ExitCode = exitCodes.completed;
  const program = createProgram(io, (code) => {
    result = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return result;
  } catch (error) {
    // commander has said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.completed : exitCodes.usage;
    const fault = describe(error);
    if (wantsJson(args)) io.stderr.write(`${JSON.stringify({ error: fault })}\n`);
    else io.stderr.write(`${printable(fault.message)}${fault.code === 'error' || fault.code === 'usage' ? '' : ` (${fault.code})`}\n`);
    return exitCodeOfError(error);
  }
};
