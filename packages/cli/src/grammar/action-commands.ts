/** What waits for people: `approvals`, `approve`, `deny`, `answer`. */
import { Option } from 'commander';
import { answer } from '../commands/answer.ts';
import { answeredActions } from '../commands/answered-actions.ts';
import { approvals } from '../commands/approvals.ts';
import { approve, deny } from '../commands/approve.ts';
import { actionHelp, type Cli, clientCommand, examples, positive, runner, several } from './cli.ts';

export const addActionCommands = (cli: Cli): void => {
  const { program } = cli;
  const run = runner(cli);

  const listing = clientCommand(program, 'approvals', 'all that waits for your answer (exit code 4 if anything does)')
    .option('--answered', 'instead: who answered what, when and from where, newest first')
    .option('--limit <count>', 'with --answered: how many (50)', positive)
    .action(({ answered, limit, ...options }) => run(options, (context) => (answered ? answeredActions(context, limit) : approvals(context))));
  examples(listing, ['turnkeeper approvals', 'turnkeeper approvals --answered --limit 200']);

  const approving = clientCommand(program, 'approve', 'let a tool call run, or approve what you are asked')
    .argument('[action]', actionHelp)
    .option('--input <json>', 'with these arguments instead')
    .option('--reason <text>', 'told to the agent where it asked for approval')
    .option('--remember', 'and do not ask for this tool again in the session')
    .action((action, options) => run(options, (context) => approve(context, action, options)));
  examples(approving, ['turnkeeper approve', `turnkeeper approve @last --input '{"path": "/tmp/a"}'`]);

  clientCommand(program, 'deny', 'do not let a tool call run, or reject what you are asked')
    .argument('[action]', actionHelp)
    .option('--reason <text>', 'told to the agent')
    .action((action, options) => run(options, (context) => deny(context, action, options)));

  const answering = clientCommand(program, 'answer', 'answer questions, fill in a form, send a signal, or give the result of a tool')
    .argument('[action]', actionHelp)
    .option('--answer <header=value>', 'to a question; the number of an option, or words (repeatable)', several)
    .option('--text <answer>', 'to the only question, word for word')
    .option('--value <name=value>', 'a field of a form (repeatable)', several)
    .option('--decline', 'do not fill in the form')
    .option('--payload <json>', 'what is sent with a signal')
    .option('--output <text>', 'result of a tool; - reads standard input')
    .option('--error', 'the output says why the tool failed')
    .addOption(new Option('--outcome <outcome>', 'of a call whose result was lost').choices(['succeeded', 'failed']))
    .option('--reason <text>', 'how that outcome is known')
    .action((action, options) => run(options, (context) => answer(context, action, options)));
  examples(answering, [
    'turnkeeper answer',
    'turnkeeper answer --answer Colour=2 --answer "Size=XL"',
    'turnkeeper answer @last --output "snow, -3 °C"',
    'turnkeeper answer --value city=Rome --value days=3',
  ]);
};
