/** Handlers by name, one each: consumers, webhooks, schedules. What comes for a name that has none is refused, and comes again. */
import type { Disposable } from '../context/lifetime.ts';
import type { Logger } from '../context/logger.ts';
import { MinitoolError } from '../failure.ts';

export type Handlers<T> = {
  /** A second handler of a name is not taken: that is logged, as `ctx` throws nothing here. */
  add(name: string, handler: (value: T) => unknown): Disposable;
  run(name: string, value: T): Promise<null>;
};

export type HandlerHooks = { readonly begin: (name: string) => void; readonly end: (name: string) => void };

export const createHandlers = <T>(what: string, logger: Logger, { begin, end }: HandlerHooks): Handlers<T> => {
  const byName = new Map<string, (value: T) => unknown>();
  const refuse = (why: string): Disposable => {
    logger.error(`${what}: ${why}`);
    return { dispose: () => {} };
  };
  return {
    add: (name, handler) => {
      if (typeof name !== 'string' || name === '') return refuse('it needs a name');
      if (typeof handler !== 'function') return refuse(`"${name}" needs a function`);
      if (byName.has(name)) return refuse(`"${name}" has a handler already`);
      byName.set(name, handler);
      begin(name);
      return {
        dispose: () => {
          if (byName.get(name) !== handler) return;
          byName.delete(name);
          end(name);
        },
      };
    },
    run: async (name, value) => {
      const handler = byName.get(name);
      if (!handler) throw new MinitoolError('not_found', `${what}: nothing handles "${name}"`);
      await handler(value);
      return null;
    },
  };
};
