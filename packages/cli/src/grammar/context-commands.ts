/** The context of sessions: `checkpoints`, `restore-context`, `fork`, `diff`. */
import { checkpoints, fork, restoreContext } from '../commands/context.ts';
import { diff } from '../commands/diff.ts';
import { type Cli, clientCommand, examples, optionalSessionHelp, positive, runner, sessionHelp } from './cli.ts';

export const addContextCommands = (cli: Cli): void => {
  const { program } = cli;
  const run = runner(cli);

  clientCommand(program, 'checkpoints', 'list what the context of a session was, turn by turn')
    .argument('[session]', optionalSessionHelp)
    .option('--limit <count>', 'how many', positive)
    .action((session, options) => run(options, (context) => checkpoints(context, session, options)));

  const restoring = clientCommand(program, 'restore-context', 'let a session go on from an earlier context; its history stays')
    .argument('<session>', sessionHelp)
    .requiredOption('--to <checkpoint>', 'a checkpoint or its beginning, or a turn')
    .option('--reason <text>', 'why; it stands in the history')
    .action((session, options) => run(options, (context) => restoreContext(context, session, options)));
  examples(restoring, ['turnkeeper restore-context @last --to turn_0199… --reason "the wrong way"']);

  const forking = clientCommand(program, 'fork', 'begin a session with the context of another')
    .argument('[session]', optionalSessionHelp)
    .option('--at <checkpoint>', 'a checkpoint, or a turn; without it what the context is now')
    .option('--into <session>', 'an empty session of the same agent; without it a new one')
    .option('--title <text>', 'of the new session')
    .option('--space <id>', 'of the new session')
    .option('--reason <text>', 'why; it stands in its history')
    .action((session, options) => run(options, (context) => fork(context, session, options)));
  examples(forking, ['turnkeeper fork @last --title "another try"', 'turnkeeper fork ses_0199… --at turn_0199…']);

  const comparing = clientCommand(program, 'diff', 'what was said in one session and not in another')
    .argument('<session>', `${sessionHelp}; with /turn_… or /ckpt_…: up to there`)
    .argument('[other]', 'the same; without it a fork is compared with what it came from')
    .option('--side', 'beside each other')
    .option('--context <lines>', 'equal lines around what differs (3)', positive)
    .option('--exit-code', 'end with 1 where they differ')
    .action((session, other, options) => run(options, (context) => diff(context, session, other, options)));
  examples(comparing, ['turnkeeper diff @last', 'turnkeeper diff ses_0199…/turn_0199… ses_0198… --side']);
};
