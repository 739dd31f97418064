/**
 * Use case: answer required actions of a turn.
 *
 * A4 An action is answered by whom it names and by nobody else, whoever may control the session otherwise.
 * A7 Each answer leaves an entry in the audit log, in the same commit: who answered which action how, never with what words.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { type AnswerBody, type AnswersRequest, answerBody, type CommandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import { type Fault, mostFaults } from '@turnkeeper/core/protocol/wire-faults';
import type { Answer, AnswerPayload } from '@turnkeeper/core/session/commands';
import { childTurnId, type SessionId, type TurnId } from '@turnkeeper/core/session/ids';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { AuditRow } from '../ports/catalog.ts';
import { mayAnswer } from './access.ts';
import { type Reach, reachActions, seesAction } from './action-reach.ts';
import { placeOf, readAnswer } from './answer-payload.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import { type Caller, ownerOf } from './caller.ts';
import { commandReceipt } from './command-receipt.ts';
import { editedInputFaults } from './edited-input.ts';
import { sessionGone } from './find-session.ts';
import { sealValues } from './form-sealing.ts';
import { formFaults } from './form-values.ts';
import { earlier, type Keyed, keyedCall, requiredKey } from './idempotency.ts';
import type { Session } from './lane.ts';
import { findTurn } from './read-turn.ts';
import { replayedOr, runKeyedJob } from './run-job.ts';

/**
 * Answers one open action of a turn, or several in one commit. Throws `not_found`, `scope_missing`, `approver_required`,
 * `idempotency_conflict`, `action_resolved`, `action_version_conflict`, `validation_failed`.
 */
export const answerActions = async (
  app: App,
  caller: Caller,
  sessionId: string,
  turnId: string,
  body: AnswersRequest,
  key: string | undefined,
): Promise<Keyed<CommandReceipt>> => {
  const bodies = bodiesOf(body);
  const reach = await reachActions(app, caller, sessionId, 'interact');
  const { lane, session } = reach;
  const asked = await storedActions(app, session, bodies);
  const id = await turnOf(app, caller, reach, turnId, asked);
  const child = childAsked(asked);
  // It is open there: what is decided there is the one answer.
  if (child !== undefined) return answerActions(app, caller, child, childTurnId(child), body, key);
  const call = keyedCall(ownerOf(caller), 'actions', session.row.id, requiredKey(key), { turn: id, body });
  // The key comes before the state: a repeated answer is not refused because the first one was taken.
  const before = await earlier<CommandReceipt>(app.sessions.store, call);
  if (before) return before;
  let read: readonly Answered[];
  try {
    read = readAll(
      bodies,
      asked.map((entry, n) => actionFor(caller, session, id, { ...entry, denies: denies(bodies[n]) })),
      'answers' in body && Array.isArray(body.answers),
    );
    refuse([...(await editedInputFaults(app, session, read)), ...(await formFaults(app, read))]);
  } catch (refusal) {
    return replayedOr(app, call, refusal);
  }
  const commandId = app.ids.next('cmd');
  const answers = read.map(sealed);
  const audit = read.map((entry) => auditRow(app, caller, session, entry));
  const answered = runKeyedJob(app, lane, call, () => ({
    plan: { asks: [{ type: 'answer', turnId: id, commandId, answeredBy: ownerOf(caller), answers }], adopt: true, audit },
    answer: commandReceipt(session.row.id, id, commandId, 'actions', app.clock.now()),
  }));
  return answered.catch(async (refusal: unknown) => {
    if (!(refusal instanceof TurnkeeperError) || refusal.code !== 'action_resolved') throw refusal;
    // Somebody was faster: by now it is stored who, and reading it again says so.
    for (const entry of await storedActions(app, session, bodies)) openAction(id, entry);
    throw refusal;
  });
};

type Answered = { readonly answer: Answer; readonly action: ActionBody; readonly at: string };

const bodiesOf = (body: AnswersRequest): readonly AnswerBody[] =>
  'answers' in body && Array.isArray(body.answers) ? body.answers.map((entry) => answerBody.parse(entry)) : [answerBody.parse(body)];

/** The turn, where the caller sees it: by the session, or by each of the actions that it answers (A6). */
const turnOf = async (app: App, caller: Caller, reach: Reach, turnId: string, asked: readonly Asked[]): Promise<TurnId> => {
  if (reach.reads) return (await findTurn(app, reach.session, turnId)).id;
  if (!asked.every(({ action }) => action?.turn_id === turnId && seesAction(caller, reach, action))) throw sessionGone();
  return turnId as TurnId;
};

/** The session below this one in which all of these are open; undefined where they are this one's own. */
const childAsked = (asked: readonly Asked[]): SessionId | undefined => {
  const sessions = new Set(asked.map(({ action }) => action?.child_session_id));
  if (sessions.size > 1)
    throw new TurnkeeperError('validation_failed', 'The actions of one request must be open in one session: answer those of children apart.');
  return [...sessions][0];
};

/** An action that is to be answered, as it is stored. */
type Asked = { readonly requestId: string; readonly action: ActionBody | undefined };

/** In the order of the answers. */
const storedActions = async (app: App, session: Session, bodies: readonly AnswerBody[]): Promise<readonly Asked[]> => {
  const ids = bodies.map(({ request_id }) => request_id);
  const rows = await app.sessions.store.resourcesOf(session.head.sid, ids);
  const found = new Map(rows.flatMap(({ kind, id, body }) => (kind === 'required_action' ? [[id, JSON.parse(body) as ActionBody]] : [])));
  return ids.map((requestId) => ({ requestId, action: found.get(requestId) }));
};

const openAction = (turnId: TurnId, { requestId, action }: Asked): ActionBody => {
  if (action?.turn_id !== turnId) throw new TurnkeeperError('not_found', `There is no action ${requestId}.`, { action_id: requestId });
  if (action.status !== 'open') {
    throw new TurnkeeperError('action_resolved', `The action was already closed: ${action.status}.`, {
      action_id: requestId,
      resolution: action.status,
      ...(action.resolved_by === undefined ? {} : { resolved_by: action.resolved_by }),
    });
  }
  return action;
};

/** Whether an answer to a confirmation says no, wherever its members stand. */
const denies = (body: AnswerBody | undefined): boolean => {
  const payload = typeof body?.payload === 'object' && body.payload !== null && !Array.isArray(body.payload) ? body.payload : {};
  return (body?.['allow'] ?? payload['allow']) === false;
};

const actionFor = (caller: Caller, session: Session, turnId: TurnId, asked: Asked & { readonly denies: boolean }): ActionBody => {
  const action = openAction(turnId, asked);
  if (!mayAnswer(caller, session.row.owner, action, asked.denies))
    throw new TurnkeeperError('approver_required', 'This action waits for somebody else’s answer.', { action_id: asked.requestId });
  return action;
};

/** All answers, or all that is wrong with them. */
const readAll = (bodies: readonly AnswerBody[], actions: readonly ActionBody[], isList: boolean): readonly Answered[] => {
  const pairs = bodies.flatMap((body, n) => {
    const action = actions[n];
    const at = isList ? `/answers/${n}` : '';
    return action ? [{ action, at: `${at}${placeOf(body)}`, read: readAnswer(body, action, at) }] : [];
  });
  refuse(pairs.flatMap(({ read }) => (read.ok ? [] : read.faults)));
  return pairs.flatMap(({ action, at, read }) => (read.ok ? [{ action, at, answer: read.value }] : []));
};

/** What is filled in while a tool runs is for that run alone (FV1). */
const sealed = ({ answer, action }: Answered): Answer => {
  const { payload } = answer;
  if (action.answer_key === undefined || payload.kind !== 'form' || !payload.submitted) return answer;
  return { ...answer, payload: { kind: 'form', submitted: true, sealed: sealValues(action.answer_key, action.request_id, payload.values ?? {}) } };
};

const refuse = (faults: readonly Fault[]): void => {
  if (faults.length === 0) return;
  const errors = faults.slice(0, mostFaults);
  const summary = errors.slice(0, 3).map(({ pointer, detail }) => `${pointer}: ${detail}`);
  throw new TurnkeeperError('validation_failed', `The answer does not fit what is asked: ${summary.join('; ')}`, { errors });
};

const auditRow = (app: App, caller: Caller, session: Session, { answer, action }: Answered): AuditRow => {
  const { id } = session.row;
  const { payload } = answer;
  const details: JsonObject = {
    turn_id: action.turn_id,
    request_id: action.request_id,
    kind: action.kind,
    outcome: outcomeOf(payload),
    ...(action.tool_call === undefined ? {} : { tool: action.tool_call.name }),
    ...(payload.kind === 'confirmation' && payload.remember ? { remember: payload.remember } : {}),
  };
  return auditOf(app, caller, { action: 'action.answered', subject: `session:${id}`, sessionId: id, details });
};

const outcomeOf = (payload: AnswerPayload): string => {
  switch (payload.kind) {
    case 'confirmation':
      return payload.allow ? 'allowed' : 'denied';
    case 'external_execution':
      return payload.isError ? 'failed' : 'answered';
    case 'question':
    case 'signal':
      return 'answered';
    case 'form':
      return payload.submitted ? 'submitted' : 'declined';
    case 'approval':
      return payload.approved ? 'approved' : 'rejected';
    case 'reconciliation':
      return payload.outcome;
  }
};
