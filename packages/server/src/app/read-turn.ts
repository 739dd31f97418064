/** Reading turns: one, a page, and waiting for an outcome. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { TurnResource } from '@turnkeeper/core/protocol/wire/sessions';
import { outcomeEvents, turnOutcomes } from '@turnkeeper/core/session/events';
import { isTurnId, type TurnId } from '@turnkeeper/core/session/ids';
import type { CommandBody } from '@turnkeeper/core/view/action';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import { sleep } from '../ports/clock.ts';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { commandResource } from './command-receipt.ts';
import type { FeedRow } from './feed.ts';
import { findSession } from './find-session.ts';
import type { Session } from './lane.ts';
import { turnResource } from './session-resource.ts';

const noSuchTurn = (): TurnkeeperError => new TurnkeeperError('not_found', 'There is no such turn.');

/** A turn of this session as it is now, with the place of its first event in the log. Throws `not_found`. */
export const findTurn = async (
  app: App,
  session: Session,
  turnId: string,
): Promise<{ readonly id: TurnId; readonly body: TurnBody; readonly firstSeq: number }> => {
  const row = isTurnId(turnId) ? await app.sessions.store.resource(session.head.sid, turnId) : undefined;
  if (row?.kind !== 'turn') throw noSuchTurn();
  return { id: turnId as TurnId, body: JSON.parse(row.body) as TurnBody, firstSeq: row.n };
};

export const readTurn = async (app: App, caller: Caller, sessionId: string, turnId: string): Promise<TurnResource> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const { body } = await findTurn(app, session, turnId);
  return turnResource(session.row.id, body);
};

export const listTurns = async (
  app: App,
  caller: Caller,
  sessionId: string,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ readonly items: readonly TurnResource[]; readonly next_offset: number | null }> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const read = await app.sessions.store.resources(session.head.sid, [{ kind: 'turn', limit: page.limit + 1, offset: page.offset }]);
  const rows = read?.resources[0] ?? [];
  const items = rows.slice(0, page.limit).map((row) => turnResource(session.row.id, JSON.parse(row.body) as TurnBody));
  return { items, next_offset: rows.length > page.limit ? page.offset + page.limit : null };
};

export const readCommand = async (app: App, caller: Caller, sessionId: string, turnId: string, commandId: string) => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const { id } = await findTurn(app, session, turnId);
  const row = await app.sessions.store.resource(session.head.sid, commandId);
  const body = row?.kind === 'command' ? (JSON.parse(row.body) as CommandBody) : undefined;
  if (body?.turn_id !== id) throw new TurnkeeperError('not_found', 'There is no such command.');
  return { command: commandResource(body) };
};

const outcomes: ReadonlySet<string> = new Set(turnOutcomes);
export const isSettled = (status: string): boolean => outcomes.has(status);

/**
 * The turn when it is settled, or as it is after `waitMs`. The wait ends with the outcome's commit, on any node; its
 * end never touches the turn.
 */
export const waitForTurn = async (app: App, caller: Caller, sessionId: string, turnId: string, waitMs: number, signal: AbortSignal): Promise<TurnResource> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  // Read before the turn, and watched from there: an outcome that is not seen in the turn lies behind it.
  const head = (await app.sessions.newest(session.head.sid))?.head ?? session.head;
  const { body } = await findTurn(app, session, turnId);
  if (isSettled(body.status) || waitMs <= 0) return turnResource(session.row.id, body);
  let settled = (): void => {};
  const outcome = new Promise<void>((resolve) => {
    settled = resolve;
  });
  const look = (rows: readonly FeedRow[]): void => {
    if (rows.some(({ row }) => row.turn === body.n && outcomeEvents.has(row.type))) settled();
  };
  const watch = await app.sessions.feeds.watch({ sid: head.sid, id: session.row.id, head }, head.seq, {
    push: look,
    gone: settled,
    page: async (rows) => {
      look(rows);
      return true;
    },
  });
  const stop = new AbortController();
  try {
    await Promise.race([outcome, sleep(app.clock, waitMs, AbortSignal.any([signal, stop.signal])).catch(() => {})]);
  } finally {
    stop.abort();
    watch.stop();
  }
  return readTurn(app, caller, sessionId, turnId);
};
