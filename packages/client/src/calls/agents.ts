/** Agents, their versions, and the models that they may use. */
import type { AgentDefinition, AgentResource, AgentWarning, CreateAgentRequest } from '@turnkeeper/core/protocol/wire/agents';
import type { Transport } from '../transport/transport.ts';
import { agentPath, api, type Page, type PageQuery } from './paths.ts';

export type AgentAnswer = {
  readonly agent: AgentResource;
  readonly definition: AgentDefinition;
  /** What was accepted, and will not work as the server is set up now; absent when there is nothing. */
  readonly warnings?: readonly AgentWarning[];
};
export type AgentVersion = { readonly version: number; readonly definition: AgentDefinition; readonly createdAt: number; readonly createdBy: string };
/** A definition as it is sent: what has a default may be left out. */
export type NewAgent = Omit<CreateAgentRequest, 'description' | 'definition'> & {
  readonly description?: string;
  readonly definition: Partial<AgentDefinition> & Pick<AgentDefinition, 'system' | 'model'>;
};
export type ModelInfo = { readonly name: string; readonly provider: string };

export type AgentCalls = {
  readonly create: (agent: NewAgent) => Promise<AgentAnswer>;
  readonly list: (query?: PageQuery) => Promise<Page<AgentResource>>;
  /** By id or key. */
  readonly get: (agentId: string) => Promise<AgentAnswer>;
  /** Makes version `version` + 1; a stale `version` is refused with `version_conflict`. */
  readonly patchDefinition: (agentId: string, change: { readonly version: number; readonly definition: NewAgent['definition'] }) => Promise<AgentAnswer>;
  readonly versions: (agentId: string) => Promise<Page<AgentVersion>>;
  readonly version: (agentId: string, version: number) => Promise<AgentVersion>;
};

export const createAgentCalls = ({ request }: Transport): AgentCalls => ({
  create: (body) => request('POST', `${api}/agents`, { body }),
  list: (query) => request('GET', `${api}/agents`, query ? { query } : {}),
  get: (id) => request('GET', agentPath(id)),
  patchDefinition: (id, body) => request('PATCH', `${agentPath(id)}/definition`, { body }),
  versions: (id) => request('GET', `${agentPath(id)}/versions`),
  version: (id, version) => request('GET', `${agentPath(id)}/versions/${version}`),
});

export const listModels = async ({ request }: Transport): Promise<readonly ModelInfo[]> =>
  (await request<{ readonly models: readonly ModelInfo[] }>('GET', `${api}/models`)).models;
