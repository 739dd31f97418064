import { useSignedIn } from '../auth/signed-in-context.ts';
import { createStoredValue, type StoredValue } from '../preferences/stored-value.ts';
import { useStored } from '../preferences/use-stored.ts';
import { parseDismissed, withDismissed } from './dismissed.ts';

const kept = new Map<string, StoredValue<readonly string[]>>();

/** Of each person by themselves: what one has seen, another who uses this browser has not. */
const dismissedOf = (userId: string): StoredValue<readonly string[]> => {
  const known =
    kept.get(userId) ??
    createStoredValue<readonly string[]>(`turnkeeper.dismissed.${userId}`, parseDismissed, (ids) => (ids.length === 0 ? undefined : JSON.stringify(ids)));
  kept.set(userId, known);
  return known;
};

/** The ids of the turns that this person has put away, in this browser. */
export const useDismissed = (): { readonly ids: readonly string[]; readonly dismiss: (turnId: string) => void } => {
  const { user } = useSignedIn();
  const stored = dismissedOf(user?.id ?? '');
  return { ids: useStored(stored), dismiss: (turnId) => stored.set(withDismissed(stored.get(), turnId)) };
};
