/** Who this terminal is, and the people of the installation: `login`, `logout`, `whoami`, `tokens`, `users`, `spaces`. */
import { Option } from 'commander';
import { login, logout, whoami } from '../commands/login.ts';
import { addMember, createSpace, listMembers, listSpaces, removeMember } from '../commands/spaces.ts';
import { createToken, listTokens, revokeToken } from '../commands/tokens.ts';
import { createUser, listUsers, setPassword, setUserStatus, updateUser } from '../commands/users.ts';
import { savedLogin } from '../saved-logins.ts';
import { readExpiry } from '../time.ts';
import { type Cli, clientCommand, examples, group, runner, withCommon } from './cli.ts';

const userHelp = 'username, id, or its unique beginning';

export const addAccountCommands = (cli: Cli): void => {
  const { io, program, done } = cli;
  const run = runner(cli);

  const signingIn = withCommon(program.command('login').description('sign in, and keep the token for this server'))
    .option('-u, --username <name>', 'who; asked for without it')
    .addOption(new Option('--user <name>', 'the same').hideHelp())
    .option('--token', 'with a token that exists already, typed or piped in')
    .action(async (options) => done(await login(io, { ...options, username: options.username ?? options.user })));
  examples(signingIn, ['turnkeeper login --url https://agents.example.com', 'turnkeeper login --token < token.txt']);

  withCommon(program.command('logout').description('forget that token, and end it')).action(async (options) =>
    done(await logout(io, options, (url) => savedLogin(io, url)?.token)),
  );

  clientCommand(program, 'whoami', 'whose credential this terminal uses').action((options) => run(options, whoami));

  addTokenCommands(cli);
  addUserCommands(cli);
  addSpaceCommands(cli);
};

const addTokenCommands = (cli: Cli): void => {
  const run = runner(cli);
  const tokens = group(cli.program, 'tokens', 'your personal tokens');
  clientCommand(tokens, 'ls', 'list your personal tokens').action((options) => run(options, listTokens));
  clientCommand(tokens, 'create', 'make a token, and print it once')
    .argument('[name]', 'what it is for')
    .addOption(new Option('--name <name>', 'the same').hideHelp())
    .option('--expires <when>', '90m, 12h, 30d, 4w, or a date', (text) => readExpiry(text))
    .action((name, options) => run(options, (context) => createToken(context, name ?? options.name, options)));
  clientCommand(tokens, 'revoke', 'end a token')
    .argument('<token>', 'id, unique beginning of one, or name')
    .option('-y, --yes', 'do not ask')
    .action((token, options) => run(options, (context) => revokeToken(context, token, options)));
};

const addUserCommands = (cli: Cli): void => {
  const run = runner(cli);
  const users = group(cli.program, 'users', 'the people of this installation');
  clientCommand(users, 'ls', 'list users').action((options) => run(options, listUsers));
  const creating = clientCommand(users, 'create', 'make a user; the password is typed unseen, or piped in')
    .argument('<username>', 'letters, digits, . _ @ + -')
    .option('--name <name>', 'as others see them')
    .option('--admin', 'an admin')
    .addOption(new Option('--role <role>', 'the same, as a role').choices(['admin', 'user']).hideHelp())
    .option('--no-password', 'they sign in by tokens only')
    .action((username, options) => run(options, (context) => createUser(context, username, options)));
  examples(creating, ['turnkeeper users create ada --name "Ada Lovelace"', 'pass show ada | turnkeeper users create ada']);
  const updating = clientCommand(users, 'update', 'change the role of a user, or the name; what is not named stays')
    .argument('<user>', userHelp)
    .option('--admin', 'an admin from now on')
    .option('--no-admin', 'an admin no more')
    .option('--name <name>', 'as others see them')
    .action((user, options) => run(options, (context) => updateUser(context, user, options)));
  examples(updating, ['turnkeeper users update ada --admin', 'turnkeeper users update ada --no-admin --name "Ada Lovelace"']);
  clientCommand(users, 'disable', 'shut a user out; nothing of theirs is deleted')
    .argument('<user>', userHelp)
    .option('-y, --yes', 'do not ask')
    .action((user, options) => run(options, (context) => setUserStatus(context, user, 'disabled', options.yes)));
  clientCommand(users, 'enable', 'let a user in again')
    .argument('<user>', userHelp)
    .action((user, options) => run(options, (context) => setUserStatus(context, user, 'active')));
  const setting = clientCommand(users, 'password', 'set a password; without a user, your own, below the present one')
    .argument('[user]', userHelp)
    .action((user, options) => run(options, (context) => setPassword(context, user)));
  examples(setting, [
    'turnkeeper users password',
    "printf 'present one\\nnew one\\n' | turnkeeper users password",
    'pass show ada | turnkeeper users password ada',
  ]);
};

const addSpaceCommands = (cli: Cli): void => {
  const run = runner(cli);
  const spaces = group(cli.program, 'spaces', 'shared lists of sessions and agents');
  clientCommand(spaces, 'ls', 'list spaces').action((options) => run(options, listSpaces));
  clientCommand(spaces, 'create', 'make a space')
    .argument('<id>', 'lower case letters, digits, . _ -')
    .option('--name <name>', 'as others see it')
    .action((id, options) => run(options, (context) => createSpace(context, id, options)));
  clientCommand(spaces, 'members', 'list the members of a space')
    .argument('<space>', 'id')
    .action((space, options) => run(options, (context) => listMembers(context, space)));
  clientCommand(spaces, 'add', 'add a member to a space, or change its role')
    .argument('<space>', 'id')
    .argument('<user>', userHelp)
    .option('--manager', 'who may change the space and its members')
    .addOption(new Option('--role <role>', 'the same, as a role').choices(['manager', 'member']).hideHelp())
    .action((space, user, { manager, ...options }) =>
      run(options, (context) => addMember(context, space, user, manager ? 'manager' : (options.role ?? 'member'))),
    );
  clientCommand(spaces, 'remove', 'take a member out of a space')
    .argument('<space>', 'id')
    .argument('<user>', 'username or id')
    .action((space, user, options) => run(options, (context) => removeMember(context, space, user)));
};
