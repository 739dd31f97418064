/** Runs a client's job in a session's lane and turns its result into an answer. */

import type { Refusal } from '@turnkeeper/core/protocol/errors';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { SessionRow } from '../ports/session-store.ts';
import type { App } from './app.ts';
import { earlier, type Keyed, type KeyedCall, receiptOf, replayed } from './idempotency.ts';
import { type Lane, outcomeUnknown } from './lane.ts';
import type { JobResult, Plan } from './lane-batch.ts';

export const thrown = (refusal: Refusal): TurnkeeperError => new TurnkeeperError(refusal.code, refusal.detail, refusal.details);

/** What a plan looks at beside the state: of the row, its title or metadata (X12). */
type RestsOn = { readonly row?: boolean };

/** A job without a key. Throws the refusal. */
export const runJob = async (
  lane: Lane,
  plan: (state: SessionState, row: SessionRow) => Plan | Refusal,
  rests: RestsOn = {},
): Promise<{ readonly state: SessionState; readonly row: SessionRow }> => {
  const result = await lane.command(plan, rests);
  if (result.ok) return result;
  if ('refusal' in result) throw thrown(result.refusal);
  throw new TurnkeeperError('internal_error', 'A job without a key was answered by a receipt.');
};

/**
 * A keyed job: its answer is written with its effect. `plan` gives what to do and the answer to remember.
 *
 * An earlier call of the same key is not looked for first: the store refuses its repeat before it looks at anything else
 * (W6), and where the repeat comes to nothing before that, the earlier one is looked for then (I2).
 */
export const runKeyedJob = async <Answer>(
  app: Pick<App, 'sessions' | 'clock'>,
  lane: Lane,
  call: KeyedCall,
  plan: (state: SessionState, row: SessionRow) => { readonly plan: Plan; readonly answer: Answer } | Refusal,
  rests: RestsOn = {},
): Promise<Keyed<Answer>> => {
  let answer: Answer | undefined;
  const keyed = (state: SessionState, row: SessionRow): Plan | Refusal => {
    const planned = plan(state, row);
    if ('ok' in planned) return planned;
    answer = planned.answer;
    return { ...planned.plan, receipts: [receiptOf(call, planned.answer, app.clock.now())] };
  };
  let result: JobResult;
  try {
    result = await lane.command(keyed, rests);
  } catch (error) {
    // Nothing can be written now: what was done before can still be told.
    if (outcomeUnknown(error)) throw error;
    return replayedOr(app, call, error);
  }
  if (result.ok) return { answer: answer as Answer, replayed: false };
  if ('replay' in result) return replayed<Answer>(call, result.replay);
  if ('refusal' in result) return replayedOr(app, call, thrown(result.refusal));
  throw new TurnkeeperError('internal_error', 'A client command was answered as a run.');
};

/**
 * A refusal that may be due to the call's own twin: of two with one key that arrive together the second may find the
 * work of the first done (its action answered, say). The key comes before the state, so it gets the first one's answer.
 */
export const replayedOr = async <Answer>(app: Pick<App, 'sessions'>, call: KeyedCall, refusal: unknown): Promise<Keyed<Answer>> => {
  const twin = await earlier<Answer>(app.sessions.store, call).catch((error: unknown) => {
    throw isConflict(error) ? error : refusal;
  });
  if (twin) return twin;
  throw refusal;
};

const isConflict = (error: unknown): boolean => error instanceof TurnkeeperError && error.code === 'idempotency_conflict';
