/** Who did something, by the name that people know. */
import type { Client } from '@turnkeeper/client/create-client';
import { everyItem } from './every-page.ts';

/** What the caller may not list, it is told by its id. */
const nameFrom = async <Item extends { readonly id: string }>(items: Promise<readonly Item[]>, id: string, name: (item: Item) => string): Promise<string> => {
  const found = (await items.catch(() => [])).find((item) => item.id === id);
  return found ? name(found) : id;
};

/** Of `user:<id>` or `app:<id>`; anything else stays as it is. */
export const actorName = async (client: Client, actor: string): Promise<string> => {
  const [, kind, id = ''] = /^(user|app):(.+)$/.exec(actor) ?? [];
  if (kind === 'app') return nameFrom(everyItem(client.applications.list), id, ({ name }) => name);
  if (kind !== 'user') return actor;
  const self = (await client.account.me().catch(() => undefined))?.user;
  return self?.id === id ? 'you' : nameFrom(everyItem(client.users.list), id, ({ username }) => username);
};

/** Names of users by id, as far as the caller may list them; others stay ids. */
export const userNames = async ({ users }: Client): Promise<(id: string) => string> => {
  const known = new Map((await everyItem(users.list).catch(() => [])).map(({ id, username }) => [id, username]));
  return (id) => known.get(id) ?? id;
};
