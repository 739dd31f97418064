/** Teams, workflows, and what is done to their turns: `team`, `workflow`, `turn`. */

import type { Command } from 'commander';
import { createPrinter } from '../command-context.ts';
import { runTarget, saidIn } from '../commands/run-target.ts';
import { createTeam, listTeams, pickTeam, showTeam, updateTeam } from '../commands/teams.ts';
import { pauseTurn, rerunTurn } from '../commands/turns.ts';
import {
  createWorkflow,
  graphFile,
  graphWorkflow,
  isFile,
  listRevisions,
  listWorkflows,
  pickWorkflow,
  publishWorkflow,
  showWorkflow,
  updateWorkflow,
  validateFile,
  validateWorkflow,
} from '../commands/workflows.ts';
import { type Cli, clientCommand, examples, group, optionalSessionHelp, positive, runner, withCommon } from './cli.ts';

const workflowHelp = 'id, its unique beginning, or the name';
const fileHelp = 'the spec, as JSON or YAML';

const withRunOptions = (command: Command): Command =>
  command
    .option('--input <json>', 'what it is given, as JSON; @file reads a file')
    .option('--follow', 'tell its steps as they happen, and print what it comes to')
    .option('--title <text>', 'of the session')
    .option('--key <key>', 'idempotency key: the same call again gives the same turn')
    .option('--timeout <seconds>', 'with --follow: how long to wait; it goes on', positive);

const addTeams = (cli: Cli): void => {
  const run = runner(cli);
  const teams = group(cli.program, 'team', 'a leader, and members to whom it delegates');
  withCommon(teams.command('ls', { isDefault: true }).description('list teams: id, name, version, members')).action((options) => run(options, listTeams));
  clientCommand(teams, 'show', 'who is in a team, and what for')
    .argument('<team>', workflowHelp)
    .action((team, options) => run(options, (context) => showTeam(context, team)));
  const creating = clientCommand(teams, 'create', 'make a team from a file')
    .argument('<file>', 'JSON or YAML: name, leader, members')
    .action((file, options) => run(options, (context) => createTeam(context, file)));
  examples(creating, ['turnkeeper team create research.yaml']);
  clientCommand(teams, 'update', 'make a new version of a team from a file')
    .argument('<team>', workflowHelp)
    .argument('<file>', 'what changes of it, as JSON or YAML')
    .action((team, file, options) => run(options, (context) => updateTeam(context, team, file)));
  const running = withRunOptions(
    clientCommand(teams, 'run', 'give a team something to do').argument('<team>', workflowHelp).argument('[text]', 'what to do'),
  ).action((team, text, options) =>
    run(options, async (context) =>
      runTarget(context, { type: 'team', id: (await pickTeam(context.client, team)).id }, await saidIn(context, text, options), options),
    ),
  );
  examples(running, ['turnkeeper team run research "Compare the two offers." --follow']);
};

const addDefinitions = (cli: Cli, workflows: Command): void => {
  const { io, done } = cli;
  const run = runner(cli);
  withCommon(workflows.command('ls', { isDefault: true }).description('list workflows: id, name, draft, revision')).action((options) =>
    run(options, listWorkflows),
  );
  clientCommand(workflows, 'show', 'print the draft of a workflow as JSON')
    .argument('<workflow>', workflowHelp)
    .action((workflow, options) => run(options, (context) => showWorkflow(context, workflow)));
  clientCommand(workflows, 'revisions', 'list what was published of one, the newest first')
    .argument('<workflow>', workflowHelp)
    .action((workflow, options) => run(options, (context) => listRevisions(context, workflow)));
  const validating = clientCommand(workflows, 'validate', 'name every fault of a file or a draft, with its place (exit code 1 if there is any)')
    .argument('<file>', `${fileHelp}; or a workflow: its draft`)
    .option('--offline', 'ask no server: whether what it names is there is not looked at')
    .action(async (file, options) => {
      if (options.offline) return done(await validateFile(createPrinter(io, options), file, async () => []));
      return run(options, (context) => validateWorkflow(context, file));
    });
  examples(validating, ['turnkeeper workflow validate order.yaml --offline']);
  clientCommand(workflows, 'create', 'make a workflow from a file, as a draft')
    .argument('<file>', fileHelp)
    .option('--name <name>', 'what it is called; without it the name in the file, or of the file')
    .option('--space <id>', 'where it belongs')
    .action((file, options) => run(options, (context) => createWorkflow(context, file, options)));
  clientCommand(workflows, 'update', 'change the draft of a workflow')
    .argument('<workflow>', workflowHelp)
    .argument('<file>', fileHelp)
    .action((workflow, file, options) => run(options, (context) => updateWorkflow(context, workflow, file)));
  const publishing = clientCommand(workflows, 'publish', 'make a revision of a draft; a file is stored first')
    .argument('<workflow>', `${workflowHelp}; or a file`)
    .option('--name <name>', 'of a file: what it is called; the draft of that name is changed')
    .option('--space <id>', 'of a file: where it belongs')
    .action((workflow, options) => run(options, (context) => publishWorkflow(context, workflow, options)));
  examples(publishing, ['turnkeeper workflow publish order.yaml', 'turnkeeper workflow publish order']);
  const drawing = clientCommand(workflows, 'graph', 'print a workflow as a flowchart of Mermaid')
    .argument('<workflow>', `${workflowHelp}; or a file, for which no server is asked`)
    .option('--revision <revision>', 'number or id; without it the draft')
    .action(async (workflow, options) => {
      const printer = createPrinter(io, options);
      if (isFile(printer, workflow)) return done(await graphFile(printer, workflow));
      return run(options, (context) => graphWorkflow(context, workflow, options));
    });
  examples(drawing, ['turnkeeper workflow graph order.yaml > order.mmd']);
};

export const addWorkflowCommands = (cli: Cli): void => {
  const run = runner(cli);
  addTeams(cli);
  const workflows = group(cli.program, 'workflow', 'graphs of steps: drafts, revisions, runs');
  addDefinitions(cli, workflows);
  const running = withRunOptions(
    clientCommand(workflows, 'run', 'run what was published of a workflow')
      .argument('<workflow>', workflowHelp)
      .option('--revision <id>', 'another one than the newest'),
  ).action((workflow, options) =>
    run(options, async (context) => {
      const { id } = await pickWorkflow(context.client, workflow);
      const revision = options.revision === undefined ? {} : { revisionId: (await context.client.workflows.revision(id, options.revision)).revision.id };
      return runTarget(context, { type: 'workflow', id, ...revision }, await saidIn(context, undefined, options), options);
    }),
  );
  examples(running, ['turnkeeper workflow run order --input \'{"order": 4711}\' --follow', 'turnkeeper workflow run order --input @order.json']);
  const turns = group(cli.program, 'turn', 'what is done to turns');
  clientCommand(turns, 'pause', 'begin nothing new of a workflow’s turn until it is resumed')
    .argument('[session]', optionalSessionHelp)
    .argument('[turn]', 'id of the turn; without it the one that runs')
    .action((session, turn, options) => run(options, (context) => pauseTurn(context, session, turn)));
  clientCommand(turns, 'rerun', 'ask again what a turn was asked, as a new turn')
    .argument('[session]', optionalSessionHelp)
    .argument('[turn]', 'id of the turn; without it the last one')
    .option('--key <key>', 'idempotency key: the same call again gives the same turn')
    .action((session, turn, options) => run(options, (context) => rerunTurn(context, session, turn, options)));
};
