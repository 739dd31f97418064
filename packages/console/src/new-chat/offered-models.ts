/** Which models somebody may start a session with an agent on, beside the agent's own: as the server judges it. */
import type { ModelInfo } from '@turnkeeper/client/calls/agents';
import type { AgentModels } from './use-agents.ts';

/** `listed`: what the server says that it has. A name that is not listed may be there all the same, where its provider is. */
export const offeredModels = (listed: readonly ModelInfo[], of: AgentModels | undefined, isAdmin: boolean): readonly string[] => {
  if (!of) return [];
  const { model, models: allowed = [] } = of;
  const providers = new Set(listed.map(({ provider }) => provider));
  const named = allowed.filter((name) => name !== '*' && providers.has(name.slice(0, name.indexOf(':'))));
  const all = isAdmin || allowed.includes('*') ? listed.map(({ name }) => name) : [];
  return [...new Set([...named, ...all])].filter((name) => name !== model);
};
