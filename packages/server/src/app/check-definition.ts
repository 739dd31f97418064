/** What of an agent's definition can never work, whatever its schema says: found when it is made, not when it is used. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { type Fault, pointerOf } from '@turnkeeper/core/protocol/wire-faults';
import { roleAsked } from '@turnkeeper/core/session/standing';
import { unknownUsers } from './administration.ts';
import type { App } from './app.ts';

const builtinFaults = (app: App, { tools }: AgentDefinition): readonly Fault[] => {
  const known = app.tools.builtinNames();
  return tools.flatMap((tool, index) =>
    tool.type === 'builtin' && !known.includes(tool.name)
      ? [{ pointer: `/tools/${index}/name`, detail: `no built-in tool "${tool.name}"; there are: ${known.join(', ')}` }]
      : [],
  );
};

/** A provider that is off may be switched on later; of one that is there, a model that it cannot have is a slip. */
const modelFault = ({ models }: App, pointer: string, model: string): readonly Fault[] => {
  const offered = models.list().filter((name) => name.startsWith(model.slice(0, model.indexOf(':') + 1)));
  if (offered.length === 0 || models.has(model)) return [];
  return [{ pointer, detail: `there is no model "${model}"; there are: ${offered.join(', ')}` }];
};

const modelFaults = (app: App, { model, models = [] }: AgentDefinition): readonly Fault[] => [
  ...modelFault(app, '/model', model),
  ...models.flatMap((name, index) => (name === '*' ? [] : modelFault(app, `/models/${index}`, name))),
];

type Asking = { readonly approver?: string | readonly string[] | undefined; readonly approverRef?: string | readonly string[] | undefined };

/** Everybody whom the definition names as an approver, with where. */
const namedApprovers = ({ tools, mcpServers = [] }: AgentDefinition): readonly { readonly pointer: string; readonly id: string }[] => {
  const listed = (base: readonly PropertyKey[], ids: unknown) =>
    Array.isArray(ids) ? ids.map((id: string, index) => ({ pointer: pointerOf([...base, index]), id })) : [];
  const of = (base: readonly PropertyKey[], { approver, approverRef }: Asking) => [
    ...listed([...base, 'approver'], approver),
    ...listed([...base, 'approverRef'], approverRef),
    ...(typeof approverRef === 'string' && roleAsked(approverRef) === undefined ? [{ pointer: pointerOf([...base, 'approverRef']), id: approverRef }] : []),
  ];
  return [
    ...tools.flatMap((tool, index) => of(['tools', index], tool)),
    ...mcpServers.flatMap((server, index) => [
      ...of(['mcpServers', index], server),
      ...Object.entries(server.tools ?? {}).flatMap(([name, tool]) => of(['mcpServers', index, 'tools', name], tool)),
    ]),
  ];
};

/** Whoever is not there cannot answer: the turn would wait for ever. */
const approverFaults = async (app: App, definition: AgentDefinition): Promise<readonly Fault[]> => {
  const named = namedApprovers(definition);
  const unknown = await unknownUsers(
    app,
    named.map(({ id }) => id),
  );
  return named.filter(({ id }) => unknown.has(id)).map(({ pointer, id }) => ({ pointer, detail: `there is no user ${id}` }));
};

/** By id or key. Whoever makes agents sees all of them (FA3). */
const subagentFaults = async (app: App, { subagents = [] }: AgentDefinition): Promise<readonly Fault[]> => {
  const known = new Set((await app.catalog.agentsNamed(subagents.map(({ agentId }) => agentId))).flatMap(({ id, key }) => [id, key]));
  return subagents.flatMap(({ agentId }, index) =>
    known.has(agentId) ? [] : [{ pointer: `/subagents/${index}/agentId`, detail: `there is no agent ${agentId}` }],
  );
};

/** Throws `validation_failed` with every fault, by its place in the request. */
export const checkDefinition = async (app: App, definition: AgentDefinition): Promise<void> => {
  const faults = [
    ...modelFaults(app, definition),
    ...builtinFaults(app, definition),
    ...(await app.tools.faults(definition)),
    ...(await approverFaults(app, definition)),
    ...(await subagentFaults(app, definition)),
  ];
  const errors = faults.map(({ pointer, detail }) => ({ pointer: `/definition${pointer}`, detail }));
  if (errors.length > 0) throw new TurnkeeperError('validation_failed', errors.map(({ detail }) => detail).join('; '), { errors });
};
