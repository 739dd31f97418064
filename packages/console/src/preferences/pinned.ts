/**
 * Sessions that this person keeps at hand; the one that was pinned last comes first. The server keeps them: all pages of a person show
 * the same.
 *
 * PK1 What is changed here shows at once. What the server said before it heard of that does not take it back; what it refused goes with
 *     the next reading.
 */
import type { PinCalls } from '@turnkeeper/client/calls/pins';
import type { Attempt } from '../ui/poll.ts';
import { readStored, writeStored } from './stored-value.ts';

const mostPinned = 50;
/** Where a browser kept them by itself. */
const formerKey = 'turnkeeper.pinned';

const parse = (text: string | undefined): readonly string[] => {
  try {
    const ids: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string').slice(0, mostPinned) : [];
  } catch {
    return [];
  }
};

export const createPins = () => {
  let ids: readonly string[] = [];
  let calls: PinCalls | undefined;
  /** Changes that the server has yet to answer, and how many there were. */
  let open = 0;
  let changes = 0;
  const listeners = new Set<() => void>();
  const show = (next: readonly string[]): void => {
    if (next.join() === ids.join()) return;
    ids = next;
    for (const listener of [...listeners]) listener();
  };
  const tell = async (change: Parameters<PinCalls['change']>[0]): Promise<boolean> => {
    const asked = calls;
    if (!asked) return false;
    open += 1;
    changes += 1;
    const mine = changes;
    const told = await asked.change(change).catch(() => undefined);
    open -= 1;
    if (told && asked === calls && mine === changes) show(told);
    return told !== undefined;
  };
  return {
    get: (): readonly string[] => ids,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Another person has signed in: theirs are others. */
    connect: (to: PinCalls): void => {
      if (calls === to) return;
      calls = to;
      show([]);
    },
    read: async (attempt?: Attempt): Promise<boolean> => {
      const asked = calls;
      const before = changes;
      const told = await asked?.list(attempt).catch(() => undefined);
      if (!told) return false;
      if (asked === calls && open === 0 && before === changes) show(told);
      const former = parse(readStored(formerKey));
      if (former.length > 0 && (await tell({ add: [...former] }))) writeStored(formerKey, undefined);
      return true;
    },
    set: (changed: readonly string[], isPinned: boolean): void => {
      const others = ids.filter((id) => !changed.includes(id));
      const known = isPinned ? changed.slice(0, mostPinned) : changed.filter((id) => ids.includes(id));
      show((isPinned ? [...changed, ...others] : others).slice(0, mostPinned));
      if (known.length > 0) void tell(isPinned ? { add: [...known] } : { remove: [...known] });
    },
  };
};

export const pinned = createPins();

export const setPinned = pinned.set;

/** Those that are pinned first, in the order of pinning; the others stay as they are. */
export const pinnedFirst = <Session extends { readonly id: string }>(sessions: readonly Session[], ids: readonly string[]): readonly Session[] => {
  const first = ids.flatMap((id) => sessions.filter((session) => session.id === id));
  return first.length === 0 ? sessions : [...first, ...sessions.filter(({ id }) => !ids.includes(id))];
};
