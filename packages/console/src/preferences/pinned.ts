/** Sessions that this person keeps at hand, in this browser; the one that was pinned last comes first. */
import { createStoredValue } from './stored-value.ts';

const mostPinned = 50;

const parse = (text: string | undefined): readonly string[] => {
  try {
    const ids: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string').slice(0, mostPinned) : [];
  } catch {
    return [];
  }
};

export const pinned = createStoredValue<readonly string[]>('turnkeeper.pinned', parse, (ids) => (ids.length === 0 ? undefined : JSON.stringify(ids)));

export const setPinned = (ids: readonly string[], isPinned: boolean): void => {
  const others = pinned.get().filter((id) => !ids.includes(id));
  pinned.set((isPinned ? [...ids, ...others] : others).slice(0, mostPinned));
};

/** Those that are pinned first, in the order of pinning; the others stay as they are. */
export const pinnedFirst = <Session extends { readonly id: string }>(sessions: readonly Session[], ids: readonly string[]): readonly Session[] => {
  const first = ids.flatMap((id) => sessions.filter((session) => session.id === id));
  return first.length === 0 ? sessions : [...first, ...sessions.filter(({ id }) => !ids.includes(id))];
};
