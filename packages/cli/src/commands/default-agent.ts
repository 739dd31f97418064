/** The agent of a new session when none is named: the only one there is, or the one made last. */
import type { Client } from '@turnkeeper/client/create-client';
import { UsageError } from '../exit-codes.ts';

export const defaultAgent = async (client: Client): Promise<string> => {
  const { items } = await client.agents.list({ limit: 200 });
  const [newest] = [...items].sort((a, b) => b.createdAt - a.createdAt);
  if (!newest) throw new UsageError('There is no agent yet. Make one, or name one with --agent.');
  return newest.id;
};
