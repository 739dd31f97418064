import { createContext, use, useCallback, useEffect, useSyncExternalStore } from 'react';
import { accessTo, fullAccess, noAccess, type Owner, type SessionAccess } from '../auth/access.ts';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { useMinitools } from '../minitools/minitools-context.ts';
import type { Directory, DirectoryStore, OwnerName } from './directory.ts';

export const DirectoryContext = createContext<DirectoryStore | undefined>(undefined);

const subscribeToNothing = () => () => {};
const getNothing = (): Directory | undefined => undefined;

/** Read as soon as it is `wanted`. */
const useDirectory = (wanted: boolean): Directory | undefined => {
  const store = use(DirectoryContext);
  useEffect(() => {
    if (wanted) store?.load();
  }, [store, wanted]);
  return useSyncExternalStore(store?.subscribe ?? subscribeToNothing, store?.get ?? getNothing);
};

const prefixes = { user: 'user', application: 'app', minitool: 'minitool' } as const;
export const ownerName = ({ type, id }: Owner): OwnerName => `${prefixes[type]}:${id}`;

/** Says who an owner is: oneself, a name, or the id where no name can be read; `…` until that is known. */
export const useNameOf = (wanted: boolean): ((owner: OwnerName) => string) => {
  const t = useText();
  const { user } = useSignedIn();
  const directory = useDirectory(wanted);
  return (owner) => {
    if (user && owner === `user:${user.id}`) return t('me');
    return directory ? (directory.names.get(owner) ?? owner.slice(owner.indexOf(':') + 1)) : '…';
  };
};

const nobody: ReadonlyMap<OwnerName, string> = new Map();

/** Everybody else whose sessions one may ask for, by name; nobody until that is known. */
export const useOwnerNames = (): ReadonlyMap<OwnerName, string> => useDirectory(true)?.names ?? nobody;

/**
 * What may be done with the sessions of an owner. Until it is known who one is, one's own page is taken to be one's
 * own; what depends on roles is offered once they have been read.
 */
export const useAccess = (anyOfApplications: boolean): ((owner: Owner | undefined) => SessionAccess) => {
  const { user } = useSignedIn();
  const directory = useDirectory(anyOfApplications);
  const { minitools } = useMinitools();
  return useCallback(
    (owner) => {
      if (!user || !owner) return fullAccess;
      if (owner.type === 'application' && !directory) return noAccess;
      const isUser = owner.type === 'minitool' && minitools?.find(({ id }) => id === owner.id)?.isUser === true;
      return accessTo(user, owner, owner.type === 'application' ? (directory?.roles.get(owner.id) ?? []) : [], isUser);
    },
    [user, directory, minitools],
  );
};
