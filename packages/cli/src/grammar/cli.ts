/** What the files of the grammar share: how a command of the client kind is declared, and how its options are read. */
import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, type CommonOptions, withContext } from '../command-context.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { nearest } from '../nearest.ts';

export type Cli = {
  readonly io: Io;
  readonly program: Command;
  /** Is told the exit code of the command that ran. */
  readonly done: (code: ExitCode) => void;
};

type Run = (options: CommonOptions, action: (context: CommandContext) => Promise<ExitCode>) => Promise<void>;

/** Runs an action with a client of the server that the options lead to. */
export const runner =
  ({ io, done }: Cli): Run =>
  async (options, action) => {
    done(await withContext(io, options, action));
  };

/** Which server, and how to write: what every command takes but `serve`. */
export const withCommon = (command: Command): Command =>
  command
    .option('--json', 'machine-readable output')
    .option('--data <folder>', 'data folder of the local server (TURNKEEPER_DATA_DIR)')
    .option('--url <url>', 'the server (TURNKEEPER_URL)');

export const clientCommand = (parent: Command, name: string, description: string): Command => withCommon(parent.command(name).description(description));

/**
 * One of them may be the one that is meant without any: what it is then given is no argument of it, but a word that is no command.
 * Where it takes one all the same (`artifacts <session>`), only slips of the commands are refused.
 */
const refuseUnknown = (commands: Command, meant: Command): void => {
  const [word] = commands.args;
  if (word === undefined || word.startsWith('-') || word === meant.name() || meant.aliases().includes(word)) return;
  const near = nearest(
    word,
    commands.commands.map((command) => command.name()),
    1,
  );
  if (near.length === 0 && meant.registeredArguments.length > 0) return;
  commands.error(`error: unknown command '${word}'${near.map((name) => `\n(Did you mean ${name}?)`).join('')}`, { code: 'commander.unknownCommand' });
};

/** A word that has commands of its own. */
export const group = (parent: Command, name: string, description: string): Command =>
  parent.command(name).description(description).hook('preSubcommand', refuseUnknown);

export const examples = (command: Command, lines: readonly string[]): Command =>
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`);

export const sessionHelp = 'id, unique beginning of one, or @last';
/** Where it may be left out. */
export const optionalSessionHelp = `${sessionHelp} (default: the last session used)`;
export const actionHelp = 'request id or its beginning, a session, or <session>/<request id>; without it the only one that waits';

export const positive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('must be a number above 0.');
  return value;
};

/** A whole number of at least 1. */
export const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number above 0.');
  return value;
};

/** A whole number, or `none`: not null, which commander takes for an option without a value. */
export const limitOrNone = (text: string): number | 'none' => {
  if (text === 'none') return text;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('must be a whole number, or none.');
  return value;
};

/** An amount of money, or `none`. */
export const amountOrNone = (text: string): number | 'none' => {
  if (text === 'none') return text;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('must be an amount such as 2.5, or none.');
  return value;
};

/** For options that may be given several times. */
export const several = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];
