/** Turns as `ctx.sessions` tells of them, and `waitForTurn`. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { TurnResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { Item } from '@turnkeeper/core/session/events';
import { itemId, type TurnId } from '@turnkeeper/core/session/ids';
import type { ItemBody } from '@turnkeeper/core/view/item';
import type { SessionTurnWaitResult } from '@turnkeeper/minitool/context/sessions';
import type { App } from '../../app/app.ts';
import { findTurn, isSettled, waitForTurn } from '../../app/read-turn.ts';
import type { AskingMinitool } from '../host-api.ts';
import * as take from './arguments.ts';
import { ownSession } from './own-session.ts';
import { callerOf, type SessionServices } from './services.ts';

export type TurnResult = SessionTurnWaitResult;

/** What an assistant's message says; a message of tool calls alone says nothing. */
export const saidBy = ({ role, status, content }: Item): string | undefined => {
  if (role !== 'assistant' || status !== 'completed') return undefined;
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  return text === '' ? undefined : text;
};

/** Items of one turn: as many as its steps may make, and what is said to it. */
const mostItems = 10_000;

/** Ids of what the assistant said in a turn, in order. */
export const messagesOf = async (app: Pick<App, 'sessions'>, sid: number, turnId: string): Promise<readonly string[]> => {
  const beginning = itemId(turnId as TurnId, 0).slice(0, -1);
  const page = await app.sessions.store.resources(sid, [{ kind: 'item', idPrefix: beginning, limit: mostItems }]);
  const items = (page?.resources[0] ?? []).map(({ body }) => (JSON.parse(body) as ItemBody).item);
  return items.flatMap((item) => (saidBy(item) === undefined ? [] : [item.id]));
};

/** How a failure is told; undefined of a turn that has not failed. */
export const failureOf = (type: string, code: string | null | undefined, retryable: boolean | null | undefined) => {
  switch (type) {
    case 'failed':
      return { code: code ?? 'internal_error', retryable: retryable === true };
    case 'cancelled':
      return { code: 'cancelled', retryable: false };
    case 'timed_out':
      return { code: code ?? 'timed_out', retryable: false };
    default:
      return undefined;
  }
};

const iso = (at: number): string => new Date(at).toISOString();

const resultOf = async ({ app }: SessionServices, sid: number, turn: TurnResource): Promise<TurnResult> => {
  const { sessionId, id: turnId } = turn;
  if (!isSettled(turn.status)) return { state: 'timeout', sessionId, turnId };
  const endedAt = iso(turn.endedAt ?? app.clock.now());
  const failure = failureOf(turn.status, turn.errorCode, turn.retryable);
  if (failure) return { state: 'failed', sessionId, turnId, ...failure, failedAt: endedAt };
  return {
    state: 'completed',
    sessionId,
    turnId,
    outputText: turn.outputText ?? '',
    messageIds: [...(await messagesOf(app, sid, turnId))],
    completedAt: endedAt,
  };
};

/** The end of the wait is never the end of the turn; a session that is deleted meanwhile ends both. */
export const waitForOwnTurn = async (services: SessionServices, minitool: AskingMinitool, args: readonly unknown[]): Promise<TurnResult> => {
  const sessionId = take.readArgument(take.sessionId, args[0], 'sessionId');
  const { session } = await ownSession(services, minitool, sessionId);
  const turnId = take.readArgument(take.turnId, args[1], 'turnId');
  const timeoutMs = take.readArgument(take.waitOptions, args[2], 'options');
  const { app } = services;
  await findTurn(app, session, turnId);
  try {
    const turn = await waitForTurn(app, callerOf(minitool), sessionId, turnId, timeoutMs, minitool.signal);
    return await resultOf(services, session.head.sid, turn);
  } catch (error) {
    if (!(error instanceof TurnkeeperError) || error.code !== 'not_found') throw error;
    return { state: 'failed', sessionId, turnId, code: 'session_deleted', retryable: false, failedAt: iso(app.clock.now()) };
  }
};
