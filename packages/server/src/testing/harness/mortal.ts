/**
 * The life of one engine, which ends at a named point as a process does: from then on nothing that it asks for happens,
 * and nothing that it waits for comes.
 *
 * Death is put into the ports that the engine uses. `before`: the call is not made; `after`: it is made (committed, run,
 * streamed) and its answer never arrives. What other calls had under way at that moment stays under way: a real process
 * also leaves behind what it had handed to the database.
 */
import type { BudgetStore } from '../../ports/budgets.ts';
import type { FileIndex } from '../../ports/file-index.ts';
import type { ModelPart, Models } from '../../ports/model.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import type { Tool } from '../../ports/tool.ts';
import type { WebhookStore } from '../../ports/webhooks.ts';

export type KillPoint = {
  readonly call: keyof SessionStore | keyof FileIndex | keyof WebhookStore | keyof BudgetStore | 'stream' | 'run';
  readonly nth: number;
  readonly when: 'before' | 'after';
};

export type Life = {
  readonly store: <Store extends object>(inner: Store) => Store;
  readonly models: (inner: Models) => Models;
  readonly tool: (inner: Tool) => Tool;
  readonly alive: () => boolean;
  /** How often a call was made so far. */
  readonly calls: (call: KillPoint['call']) => number;
  /** Ends the engine now. */
  readonly end: () => void;
  /** From here on it does not end by itself: it is being stopped. */
  readonly spare: () => void;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** The names under which it announced itself to the store. */
  readonly nodes: ReadonlySet<string>;
};

const never = <Value>(): Promise<Value> => new Promise<Value>(() => {});

export const createLife = (point?: KillPoint): Life => {
  let alive = true;
  let isSpared = false;
  let hasEnded = (): void => {};
  const ended = new Promise<void>((resolve) => {
    hasEnded = resolve;
  });
  const counts = new Map<string, number>();
  const nodes = new Set<string>();
  const end = (): void => {
    alive = false;
    hasEnded();
  };
  /** Counts the call; says when the engine ends by it. */
  const strikes = (call: string): KillPoint['when'] | undefined => {
    const nth = (counts.get(call) ?? 0) + 1;
    counts.set(call, nth);
    return !isSpared && point?.call === call && point.nth === nth ? point.when : undefined;
  };
  const through = async <Value>(call: string, make: () => Promise<Value>): Promise<Value> => {
    if (!alive) return never();
    const strike = strikes(call);
    if (strike === 'before') {
      end();
      return never();
    }
    const made = await make().then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    if (strike === 'after') end();
    return alive ? made() : never();
  };

  async function* mortalStream(inner: AsyncIterable<ModelPart>, strike: KillPoint['when'] | undefined): AsyncGenerator<ModelPart, void, undefined> {
    for await (const part of inner) {
      if (strike === 'after' && part.type === 'finish') end();
      if (!alive) await never();
      yield part;
    }
  }

  return {
    alive: () => alive,
    calls: (call) => counts.get(call) ?? 0,
    end,
    spare: () => {
      isSpared = true;
    },
    ended,
    nodes,
    store: (inner) =>
      new Proxy(inner, {
        get: (target, name: string) => {
          const method = (target as Record<string, unknown>)[name];
          if (typeof method !== 'function') return method;
          return (...args: unknown[]) => {
            if (name === 'heartbeat' && alive) nodes.add(args[0] as string);
            return through(name, () => method.apply(target, args) as Promise<unknown>);
          };
        },
      }),
    models: (inner) => ({
      ...inner,
      stream: (request, signal) => {
        const strike = alive ? strikes('stream') : undefined;
        if (strike === 'before') end();
        // Also a model that ends its own process.
        const made = alive ? inner.stream(request, signal) : undefined;
        if (!alive || !made) return { [Symbol.asyncIterator]: () => ({ next: () => never() }) };
        return mortalStream(made, strike);
      },
    }),
    tool: (inner) => ({ ...inner, run: (input, run) => through('run', async () => inner.run(input, run)) }),
  };
};
