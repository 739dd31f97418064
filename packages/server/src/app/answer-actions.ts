/**
 * Use case: answer required actions of a turn.
 *
 * A4 An action is answered by whom it names and by nobody else, whoever may control the session otherwise.
 */
import { type OutputBlock, outputBlock } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { fitOutput } from '@turnkeeper/core/protocol/fit-output';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { type AnswerBody, type AnswersRequest, answerBody, type CommandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import type { Answer, AnswerPayload } from '@turnkeeper/core/session/commands';
import type { ActionKind } from '@turnkeeper/core/session/events';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { App } from './app.ts';
import { type Caller, findSession, ownerOf } from './caller.ts';
import { commandReceipt } from './command-receipt.ts';
import { earlier, type Keyed, keyedCall, requiredKey } from './idempotency.ts';
import type { Session } from './lane.ts';
import { findTurn } from './read-turn.ts';
import { replayedOr, runKeyedJob } from './run-job.ts';

/**
 * Answers one open action of a turn, or several in one commit. Throws `not_found`, `idempotency_conflict`,
 * `action_resolved`, `action_version_conflict`, `validation_failed`.
 */
export const answerActions = async (
  app: App,
  caller: Caller,
  sessionId: string,
  turnId: string,
  body: AnswersRequest,
  key: string | undefined,
): Promise<Keyed<CommandReceipt>> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'control');
  const { id } = await findTurn(app, session, turnId);
  const call = keyedCall(ownerOf(caller), 'actions', session.row.id, requiredKey(key), { turn: id, body });
  // The key comes before the state: a repeated answer is not refused because the first one was taken.
  const before = await earlier<CommandReceipt>(app.sessions.store, call);
  if (before) return before;
  const bodies = 'answers' in body && Array.isArray(body.answers) ? body.answers.map((entry) => answerBody.parse(entry)) : [answerBody.parse(body)];
  let answers: readonly Answer[];
  try {
    answers = await Promise.all(bodies.map(async (entry) => answerOf(entry, await actionFor(app, caller, session, entry.request_id))));
  } catch (refusal) {
    return replayedOr(app, call, refusal);
  }
  const commandId = app.ids.next('cmd');
  const answered = runKeyedJob(app, lane, call, () => ({
    plan: { asks: [{ type: 'answer', turnId: id, commandId, answeredBy: ownerOf(caller), answers }], adopt: true },
    answer: commandReceipt(session.row.id, id, commandId, 'actions', app.clock.now()),
  }));
  return answered.catch(async (refusal: unknown) => {
    if (!(refusal instanceof TurnkeeperError) || refusal.code !== 'action_resolved') throw refusal;
    // Somebody was faster: by now it is stored who, and reading it again says so.
    for (const { requestId } of answers) await actionOf(app, session, requestId);
    throw refusal;
  });
};

const actionOf = async (app: App, session: Session, requestId: string): Promise<ActionBody> => {
  const row = await app.sessions.store.resource(session.head.sid, requestId);
  if (row?.kind !== 'required_action') throw new TurnkeeperError('not_found', `There is no action ${requestId}.`, { request_id: requestId });
  const action = JSON.parse(row.body) as ActionBody;
  if (action.status !== 'open') {
    throw new TurnkeeperError('action_resolved', `The action was already closed: ${action.status}.`, {
      request_id: requestId,
      resolution: action.status,
      ...(action.resolved_by === undefined ? {} : { resolved_by: action.resolved_by }),
    });
  }
  return action;
};

const actionFor = async (app: App, caller: Caller, session: Session, requestId: string): Promise<ActionBody> => {
  const action = await actionOf(app, session, requestId);
  if (!mayAnswer(caller, session.row.owner, action.approver))
    throw new TurnkeeperError('approver_required', 'This action waits for somebody else’s answer.', { request_id: requestId });
  return action;
};

/**
 * `owner` is the session's owner. `application` is the application that owns the session; where a user owns it, there
 * is none to ask, and the user stands for it (semantics, section 6).
 */
const mayAnswer = (caller: Caller, owner: string, approver: ActionBody['approver']): boolean => {
  if (typeof approver !== 'string') return approver.includes(caller.id);
  return (approver === 'owner' || approver === 'application') && owner === ownerOf(caller);
};

const answerOf = (body: AnswerBody, action: ActionBody): Answer => ({
  requestId: body.request_id,
  ...(body.expected_version === undefined ? {} : { expectedVersion: body.expected_version }),
  payload: payloadOf(action.kind, payloadMembers(body)),
});

/** The payload's members; older clients put them beside `request_id`. */
const payloadMembers = (body: AnswerBody): JsonObject => {
  const { request_id: _id, expected_version: _version, decision, payload, ...beside } = body;
  const members = (payload ?? beside) as JsonObject;
  return decision === undefined || 'allow' in members ? members : { ...members, allow: decision === 'approved' };
};

const wrong = (pointer: string, wanted: string): TurnkeeperError =>
  new TurnkeeperError('validation_failed', `${pointer}: ${wanted}`, { errors: [{ pointer, detail: wanted }] });

const payloadOf = (kind: ActionKind, members: JsonObject): AnswerPayload => {
  switch (kind) {
    case 'external_execution':
      if (!('output' in members)) throw wrong('/payload/output', 'the result of the call: a text, content blocks or any JSON');
      return { kind, output: outputOf(members['output']), isError: members['is_error'] === true };
    case 'confirmation': {
      const { allow, reason, input } = members;
      if (typeof allow !== 'boolean') throw wrong('/payload/allow', 'true or false');
      return { kind, allow, ...(typeof reason === 'string' ? { reason } : {}), ...(isObject(input) ? { input } : {}) };
    }
    case 'reconciliation': {
      const { outcome, reason } = members;
      if (outcome !== 'succeeded' && outcome !== 'failed') throw wrong('/payload/outcome', '"succeeded" or "failed"');
      if (typeof reason !== 'string' || reason.trim() === '') throw wrong('/payload/reason', 'how the real result was found out');
      return { kind, outcome, reason, output: outputOf(members['output'] ?? `${outcome}: ${reason}`) };
    }
    case 'question':
    case 'form':
    case 'approval':
    case 'signal':
      throw new TurnkeeperError('not_supported', `Actions of kind ${kind} cannot be answered by this server yet.`);
  }
};

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the application gives back, as content blocks, held to the size that events may have. */
const outputOf = (value: unknown): readonly OutputBlock[] => {
  const blocks = Array.isArray(value) ? outputBlock.array().safeParse(value) : undefined;
  if (blocks?.success) return fitOutput(blocks.data);
  return fitOutput([{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }]);
};
