/** Mini-tools: `minitool`. */
import { addMinitool, enableMinitool } from '../commands/minitool-add.ts';
import { minitoolArrivals } from '../commands/minitool-arrivals.ts';
import { minitoolDefaultAgent } from '../commands/minitool-default-agent.ts';
import { minitoolLanguage } from '../commands/minitool-language.ts';
import { minitoolLogs } from '../commands/minitool-logs.ts';
import {
  disableMinitool,
  listMinitools,
  minitoolSettings,
  removeMinitool,
  removeMinitoolSecret,
  setMinitoolSecret,
  showMinitool,
} from '../commands/minitools.ts';
import { type Cli, clientCommand, examples, group, positive, runner, several, withCommon } from './cli.ts';

const idHelp = 'its id';

export const addMinitoolCommands = (cli: Cli): void => {
  const minitool = group(cli.program, 'minitool', 'mini-tools: third-party packages that extend the service');
  addRunning(cli, minitool);
  addSettings(cli, minitool);
  addAuthoring(cli, minitool);
};

type Group = ReturnType<typeof group>;

const addRunning = (cli: Cli, minitool: Group): void => {
  const run = runner(cli);
  const adding = clientCommand(minitool, 'add', 'install a mini-tool, show what it may do, ask, and start it')
    .argument('<source>', 'an npm package (name or name@version), a folder, or a .tgz')
    .option('-y, --yes', 'agree to what it may do without being asked')
    .action((source, options) => run(options, (context) => addMinitool(context, source, options)));
  examples(adding, ['turnkeeper minitool add ./my-tool', 'turnkeeper minitool add some-minitool@1.2.0 --yes', 'turnkeeper minitool add my-tool-0.1.0.tgz']);
  withCommon(minitool.command('list').alias('ls').description('list mini-tools: id, version, what it does, name')).action((options) =>
    run(options, listMinitools),
  );
  clientCommand(minitool, 'show', 'how one does: permissions, tools, containers, last crash')
    .argument('<id>', idHelp)
    .action((id, options) => run(options, (context) => showMinitool(context, id)));
  clientCommand(minitool, 'enable', 'show what one may do, ask, and start it')
    .argument('<id>', idHelp)
    .option('-y, --yes', 'agree without being asked')
    .action((id, options) => run(options, (context) => enableMinitool(context, id, options)));
  clientCommand(minitool, 'disable', 'stop one; its sessions stay')
    .argument('<id>', idHelp)
    .action((id, options) => run(options, (context) => disableMinitool(context, id)));
  clientCommand(minitool, 'remove', 'remove one with what it keeps; its sessions stay')
    .alias('rm')
    .argument('<id>', idHelp)
    .option('-y, --yes', 'do not ask')
    .action((id, options) => run(options, (context) => removeMinitool(context, id, options.yes)));
  clientCommand(minitool, 'logs', 'print the log of one: time, level, message')
    .argument('<id>', idHelp)
    .option('--lines <count>', 'the newest so many (default 100)', positive)
    .option('-f, --follow', 'and what comes, until Ctrl+C')
    .action((id, options) => run(options, (context) => minitoolLogs(context, id, options)));
  clientCommand(minitool, 'arrivals', 'what came in by the webhooks of one, and how it was answered')
    .argument('<id>', idHelp)
    .action((id, options) => run(options, (context) => minitoolArrivals(context, id)));
};

const addSettings = (cli: Cli, minitool: Group): void => {
  const run = runner(cli);
  const setting = clientCommand(minitool, 'settings', 'what is set of one; with options, set it')
    .argument('<id>', idHelp)
    .option('--set <key=value>', 'a setting (repeatable)', several)
    .option('--unset <key>', 'a setting goes back to its default (repeatable)', several)
    .option('--agent <container=agent>', 'which agent a container runs on; container=default for none of its own (repeatable)', several)
    .option('--user <user>', 'who may use it (repeatable)', several)
    .option('--remove-user <user>', 'who may not any more (repeatable)', several)
    .action((id, options) => run(options, (context) => minitoolSettings(context, id, options)));
  examples(setting, ['turnkeeper minitool settings my-bot --set language=de --agent inbox=guide --user ada']);
  clientCommand(minitool, 'default-agent', 'the agent of containers that have none of their own; with an agent, set it')
    .argument('[agent]', 'its key or id')
    .option('--unset', 'take it back: the agent with the key default, else the first one')
    .action((agent, options) => run(options, (context) => minitoolDefaultAgent(context, agent, options)));
  clientCommand(minitool, 'language', 'the language of mini-tools; with one, set it, also for those that run')
    .argument('[language]', 'en-US or zh-CN')
    .option('--unset', 'take it back: as the server was started')
    .action((language, options) => run(options, (context) => minitoolLanguage(context, language, options)));
  const secret = group(minitool, 'secret', 'secrets of one, of the names that it declares');
  const secretSetting = clientCommand(secret, 'set', 'set a secret of one; the value is typed unseen, or piped in')
    .argument('<id>', idHelp)
    .argument('<name>', 'as its manifest declares it')
    .action((id, name, options) => run(options, (context) => setMinitoolSecret(context, id, name)));
  examples(secretSetting, ['turnkeeper minitool secret set my-bot botToken < token.txt']);
  clientCommand(secret, 'rm', 'delete a secret of one')
    .argument('<id>', idHelp)
    .argument('<name>', 'its name')
    .option('-y, --yes', 'do not ask')
    .action((id, name, options) => run(options, (context) => removeMinitoolSecret(context, id, name, options.yes)));
};

const addAuthoring = (cli: Cli, minitool: Group): void => {
  const { io, done } = cli;
  const run = runner(cli);
  minitool
    .command('new')
    .description('begin a mini-tool in a folder; needs no server')
    .argument('<folder>', 'a new one, or an empty one; its name becomes the id')
    .option('--json', 'machine-readable output')
    .action(async (folder, options) => done((await authoring()).newMinitool(io, folder, options)));
  minitool
    .command('doctor')
    .description('what will not work in a mini-tool, without running it; needs no server')
    .argument('[folder]', 'where it lies', '.')
    .option('--json', 'machine-readable output')
    .action(async (folder, options) => done(await (await authoring()).doctorMinitool(io, folder, options)));
  const developing = clientCommand(minitool, 'dev', 'run one where it lies, tell its log, start it again on changes, until Ctrl+C')
    .argument('<folder>', 'of this machine; the server must be able to read it')
    .option('-y, --yes', 'agree to what it may do without being asked')
    .option('--no-build', 'leave dist alone: something else builds it')
    .action((folder, options) => run(options, async (context) => (await authoring()).devMinitool(context, folder, options)));
  examples(developing, ['turnkeeper minitool new my-tool', 'turnkeeper minitool dev my-tool']);
};

/** Loaded only here: the doctor reads manifests, which no other command does. */
const authoring = () => import('../commands/minitool-author.ts');
