/**
 * The answers of one session: read, looked at, written in one commit.
 *
 * A4 An action is answered by whom it names and by nobody else, whoever may control the session otherwise.
 * A7 Each answer leaves an entry in the audit log, in the same commit: who answered which action how, never with what words.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { AnswerBody, CommandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import { type Fault, mostFaults } from '@turnkeeper/core/protocol/wire-faults';
import type { Answer, AnswerPayload } from '@turnkeeper/core/session/commands';
import { decide } from '@turnkeeper/core/session/decide';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { ActionBody } from '@turnkeeper/core/view/action';
import type { AuditRow } from '../ports/catalog.ts';
import { mayAnswer } from './access.ts';
import { placeOf, readAnswer } from './answer-payload.ts';
import type { App } from './app.ts';
import { auditOf } from './audit.ts';
import { type Caller, ownerOf } from './caller.ts';
import { commandReceipt } from './command-receipt.ts';
import { editedInputFaults } from './edited-input.ts';
import { sealValues } from './form-sealing.ts';
import { formFaults } from './form-values.ts';
import { rulesOf } from './frozen-config.ts';
import { earlier, type Keyed, type KeyedCall } from './idempotency.ts';
import type { Lane, Session } from './lane.ts';
import type { Ask } from './lane-batch.ts';
import { replayedOr, runKeyedJob, thrown } from './run-job.ts';

/** An action that is to be answered, as it is stored, and the answer. */
export type Asked = {
  readonly requestId: string;
  readonly action: ActionBody | undefined;
  readonly body: AnswerBody;
  /** Where it stands in the request. */
  readonly at: string;
};

/** What a request answers in one session. */
export type Part = {
  readonly lane: Lane;
  readonly session: Session;
  readonly turnId: TurnId;
  readonly asked: readonly Asked[];
  readonly call: KeyedCall;
};
type Answered = { readonly answer: Answer; readonly action: ActionBody; readonly at: string };
export type ReadyPart = { readonly part: Part; readonly answered: readonly Answered[]; readonly faults: readonly Fault[] };

/** A request that answers in one session only. */
export const answerPart = async (app: App, caller: Caller, part: Part): Promise<Keyed<CommandReceipt>> => {
  // The key comes before the state: a repeated answer is not refused because the first one was taken.
  const before = await earlier<CommandReceipt>(app.sessions.store, part.call);
  if (before) return before;
  let ready: ReadyPart;
  try {
    ready = await readPart(app, caller, part);
    refuseFaults(ready.faults);
  } catch (refusal) {
    return replayedOr(app, part.call, refusal);
  }
  return writePart(app, caller, ready);
};

/** What the answers say, or all that is wrong with them. Throws `not_found`, `approver_required`, `action_resolved`. */
export const readPart = async (app: App, caller: Caller, part: Part): Promise<ReadyPart> => {
  const actions = part.asked.map((entry) => actionFor(caller, part, entry));
  const pairs = part.asked.flatMap(({ body, at }, n) => {
    const action = actions[n];
    return action ? [{ action, at: `${at}${placeOf(body)}`, read: readAnswer(body, action, at) }] : [];
  });
  const unread = pairs.flatMap(({ read }) => (read.ok ? [] : read.faults));
  const answered = pairs.flatMap(({ action, at, read }) => (read.ok ? [{ action, at, answer: read.value }] : []));
  const faults = unread.length > 0 ? unread : [...(await editedInputFaults(app, part.session, answered)), ...(await formFaults(app, answered))];
  return { part, answered, faults };
};

/** Why it would be refused if it were written now; nothing is. */
export const checkPart = async (app: App, caller: Caller, { part, answered }: ReadyPart): Promise<TurnkeeperError | undefined> => {
  const { lane, session, turnId } = part;
  const ask = {
    ...answerAsk(
      caller,
      turnId,
      'cmd_check',
      answered.map(({ answer }) => answer),
    ),
    at: app.clock.now(),
  };
  // In the lane: where other nodes write it too, the session is read anew before it refuses anything (X16).
  const result = await lane.command((state) => {
    const decision = decide(state, ask, rulesOf(session.config));
    return decision.ok ? { asks: [] } : decision;
  });
  return 'refusal' in result ? thrown(result.refusal) : undefined;
};

export const writePart = async (app: App, caller: Caller, { part, answered }: ReadyPart): Promise<Keyed<CommandReceipt>> => {
  const { lane, session, turnId, call } = part;
  const commandId = app.ids.next('cmd');
  const ask = answerAsk(caller, turnId, commandId, answered.map(sealed));
  const audit = answered.map((entry) => auditRow(app, caller, session, entry));
  const written = runKeyedJob(app, lane, call, () => ({
    plan: { asks: [ask], adopt: true, audit },
    answer: commandReceipt(session.row.id, turnId, commandId, 'actions', app.clock.now()),
  }));
  return written.catch(async (refusal: unknown) => {
    if (!(refusal instanceof TurnkeeperError) || refusal.code !== 'action_resolved') throw refusal;
    // Somebody was faster: by now it is stored who, and reading it again says so.
    for (const entry of await storedActions(app, session, part.asked)) openAction(turnId, entry);
    throw refusal;
  });
};

const answerAsk = (caller: Caller, turnId: TurnId, commandId: string, answers: readonly Answer[]): Extract<Ask, { type: 'answer' }> => ({
  ...{ type: 'answer', turnId, commandId, answeredBy: ownerOf(caller), answers },
});

/** In the order of the answers. */
export const storedActions = async (app: App, session: Session, entries: readonly Pick<Asked, 'body' | 'at'>[]): Promise<readonly Asked[]> => {
  const ids = entries.map(({ body }) => body.request_id);
  const rows = await app.sessions.store.resourcesOf(session.head.sid, ids);
  const found = new Map(rows.flatMap(({ kind, id, body }) => (kind === 'required_action' ? [[id, JSON.parse(body) as ActionBody]] : [])));
  return entries.map(({ body, at }) => ({ requestId: body.request_id, action: found.get(body.request_id), body, at }));
};

const openAction = (turnId: TurnId, { requestId, action }: Pick<Asked, 'requestId' | 'action'>): ActionBody => {
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
const denies = (body: AnswerBody): boolean => {
  const payload = typeof body.payload === 'object' && body.payload !== null && !Array.isArray(body.payload) ? body.payload : {};
  return (body['allow'] ?? payload['allow']) === false;
};

const actionFor = (caller: Caller, { session, turnId }: Part, asked: Asked): ActionBody => {
  const action = openAction(turnId, asked);
  if (!mayAnswer(caller, session.row.owner, action, denies(asked.body)))
    throw new TurnkeeperError('approver_required', 'This action waits for somebody else’s answer.', { action_id: asked.requestId });
  return action;
};

/** What is filled in while a tool runs is for that run alone (FV1). */
const sealed = ({ answer, action }: Answered): Answer => {
  const { payload } = answer;
  if (action.answer_key === undefined || payload.kind !== 'form' || !payload.submitted) return answer;
  return { ...answer, payload: { kind: 'form', submitted: true, sealed: sealValues(action.answer_key, action.request_id, payload.values ?? {}) } };
};

/** Throws `validation_failed` with all of these, if there are any. */
export const refuseFaults = (faults: readonly Fault[]): void => {
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
