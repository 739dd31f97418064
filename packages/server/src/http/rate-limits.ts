/**
 * How often a credential may ask, and how often one address may fail to sign in: counted by the minute.
 *
 * One counter a key, dropped with its minute: memory is bounded by who asked within it.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { App } from '../app/app.ts';

const minuteMs = 60_000;

/** Calls a minute by one key; throws `rate_limited` beyond. */
export type RateLimit = {
  readonly take: (key: string) => void;
  /** Counts without throwing: for what is refused anyway. */
  readonly count: (key: string) => void;
  /** Throws without counting. */
  readonly check: (key: string) => void;
};

export type RateLimits = {
  readonly requests: RateLimit;
  readonly failedSignIns: RateLimit;
};

/** `what` is counted, in the plural. */
export const createRateLimit = (clock: App['clock'], perMinute: number, what = 'requests'): RateLimit => {
  let minute = 0;
  let counts = new Map<string, number>();
  const current = (): Map<string, number> => {
    const now = Math.floor(clock.now() / minuteMs);
    if (now !== minute) {
      minute = now;
      counts = new Map();
    }
    return counts;
  };
  const refuse = (): never => {
    const wait = (minute + 1) * minuteMs - clock.now();
    throw new TurnkeeperError('rate_limited', `More than ${perMinute} ${what} a minute. Wait, and try again.`, {
      limit: perMinute,
      retry_after_ms: Math.max(1, wait),
    });
  };
  return {
    take: (key) => {
      const known = current();
      const count = (known.get(key) ?? 0) + 1;
      if (count > perMinute) refuse();
      known.set(key, count);
    },
    count: (key) => {
      const known = current();
      known.set(key, (known.get(key) ?? 0) + 1);
    },
    check: (key) => {
      if ((current().get(key) ?? 0) >= perMinute) refuse();
    },
  };
};
