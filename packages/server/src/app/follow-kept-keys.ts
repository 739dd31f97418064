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
  const look = async (): Promise<void> => {
    if (await kept.look()) await changed();
  };
  let stopTimer = (): void => {};
  const lookLater = (): void => {
    stopTimer = clock.after(everyMs, () => void look().catch(report).then(lookLater));
  };
  if (shared) lookLater();
  return {
    secretChanged: async (name) => {
      // It is kept whatever comes of this: who set it is not told that it failed.
      if (kept.names.includes(name)) await look().catch(report);
    },
    stop: () => stopTimer(),
  };
};
