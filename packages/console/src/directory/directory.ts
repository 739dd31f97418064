/**
 * Names of people, applications and mini-tools, and one's own roles in applications. Read once, and only when somebody else's
 * session is shown or could be asked for.
 */
import type { Page } from '@turnkeeper/client/calls/paths';
import type { Client } from '@turnkeeper/client/create-client';
import type { ApplicationRole, UserResource } from '@turnkeeper/core/protocol/wire/identity';

/** Owners as events and lists name them: `user:<id>`, `app:<id>`, `minitool:<id>`. */
export type OwnerName = string;

export type Directory = {
  readonly names: ReadonlyMap<OwnerName, string>;
  /** By application: one's own roles. */
  readonly roles: ReadonlyMap<string, readonly ApplicationRole[]>;
};

export type DirectoryStore = {
  /** Undefined until it has been read. */
  readonly get: () => Directory | undefined;
  readonly subscribe: (listener: () => void) => () => void;
  readonly load: () => void;
};

type Calls = {
  readonly applications: Pick<Client['applications'], 'list'>;
  readonly minitools: Pick<Client['minitools'], 'list'>;
  readonly users: Pick<Client['users'], 'list'>;
  readonly spaces: Pick<Client['spaces'], 'list' | 'members'>;
};
type Person = Pick<UserResource, 'id' | 'username' | 'displayName'>;

const mostSpaces = 20;
const pageSize = 200;
/** Whoever comes behind is shown by their id. */
const mostPages = 10;

type ListOf<Item> = (query: { readonly offset: number; readonly limit: number }) => Promise<Page<Item>>;

const allOf = async <Item>(list: ListOf<Item>): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let offset: number | null = 0;
  for (let page = 0; offset !== null && page < mostPages; page += 1) {
    const read: Page<Item> = await list({ offset, limit: pageSize });
    items.push(...read.items);
    offset = read.next_offset;
  }
  return items;
};
const orNone = <Item>(items: Promise<readonly Item[]>): Promise<readonly Item[]> => items.catch(() => []);

/** Admins may read everyone's name, others those of the people in their spaces. */
const peopleFor = async ({ users, spaces }: Calls, user: UserResource): Promise<readonly Person[]> => {
  if (user.roles.includes('admin')) return allOf((query) => users.list(query));
  const mine = (await spaces.list({ limit: 200 })).items.filter(({ role }) => role !== null).slice(0, mostSpaces);
  const members = await Promise.all(mine.map(({ id }) => spaces.members(id, { limit: 200 })));
  return members.flatMap(({ items }) => items.map(({ userId, username, displayName }) => ({ id: userId, username, displayName })));
};

export const createDirectory = (calls: Calls, user: UserResource): DirectoryStore => {
  let directory: Directory | undefined;
  let loading = false;
  const listeners = new Set<() => void>();

  const load = async (): Promise<void> => {
    // What cannot be read is shown by its id.
    const [applications, minitools, people] = await Promise.all([
      orNone(allOf((query) => calls.applications.list(query))),
      orNone(calls.minitools.list().then(({ items }) => items)),
      orNone(peopleFor(calls, user)),
    ]);
    directory = {
      names: new Map([
        ...applications.map(({ id, name }) => [`app:${id}`, name] as const),
        ...minitools.map(({ id, name }) => [`minitool:${id}`, name] as const),
        ...people.map(({ id, username, displayName }) => [`user:${id}`, displayName || username] as const),
      ]),
      roles: new Map(applications.map(({ id, members }) => [id, members.find(({ userId }) => userId === user.id)?.roles ?? []])),
    };
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => directory,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load: () => {
      if (loading) return;
      loading = true;
      void load();
    },
  };
};
