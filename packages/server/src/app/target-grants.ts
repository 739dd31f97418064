/**
 * Which targets a caller sees, and which of them a key may be used for.
 *
 * TG1 A key reaches nothing that whoever made it did not: it is granted what that person sees, by id, and `*` covers the
 *     targets of its type in the space `default` only, and sessions with them. A rotated key is the exception that is none: it takes over
 *     what the application was granted, and gives whoever rotates it nothing that the first key did not.
 * TG2 For a target that a key has no grant for the answer is the same whether there is one or not.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { TargetGrant } from '@turnkeeper/core/protocol/wire/identity';
import type { AgentRow } from '../ports/catalog.ts';
import type { TeamRow, WorkflowRow } from '../ports/catalog-targets.ts';
import { grantRefusal } from './access.ts';
import type { App } from './app.ts';
import type { ApplicationCaller, Caller, UserCaller } from './caller.ts';
import { thrown } from './run-job.ts';
import { belongsTo, defaultSpace } from './spaces.ts';

export type TargetType = 'agent' | 'team' | 'workflow';
type Standing = { readonly id: string; readonly space: string };

const grantedIds = ({ targets }: ApplicationCaller, of: TargetType): ReadonlySet<string> =>
  new Set(targets.filter(({ type }) => type === of).map(({ id }) => id));

const keySees = (caller: ApplicationCaller, type: TargetType, { id, space }: Standing): boolean => {
  const ids = grantedIds(caller, type);
  return ids.has(id) || (ids.has('*') && space === defaultSpace);
};

/** Whether the target is there for this caller: of a space that it belongs to, or granted to the key. */
export const seesTarget = (caller: Caller, type: TargetType, row: Standing): boolean =>
  caller.type === 'application' ? keySees(caller, type, row) : belongsTo(caller, row.space);

export const seesAgent = (caller: Caller, agent: Standing): boolean => seesTarget(caller, 'agent', agent);

/** Which targets of a type a list for this caller is made of. */
export const visibleTargets = (caller: Caller, type: TargetType): { readonly spaces?: readonly string[]; readonly ids?: readonly string[] } => {
  if (caller.type === 'client') return { ids: [] };
  if (caller.type === 'minitool') return { spaces: [defaultSpace] };
  if (caller.type === 'user') return caller.admin ? {} : { spaces: [defaultSpace, ...caller.spaces.keys()] };
  const ids = grantedIds(caller, type);
  return ids.has('*') ? { spaces: [defaultSpace] } : { ids: [...ids] };
};

export const visibleAgents = (caller: Caller) => visibleTargets(caller, 'agent');

type Target = { readonly type: TargetType; readonly id: string };
export type FoundTarget =
  | { readonly type: 'agent'; readonly row: AgentRow }
  | { readonly type: 'team'; readonly row: TeamRow }
  | { readonly type: 'workflow'; readonly row: WorkflowRow };

const targetThere = async ({ catalog }: App, { type, id }: Target): Promise<FoundTarget | undefined> => {
  switch (type) {
    case 'agent': {
      const row = await catalog.agent(id);
      return row && { type, row };
    }
    case 'team': {
      const row = await catalog.team(id);
      return row && { type, row };
    }
    case 'workflow': {
      const row = await catalog.workflow(id);
      return row && { type, row };
    }
  }
};

/** A target by its id (an agent by its key, too), if this caller sees it. A key that does not is refused by `target_not_granted` (TG2). */
export const findTarget = async (app: App, caller: Caller, target: Target): Promise<FoundTarget | undefined> => {
  const found = await targetThere(app, target);
  if (found && seesTarget(caller, found.type, found.row)) return found;
  // As if it stood where `*` reaches: whoever may use all that is there learns that it is not.
  const refusal = caller.type === 'application' ? grantRefusal(caller, { ...target, space: defaultSpace }) : undefined;
  if (refusal) throw thrown(refusal);
  return undefined;
};

export const findAgent = async (app: App, caller: Caller, target: { readonly type: 'agent'; readonly id: string }): Promise<AgentRow | undefined> => {
  const found = await findTarget(app, caller, target);
  return found?.type === 'agent' ? found.row : undefined;
};

const fault = (index: number, detail: string) => ({ pointer: `/targets/${index}/id`, detail });

const namesOf = (targets: readonly TargetGrant[], of: TargetType): readonly string[] =>
  targets.flatMap(({ type, id }) => (type === of && id !== '*' ? [id] : []));

type ById = ReadonlyMap<string, string>;

const agentIds = async ({ catalog }: App, caller: UserCaller, names: readonly string[]): Promise<ById> => {
  const agents = (await catalog.agentsNamed(names)).filter((agent) => seesAgent(caller, agent));
  // An id goes before a key that is spelt like it.
  return new Map([...agents.map((agent) => [agent.key, agent.id] as const), ...agents.map(({ id }) => [id, id] as const)]);
};

type Read = (query: { readonly ids: readonly string[]; readonly offset: number; readonly limit: number }) => Promise<readonly Standing[]>;

const idsSeen = async (caller: UserCaller, type: TargetType, ids: readonly string[], read: Read): Promise<ById> => {
  const rows = await read({ ids, offset: 0, limit: ids.length });
  return new Map(rows.filter((row) => seesTarget(caller, type, row)).map(({ id }) => [id, id] as const));
};

/** The grants as they are kept: by id. Throws `validation_failed`, naming those that this caller cannot grant. */
export const resolveGrants = async (app: App, caller: UserCaller, targets: readonly TargetGrant[]): Promise<readonly TargetGrant[]> => {
  const known = {
    agent: await agentIds(app, caller, namesOf(targets, 'agent')),
    team: await idsSeen(caller, 'team', namesOf(targets, 'team'), (query) => app.catalog.teams(query)),
    workflow: await idsSeen(caller, 'workflow', namesOf(targets, 'workflow'), (query) => app.catalog.workflows(query)),
  };
  const resolved = targets.map(({ type, id }, index): TargetGrant | ReturnType<typeof fault> => {
    if (id === '*') return { type, id };
    const found = known[type].get(id);
    return found === undefined ? fault(index, `there is no ${type} ${id}`) : { type, id: found };
  });
  const errors = resolved.filter((entry) => 'pointer' in entry);
  if (errors.length > 0) throw new TurnkeeperError('validation_failed', errors.map(({ detail }) => detail).join('; '), { errors });
  const grants = resolved.filter((entry) => 'type' in entry);
  return [...new Map(grants.map((grant) => [`${grant.type} ${grant.id}`, grant])).values()];
};
