/** The command line's grammar, put together. Commands and flags stand in grammar/, what they do in commands/. */
import { Command } from 'commander';
import type { ExitCode } from './exit-codes.ts';
import { addAccountCommands } from './grammar/account-commands.ts';
import { addActionCommands } from './grammar/action-commands.ts';
import { addAdministrationCommands } from './grammar/administration-commands.ts';
import { addAgentCommands } from './grammar/agent-commands.ts';
import { addApplicationCommands } from './grammar/application-commands.ts';
import { addContextCommands } from './grammar/context-commands.ts';
import { addFileCommands } from './grammar/file-commands.ts';
import { addMinitoolCommands } from './grammar/minitool-commands.ts';
import { addScheduleCommands } from './grammar/schedule-commands.ts';
import { addSessionCommands } from './grammar/session-commands.ts';
import { addStoreCommands } from './grammar/store-commands.ts';
import { addTalkCommands } from './grammar/talk-commands.ts';
import { addWebhookCommands } from './grammar/webhook-commands.ts';
import { addWorkflowCommands } from './grammar/workflow-commands.ts';
import type { Io } from './io.ts';
import { release } from './release.ts';

const closingWords = `
The server: --url or TURNKEEPER_URL, else the one that runs on the data folder, else the one signed in to last.
The credential: TURNKEEPER_TOKEN or TURNKEEPER_API_KEY, else that of "turnkeeper login", else the local server's own.
Exit codes: 0 completed, 1 failed, 2 usage, 3 still running, 4 waiting for an answer, 5 queue full, 6 auth, 130 detached.`;

/** `done` is told the exit code of the command that ran. */
export const createProgram = (io: Io, done: (code: ExitCode) => void): Command => {
  const program = new Command('turnkeeper')
    .description('Durable agent sessions: a server, and a client for the terminal.')
    .version(release(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .showHelpAfterError('(add --help for what there is)')
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .exitOverride()
    .addHelpText('after', closingWords);
  const cli = { io, program, done };
  addTalkCommands(cli);
  addSessionCommands(cli);
  addContextCommands(cli);
  addFileCommands(cli);
  addActionCommands(cli);
  addAccountCommands(cli);
  addAgentCommands(cli);
  addWorkflowCommands(cli);
  addApplicationCommands(cli);
  addWebhookCommands(cli);
  addScheduleCommands(cli);
  addMinitoolCommands(cli);
  addAdministrationCommands(cli);
  addStoreCommands(cli);
  return program;
};
