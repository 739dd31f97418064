/** What happens by time, and who is let in for a while: `schedules`, `client-token`. */
import { clientScopes } from '@turnkeeper/core/protocol/wire/client-tokens';
import { type Command, Option } from 'commander';
import { addSchedule, listRuns, listSchedules, makeClientToken, removeSchedule, runSchedule, switchSchedule, updateSchedule } from '../commands/schedules.ts';
import { type Cli, clientCommand, examples, group, optionalSessionHelp, positive, runner, several } from './cli.ts';

const refHelp = 'id, its unique beginning, or what it says';

export const addScheduleCommands = (cli: Cli): void => {
  const run = runner(cli);
  const schedules = group(cli.program, 'schedules', 'turns of a session that are created by time');
  const command = (name: string, description: string): Command =>
    clientCommand(schedules, name, description).option('--session <session>', optionalSessionHelp);
  command('ls', 'list schedules').action((options) => run(options, (context) => listSchedules(context, options)));
  const adding = command('add', 'create turns by time')
    .argument('<message>', 'what each turn says')
    .option('--cron <fields>', 'minute, hour, day of the month, month, day of the week')
    .option('--timezone <name>', 'of --cron, e.g. Europe/Berlin (UTC)')
    .option('--at <instant>', 'once, e.g. 2027-01-31T09:00:00+01:00')
    .option('--skip-missed', 'leave out what was missed while no server ran; otherwise the latest runs once')
    .option('--off', 'not yet')
    .action((message, options) => run(options, (context) => addSchedule(context, message, options)));
  examples(adding, [
    'turnkeeper schedules add --session @last --cron "0 9 * * MON-FRI" --timezone Europe/Berlin "What is new?"',
    'turnkeeper schedules add --at 2027-01-31T09:00:00+01:00 "Send the report."',
  ]);
  const updating = command('update', 'change when one runs, or what it says; what is not named stays')
    .argument('<schedule>', refHelp)
    .option('--message <text>', 'what each turn says')
    .option('--input <json>', 'what each turn is given, in place of a message; @file reads a file')
    .option('--cron <fields>', 'minute, hour, day of the month, month, day of the week')
    .option('--timezone <name>', 'of --cron, e.g. Europe/Berlin')
    .option('--at <instant>', 'once, e.g. 2027-01-31T09:00:00+01:00')
    .addOption(new Option('--missed <what>', 'what was missed while no server ran: left out, or the latest runs once').choices(['skip', 'run_once'] as const))
    .option('--metadata <key=value>', 'of each turn (repeatable)', several)
    .option('--unset <key>', 'take one of the metadata out (repeatable)', several)
    .action((schedule, options) => run(options, (context) => updateSchedule(context, schedule, options)));
  examples(updating, [
    'turnkeeper schedules update sched_1a --cron "0 8 * * *"',
    'turnkeeper schedules update "What is new?" --message "What is new since yesterday?"',
  ]);
  for (const [name, enabled] of [
    ['on', true],
    ['off', false],
  ] as const)
    command(name, enabled ? 'go on with one, from now' : 'stop one, without deleting it')
      .argument('<schedule>', refHelp)
      .action((schedule, options) => run(options, (context) => switchSchedule(context, schedule, options, enabled)));
  command('runs', 'what became of its slots, the newest first')
    .argument('<schedule>', refHelp)
    .action((schedule, options) => run(options, (context) => listRuns(context, schedule, options)));
  command('run', 'submit what it says now, and print the turn')
    .argument('<schedule>', refHelp)
    .action((schedule, options) => run(options, (context) => runSchedule(context, schedule, options)));
  command('rm', 'delete a schedule')
    .argument('<schedule>', refHelp)
    .option('-y, --yes', 'do not ask')
    .action((schedule, options) => run(options, (context) => removeSchedule(context, schedule, options)));
  const token = clientCommand(cli.program, 'client-token', 'print a token for a browser: for one session, for a while')
    .argument('[session]', optionalSessionHelp)
    .addOption(new Option('--scope <scope...>', 'what it may (read, invoke, interact)').choices(clientScopes))
    .option('--expires <seconds>', '60 to 86400 (900)', positive)
    .action((session, options) => run(options, (context) => makeClientToken(context, session, options)));
  examples(token, ['turnkeeper client-token @last --scope read --expires 3600']);
};
