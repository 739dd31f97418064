import type { UserResource } from '@turnkeeper/core/protocol/wire/identity';
import { expect, test } from 'vitest';
import { createDirectory } from './directory.ts';

const user = (roles: string[]): UserResource => ({
  id: 'usr_1',
  username: 'ann',
  displayName: 'Ann',
  roles,
  status: 'active',
  hasPassword: true,
  createdAt: 0,
});
const page = (items: unknown[]) => ({ items, next_offset: null }) as never;
const refused = () => Promise.reject(new Error('forbidden'));
const members = [
  { userId: 'usr_1', roles: ['viewer', 'approver'] },
  { userId: 'usr_2', roles: ['operator'] },
];

test('members of a space read the names of its people, and their own roles in applications', async () => {
  let asked = 0;
  const store = createDirectory(
    {
      applications: {
        list: async () =>
          page([
            { id: 'app_1', name: 'Shop', members },
            { id: 'app_2', name: 'Till', members: [] },
          ]),
      },
      minitools: { list: async () => page([{ id: 'notes', name: 'Notes' }]) },
      users: { list: refused },
      spaces: {
        list: async () => {
          asked += 1;
          return page([
            { id: 'sales', role: 'member' },
            { id: 'default', role: null },
          ]);
        },
        members: async (id) => (id === 'sales' ? page([{ userId: 'usr_2', username: 'bob', displayName: '' }]) : refused()),
      },
    },
    user(['user']),
  );
  expect(store.get()).toBeUndefined();
  store.load();
  store.load();
  await expect.poll(() => store.get()).toBeDefined();
  expect(asked).toBe(1);
  expect(Object.fromEntries(store.get()?.names ?? [])).toEqual({ 'app:app_1': 'Shop', 'app:app_2': 'Till', 'minitool:notes': 'Notes', 'user:usr_2': 'bob' });
  expect(Object.fromEntries(store.get()?.roles ?? [])).toEqual({ app_1: ['viewer', 'approver'], app_2: [] });
});

test('what cannot be read leaves no role and no name', async () => {
  const store = createDirectory(
    { applications: { list: refused }, minitools: { list: refused }, users: { list: refused }, spaces: { list: refused, members: refused } },
    user(['admin']),
  );
  store.load();
  await expect.poll(() => store.get()).toEqual({ names: new Map(), roles: new Map() });
});

test('an admin hears of everybody, page after page', async () => {
  const person = (n: number) => ({ id: `usr_${n}`, username: `user${n}`, displayName: '' });
  const list = async ({ offset = 0 } = {}) => ({ items: [person(offset), person(offset + 1)], next_offset: offset < 4 ? offset + 2 : null }) as never;
  const store = createDirectory(
    { applications: { list: refused }, minitools: { list: refused }, users: { list }, spaces: { list: refused, members: refused } },
    user(['admin']),
  );
  store.load();
  await expect.poll(() => [...(store.get()?.names.values() ?? [])]).toEqual([0, 1, 2, 3, 4, 5].map((n) => `user${n}`));
});
