/**
 * How much there is to do, read from the store on behalf of scrapers.
 *
 * TW1 However many scrape, the store is asked once in `freshMs`; a store that is slow or fails holds up no scrape beyond
 *     `patienceMs`, and what is not known now is not told.
 */
import type { Clock } from '../ports/clock.ts';
import type { Workload } from '../ports/session-store.ts';

const freshMs = 10_000;
const patienceMs = 1_000;

export const createWorkloadReading = (read: () => Promise<Workload>, clock: Clock): (() => Promise<Workload | undefined>) => {
  let latest: { readonly at: number; readonly workload: Promise<Workload | undefined> } | undefined;
  const ask = (): Promise<Workload | undefined> => {
    const workload = read().catch(() => undefined);
    latest = { at: clock.elapsed(), workload };
    return workload;
  };
  return async () => {
    const workload = latest && clock.elapsed() - latest.at < freshMs ? latest.workload : ask();
    let stop = (): void => {};
    const late = new Promise<undefined>((resolve) => {
      stop = clock.after(patienceMs, () => resolve(undefined));
    });
    return Promise.race([workload, late]).finally(stop);
  };
};
