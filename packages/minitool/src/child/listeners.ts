/**
 * Listeners of one kind of event.
 *
 * EN1 Each listener hears every event, in the order in which they came; one that throws or rejects is logged and stops nobody.
 */
import type { Disposable } from '../context/lifetime.ts';
import type { Logger } from '../context/logger.ts';

export type Listeners<T> = {
  add(listener: (event: T) => unknown): Disposable;
  tell(event: T): void;
};

/** `begin` is called before the first listener is added, once. */
export const createListeners = <T>(what: string, logger: Logger, begin: () => void = () => {}): Listeners<T> => {
  type Entry = { readonly listener: (event: T) => unknown };
  const entries = new Set<Entry>();
  let hasBegun = false;
  const complain = (error: unknown): void => logger.error(`A listener of ${what} failed:`, error);
  return {
    add: (listener) => {
      const entry: Entry = { listener };
      entries.add(entry);
      if (!hasBegun) {
        hasBegun = true;
        begin();
      }
      return { dispose: () => void entries.delete(entry) };
    },
    tell: (event) => {
      for (const { listener } of [...entries]) {
        try {
          // Not awaited: a listener that waits for something would hold up the events that it waits for.
          Promise.resolve(listener(event)).catch(complain);
        } catch (error) {
          complain(error);
        }
      }
    },
  };
};
