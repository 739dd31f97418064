/**
 * Use cases: steer a turn, inject into a session, list what was said.
 *
 * An input is `accepted` when it is durably stored; that it was used is told by its own event and resource, and for a steer by
 * its receipt, too (IN1).
 */
import type { InjectReceipt, SteerReceipt } from '@turnkeeper/core/protocol/wire/inputs';
import type { SaidInput } from '@turnkeeper/core/protocol/wire/sessions';
import type { App } from './app.ts';
import { type Caller, ownerOf } from './caller.ts';
import { acceptedCommand } from './command-receipt.ts';
import { findSession } from './find-session.ts';
import { type Keyed, keyedCall, requiredKey } from './idempotency.ts';
import { inputRefusal, targetOf } from './input-refusal.ts';
import { findTurn } from './read-turn.ts';
import { runKeyedJob } from './run-job.ts';
import { requireSupport } from './target-support.ts';
import { acceptedInput } from './turn-input.ts';

/**
 * Says something to an unfinished turn: it hears it at its next step. Throws `not_found`, `not_supported`, `turn_closed`, `inputs_full`,
 * `payload_too_large`, `validation_failed`, `idempotency_conflict`.
 */
export const steerTurn = async (
  app: App,
  caller: Caller,
  { sessionId, turnId }: { readonly sessionId: string; readonly turnId: string },
  body: SaidInput,
  key: string | undefined,
): Promise<Keyed<SteerReceipt>> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'interact');
  requireSupport(session, 'steer');
  const { id } = await findTurn(app, session, turnId);
  const call = keyedCall(ownerOf(caller), 'steer', session.row.id, requiredKey(key), { turn: id, ...body });
  const { messages: input } = acceptedInput(body);
  const refusal = await inputRefusal(app, targetOf(session), input);
  const [commandId, inputId] = [app.ids.next('cmd'), app.ids.next('inp')];
  return runKeyedJob(
    app,
    lane,
    call,
    () =>
      refusal ?? {
        plan: { asks: [{ type: 'steer', turnId: id, inputId, commandId, input }] },
        answer: { input_id: inputId, turn_id: id, status: 'accepted', ...acceptedCommand(session.row.id, id, commandId, 'steer', app.clock.now()) },
      },
  );
};

/**
 * Background for the next step of whichever turn comes: it starts none. Throws `not_found`, `not_supported`, `session_archived`, `inputs_full`,
 * `payload_too_large`, `validation_failed`, `idempotency_conflict`.
 */
export const injectInput = async (app: App, caller: Caller, sessionId: string, body: SaidInput, key: string | undefined): Promise<Keyed<InjectReceipt>> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'interact');
  requireSupport(session, 'inject');
  const call = keyedCall(ownerOf(caller), 'inject', session.row.id, requiredKey(key), body);
  const { messages: input } = acceptedInput(body);
  const refusal = await inputRefusal(app, targetOf(session), input);
  const inputId = app.ids.next('inp');
  return runKeyedJob(
    app,
    lane,
    call,
    () => refusal ?? { plan: { asks: [{ type: 'inject', inputId, input }] }, answer: { input_id: inputId, status: 'accepted' } },
  );
};
