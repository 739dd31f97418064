/** `turnkeeper team`: a leader and its members, made of files. */
import type { NewTeam, TeamChange } from '@turnkeeper/client/calls/teams';
import type { Client } from '@turnkeeper/client/create-client';
import type { TeamResource } from '@turnkeeper/core/protocol/wire/teams';
import type { CommandContext } from '../command-context.ts';
import { everyItem } from '../every-page.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { printList } from '../output/print-list.ts';
import { oneLine } from '../output/printable.ts';
import { tableLines } from '../output/table.ts';
import { pickOne } from '../pick-one.ts';
import { programName } from '../program-name.ts';
import { nameOfFile, specIn } from '../spec-file.ts';

/** By id, its beginning, or the name. */
export const pickTeam = async ({ teams }: Client, ref: string): Promise<TeamResource> =>
  pickOne(await everyItem(teams.list), ref, { what: 'team', id: ({ id }) => id, name: ({ name }) => name, list: 'turnkeeper team ls' });

export const listTeams = async (context: CommandContext): Promise<ExitCode> => {
  printList(context, await everyItem(context.client.teams.list), {
    none: `No teams. Make one with: ${programName} team create <file>`,
    row: ({ id, name, version, members }) => [id, oneLine(name, 40), `version ${version}`, members.map((member) => member.name).join(', ')],
  });
  return exitCodes.completed;
};

export const showTeam = async ({ client, json, print, printJson, style }: CommandContext, ref: string): Promise<ExitCode> => {
  const team = await pickTeam(client, ref);
  if (json) {
    printJson({ team });
    return exitCodes.completed;
  }
  print(style.bold(`${oneLine(team.name, 60)}  ${style.dim(`${team.id}, version ${team.version}`)}`));
  if (team.description) print(`  ${oneLine(team.description, 200)}`);
  const rows = [['leader', team.leader.agentId, ''], ...team.members.map(({ name, agentId, role }) => [name, agentId, oneLine(role, 80)])];
  for (const line of tableLines(rows)) print(`  ${line}`);
  return exitCodes.completed;
};

export const createTeam = async (context: CommandContext, path: string): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const { value } = await specIn(context.io, path);
  if (value['leader'] === undefined || value['members'] === undefined)
    throw new UsageError(`${path} must say {"name", "leader": {"agentId"}, "members": […]}.`);
  // What else is wrong with it the server says, member by member.
  const { team } = await client.teams.create({ name: nameOfFile(path), ...value } as unknown as NewTeam);
  if (json) printJson({ team });
  else print(`made ${team.id} (${oneLine(team.name, 60)})`);
  return exitCodes.completed;
};

export const updateTeam = async (context: CommandContext, ref: string, path: string): Promise<ExitCode> => {
  const { client, json, print, printJson } = context;
  const { id, version } = await pickTeam(client, ref);
  const { value } = await specIn(context.io, path);
  const { team } = await client.teams.patch(id, { ...value, version } as unknown as TeamChange);
  if (json) printJson({ team });
  else print(`changed ${team.id} (${oneLine(team.name, 60)}), version ${team.version}`);
  return exitCodes.completed;
};
