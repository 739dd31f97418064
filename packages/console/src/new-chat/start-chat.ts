/** Making a session with its first message, if need be on another model than the agent's own. */
import type { Client } from '@turnkeeper/client/create-client';
import type { AgentResource } from '@turnkeeper/core/protocol/wire/agents';

export type ChatWish = { readonly agent: AgentResource /** '' = the agent's own. */; readonly model: string; readonly message: string };

/** Name of the agent that is `agent` on another model; the same wish gives the same name. */
export const derivedKey = (agentKey: string, model: string): string => {
  const slug = `${agentKey}-${model}`.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-');
  return slug.slice(0, 64);
};

/** A session's target is a frozen agent version, model included: another model is another agent, made once. */
const agentOnModel = async (client: Client, agent: AgentResource, model: string): Promise<string> => {
  if (model === '') return agent.id;
  const { definition } = await client.agents.get(agent.id);
  if (definition.model === model) return agent.id;
  const agentKey = derivedKey(agent.agentKey, model);
  try {
    const made = await client.agents.create({
      agentKey,
      displayName: `${agent.displayName} · ${model}`.slice(0, 200),
      description: agent.description,
      space: agent.space,
      definition: { ...definition, model },
    });
    return made.agent.id;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'already_exists') throw error;
    return (await client.agents.get(agentKey)).agent.id;
  }
};

/** The new session's id. The same key with the same wish gives the same session. */
export const startChat = async (client: Client, wish: ChatWish, idempotencyKey: string): Promise<string> => {
  const agent = await agentOnModel(client, wish.agent, wish.model);
  return (await client.sessions.create({ agent, initialMessage: { message: wish.message } }, { idempotencyKey })).id;
};
