/**
 * The end of a run that was open when its session was claimed: its process is gone, or let it go.
 *
 * N9 A run that was open at the claim is closed as lost before anything else is done; as handed over if its process lives (LV1).
 */
import type { Lane, Session } from '../app/lane.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { StepReport } from './model-step.ts';
import { runningInputs } from './running-inputs.ts';

/** How it ended. */
export type LostRunEnd = 'lost' | 'handed_over';

/** When the newest event was committed: a lost run is known to have run until then (S22). */
const lastFactAt = async (store: SessionStore, { head: { sid, seq } }: Session): Promise<{ readonly ranUntil?: number }> => {
  const [newest] = await store.events({ sid, after: seq - 1, limit: 1 });
  return newest ? { ranUntil: newest.at } : {};
};

type Held = { readonly lane: Lane; readonly store: SessionStore; readonly report: StepReport };

export const closeLostRun = async ({ lane, store, report }: Held, cause: LostRunEnd): Promise<void> => {
  const inputs = await runningInputs(store, await lane.load());
  const ranUntil = await lastFactAt(store, await lane.load());
  await report((state) => (state.live?.status === 'running' ? [{ type: 'end_run', cause, inputs, ...ranUntil }] : []));
};
