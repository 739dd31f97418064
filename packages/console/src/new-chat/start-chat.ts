/** Making a session with its first message, if need be on another model than the agent's own. */
import type { Client } from '@turnkeeper/client/create-client';
import type { InputBlock } from '@turnkeeper/core/protocol/content';
import type { Json } from '@turnkeeper/core/protocol/json';
import type { AgentResource } from '@turnkeeper/core/protocol/wire/agents';
import type { NewTarget } from './new-target.ts';

export type ChatWish = {
  readonly target: NewTarget;
  /** Of an agent: for another model than its own, an agent is made that is like it. */
  readonly agent?: AgentResource;
  /** '' = the agent's own. */
  readonly model: string;
  readonly message: string;
  /** In place of the message, which is how it was written. */
  readonly input?: Json;
  readonly files: readonly File[];
};

/** Name of the agent that is `agent` on another model; the same wish gives the same name. */
const derivedKey = (agentKey: string, model: string): string => {
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

/** Files belong to a session: it is made first, then they are uploaded, then the message goes with them. */
const startWithFiles = async (client: Client, target: NewTarget, { message, files }: ChatWish, key: string): Promise<string> => {
  const { id } = await client.sessions.create({ target, title: message.slice(0, 80).trim() || files[0]?.name.slice(0, 80) || '' }, { idempotencyKey: key });
  const blocks: InputBlock[] = message.trim() === '' ? [] : [{ type: 'text', text: message }];
  for (const [at, file] of files.entries()) {
    const stored = await client.files.upload(id, file, { idempotencyKey: `${key}-${at}`, name: file.name });
    blocks.push({ type: 'file', file_id: stored.id });
  }
  await client.turns.submit(id, { input: [{ role: 'user', content: blocks }] }, { idempotencyKey: key });
  return id;
};

/** The new session's id. The same key with the same wish gives the same session. */
export const startChat = async (client: Client, wish: ChatWish, idempotencyKey: string): Promise<string> => {
  const target = wish.agent ? { type: 'agent' as const, id: await agentOnModel(client, wish.agent, wish.model) } : wish.target;
  if (wish.files.length > 0) return startWithFiles(client, target, wish, idempotencyKey);
  const initialMessage = wish.input === undefined ? { message: wish.message } : { input: wish.input };
  return (await client.sessions.create({ target, initialMessage }, { idempotencyKey })).id;
};
