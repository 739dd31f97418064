/** A first call with a key that was just made: one that its scopes and grants allow. */
import type { CreatedCredential } from '@turnkeeper/core/protocol/wire/identity';
import { curlGet, curlSession } from '../composer/snippets.ts';

export const curlOfKey = (origin: string, { apiKey, credential }: CreatedCredential, anyAgent = 'AGENT'): string => {
  const access = { origin, token: apiKey };
  const agent = credential.targets.find(({ type }) => type === 'agent');
  if (!credential.scopes.includes('invoke') || !agent)
    return curlGet(access, credential.scopes.includes('read') ? '/agent-sessions?limit=5' : '/required-actions');
  // A grant for all names none.
  return curlSession(access, { agent: agent.id === '*' ? anyAgent : agent.id }, { message: 'Hello' });
};
