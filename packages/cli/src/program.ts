/** The command line's grammar: commands, flags, help. What they do stands in commands/. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { type CommandContext, type CommonOptions, withContext } from './command-context.ts';
import { ask } from './commands/ask.ts';
import { cancel } from './commands/cancel.ts';
import { chat } from './commands/chat.ts';
import { ls } from './commands/ls.ts';
import { serve } from './commands/serve.ts';
import { show } from './commands/show.ts';
import { tail } from './commands/tail.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';

const positive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('must be a number above 0.');
  return value;
};
const sessionHelp = 'id, unique beginning of one, or @last';

/** `done` is told the exit code of the command that ran. */
export const createProgram = (io: Io, done: (code: ExitCode) => void): Command => {
  const program = new Command('turnkeeper')
    .description('Durable agent sessions: a server, and a client for the terminal.')
    .helpOption('-h, --help', 'show help')
    .showHelpAfterError('(add --help for what there is)')
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .exitOverride()
    .addHelpText(
      'after',
      '\nThe server: TURNKEEPER_URL with TURNKEEPER_TOKEN, else the one that runs on the data folder.\nExit codes: 0 completed, 1 failed, 2 usage, 3 still running, 4 waiting for approval, 5 queue full, 6 auth, 130 detached.',
    );

  /** A command of the client kind: it finds the server, and its result is the exit code. */
  const clientCommand = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .option('--json', 'machine-readable output')
      .option('--data <folder>', 'data folder of the local server (TURNKEEPER_DATA_DIR)');
  const run = async (options: CommonOptions, action: (context: CommandContext) => Promise<ExitCode>): Promise<void> => {
    done(await withContext(io, options, action));
  };

  program
    .command('serve')
    .description('start the server')
    .option('--port <number>', 'port; 0 = any free one (PORT, 4747)')
    .option('--host <address>', 'address to listen on (HOST, 127.0.0.1)')
    .option('--data <folder>', 'data folder (TURNKEEPER_DATA_DIR, ./.turnkeeper)')
    .option('--database <url>', 'PostgreSQL instead of the embedded store (TURNKEEPER_DATABASE_URL)')
    .option('--public-url <url>', 'base of links (TURNKEEPER_PUBLIC_URL)')
    .option('--cors-origins <origins>', 'comma-separated (TURNKEEPER_CORS_ORIGINS)')
    .option('--no-demo', 'no demo agent and Welcome session (TURNKEEPER_DEMO=0)')
    .action(async (options, command: Command) => {
      const { demo, ...flags } = options;
      // commander gives `demo: true` when the flag is absent, which must not win over the environment.
      done(await serve(io, command.getOptionValueSource('demo') === 'cli' ? { ...flags, demo } : flags));
    });

  clientCommand('chat', 'talk with an agent')
    .argument('[session]', `${sessionHelp}; without it a new one begins`)
    .option('--agent <id>', 'agent of a new session')
    .action((session, options) => run(options, (context) => chat(context, session, options)));

  clientCommand('ask', 'one turn: prints the answer')
    .argument('[text]', 'what to ask; - or nothing: from standard input')
    .option('--agent <id>', 'agent of a new session')
    .option('--session <id>', `in this session (${sessionHelp})`)
    .option('--stdin', 'what is piped in stands below the text')
    .option('--key <key>', 'idempotency key: the same call again gives the same turn')
    .option('--timeout <seconds>', 'how long to wait; the turn goes on', positive)
    .action((text, options) => run(options, (context) => ask(context, text, options)));

  clientCommand('tail', 'print a session and follow it')
    .argument('[session]', sessionHelp)
    .addOption(new Option('--until <when>', 'end when nothing runs or is queued').choices(['done']))
    .option('--timeout <seconds>', 'end after this long', positive)
    .option('--turns <count>', 'earlier turns to print', positive)
    .action((session, options) => run(options, (context) => tail(context, session, options)));

  clientCommand('ls', 'list sessions')
    .option('--all', 'archived ones too')
    .option('--archived', 'archived ones only')
    .option('--limit <count>', 'how many', positive)
    .option('--search <text>', 'in titles')
    .action((options) => run(options, (context) => ls(context, options)));

  clientCommand('show', 'what a session is and what it waits for')
    .argument('[session]', sessionHelp)
    .action((session, options) => run(options, (context) => show(context, session)));

  clientCommand('cancel', 'stop a turn and say how it ended')
    .argument('[session]', sessionHelp)
    .argument('[turn]', 'id of the turn; without it the one that runs')
    .action((session, turn, options) => run(options, (context) => cancel(context, session, turn)));

  return program;
};
