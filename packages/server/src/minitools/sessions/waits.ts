/**
 * `listWaits`, `waitForWait` and `respondToWait`.
 *
 * WA1 A mini-tool answers what its own sessions ask. It may deny any call; one that cannot be undone it never allows: `forbidden`.
 * WA2 A wait that somebody else ended is `stale` with who that was, also where both came at the same moment.
 * WA3 Who waits for a wait is told of one, or that the time has passed: what else is asked meanwhile ends no waiting.
 */
import type { LogRow } from '@turnkeeper/core/protocol/envelope';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { AnswersRequest } from '@turnkeeper/core/protocol/wire/actions';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { mayAnswer } from '../../app/access.ts';
import { answerActions } from '../../app/answer-actions.ts';
import type { App } from '../../app/app.ts';
import type { FeedRow } from '../../app/feed.ts';
import type { Session } from '../../app/lane.ts';
import { listActions } from '../../app/list-actions.ts';
import { sleep } from '../../ports/clock.ts';
import type { AskingMinitool } from '../host-api.ts';
import * as take from './arguments.ts';
import { ownSession } from './own-session.ts';
import { callerOf, requirePermission, type SessionServices } from './services.ts';
import { type Resolver, resolverOf, type Wait, waitKindOf, waitOf } from './wait-shape.ts';

/** The open ones, the oldest first. */
const waitsOf = async ({ app }: SessionServices, minitool: AskingMinitool, sessionId: string): Promise<readonly Wait[]> => {
  const { required_actions } = await listActions(app, callerOf(minitool), sessionId, undefined);
  return (Object.values(required_actions) as unknown as readonly ActionBody[]).flatMap((action) => waitOf(sessionId, action) ?? []);
};

export const listOwnWaits = async (services: SessionServices, minitool: AskingMinitool, args: readonly unknown[]): Promise<readonly Wait[]> => {
  const sessionId = take.readArgument(take.sessionId, args[0], 'sessionId');
  await ownSession(services, minitool, sessionId);
  return waitsOf(services, minitool, sessionId);
};

/** The first wait as soon as there is one; undefined when the time has passed. */
export const waitForOwnWait = async (services: SessionServices, minitool: AskingMinitool, args: readonly unknown[]): Promise<Wait | undefined> => {
  const sessionId = take.readArgument(take.sessionId, args[0], 'sessionId');
  const { session } = await ownSession(services, minitool, sessionId);
  const timeoutMs = take.readArgument(take.waitOptions, args[1], 'options');
  const { app } = services;
  const until = app.clock.elapsed() + timeoutMs;
  const first = async (): Promise<Wait | undefined> => (await waitsOf(services, minitool, sessionId))[0];
  for (;;) {
    await untilAsked(app, session, until - app.clock.elapsed(), minitool.signal, async () => (await first()) !== undefined);
    const wait = await first();
    // Somebody may have been faster to answer: then the next one is waited for.
    if (wait || app.clock.elapsed() >= until || minitool.signal.aborted) return wait;
  }
};

/** What only a person or a program answers ends no waiting. */
const isWait = ({ type, data }: LogRow): boolean =>
  type === 'required_action.created' && waitKindOf((JSON.parse(data) as Pick<ActionBody, 'kind'>).kind) !== undefined;

/** Resolves when something is asked that is a wait, the session is gone, or the time has passed. */
const untilAsked = async (app: App, session: Session, waitMs: number, signal: AbortSignal, isAsked: () => Promise<boolean>): Promise<void> => {
  // Read before the waits, and watched from there: what is not among them lies behind it.
  const head = (await app.sessions.newest(session.head.sid))?.head ?? session.head;
  if (await isAsked()) return;
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const look = (rows: readonly FeedRow[]): void => {
    if (rows.some(({ row }) => isWait(row))) end();
  };
  const page = async (rows: readonly FeedRow[]): Promise<boolean> => {
    look(rows);
    return true;
  };
  const watch = await app.sessions.feeds.watch({ sid: head.sid, id: session.row.id, head }, head.seq, { push: look, gone: end, page });
  try {
    await sleep(app.clock, waitMs, AbortSignal.any([signal, stop.signal])).catch(() => {});
  } finally {
    watch.stop();
  }
};

export type RespondResult =
  | { readonly state: 'accepted' | 'not_found'; readonly requestId: string }
  | { readonly state: 'stale'; readonly requestId: string; readonly resolvedBy: Resolver }
  | { readonly state: 'forbidden'; readonly requestId: string; readonly reason: string };

const payloadOf = (response: take.WaitResponse, action: ActionBody): Record<string, unknown> => {
  switch (response.kind) {
    case 'permission':
      return { allow: response.allow };
    case 'question': {
      // One text stands for one choice where several may be made.
      const several = new Set((action.questions ?? []).flatMap(({ header, multi_select }) => (multi_select ? [header] : [])));
      return { answers: Object.fromEntries(Object.entries(response.answers).map(([header, text]) => [header, several.has(header) ? [text] : text])) };
    }
    case 'form':
      return response.submitted ? { submitted: true, values: response.values ?? {} } : { submitted: false };
  }
};

const storedAction = async ({ app }: SessionServices, { head }: Session, requestId: string): Promise<ActionBody | undefined> => {
  const row = await app.sessions.store.resource(head.sid, requestId);
  const action = row?.kind === 'required_action' ? (JSON.parse(row.body) as ActionBody) : undefined;
  return action && waitKindOf(action.kind) ? action : undefined;
};

const closed = (requestId: string, { status, resolved_by }: ActionBody): RespondResult => ({
  state: 'stale',
  requestId,
  resolvedBy: resolverOf(status, resolved_by),
});

const forbidden = (requestId: string, { tool_note: note }: ActionBody): RespondResult => ({
  state: 'forbidden',
  requestId,
  reason: note?.destructive ? 'What this call does cannot be undone: only a person may allow it.' : 'This waits for somebody whom it names.',
});

export const respondToOwnWait = async (services: SessionServices, minitool: AskingMinitool, args: readonly unknown[]): Promise<RespondResult> => {
  requirePermission(minitool, 'sessionInteractions');
  const sessionId = take.readArgument(take.sessionId, args[0], 'sessionId');
  const { session } = await ownSession(services, minitool, sessionId, 'interact');
  const requestId = take.readArgument(take.requestId, args[1], 'requestId');
  const response = take.readArgument(take.waitResponse, args[2], 'response');
  const action = await storedAction(services, session, requestId);
  if (!action) return { state: 'not_found', requestId };
  if (action.status !== 'open') return closed(requestId, action);
  if (response.kind !== waitKindOf(action.kind))
    throw take.invalid(`response.kind: "${waitKindOf(action.kind)}", as the wait says`, { member: 'response.kind' });
  const caller = callerOf(minitool);
  const denies = response.kind === 'permission' && !response.allow;
  if (!mayAnswer(caller, session.row.owner, action, denies)) return forbidden(requestId, action);
  const { app } = services;
  const body = { request_id: requestId, payload: payloadOf(response, action) } as AnswersRequest;
  try {
    await answerActions(app, caller, sessionId, action.turn_id, body, app.ids.next('answer'));
    return { state: 'accepted', requestId };
  } catch (error) {
    return refusedOr(services, session, action, error);
  }
};

const refusedOr = async (services: SessionServices, session: Session, asked: ActionBody, error: unknown): Promise<RespondResult> => {
  if (!(error instanceof TurnkeeperError)) throw error;
  const { request_id: requestId } = asked;
  switch (error.code) {
    case 'approver_required':
      return forbidden(requestId, asked);
    case 'action_resolved':
    case 'turn_closed': {
      const action = await storedAction(services, session, requestId);
      return action && action.status !== 'open' ? closed(requestId, action) : { state: 'stale', requestId, resolvedBy: 'system' };
    }
    case 'validation_failed':
      throw take.invalid(`response: ${error.message}`, { member: 'response' });
    default:
      throw error;
  }
};
