/** Keys of models that admins keep: looked at as one changes, and again and again where another node may have changed one. */
import type { Clock } from '../ports/clock.ts';

const everyMs = 15_000;

type KeyFollower = {
  /** A secret was set or deleted here. */
  readonly secretChanged: (name: string) => Promise<void>;
  readonly stop: () => void;
};

type KeyFollowerOptions = {
  /** Secrets of these names are keys; `look` is true when one has changed. */
  readonly kept: { readonly names: readonly string[]; readonly look: () => Promise<boolean> };
  readonly clock: Clock;
  /** Other nodes are on the same database. */
  readonly shared: boolean;
  /** A provider was switched on or off. */
  readonly changed: () => Promise<void>;
  readonly report: (error: unknown) => void;
};

export const followKeptKeys = ({ kept, clock, shared, changed, report }: KeyFollowerOptions): KeyFollower => {
  let work = Promise.resolve();
  /** Something was asked for, or has changed, that was not seen to its end. */
  let owed = false;
  let stopped = false;
  let stopTimer = (): void => {};
  const lookOnce = async (): Promise<void> => {
    try {
      if ((await kept.look()) || owed) await changed();
      owed = false;
    } catch (error) {
      owed = true;
      report(error);
    }
    lookLater();
  };
  /** One after the other: an older answer never takes the place of a newer one. */
  const look = (): Promise<void> => {
    work = work.then(() => (stopped ? undefined : lookOnce()));
    return work;
  };
  const lookLater = (): void => {
    stopTimer();
    if (!stopped && (shared || owed)) stopTimer = clock.after(everyMs, () => void look());
  };
  lookLater();
  return {
    // It is kept whatever comes of this: who set it is not told that it failed, it is looked at again.
    secretChanged: async (name) => {
      if (kept.names.includes(name)) await look();
    },
    stop: () => {
      stopped = true;
      stopTimer();
    },
  };
};
