/** Use case: submit a turn. Accepted = durably stored; it runs in its order, also after a crash. */
import type { Refusal } from '@turnkeeper/core/protocol/errors';
import type { SubmitRequest, TurnReceipt } from '@turnkeeper/core/protocol/wire/sessions';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { SessionRow } from '../ports/session-store.ts';
import { acceptedOutcome } from './accept-outcome.ts';
import { accessRefusal } from './access.ts';
import type { App } from './app.ts';
import { becomes, usesOf } from './busy-policy.ts';
import { type Caller, ownerOf } from './caller.ts';
import { findSession, subjectOf } from './find-session.ts';
import { type Keyed, keyedCall, requiredKey } from './idempotency.ts';
import { inputRefusal, targetOf } from './input-refusal.ts';
import type { Plan } from './lane-batch.ts';
import { runKeyedJob, thrown } from './run-job.ts';
import { turnReceipt } from './session-resource.ts';
import { schemaRefusal } from './session-schemas.ts';
import { submitterOf } from './submitter.ts';
import { requireSupport } from './target-support.ts';
import { budgetRefusal } from './token-budget.ts';
import { acceptedInput, titleFrom } from './turn-input.ts';

/**
 * Queues a turn, or what `onBusy` makes of it on a busy session; resolves when it is durable. Throws `not_found`,
 * `idempotency_conflict`, `session_archived`, `session_busy`, `queue_full`, `inputs_full`, `payload_too_large`,
 * `validation_failed`, `token_budget_exhausted`; `not_supported` (`onBusy: steer` where nothing is steered).
 */
export const submitTurn = async (
  app: App,
  caller: Caller,
  sessionId: string,
  body: SubmitRequest,
  key: string | undefined,
  /** By what a repeat is told from other content; the body unless given. */
  content: unknown = body,
): Promise<Keyed<TurnReceipt>> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'invoke');
  const policy = body.onBusy ?? 'queue';
  const forbidden = usesOf[policy].map((use) => accessRefusal(caller, subjectOf(session.row, session.config), use)).find((refusal) => refusal !== undefined);
  if (forbidden) throw thrown(forbidden);
  if (policy === 'steer') requireSupport(session, 'steer');
  const call = keyedCall(ownerOf(caller), 'submit', session.row.id, requiredKey(key), content);
  const input = acceptedInput(body, session.config.target.type);
  const names = { turnId: app.ids.turn(), commandId: app.ids.next('cmd'), inputId: app.ids.next('inp') };
  const unfit = await schemaRefusal(app, session.config, body);
  const refused = unfit ?? (await inputRefusal(app, targetOf(session), input.messages)) ?? (await budgetRefusal(app, session.row.owner));
  const outcome = await acceptedOutcome(app, caller, body.outcome);
  const more = {
    ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
    ...('criteria' in outcome && outcome.criteria ? { outcome: outcome.criteria } : {}),
    submitter: submitterOf(caller),
  };
  const plan = (state: SessionState, row: SessionRow): { readonly plan: Plan; readonly answer: TurnReceipt } | Refusal => {
    const now = becomes(state, policy, names);
    if ('ok' in now) return now;
    if (now.kind === 'steer') {
      const { turnId, status, queuePosition } = now;
      const { commandId, inputId } = names;
      return {
        plan: { asks: [{ type: 'steer', turnId, inputId, commandId, input: input.messages }] },
        answer: { ...turnReceipt(session.row.id, turnId, app.clock.now(), queuePosition), status, inputId },
      };
    }
    const { turnId } = names;
    return {
      plan: {
        asks: [...now.before, { type: 'submit', turnId, preview: input.preview, ...more }, ...now.after],
        input: { turnId, messages: input.messages },
        adopt: true,
        ...(row.title === '' ? { session: { title: titleFrom(input, session.config.target.name) } } : {}),
      },
      answer: turnReceipt(session.row.id, turnId, app.clock.now(), now.queuePosition),
    };
  };
  // A repeat is answered whatever is spent: a refusal looks for the earlier call first (I2).
  return runKeyedJob(app, lane, call, (state, row) => ('criteria' in outcome ? (refused ?? plan(state, row)) : outcome), { row: session.row.title === '' });
};
