/** `turnkeeper agents`: the agents there are, their definitions, and new versions of them from files. */
import type { AgentAnswer, NewAgent } from '@turnkeeper/client/calls/agents';
import type { Client } from '@turnkeeper/client/create-client';
import type { CommandContext } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { oneLine, printable } from '../output/printable.ts';
import { programName } from '../program-name.ts';
import { specIn } from '../spec-file.ts';

const hasCode = (error: unknown, code: string): boolean => (error as { readonly code?: unknown }).code === code;

/** The list does not say the models: so many definitions are read at once. */
const readAtOnce = 8;

const withModels = async ({ agents }: Client): Promise<readonly (AgentAnswer['agent'] & { readonly model: string })[]> => {
  const all = await everyItem(agents.list);
  const found = [];
  for (let at = 0; at < all.length; at += readAtOnce) {
    const answers = await Promise.all(all.slice(at, at + readAtOnce).map(({ id }) => agents.get(id)));
    found.push(...answers.map(({ agent, definition }) => ({ ...agent, model: definition.model })));
  }
  return found;
};

export const listAgents = async (context: CommandContext): Promise<ExitCode> => {
  printList(context, await withModels(context.client), {
    none: `No agents. Make one with: ${programName} agents create <file>`,
    row: ({ agentKey, displayName, version, model }) => [agentKey, oneLine(displayName, 40), `version ${version}`, oneLine(model, 60)],
  });
  return exitCodes.completed;
};

/** At most so many are named in an error. */
const mostNamed = 8;

/** The error of a call that named an agent, in words that say which there are. */
export const explainAgent = async (client: Client, ref: string, error: unknown): Promise<unknown> => {
  if (!hasCode(error, 'not_found')) return error;
  const { items } = await client.agents.list({ limit: mostNamed }).catch(() => ({ items: [] }));
  const names = items.length === 0 ? '' : ` There are: ${items.map(({ agentKey }) => agentKey).join(', ')}.`;
  return new UsageError(`There is no agent "${ref}".${names} List them with: ${programName} agents ls`);
};

/** By its id or key; the error names those that there are. */
export const agentOf = (client: Client, ref: string): Promise<AgentAnswer> =>
  client.agents.get(ref).catch(async (error: unknown) => {
    throw await explainAgent(client, ref, error);
  });

const noteWarnings = ({ note }: CommandContext, { warnings = [] }: AgentAnswer): void => {
  for (const { message } of warnings) note(printable(message));
};

export const showAgent = async (context: CommandContext, ref: string): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const answer = await agentOf(client, ref);
  if (json) printJson(answer);
  else print(printable(JSON.stringify(answer.definition, null, 2)));
  noteWarnings(context, answer);
  return exitCodes.completed;
};

const printMade = (context: CommandContext, answer: AgentAnswer, done: string): ExitCode => {
  const { json, print, printJson } = context;
  if (json) printJson(answer);
  else print(`${done} ${answer.agent.agentKey}, version ${answer.agent.version}`);
  noteWarnings(context, answer);
  return exitCodes.completed;
};

export const createAgent = async (context: CommandContext, path: string): Promise<ExitCode> => {
  const agent = (await specIn(context.io, path)).value;
  if (agent.agentKey === undefined || agent.definition === undefined)
    throw new UsageError(`${path} must say {"agentKey", "displayName", "definition": {"system", "model", …}}.`);
  // What else is wrong with it the server says, member by member.
  return printMade(context, await context.client.agents.create(agent as unknown as NewAgent), 'made');
};

/** The file is a definition, as `agents show` prints it, or has one as `definition`. */
export const updateAgent = async (context: CommandContext, ref: string, path: string): Promise<ExitCode> => {
  const { definition, ...rest } = (await specIn(context.io, path)).value;
  const { agent } = await agentOf(context.client, ref);
  const next = (definition ?? rest) as unknown as NewAgent['definition'];
  return printMade(context, await context.client.agents.patchDefinition(agent.id, { version: agent.version, definition: next }), 'updated');
};
