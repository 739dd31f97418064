/**
 * What a batch of a lane is written under.
 *
 * X8 A guard rests on the claim under which its batch was decided.
 */
import type { LoggedEvent } from '@turnkeeper/core/session/events';
import type { Guard, Head, Write } from '../ports/session-store.ts';
import type { FormatGate } from './format-gate.ts';
import type { Session } from './lane.ts';
import type { extrasOf, Prepared } from './lane-batch.ts';
import { type Batch, onlyDeltas } from './lane-write.ts';

/** Deltas leave the state, and so the session's format, as they are (FG2). */
export const inNextFormat = (batch: Batch, { head, state }: Session, held: number | undefined, formats: FormatGate): Batch => {
  const v = onlyDeltas(batch.events) ? state.v : formats.next(state, held !== undefined || head.node === null);
  return v === batch.after.v ? batch : { ...batch, after: { ...batch.after, v } };
};

/** The guard of a batch that was decided under the claim `held` (X8). */
export const guardOf = (head: Head, events: readonly LoggedEvent[], held: number | undefined): Guard => {
  if (held === undefined) return { kind: 'command', stateSeq: head.stateSeq };
  const moves = events.length === 0 || !onlyDeltas(events);
  return { kind: 'run', fence: held, wn: head.wn, ...(moves ? { stateSeq: head.stateSeq } : {}) };
};

export const needsWrite = ({ batch, decided, hold }: Prepared): boolean =>
  batch.events.length > 0 ||
  hold !== undefined ||
  decided.some(({ plan }) => (plan.receipts ?? []).length > 0 || plan.session !== undefined || plan.checkpoint !== undefined);

/** What the jobs bring beside their events, with what follows from those. */
export const withExtras = (rows: Pick<Write, 'session' | 'checkpoints'>, extras: ReturnType<typeof extrasOf>) => ({
  ...extras,
  ...(rows.session && extras.session ? { session: { ...rows.session, ...extras.session } } : {}),
  ...(rows.checkpoints && extras.checkpoints ? { checkpoints: [...rows.checkpoints, ...extras.checkpoints] } : {}),
});
