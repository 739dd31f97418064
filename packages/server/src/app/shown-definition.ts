/**
 * An agent's definition as it is shown.
 *
 * A8 Values of `env` and `headers` are shown to admins only: they may be credentials, written out or by reference. So are the
 *    references in a body.
 */

import { replaceSecretRefs } from '@turnkeeper/core/protocol/secret-refs';
import type { AgentDefinition } from '@turnkeeper/core/protocol/wire/agents';
import type { Caller } from './caller.ts';

const hidden = '[hidden]';

type Values = Readonly<Record<string, unknown>>;
const hide = (values: Values): Record<string, string> => Object.fromEntries(Object.keys(values).map((name) => [name, hidden]));

type Tool = AgentDefinition['tools'][number];
const shownTool = (tool: Tool): Tool => {
  if (tool.type !== 'http') return tool;
  const { headers, body } = tool.request;
  const shown = {
    ...(headers ? { headers: hide(headers) } : {}),
    ...(body === undefined ? {} : { body: replaceSecretRefs(body, () => hidden) as typeof body }),
  };
  return { ...tool, request: { ...tool.request, ...shown } };
};

type Server = NonNullable<AgentDefinition['mcpServers']>[number];
const shownServer = (server: Server): Server => {
  if ('command' in server) return server.env ? { ...server, env: hide(server.env) } : server;
  return server.headers ? { ...server, headers: hide(server.headers) } : server;
};

export const shownDefinition = (caller: Caller, definition: AgentDefinition): AgentDefinition => {
  if (caller.type === 'user' && caller.admin) return definition;
  const { tools, mcpServers } = definition;
  return { ...definition, tools: tools.map(shownTool), ...(mcpServers ? { mcpServers: mcpServers.map(shownServer) } : {}) };
};
