import type { ModelInfo } from '@turnkeeper/client/calls/agents';
import type { AgentResource } from '@turnkeeper/core/protocol/wire/agents';
import { useEffect, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';

export type Choices =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'loaded'; readonly agents: readonly AgentResource[]; readonly models: readonly ModelInfo[] };

/** Agents, the newest first, and the models of the providers that are configured. */
export const useAgents = (): Choices => {
  const client = useClient();
  const [choices, setChoices] = useState<Choices>({ kind: 'loading' });
  useEffect(() => {
    let here = true;
    Promise.all([client.agents.list({ limit: 200 }), client.models()]).then(
      ([{ items }, models]) => here && setChoices({ kind: 'loaded', agents: [...items].sort((a, b) => b.createdAt - a.createdAt), models }),
      (error: unknown) => here && setChoices({ kind: 'failed', message: (error as Error).message }),
    );
    return () => {
      here = false;
    };
  }, [client]);
  return choices;
};

/** The model in an agent's newest definition; undefined until it is known. */
export const useAgentModel = (agentId: string | undefined): string | undefined => {
  const client = useClient();
  const [known, setKnown] = useState<{ readonly agentId: string; readonly model: string }>();
  useEffect(() => {
    if (agentId === undefined) return;
    let here = true;
    client.agents.get(agentId).then(
      ({ definition }) => here && setKnown({ agentId, model: definition.model }),
      () => {},
    );
    return () => {
      here = false;
    };
  }, [client, agentId]);
  return known?.agentId === agentId ? known?.model : undefined;
};
