/**
 * Use case: answer required actions of a turn, its own and those that sessions below it show in it.
 *
 * A15 What one request answers in several sessions is looked at as a whole before the first of it is written: what is refused
 *     then leaves nothing. It is written session by session, the deepest first, since what is answered above may end what is
 *     below; of one session all or nothing. Each of these commits has the call's receipt: a repeat of the call does what is
 *     still missing, and whoever is refused in between is told what was taken.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { type AnswerBody, type AnswersReceipt, type AnswersRequest, answerBody, type CommandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import { childTurnId, type SessionId, type TurnId } from '@turnkeeper/core/session/ids';
import { type Reach, reachActions, seesAction } from './action-reach.ts';
import { type Asked, answerPart, checkPart, type Part, type ReadyPart, readPart, refuseFaults, storedActions, writePart } from './answer-part.ts';
import type { App } from './app.ts';
import { type Caller, ownerOf } from './caller.ts';
import { sessionGone } from './find-session.ts';
import { earlier, type Keyed, keyedCall, requiredKey } from './idempotency.ts';
import { findTurn } from './read-turn.ts';
import { replayedOr } from './run-job.ts';

/**
 * Answers one open action of a turn, or several: those of one session in one commit, those of several as A15 says. Throws
 * `not_found`, `scope_missing`, `approver_required`, `idempotency_conflict`, `action_resolved`, `action_version_conflict`,
 * `validation_failed`; of several sessions with `answered`, the actions that were taken all the same.
 */
export const answerActions = async (
  app: App,
  caller: Caller,
  sessionId: string,
  turnId: string,
  body: AnswersRequest,
  key: string | undefined,
): Promise<Keyed<AnswersReceipt>> => {
  const places = await placesOf(app, caller, sessionId, turnId, entriesOf(body));
  const parts = places.map(({ reach, turnId: turn, asked }): Part => {
    const call = keyedCall(ownerOf(caller), 'actions', reach.session.row.id, requiredKey(key), { turn, body });
    return { lane: reach.lane, session: reach.session, turnId: turn, asked, call };
  });
  const [only] = parts;
  return parts.length === 1 && only ? answerPart(app, caller, only) : answerParts(app, caller, parts);
};

type Entry = { readonly body: AnswerBody; readonly at: string };

const entriesOf = (body: AnswersRequest): readonly Entry[] =>
  'answers' in body && Array.isArray(body.answers)
    ? body.answers.map((entry, n) => ({ body: answerBody.parse(entry), at: `/answers/${n}` }))
    : [{ body: answerBody.parse(body), at: '' }];

type Place = { readonly reach: Reach; readonly turnId: TurnId; readonly asked: readonly Asked[] };

/** Where these are open: what is decided there is the one answer. The deepest first. */
const placesOf = async (app: App, caller: Caller, sessionId: string, turnId: string, entries: readonly Entry[]): Promise<readonly Place[]> => {
  const reach = await reachActions(app, caller, sessionId, 'interact');
  const asked = await storedActions(app, reach.session, entries);
  const id = await turnOf(app, caller, reach, turnId, asked);
  const below = Map.groupBy(asked, ({ action }) => action?.child_session_id as SessionId | undefined);
  const own = below.get(undefined);
  below.delete(undefined);
  const deeper: Place[] = [];
  for (const [child, shown] of below) deeper.push(...(await placesOf(app, caller, child as SessionId, childTurnId(child as SessionId), shown)));
  return [...deeper.toSorted((a, b) => depthOf(b) - depthOf(a)), ...(own ? [{ reach, turnId: id, asked: own }] : [])];
};

const depthOf = ({ reach }: Place): number => reach.session.row.path.split('/').length;

/** The turn, where the caller sees it: by the session, or by each of the actions that it answers (A6). */
const turnOf = async (app: App, caller: Caller, reach: Reach, turnId: string, asked: readonly Asked[]): Promise<TurnId> => {
  if (reach.reads) return (await findTurn(app, reach.session, turnId)).id;
  if (!asked.every(({ action }) => action?.turn_id === turnId && seesAction(caller, reach, action))) throw sessionGone();
  return turnId as TurnId;
};

/** Of several sessions (A15). */
const answerParts = async (app: App, caller: Caller, parts: readonly Part[]): Promise<Keyed<AnswersReceipt>> => {
  const taken = new Map<Part, Keyed<CommandReceipt>>();
  try {
    const before = await Promise.all(parts.map(({ call }) => earlier<CommandReceipt>(app.sessions.store, call)));
    parts.forEach((part, n) => {
      if (before[n]) taken.set(part, before[n]);
    });
    for (const ready of await checkAll(app, caller, parts, taken)) taken.set(ready.part, await writePart(app, caller, ready));
  } catch (error) {
    if (taken.size === 0 || !(error instanceof TurnkeeperError)) throw error;
    const answered = [...taken.keys()].flatMap(({ asked }) => asked.map(({ requestId }) => requestId));
    throw new TurnkeeperError(error.code, error.message, { ...error.details, answered }, { cause: error });
  }
  return receiptOfAll(parts, taken);
};

/** Those that are not taken yet, none of which would be refused as things are. */
const checkAll = async (app: App, caller: Caller, parts: readonly Part[], taken: Map<Part, Keyed<CommandReceipt>>): Promise<readonly ReadyPart[]> => {
  const ready: ReadyPart[] = [];
  for (const part of parts) {
    if (taken.has(part)) continue;
    try {
      ready.push(await readPart(app, caller, part));
    } catch (refusal) {
      // Its twin may have been faster: then it is taken.
      taken.set(part, await replayedOr<CommandReceipt>(app, part.call, refusal));
    }
  }
  refuseFaults(ready.flatMap(({ faults }) => faults));
  const open: ReadyPart[] = [];
  for (const part of ready) {
    const refusal = await checkPart(app, caller, part);
    if (refusal) taken.set(part.part, await replayedOr<CommandReceipt>(app, part.part.call, refusal));
    else open.push(part);
  }
  return open;
};

/** The last one is the highest: of the session that was asked, if anything of its own was answered. */
const receiptOfAll = (parts: readonly Part[], taken: ReadonlyMap<Part, Keyed<CommandReceipt>>): Keyed<AnswersReceipt> => {
  const all = parts.flatMap((part) => {
    const receipt = taken.get(part);
    return receipt ? [{ session_id: part.session.row.id, ...receipt.answer, replayed: receipt.replayed }] : [];
  });
  const shown = all.map(({ replayed: _, ...receipt }) => receipt);
  const { session_id: _, ...last } = shown.at(-1) as (typeof shown)[number];
  return { answer: { ...last, parts: shown }, replayed: all.every(({ replayed }) => replayed) };
};
