/**
 * Use case: what a turn was asked, asked again as a new turn of its session.
 *
 * RR1 A rerun is a submission like any other: with a key of its own, behind what is queued, of the same frozen target.
 */
import type { UserMessage } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { OutcomeCheck } from '@turnkeeper/core/protocol/wire/outcomes';
import type { TurnInput, TurnReceipt } from '@turnkeeper/core/protocol/wire/sessions';
import type { Criteria } from '@turnkeeper/core/session/outcome';
import type { App } from './app.ts';
import { askedMessages } from './asked-messages.ts';
import type { Caller } from './caller.ts';
import { findSession } from './find-session.ts';
import type { FrozenTarget } from './frozen-config.ts';
import type { Keyed } from './idempotency.ts';
import { findTurn } from './read-turn.ts';
import { submitTurn } from './submit-turn.ts';
import { turnInputOf } from './turn-input.ts';

/** Throws as `submitTurn` does, and `not_found` where the input of the turn is not kept any more. */
export const rerunTurn = async (app: App, caller: Caller, sessionId: string, turnId: string, key: string | undefined): Promise<Keyed<TurnReceipt>> => {
  const { session } = await findSession(app, caller, sessionId, 'invoke');
  const { id, body } = await findTurn(app, session, turnId);
  const messages = await askedMessages(app.sessions.store, { sid: session.head.sid, turnId: id, n: body.n });
  if (!messages) throw new TurnkeeperError('not_found', 'What this turn was asked is not kept any more.');
  const criteria = body.outcome ? { outcome: checkedAgain(body.outcome) } : {};
  const said = { ...askedAgain(messages, session.config.target.type), ...criteria, metadata: { rerun_of: id } };
  return submitTurn(app, caller, sessionId, said, key, { rerun_of: id });
};

/** The criteria as they are submitted: the judge as it is now (OA2). */
const checkedAgain = ({ schema, expression, rubric, max_tries: maxTries }: Criteria): OutcomeCheck => ({
  ...(schema ? { schema: schema as OutcomeCheck['schema'] } : {}),
  ...(expression === undefined ? {} : { expression }),
  ...(rubric ? { rubric: { agentId: rubric.agent_id, criteria: rubric.criteria } } : {}),
  maxTries,
});

/** As it was given: a text alone was a `message`, which a session's schema judges otherwise than messages. */
const askedAgain = (messages: readonly UserMessage[], target: FrozenTarget['type']): TurnInput => {
  if (target === 'workflow') return { input: turnInputOf(messages) };
  const [only, ...more] = messages.flatMap(({ content }) => content);
  return only?.type === 'text' && more.length === 0 ? { message: only.text } : { input: messages };
};
