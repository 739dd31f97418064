/**
 * The model of one session, where it is to be another than its agent's own.
 *
 * CH1 Whoever may start a session with an agent chooses among the models that its definition allows (`models`): without any it
 *     has its own alone. An admin, who could change that, chooses among all that the server has.
 * CH2 What is chosen stands in the definition that the session is frozen with, in place of the agent's own, and nowhere else: prices,
 *     limits and usage are of the model that is called; subagents keep theirs; no agent is made or changed.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import { faultAt } from './administration.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import type { FrozenTarget } from './frozen-config.ts';

const pointer = '/model';

/** `*` stands for those that are listed, and not for whatever name a provider may know. */
const isAllowed = ({ models }: App, { models: allowed = [] }: AgentDefinition, model: string): boolean =>
  allowed.includes(model) || (allowed.includes('*') && models.list().includes(model));

const refuseUnallowed = ({ definition }: FrozenTarget): TurnkeeperError => {
  const others = (definition.models ?? []).filter((name) => name !== '*');
  const more = definition.models?.includes('*') ? [...others, 'those that are listed (GET /api/v1/models)'] : others;
  const which = more.length === 0 ? 'its own model only' : `its own model, and ${more.join(', ')}`;
  return new TurnkeeperError('forbidden', `Sessions with this agent are made on ${which}: an admin can allow others in its definition ("models").`, {
    pointer,
  });
};

/** The target on that model. Throws `validation_failed` (no agent, no such model), `forbidden` (CH1). */
export const onModel = (app: App, caller: Caller, target: FrozenTarget, model: string | undefined): FrozenTarget => {
  const { definition } = target;
  if (model === undefined) return target;
  if (target.type !== 'agent') throw faultAt(pointer, `a ${target.type} has the models of its agents: only a session with an agent takes another`);
  if (model === definition.model) return target;
  if (!(caller.type === 'user' && caller.admin) && !isAllowed(app, definition, model)) throw refuseUnallowed(target);
  if (!app.models.has(model)) throw faultAt(pointer, `this server has no model "${model}"; there are: ${app.models.list().join(', ')}`);
  // How much its own model takes, and costs, says nothing of another one.
  const { contextWindow: _, pricing: __, ...rest } = definition;
  return { ...target, definition: { ...rest, model } };
};
