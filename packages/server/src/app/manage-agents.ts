/**
 * Use cases: agents and their immutable versions.
 *
 * A3 Agents are everyone's to use and to read; only admins make and change them.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AgentDefinition, AgentResource, CreateAgentRequest } from '@turnkeeper/core/protocol/wire/agents';
import type { AgentRow, AgentVersion } from '../ports/catalog.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';

export type AgentAnswer = { readonly agent: AgentResource; readonly definition: AgentDefinition };

const agentResource = ({ key, ...row }: AgentRow): AgentResource => ({ ...row, agentKey: key });
const answer = (row: AgentRow, version: AgentVersion): AgentAnswer => ({
  agent: agentResource(row),
  definition: version.definition as unknown as AgentDefinition,
});
const noSuchAgent = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such agent.');

/** Refuses what can never work: a built-in tool that does not exist. */
const checkDefinition = (app: App, definition: AgentDefinition): void => {
  const known = app.tools.builtinNames();
  const errors = definition.tools.flatMap((tool, index) =>
    tool.type === 'builtin' && !known.includes(tool.name)
      ? [{ pointer: `/definition/tools/${index}/name`, detail: `no built-in tool "${tool.name}"; there are: ${known.join(', ')}` }]
      : [],
  );
  if (errors.length > 0) throw new TurnkeeperError('validation_failed', errors.map((error) => error.detail).join('; '), { errors });
};

/** An agent that anyone could change would speak, and call tools, in the sessions of all who use it. */
const requireAdmin = (caller: Caller): void => {
  if (!caller.admin) throw new TurnkeeperError('forbidden', 'Only admins may make and change agents.');
};

export const createAgent = async (app: App, caller: Caller, body: CreateAgentRequest): Promise<AgentAnswer> => {
  requireAdmin(caller);
  checkDefinition(app, body.definition);
  const at = app.clock.now();
  const row: AgentRow = {
    id: app.ids.next('agent'),
    key: body.agentKey,
    displayName: body.displayName,
    description: body.description,
    space: body.space ?? 'default',
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const version: AgentVersion = { agentId: row.id, version: 1, definition: body.definition as unknown as JsonObject, createdAt: at, createdBy: caller.id };
  if ((await app.catalog.createAgent(row, version)) === 'already_exists')
    throw new TurnkeeperError('already_exists', `There is an agent with the key "${body.agentKey}" already.`);
  return answer(row, version);
};

const find = async (app: App, idOrKey: string): Promise<AgentRow> => {
  const row = await app.catalog.agent(idOrKey);
  if (!row) throw noSuchAgent();
  return row;
};

export const readAgent = async (app: App, idOrKey: string): Promise<AgentAnswer> => {
  const row = await find(app, idOrKey);
  const found = await app.catalog.agentVersion(row.id, row.version);
  if (!found) throw noSuchAgent();
  return answer(row, found);
};

export const listAgents = async (
  app: App,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ readonly items: readonly AgentResource[]; readonly next_offset: number | null }> => {
  const rows = await app.catalog.agents({ offset: page.offset, limit: page.limit + 1 });
  return { items: rows.slice(0, page.limit).map(agentResource), next_offset: rows.length > page.limit ? page.offset + page.limit : null };
};

/** A new version on top of the one that was read; a stale `version` is refused. */
export const changeDefinition = async (app: App, caller: Caller, idOrKey: string, version: number, definition: AgentDefinition): Promise<AgentAnswer> => {
  requireAdmin(caller);
  checkDefinition(app, definition);
  const row = await find(app, idOrKey);
  const next: AgentVersion = {
    agentId: row.id,
    version: version + 1,
    definition: definition as unknown as JsonObject,
    createdAt: app.clock.now(),
    createdBy: caller.id,
  };
  switch (await app.catalog.addAgentVersion(next)) {
    case 'added':
      return readAgent(app, row.id);
    case 'version_conflict':
      throw new TurnkeeperError('version_conflict', `The agent is at version ${row.version}, not ${version}. Read it again and repeat the change.`, {
        version: row.version,
      });
    case 'not_found':
      throw noSuchAgent();
  }
};

const versionAnswer = (version: AgentVersion) => ({
  version: version.version,
  definition: version.definition as unknown as AgentDefinition,
  createdAt: version.createdAt,
  createdBy: version.createdBy,
});

export const readAgentVersion = async (app: App, idOrKey: string, version: number) => {
  const row = await find(app, idOrKey);
  const found = await app.catalog.agentVersion(row.id, version);
  if (!found) throw noSuchAgent();
  return versionAnswer(found);
};

export const listAgentVersions = async (app: App, idOrKey: string) => {
  const row = await find(app, idOrKey);
  const versions = await app.catalog.agentVersions(row.id);
  return { items: versions.map(versionAnswer), next_offset: null };
};
