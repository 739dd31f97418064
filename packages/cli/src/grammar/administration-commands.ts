/** The installation: `secrets`, `audit`, `config`, `doctor`, `completion`. */
import { Argument, type Command } from 'commander';
import { audit } from '../commands/audit.ts';
import { completion, shells } from '../commands/completion.ts';
import { config } from '../commands/config.ts';
import { doctor } from '../commands/doctor.ts';
import { listSecrets, removeSecret, setSecret } from '../commands/secrets.ts';
import { type Cli, clientCommand, examples, group, positive, runner, withCommon } from './cli.ts';
import { serveFlags, withServeFlags } from './talk-commands.ts';

export const addAdministrationCommands = (cli: Cli): void => {
  const { io, program, done } = cli;
  const run = runner(cli);

  const secrets = group(program, 'secrets', 'values that definitions refer to by name');
  clientCommand(secrets, 'ls', 'list the names of secrets').action((options) => run(options, listSecrets));
  const setting = clientCommand(secrets, 'set', 'set a secret; the value is typed unseen, or piped in')
    .argument('<name>', 'a letter, then letters, digits, _ . -')
    .action((name, options) => run(options, (context) => setSecret(context, name)));
  examples(setting, ['turnkeeper secrets set MAIL_KEY', 'pass show mail | turnkeeper secrets set MAIL_KEY']);
  clientCommand(secrets, 'rm', 'delete a secret')
    .argument('<name>', 'its name')
    .option('-y, --yes', 'do not ask')
    .action((name, options) => run(options, (context) => removeSecret(context, name, options)));

  const auditing = clientCommand(program, 'audit', 'who did what, from where')
    .option('--actor <actor>', 'name of a user or an application; user:<id>, app:<id> or system')
    .option('--action <action>', 'e.g. user.created')
    .option('--subject <subject>', 'e.g. session:<id>')
    .option('--session <id>', 'of one session')
    .option('--limit <count>', 'how many', positive)
    .action((options) => run(options, (context) => audit(context, options)));
  examples(auditing, ['turnkeeper audit --action action.answered', 'turnkeeper audit --json --limit 1000 > audit.ndjson']);

  withServeFlags(program.command('config').description('what serve would run with, where each value comes from, and what runs already'))
    .option('--json', 'machine-readable output')
    .action(async (options, command: Command) => {
      const { json, ...flags } = serveFlags(options, command);
      done(await config(io, flags, { json }));
    });

  withCommon(program.command('doctor').description('what is wrong with this set-up, and what to do')).action(async (options) =>
    done(await doctor(io, options)),
  );

  const completing = program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell) => done(completion(io, program, shell)));
  examples(completing, ['source <(turnkeeper completion bash)', 'turnkeeper completion fish > ~/.config/fish/completions/turnkeeper.fish']);
};
