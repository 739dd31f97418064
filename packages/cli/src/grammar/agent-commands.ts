/** Agents and their definitions: `agents`. */
import { createAgent, listAgents, showAgent, updateAgent } from '../commands/agents.ts';
import { type Cli, clientCommand, examples, group, runner, withCommon } from './cli.ts';

export const addAgentCommands = (cli: Cli): void => {
  const run = runner(cli);
  const agents = group(cli.program, 'agents', 'agents and their definitions');
  withCommon(agents.command('ls', { isDefault: true }).description('list agents: key, name, version, model')).action((options) => run(options, listAgents));
  clientCommand(agents, 'show', 'print the definition of an agent as JSON')
    .argument('<agent>', 'key or id')
    .action((agent, options) => run(options, (context) => showAgent(context, agent)));
  const creating = clientCommand(agents, 'create', 'make an agent from a file')
    .argument('<file>', 'JSON or YAML: agentKey, displayName, definition')
    .action((file, options) => run(options, (context) => createAgent(context, file)));
  examples(creating, ['turnkeeper agents create guide.yaml']);
  const updating = clientCommand(agents, 'update', 'make a new version of an agent from a file')
    .argument('<agent>', 'key or id')
    .argument('<file>', 'its whole definition, as JSON or YAML')
    .action((agent, file, options) => run(options, (context) => updateAgent(context, agent, file)));
  examples(updating, ['turnkeeper agents show guide > guide.json', 'turnkeeper agents update guide guide.json']);
};
