import type { AgentResource } from '@turnkeeper/core/protocol/wire/agents';
import type { Sent } from '@turnkeeper/react/outbox';
import { useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { draftPlace } from './new-target.ts';
import { offeredModels } from './offered-models.ts';
import { type Choices, useAgentModels, useAgents } from './use-agents.ts';
import { useFirstMessage } from './use-first-message.ts';

export type NewChat = {
  readonly choices: Choices;
  readonly agents: readonly AgentResource[];
  /** The one that is chosen, or where none was the first; undefined where the chosen one is not there. */
  readonly agent: AgentResource | undefined;
  readonly choose: (agentId: string) => void;
  /** '' = the agent's own. */
  readonly model: string;
  readonly chooseModel: (model: string) => void;
  /** Others than its own that this person may choose. */
  readonly models: readonly string[];
  readonly ownModel: string | undefined;
  readonly busy: boolean;
  readonly fault: string | undefined;
  readonly send: (sent: Pick<Sent, 'text'>) => void;
};

type Chosen = { readonly chosen: string | undefined; readonly choose: (agentId: string) => void };

/** A chat that begins with its first message; then its page is shown. */
export const useNewChat = ({ chosen, choose }: Chosen, onCreated: () => void): NewChat => {
  const choices = useAgents(chosen);
  const [chosenModel, chooseModel] = useState('');
  const { user } = useSignedIn();
  const { busy, fault, send } = useFirstMessage(draftPlace(undefined), onCreated);
  const agents = choices.kind === 'loaded' ? choices.agents : [];
  const agent = chosen === undefined ? agents[0] : agents.find(({ id, agentKey }) => id === chosen || agentKey === chosen);
  const own = useAgentModels(agent?.id);
  const models = offeredModels(choices.kind === 'loaded' ? choices.models : [], own, user?.roles.includes('admin') ?? false);
  // Chosen for another agent, it may be none for this one.
  const model = models.includes(chosenModel) ? chosenModel : '';
  return {
    ...{ choices, agents, agent, choose, model, chooseModel, models, busy, fault },
    ownModel: own?.model,
    send: ({ text }) => {
      if (agent) send({ target: { type: 'agent', id: agent.id }, model, message: text });
    },
  };
};
