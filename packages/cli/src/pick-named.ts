/** Users and applications of the server, as people name them. */
import type { Client } from '@turnkeeper/client/create-client';
import type { ApplicationResource, UserResource } from '@turnkeeper/core/protocol/wire/identity';
import { everyItem } from './every-page.ts';
import { UsageError } from './exit-codes.ts';
import { pickOne } from './pick-one.ts';
import { programName } from './program-name.ts';

/** By id, its beginning, or the username. */
export const pickUser = async ({ users }: Client, ref: string): Promise<UserResource> =>
  pickOne(await everyItem(users.list), ref, { what: 'user', id: ({ id }) => id, name: ({ username }) => username, list: 'turnkeeper users ls' });

/** The same for those who may not list users: they name a whole id. */
export const pickUserId = async (client: Client, ref: string): Promise<string> => {
  try {
    return (await pickUser(client, ref)).id;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'forbidden') throw error;
    if (ref.startsWith('user_')) return ref;
    throw new UsageError(`Only an admin may look up "${ref}" by name. Give the id instead (user_…): ${ref} sees it with: ${programName} whoami`);
  }
};

/** By id, its beginning, or the name; without one, the only application there is. */
export const pickApplication = async ({ applications }: Client, ref: string | undefined): Promise<ApplicationResource> => {
  const all = await everyItem(applications.list);
  if (ref !== undefined) return pickOne(all, ref, { what: 'application', id: ({ id }) => id, name: ({ name }) => name, list: 'turnkeeper apps ls' });
  const [only] = all;
  if (!only) throw new UsageError(`There is no application yet. Make one with: ${programName} apps create <name>`);
  if (all.length > 1) throw new UsageError(`Which application? Name it with --app: ${all.map(({ name }) => name).join(', ')}`);
  return only;
};
