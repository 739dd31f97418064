/** Runs a client's job in a session's lane and turns its result into an answer. */

import type { Refusal } from '@turnkeeper/core/protocol/errors';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { SessionRow } from '../ports/session-store.ts';
import type { App } from './app.ts';
import { earlier, type Keyed, type KeyedCall, receiptOf, replayed } from './idempotency.ts';
import type { Lane } from './lane.ts';
import type { Plan } from './lane-batch.ts';

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
 */
export const runKeyedJob = async <Answer>(
  app: App,
  lane: Lane,
  call: KeyedCall,
  plan: (state: SessionState, row: SessionRow) => { readonly plan: Plan; readonly answer: Answer } | Refusal,
  rests: RestsOn = {},
): Promise<Keyed<Answer>> => {
  const before = await earlier<Answer>(app.sessions.store, call);
  if (before) return before;
  let answer: Answer | undefined;
  const result = await lane.command((state, row) => {
    const planned = plan(state, row);
    if ('ok' in planned) return planned;
    answer = planned.answer;
    return { ...planned.plan, receipts: [receiptOf(call, planned.answer, app.clock.now())] };
  }, rests);
  if (result.ok) return { answer: answer as Answer, replayed: false };
  if ('replay' in result) return replayed<Answer>(call, result.replay);
  if ('refusal' in result) return replayedOr(app, call, thrown(result.refusal));
  throw new TurnkeeperError('internal_error', 'A client command was answered as a run.');
};

/**
 * A refusal that may be due to the call's own twin: of two with one key that arrive together the second may find the
 * work of the first done (its action answered, say). The key comes before the state, so it gets the first one's answer.
 */
export const replayedOr = async <Answer>(app: App, call: KeyedCall, refusal: unknown): Promise<Keyed<Answer>> => {
  const twin = await earlier<Answer>(app.sessions.store, call);
  if (twin) return twin;
  throw refusal;
};
