/** `serve`, `chat`, `ask`, `steer`, `inject`, `tail`. */
import { type Command, Option } from 'commander';
import { ask, busyPolicies } from '../commands/ask.ts';
import { chat } from '../commands/chat.ts';
import { serve } from '../commands/serve.ts';
import { inject, steer } from '../commands/steer.ts';
import { tail } from '../commands/tail.ts';
import { type Cli, clientCommand, count, examples, optionalSessionHelp, positive, runner, sessionHelp, several } from './cli.ts';

/** The flags that `serve` takes, and that `config` shows the effect of. */
export const withServeFlags = (command: Command): Command =>
  command
    .option('--port <number>', 'port; 0 = any free one (PORT, 4747)')
    .option('--host <address>', 'address to listen on (HOST, 127.0.0.1)')
    .option('--data <folder>', 'data folder (TURNKEEPER_DATA_DIR, ./.turnkeeper)')
    .option('--database <url>', 'PostgreSQL instead of the embedded store (TURNKEEPER_DATABASE_URL)')
    .option('--public-url <url>', 'base of links (TURNKEEPER_PUBLIC_URL)')
    .option('--cors-origins <origins>', 'comma-separated (TURNKEEPER_CORS_ORIGINS)')
    .option('--embed-origins <origins>', 'sites that may frame the chat, comma-separated (TURNKEEPER_EMBED_ORIGINS)')
    .option('--no-demo', 'no demo agent and Welcome session (TURNKEEPER_DEMO=0)');

/** commander gives `demo: true` when the flag is absent, which must not win over the environment. */
export const serveFlags = <Options extends { demo?: boolean }>(options: Options, command: Command): Options => {
  const { demo, ...flags } = options;
  return (command.getOptionValueSource('demo') === 'cli' ? { ...flags, demo } : flags) as Options;
};

/** What is said of a session that does not exist yet. */
const withNewSession = (command: Command) =>
  command
    .option('--agent <id>', 'agent of a new session')
    .option('--model <name>', 'another model than its own, of those that it allows')
    .option('--title <text>', 'of a new session')
    .option('--space <id>', 'where a new session stands')
    .option('--metadata <key=value>', 'noted about a new session (repeatable)', several)
    .option('--timeout-seconds <seconds>', 'how long a turn of a new session may run', count)
    .option('--budget-tokens <count>', 'tokens that a turn of a new session may use, with all that it spawns', count);

const inputHelp = '; @file reads a file';
const fileHelp = 'a file of this machine, uploaded and shown with it (repeatable)';

export const addTalkCommands = (cli: Cli): void => {
  const { io, program, done } = cli;
  const run = runner(cli);

  withServeFlags(program.command('serve').description('start the server')).action(async (options, command: Command) => {
    done(await serve(io, serveFlags(options, command)));
  });

  withNewSession(clientCommand(program, 'chat', 'talk with an agent'))
    .argument('[session]', `${sessionHelp}; without it a new one begins`)
    .option('--plain', 'line by line, not on a full screen')
    .action((session, options) => run(options, (context) => chat(context, session, options)));

  const asking = withNewSession(clientCommand(program, 'ask', 'one turn: prints the answer'))
    .argument('[text]', 'what to ask; - or nothing: from standard input')
    .option('--session <id>', `in this session (${sessionHelp})`)
    .option('--input <json>', `in place of a text: messages, or what the session takes${inputHelp}`)
    .option('--file <path>', fileHelp, several)
    .option('--stdin', 'what is piped in stands below the text')
    .addOption(new Option('--on-busy <what>', 'where a turn of the session is under way (queue)').choices(busyPolicies))
    .option('--key <key>', 'idempotency key: the same call again gives the same turn')
    .option('--input-schema <schema>', 'JSON Schema of what the new session is given; a file, or JSON')
    .option('--output-schema <schema>', 'JSON Schema of what it comes to: the result is printed')
    .option('--map <name=pointer>', 'a member of the result, by a JSON pointer (repeatable)', several)
    .option('--timeout <seconds>', 'how long to wait; the turn goes on', positive)
    .action((text, options) => run(options, (context) => ask(context, text, options)));
  examples(asking, [
    'turnkeeper ask "What can you do?"',
    'git diff | turnkeeper ask --stdin "Review this" --session @last',
    'turnkeeper ask "Sum it up" --file report.pdf --file sales.csv --title "The third quarter"',
    'turnkeeper ask --session @last --input @order.json',
  ]);

  addSteering(cli);

  clientCommand(program, 'tail', 'print a session and follow it')
    .argument('[session]', optionalSessionHelp)
    .addOption(new Option('--until <when>', 'end when nothing runs or is queued').choices(['done']))
    .option('--timeout <seconds>', 'end after this long', positive)
    .option('--turns <count>', 'earlier turns to print', positive)
    .option('--children', 'and what its children do, from now on')
    .option('--plain', 'line by line, not on a full screen')
    .action((session, options) => run(options, (context) => tail(context, session, options)));
};

/** What turns under way are told. */
const addSteering = (cli: Cli): void => {
  const { program } = cli;
  const run = runner(cli);

  clientCommand(program, 'steer', 'tell the turn that is under way something; it hears it at its next step')
    .argument('[text]', 'what to say; or --input')
    .option('--session <id>', optionalSessionHelp)
    .option('--input <json>', `in place of a text: messages${inputHelp}`)
    .option('--file <path>', fileHelp, several)
    .option('--turn <id>', 'another turn of the session, a queued one say')
    .option('--key <key>', 'idempotency key: the same call again says it once')
    .action((text, options) => run(options, (context) => steer(context, text, options)));

  clientCommand(program, 'inject', 'add background for the turn under way or the next one; it starts none')
    .argument('[text]', 'what to say; or --input')
    .option('--session <id>', optionalSessionHelp)
    .option('--input <json>', `in place of a text: messages${inputHelp}`)
    .option('--file <path>', fileHelp, several)
    .option('--key <key>', 'idempotency key: the same call again says it once')
    .action((text, options) => run(options, (context) => inject(context, text, options)));
};
