/** Sessions: `ls`, `show`, `children`, `cancel`, `resume`, `queue`, `inputs`, `budget`, `usage`, `archive`, `restore`, `rm`. */
import { usageGroupings } from '@turnkeeper/core/view/usage-report';
import { Option } from 'commander';
import { archive, restore, rm } from '../commands/archive.ts';
import { budget, usage } from '../commands/budget.ts';
import { cancel } from '../commands/cancel.ts';
import { children } from '../commands/children.ts';
import { listInputs } from '../commands/inputs.ts';
import { ls, lsStatuses } from '../commands/ls.ts';
import { queue } from '../commands/queue.ts';
import { restoreBackup } from '../commands/restore.ts';
import { resume } from '../commands/resume.ts';
import { renameSession, sessionMetadata } from '../commands/session-settings.ts';
import { show } from '../commands/show.ts';
import { UsageError } from '../exit-codes.ts';
import { readSince } from '../time.ts';
import { amountOrNone, type Cli, clientCommand, examples, group, limitOrNone, optionalSessionHelp, positive, runner, sessionHelp, several } from './cli.ts';

export const addSessionCommands = (cli: Cli): void => {
  const { io, program, done } = cli;
  const run = runner(cli);

  const listing = clientCommand(program, 'ls', 'list sessions')
    .addOption(new Option('--status <status>', 'where they are kept, or what they do').choices(lsStatuses))
    .option('--waiting', 'only those that wait for an answer')
    .option('--owner <owner>', 'me, all, user:<id> or app:<id>')
    .option('--space <id>', 'only those of a space')
    .option('-q, --query <text>', 'in titles, metadata, and at the beginning of ids')
    .option('-t, --text <text>', 'in what users and agents said')
    .option('--agent <agent>', 'only those of an agent: its id or key')
    .option('--metadata <key=value>', 'with this in their metadata; may be given several times', several)
    .option('--since <when>', 'changed since: 90m, 12h, 30d, 4w ago, or a date', (text) => readSince(text))
    .addOption(new Option('--sort <by>', 'newest first: by creation, or by their last change').choices(['created', 'updated'] as const))
    .option('--all', 'archived ones too')
    .option('--archived', 'archived ones only')
    .option('--limit <count>', 'how many', positive)
    .addOption(new Option('--search <text>', 'the former name of --query').hideHelp())
    .action((options) => run(options, (context) => ls(context, options)));
  examples(listing, [
    'turnkeeper ls --waiting',
    'turnkeeper ls --owner all --status running',
    'turnkeeper ls -q invoice --json',
    'turnkeeper ls --text "the offer of May" --since 30d',
    'turnkeeper ls --metadata customer=4711 --sort updated',
  ]);

  clientCommand(program, 'show', 'what a session is and what it waits for')
    .argument('[session]', optionalSessionHelp)
    .action((session, options) => run(options, (context) => show(context, session)));

  const childrenOf = clientCommand(program, 'children', 'the sessions that it delegated to, and theirs')
    .argument('[session]', optionalSessionHelp)
    .option('--open', 'only those that have not ended')
    .action((session, options) => run(options, (context) => children(context, session, options)));
  examples(childrenOf, ['turnkeeper children @last', 'turnkeeper children --open --json']);

  clientCommand(program, 'cancel', 'stop a turn and say how it ended')
    .argument('[session]', optionalSessionHelp)
    .argument('[turn]', 'id of the turn; without it the one that runs')
    .action((session, turn, options) => run(options, (context) => cancel(context, session, turn)));

  clientCommand(program, 'resume', 'let an interrupted or failed turn go on')
    .argument('[session]', optionalSessionHelp)
    .argument('[turn]', 'id of the turn; without it the last that was interrupted or failed')
    .action((session, turn, options) => run(options, (context) => resume(context, session, turn)));

  addQueueCommands(cli);

  const limiting = clientCommand(program, 'budget', 'what a session may use, with all that it spawns')
    .argument('[session]', optionalSessionHelp)
    .option('--calls <count>', 'model calls; none: no limit', limitOrNone)
    .option('--tokens <count>', 'tokens; none: no limit', limitOrNone)
    .option('--cost <amount>', 'what its calls may cost; none: no limit', amountOrNone)
    .option('--currency <code>', 'of the cost (USD)')
    .option('--per-turn <count>', 'tokens of one turn; none: no limit', limitOrNone)
    .option('--clear', 'no limits')
    .action((session, options) => run(options, (context) => budget(context, session, options)));
  examples(limiting, ['turnkeeper budget @last', 'turnkeeper budget @last --calls 30 --cost 2.5 --currency EUR', 'turnkeeper budget @last --clear']);

  const using = clientCommand(program, 'usage', 'what a session used, by model; or what all did over a time')
    .argument('[session]', optionalSessionHelp)
    .option('--children', 'with all that it spawned')
    .addOption(new Option('--by <what>', 'of all sessions that you may read, over a time, summed by this').choices(usageGroupings))
    .option('--since <when>', 'over a time: since 90m, 12h, 30d, 4w ago, or a date (30d)', (text) => readSince(text))
    .option('--csv', 'over a time: as a table for other programs')
    .action((session, options) => run(options, (context) => usage(context, session, options)));
  examples(using, ['turnkeeper usage @last --children', 'turnkeeper usage --by model --since 7d', 'turnkeeper usage --by key --csv > keys.csv']);

  const sessions = group(program, 'session', 'what a session is called, and what is noted about it');
  const renaming = clientCommand(sessions, 'rename', 'give a session another title')
    .argument('<session>', sessionHelp)
    .argument('<title>', 'what it is called')
    .action((session, title, options) => run(options, (context) => renameSession(context, session, title)));
  examples(renaming, ['turnkeeper session rename @last "The offer of May"']);
  const noting = clientCommand(sessions, 'metadata', 'show or set what is noted about a session; what is not named stays')
    .argument('<session>', sessionHelp)
    .argument('[members...]', 'key=value; a value that is JSON is one, other ones are text')
    .option('--unset <key>', 'take one out (repeatable)', several)
    .action((session, members, options) => run(options, (context) => sessionMetadata(context, session, members, options)));
  examples(noting, ['turnkeeper session metadata @last customer=4711 vip=true --unset draft', 'turnkeeper ls --metadata customer=4711']);

  clientCommand(program, 'archive', 'put a session away: it takes no new turns')
    .argument('<session>', sessionHelp)
    .action((session, options) => run(options, (context) => archive(context, session)));

  const restoring = clientCommand(program, 'restore', 'take an archived session out again; with --from, put a backup back')
    .argument('[session]', sessionHelp)
    .option('--from <file>', 'a backup, into the empty data folder or database')
    .option('--database <url>', 'with --from: PostgreSQL (TURNKEEPER_DATABASE_URL)')
    .option('--force', 'with --from: what the folder holds is moved aside')
    .option('--resume', 'with --from: go on with a copy into a database that was broken off')
    .action(async (session, options) => {
      if (options.from !== undefined) return done(await restoreBackup(io, session, options));
      if (session === undefined) throw new UsageError('Name a session, or a backup with --from.');
      return run(options, (context) => restore(context, session));
    });
  examples(restoring, [
    'turnkeeper restore @last',
    'turnkeeper restore --from backup.db --data ./new',
    'turnkeeper restore --from backup.db --database postgres://…',
  ]);

  clientCommand(program, 'rm', 'delete a session for good')
    .argument('<session>', sessionHelp)
    .option('-y, --yes', 'do not ask')
    .action((session, options) => run(options, (context) => rm(context, session, options)));
};

const addQueueCommands = (cli: Cli): void => {
  const { program } = cli;
  const run = runner(cli);

  clientCommand(program, 'queue', 'the turns that wait')
    .argument('[session]', optionalSessionHelp)
    .option('--first <turn>', 'this one is next: its id, the beginning of one, or its place')
    .option('--remove <turn>', 'take this one out, if it has not started')
    .action((session, options) => run(options, (context) => queue(context, session, options)));

  clientCommand(program, 'inputs', 'what was said to turns under way, and whether it was heard')
    .argument('[session]', optionalSessionHelp)
    .action((session, options) => run(options, (context) => listInputs(context, session)));
};
