/** The agent of a new session when none is named: the only one there is, or the one made last whose model the server has. */
import type { Client } from '@turnkeeper/client/create-client';
import { UsageError } from '../exit-codes.ts';

const mostLookedAt = 8;

/** Where it cannot be told, an agent counts as one that works: its turn says what is wrong. */
const works = ({ agents }: Client, id: string): Promise<boolean> =>
  agents.get(id).then(
    ({ warnings = [] }) => !warnings.some(({ code }) => code === 'model_not_configured'),
    () => true,
  );

const newestThatWorks = async (client: Client, newestFirst: readonly { readonly id: string }[]): Promise<string | undefined> => {
  if (newestFirst.length === 1) return newestFirst[0]?.id;
  for (const { id } of newestFirst) if (await works(client, id)) return id;
  return undefined;
};

export const defaultAgent = async (client: Client): Promise<string> => {
  const { items } = await client.agents.list({ limit: 200 });
  const newestFirst = [...items].sort((a, b) => b.createdAt - a.createdAt);
  const [newest] = newestFirst;
  if (!newest) throw new UsageError('There is no agent yet. Make one, or name one with --agent.');
  return (await newestThatWorks(client, newestFirst.slice(0, mostLookedAt))) ?? newest.id;
};
