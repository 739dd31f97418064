/** Applications and their keys: `apps`, `keys`. */
import { type Command, Option } from 'commander';
import { createApp, listApps, setApp, showApp } from '../commands/apps.ts';
import { createKey, listKeys, revokeKey, rotateKey } from '../commands/keys.ts';
import { readExpiry } from '../time.ts';
import { type Cli, clientCommand, examples, group, limitOrNone, runner, several } from './cli.ts';

const appHelp = 'name, id, or its unique beginning';
const keyHelp = 'id, unique beginning of one, or name';

export const addApplicationCommands = (cli: Cli): void => {
  addAppCommands(cli);
  addKeyCommands(cli);
};

const withLimits = (command: Command): Command =>
  command
    .option('--description <text>', 'what it is for')
    .option('--max-concurrent <count>', 'running turns at once, or none', limitOrNone)
    .option('--max-unfinished <count>', 'unfinished turns, or none', limitOrNone)
    .option('--token-budget <count>', 'tokens after which new turns are refused, or none', limitOrNone)
    .option('--member <user:roles>', 'roles: viewer, operator, approver (repeatable)', several);

const addAppCommands = (cli: Cli): void => {
  const run = runner(cli);
  const apps = group(cli.program, 'apps', 'applications: services that use the API');
  clientCommand(apps, 'ls', 'list applications').action((options) => run(options, listApps));
  clientCommand(apps, 'show', 'the limits of an application, what is used of them, its members')
    .argument('[app]', appHelp)
    .action((app, options) => run(options, (context) => showApp(context, app)));
  const creating = withLimits(clientCommand(apps, 'create', 'make an application'))
    .argument('<name>', 'as people see it')
    .action((name, options) => run(options, (context) => createApp(context, name, options)));
  examples(creating, ['turnkeeper apps create "Support bot" --max-concurrent 10 --member ada:operator,approver']);
  withLimits(clientCommand(apps, 'set', 'change an application; members that are not named stay'))
    .argument('<app>', appHelp)
    .option('--name <name>', 'another name')
    .addOption(new Option('--status <status>', 'a disabled one is shut out, with all its keys').choices(['active', 'disabled']))
    .option('--remove-member <user>', 'take a member out (repeatable)', several)
    .action((app, options) => run(options, (context) => setApp(context, app, options)));
};

const addKeyCommands = (cli: Cli): void => {
  const run = runner(cli);
  const keys = group(cli.program, 'keys', 'keys of applications');
  const keyCommand = (name: string, description: string): Command =>
    clientCommand(keys, name, description).option('--app <app>', `${appHelp}; without it the only one`);
  keyCommand('ls', 'list the keys of an application').action((options) => run(options, (context) => listKeys(context, options)));
  const creating = keyCommand('create', 'make a key, and print it once')
    .option('--name <name>', 'what it is for')
    .requiredOption('--scopes <scopes>', 'of invoke, read, interact, cancel, webhooks:write, with commas between')
    .requiredOption('--target <type:id>', 'agent:<key or id>, or agent:* for every one (repeatable)', several)
    .option('--expires <when>', '90m, 12h, 30d, 4w, or a date', (text) => readExpiry(text))
    .action((options) => run(options, (context) => createKey(context, options)));
  examples(creating, ['turnkeeper keys create --app "Support bot" --scopes invoke,read --target agent:guide --expires 90d']);
  keyCommand('rotate', 'make a new key with the same rights; the old one works on')
    .argument('<key>', keyHelp)
    .option('--expires <when>', 'of the new one; without it as the old one', (text) => readExpiry(text))
    .action((key, options) => run(options, (context) => rotateKey(context, key, options)));
  keyCommand('revoke', 'end a key')
    .argument('<key>', keyHelp)
    .option('-y, --yes', 'do not ask')
    .action((key, options) => run(options, (context) => revokeKey(context, key, options)));
};
