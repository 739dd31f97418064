/**
 * Use cases: agents and their immutable versions.
 *
 * A3 Only admins make and change agents. Those of the space `default` are everyone's to use and to read; those of another
 *    space are there for its members and for admins, and for a key those that it is granted.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AgentDefinition, AgentResource, AgentWarning, CreateAgentRequest } from '@turnkeeper/core/protocol/wire/agents';
import type { AgentRow, AgentVersion } from '../ports/catalog.ts';
import { scopeRefusal } from './access.ts';
import { allOf, type Items, pageOf, requireAdmin } from './administration.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import type { Caller } from './caller.ts';
import { checkDefinition } from './check-definition.ts';
import { thrown } from './run-job.ts';
import { shownDefinition } from './shown-definition.ts';
import { placeIn } from './spaces.ts';
import { seesAgent, visibleAgents } from './target-grants.ts';

export type AgentAnswer = { readonly agent: AgentResource; readonly definition: AgentDefinition; readonly warnings?: readonly AgentWarning[] };

const agentResource = ({ key, ...row }: AgentRow): AgentResource => ({ ...row, agentKey: key });
const definitionOf = ({ definition }: AgentVersion, caller: Caller): AgentDefinition => shownDefinition(caller, definition as unknown as AgentDefinition);
/** A provider may be switched on later, so that its models are accepted; whoever makes or reads the agent hears that it is off. */
const warningsOf = (app: App, { model }: AgentDefinition): Pick<AgentAnswer, 'warnings'> => {
  if (app.models.has(model)) return {};
  const message = `This server has no model "${model}" now: turns of this agent fail until its provider is configured.`;
  return { warnings: [{ code: 'model_not_configured', message }] };
};
const answer = (app: App, row: AgentRow, version: AgentVersion, caller: Caller): AgentAnswer => {
  const definition = definitionOf(version, caller);
  return { agent: agentResource(row), definition, ...warningsOf(app, definition) };
};
const noSuchAgent = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such agent.');

/** An agent that anyone could change would speak, and call tools, in the sessions of all who use it. */
const what = 'make and change agents';

/** Throws `forbidden`, `validation_failed`, `already_exists`, `not_found` (the space). `by`: whose act it is in the audit log. */
export const createAgent = async (app: App, caller: Caller, body: CreateAgentRequest, by: Caller | 'system' = caller): Promise<AgentAnswer> => {
  const admin = requireAdmin(caller, what);
  await checkDefinition(app, body.definition);
  const at = app.clock.now();
  const row: AgentRow = {
    id: app.ids.next('agent'),
    key: body.agentKey,
    displayName: body.displayName,
    description: body.description,
    space: await placeIn(app, caller, body.space),
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const version: AgentVersion = { agentId: row.id, version: 1, definition: body.definition as unknown as JsonObject, createdAt: at, createdBy: admin.id };
  const entry = auditOf(app, by, { action: 'agent.created', subject: `agent:${row.id}`, details: { key: row.key } });
  if ((await app.catalog.createAgent(row, version, entry)) === 'already_exists')
    throw new TurnkeeperError('already_exists', `There is an agent with the key "${body.agentKey}" already.`);
  return answer(app, row, version, caller);
};

/** A key reads what there is to use with the scope for it. Throws `scope_missing`. */
export const requireRead = (caller: Caller): void => {
  const refusal = caller.type === 'application' ? scopeRefusal(caller, 'read') : undefined;
  if (refusal) throw thrown(refusal);
};

/** Throws `not_found` for one that the caller does not see, too. */
const find = async (app: App, caller: Caller, idOrKey: string): Promise<AgentRow> => {
  requireRead(caller);
  const row = await app.catalog.agent(idOrKey);
  if (!row || !seesAgent(caller, row)) throw noSuchAgent();
  return row;
};

export const readAgent = async (app: App, caller: Caller, idOrKey: string): Promise<AgentAnswer> => {
  const row = await find(app, caller, idOrKey);
  const found = await app.catalog.agentVersion(row.id, row.version);
  if (!found) throw noSuchAgent();
  return answer(app, row, found, caller);
};

export const listAgents = async (app: App, caller: Caller, page: { readonly offset: number; readonly limit: number }): Promise<Items<AgentResource>> => {
  requireRead(caller);
  const rows = await app.catalog.agents({ offset: page.offset, limit: page.limit + 1, ...visibleAgents(caller) });
  return pageOf(rows, page, agentResource);
};

/** A new version on top of the one that was read; a stale `version` is refused. */
export const changeDefinition = async (app: App, caller: Caller, idOrKey: string, version: number, definition: AgentDefinition): Promise<AgentAnswer> => {
  const admin = requireAdmin(caller, what);
  await checkDefinition(app, definition);
  const row = await find(app, caller, idOrKey);
  const next: AgentVersion = {
    agentId: row.id,
    version: version + 1,
    definition: definition as unknown as JsonObject,
    createdAt: app.clock.now(),
    createdBy: admin.id,
  };
  const entry = auditOf(app, admin, { action: 'agent.changed', subject: `agent:${row.id}`, details: { key: row.key, version: next.version } });
  switch (await app.catalog.addAgentVersion(next, entry)) {
    case 'added':
      return readAgent(app, caller, row.id);
    case 'version_conflict':
      throw new TurnkeeperError('version_conflict', `The agent is at version ${row.version}, not ${version}. Read it again and repeat the change.`, {
        version: row.version,
      });
    case 'not_found':
      throw noSuchAgent();
  }
};

const versionAnswer = (version: AgentVersion, caller: Caller) => ({
  version: version.version,
  definition: definitionOf(version, caller),
  createdAt: version.createdAt,
  createdBy: version.createdBy,
});

export const readAgentVersion = async (app: App, caller: Caller, idOrKey: string, version: number) => {
  const row = await find(app, caller, idOrKey);
  const found = await app.catalog.agentVersion(row.id, version);
  if (!found) throw noSuchAgent();
  return versionAnswer(found, caller);
};

export const listAgentVersions = async (app: App, caller: Caller, idOrKey: string) => {
  const row = await find(app, caller, idOrKey);
  return allOf((await app.catalog.agentVersions(row.id)).map((version) => versionAnswer(version, caller)));
};
