/** Use case: submit a turn. Accepted = durably stored; it runs in its order, also after a crash. */
import type { TurnInput, TurnReceipt } from '@turnkeeper/core/protocol/wire/sessions';
import { type SessionState, unfinishedTurns } from '@turnkeeper/core/session/state';
import type { SessionRow } from '../ports/session-store.ts';
import type { App } from './app.ts';
import { type Caller, findSession, ownerOf } from './caller.ts';
import { type Keyed, keyedCall, requiredKey } from './idempotency.ts';
import type { Plan } from './lane-batch.ts';
import { runKeyedJob } from './run-job.ts';
import { turnReceipt } from './session-resource.ts';
import { acceptedInput, titleFrom } from './turn-input.ts';

/**
 * Queues a turn; resolves when it is durable. Throws `not_found`, `idempotency_conflict`, `session_archived`, `queue_full`,
 * `payload_too_large`.
 */
export const submitTurn = async (app: App, caller: Caller, sessionId: string, body: TurnInput, key: string | undefined): Promise<Keyed<TurnReceipt>> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'control');
  const call = keyedCall(ownerOf(caller), 'submit', session.row.id, requiredKey(key), body);
  const input = acceptedInput(body);
  const turnId = app.ids.turn();
  const metadata = body.metadata === undefined ? {} : { metadata: body.metadata };
  const plan = (state: SessionState, row: SessionRow): { readonly plan: Plan; readonly answer: TurnReceipt } => ({
    plan: {
      asks: [{ type: 'submit', turnId, preview: input.preview, ...metadata }],
      input: { turnId, messages: input.messages },
      adopt: true,
      ...(row.title === '' ? { session: { title: titleFrom(input.preview) } } : {}),
    },
    answer: turnReceipt(session.row.id, turnId, app.clock.now(), unfinishedTurns(state)),
  });
  return runKeyedJob(app, lane, call, plan, { row: session.row.title === '' });
};
