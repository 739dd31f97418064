/**
 * A session store that fails on demand: faults are injected by wrapping the port, never by switches in the product.
 *
 * A fault names a method, which of its calls it strikes, and what becomes of the call:
 * - `refused`: it fails before anything is committed, and says so (the outcome is known).
 * - `lost_before`, `lost_after`: the answer is lost and the outcome unknown; nothing was committed, or all was.
 * - `delayed`: it takes longer. `held_before`, `held_after`: it hangs until `release`, before or after its commit.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type Clock, sleep } from '../ports/clock.ts';
import type { SessionStore } from '../ports/session-store.ts';

export type FaultEffect =
  | { readonly kind: 'refused' | 'lost_before' | 'lost_after' | 'held_before' | 'held_after' }
  | { readonly kind: 'delayed'; readonly ms: number; readonly clock: Clock };

type Method = keyof SessionStore;
export type Fault = {
  readonly method: Method;
  /** The first call that it strikes; counted from 1 over the life of the wrapper. */
  readonly call: number;
  /** How many calls from there on; 1 unless told otherwise. */
  readonly times?: number;
  readonly effect: FaultEffect;
};

export type FaultyStore = {
  readonly store: SessionStore;
  /** Adds a fault; `call` counts from now on: 1 is the next call. */
  readonly inject: (fault: Fault) => void;
  /** How often a method was called. */
  readonly calls: (method: Method) => number;
  /** Takes all faults back and lets what hangs go on. */
  readonly release: () => void;
};

const unavailable = (details: { readonly outcome?: 'unknown' }): TurnkeeperError =>
  new TurnkeeperError('storage_unavailable', 'An injected fault: the store cannot be used now.', details);

export const createFaultyStore = (inner: SessionStore, planned: readonly Fault[] = []): FaultyStore => {
  let faults = planned;
  const counts = new Map<Method, number>();
  let held: (() => void)[] = [];
  const hold = (): Promise<void> => new Promise((resolve) => held.push(resolve));
  const calls = (method: Method): number => counts.get(method) ?? 0;

  const suffer = async <Result>(effect: FaultEffect, call: () => Promise<Result>): Promise<Result> => {
    switch (effect.kind) {
      case 'refused':
        throw unavailable({});
      case 'lost_before':
        throw unavailable({ outcome: 'unknown' });
      case 'lost_after':
        await call();
        throw unavailable({ outcome: 'unknown' });
      case 'held_before':
        await hold();
        return call();
      case 'held_after': {
        const result = await call();
        await hold();
        return result;
      }
      case 'delayed':
        await sleep(effect.clock, effect.ms);
        return call();
    }
  };

  const intercepted = <Result>(method: Method, call: () => Promise<Result>): Promise<Result> => {
    const nth = calls(method) + 1;
    counts.set(method, nth);
    const fault = faults.find((entry) => entry.method === method && nth >= entry.call && nth < entry.call + (entry.times ?? 1));
    return fault ? suffer(fault.effect, call) : call();
  };

  const store = new Proxy(inner, {
    get: (target, name: Method) => {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      return typeof method === 'function' ? (...args: unknown[]) => intercepted(name, () => method.apply(target, args)) : method;
    },
  });

  return {
    store,
    inject: (fault) => {
      faults = [...faults, { ...fault, call: calls(fault.method) + fault.call }];
    },
    calls,
    release: () => {
      faults = [];
      const waiting = held;
      held = [];
      for (const goOn of waiting) goOn();
    },
  };
};
