/**
 * What the keys of a report are called.
 *
 * KQ1 The name of a key is for who may list it: of a user's token the user, of an application's key its members, its owner and itself;
 *     admins see all. Everybody else sees its id, as the log of the session has it.
 */
import type { UsageGroup } from '@turnkeeper/core/view/usage-report';
import type { ApplicationRow } from '../ports/catalog.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';

const mayList = (caller: Caller, { id, ownerId, members }: ApplicationRow): boolean => {
  if (caller.type === 'application') return caller.id === id;
  return caller.type === 'user' && (caller.admin || ownerId === caller.id || members.some(({ userId }) => userId === caller.id));
};

const createNames = ({ catalog }: Pick<App, 'catalog'>, caller: Caller) => {
  const applications = new Map<string, Promise<boolean>>();
  const listed = (id: string): Promise<boolean> => {
    const known = applications.get(id) ?? catalog.application(id).then((row) => row !== undefined && mayList(caller, row));
    applications.set(id, known);
    return known;
  };
  return async (key: string, holder: string): Promise<string> => {
    const [type, id = ''] = holder.split(/:(.*)/s);
    if (type === 'app') return (await listed(id)) ? ((await catalog.credential(id, key))?.name ?? '') : '';
    const mine = caller.type === 'user' && (caller.admin || caller.id === id);
    return type === 'user' && mine ? ((await catalog.token(id, key))?.name ?? '') : '';
  };
};

/** Groups by key, with their names. A token that is gone, and who came without one, have none. */
export const withKeyNames = (app: Pick<App, 'catalog'>, caller: Caller, groups: readonly UsageGroup[]): Promise<readonly UsageGroup[]> => {
  const nameOf = createNames(app, caller);
  return Promise.all(
    groups.map(async (group) => {
      const { key, submitted_by: holder } = group;
      return holder === undefined || holder === key ? group : { ...group, name: await nameOf(key, holder) };
    }),
  );
};
