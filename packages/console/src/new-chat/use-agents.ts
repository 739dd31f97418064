import type { ModelInfo } from '@turnkeeper/client/calls/agents';
import type { Client } from '@turnkeeper/client/create-client';
import type { AgentDefinition, AgentResource } from '@turnkeeper/core/protocol/wire/agents';
import { useEffect, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';

export type Choices =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'loaded'; readonly agents: readonly AgentResource[]; readonly models: readonly ModelInfo[] };

/** `wanted` stands beyond the first page of the list, or is not there: then it is not among the choices. */
const withWanted = async (client: Client, items: readonly AgentResource[], wanted: string | undefined): Promise<readonly AgentResource[]> => {
  if (wanted === undefined || items.some(({ id, agentKey }) => id === wanted || agentKey === wanted)) return items;
  const found = await client.agents.get(wanted).catch(() => undefined);
  return found ? [...items, found.agent] : items;
};

/** Agents, the newest first, and the models of the providers that are configured. `wanted`: the one that an address names. */
export const useAgents = (wanted: string | undefined): Choices => {
  const client = useClient();
  const [choices, setChoices] = useState<Choices>({ kind: 'loading' });
  // Whoever chooses another one chooses among those that are there.
  const [first] = useState(wanted);
  useEffect(() => {
    let here = true;
    const agents = client.agents.list({ limit: 200 }).then(({ items }) => withWanted(client, items, first));
    Promise.all([agents, client.models()]).then(
      ([items, models]) => here && setChoices({ kind: 'loaded', agents: [...items].sort((a, b) => b.createdAt - a.createdAt), models }),
      (error: unknown) => here && setChoices({ kind: 'failed', message: (error as Error).message }),
    );
    return () => {
      here = false;
    };
  }, [client, first]);
  return choices;
};

/** Of an agent's newest definition. */
export type AgentModels = Pick<AgentDefinition, 'model' | 'models'>;

/** Undefined until they are known. */
export const useAgentModels = (agentId: string | undefined): AgentModels | undefined => {
  const client = useClient();
  const [known, setKnown] = useState<AgentModels & { readonly agentId: string }>();
  useEffect(() => {
    if (agentId === undefined) return;
    let here = true;
    client.agents.get(agentId).then(
      ({ definition: { model, models } }) => here && setKnown({ agentId, model, ...(models ? { models } : {}) }),
      () => {},
    );
    return () => {
      here = false;
    };
  }, [client, agentId]);
  return known?.agentId === agentId ? known : undefined;
};
