/** The sessions of a crash test, all at once, until it has seen enough. */
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../harness/random.ts';
import type { StubbornHttp } from '../harness/stubborn-http.ts';
import { tallyOf } from './load-faults.ts';
import { makeLoadAgent } from './load-kinds.ts';
import { openSession, type SessionLoad } from './session-load.ts';

export type Load = {
  readonly loads: readonly SessionLoad[];
  /** No more turns; resolves when all that was begun has ended. */
  readonly end: () => Promise<void>;
};

export type LoadOptions = { readonly sessions: number; readonly seed: number; readonly stop: AbortSignal };

/** For so long a slow machine goes on, without mishaps, until there was something of each kind: half seconds. */
const mostExtra = 240;

export const startLoad = async (http: StubbornHttp, { sessions, seed, stop }: LoadOptions): Promise<Load> => {
  const agent = await makeLoadAgent(http);
  const loads: SessionLoad[] = [];
  let busy = true;
  const running = Array.from({ length: sessions }, async (_, n) => {
    const client = await openSession(http, agent, createRandom(seed * 1_000 + n), stop);
    loads.push(client.load);
    await client.work(() => busy);
    return client;
  });
  const isEnough = (): boolean => {
    const tally = tallyOf(loads);
    return (tally['turns'] ?? 0) > sessions && Object.values(tally).every((count) => count > 0);
  };
  return {
    loads,
    end: async () => {
      for (let n = 0; !isEnough() && n < mostExtra; n += 1) await wait(500);
      busy = false;
      const clients = await Promise.all(running);
      await Promise.all(clients.map((client) => client.finish()));
    },
  };
};
