/**
 * Use cases: the queue of a session: list it, reorder it, take a turn out of it.
 *
 * QV1 A version names the queued turns and their order: whoever moves them says which order was seen, and is refused when it is
 *     another one by now.
 */
import { createHash } from 'node:crypto';
import { refuse } from '@turnkeeper/core/protocol/errors';
import type { CommandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import type { QueueResource, ReorderRequest } from '@turnkeeper/core/protocol/wire/inputs';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { TurnBody } from '@turnkeeper/core/view/turn';
import type { App } from './app.ts';
import { type Caller, ownerOf } from './caller.ts';
import { commandReceipt } from './command-receipt.ts';
import { findSession } from './find-session.ts';
import { type Keyed, keyedCall, requiredKey } from './idempotency.ts';
import { findTurn } from './read-turn.ts';
import { runJob, runKeyedJob } from './run-job.ts';
import { turnResource } from './session-resource.ts';

const versionOf = ({ queue }: SessionState): string =>
  createHash('sha256')
    .update(queue.map(({ id }) => id).join())
    .digest('base64url')
    .slice(0, 16);

/** The turns that wait, in the order in which they will start. Throws `not_found`. */
export const readQueue = async (app: App, caller: Caller, sessionId: string): Promise<QueueResource> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  return queueOf(app, session.row.id, session.head.sid, session.state);
};

const queueOf = async (app: App, sessionId: string, sid: number, state: SessionState): Promise<QueueResource> => {
  const { live, queue } = state;
  const ids = [...(live ? [live.id] : []), ...queue.map(({ id }) => id)];
  const rows = ids.length === 0 ? [] : await app.sessions.store.resourcesOf(sid, ids);
  const bodies = new Map(rows.map(({ id, body }) => [id, JSON.parse(body) as TurnBody]));
  // A turn may have started or ended since the state was read: it stands as the state has it, as of one moment.
  const items = queue.flatMap(({ id }, index) => {
    const body = bodies.get(id);
    return body ? [turnResource(sessionId, { ...body, status: 'queued', queue_position: index + (live ? 1 : 0) })] : [];
  });
  const current = live && bodies.get(live.id);
  return { current: current ? turnResource(sessionId, current) : null, items, version: versionOf(state) };
};

/** Puts the queued turns into this order. Throws `not_found`, and `version_conflict` when the queue is another one by now. */
export const reorderQueue = async (app: App, caller: Caller, sessionId: string, { order, version }: ReorderRequest): Promise<QueueResource> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'invoke');
  const { state } = await runJob(lane, (now) => {
    const is = versionOf(now);
    if (version !== undefined && version !== is)
      return refuse('version_conflict', 'The queue has changed since it was read.', { version: is, turn_ids: now.queue.map(({ id }) => id) });
    return { asks: [{ type: 'reorder', order: order as readonly TurnId[] }] };
  });
  return queueOf(app, session.row.id, session.head.sid, state);
};

/**
 * Takes a turn out of the queue: it is cancelled, but only while it waits; one that has started meanwhile is left alone.
 * Throws `not_found`, `turn_closed`, `turn_not_queued`.
 */
export const removeFromQueue = async (
  app: App,
  caller: Caller,
  { sessionId, turnId }: { readonly sessionId: string; readonly turnId: string },
  key: string | undefined,
): Promise<Keyed<CommandReceipt>> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'cancel');
  const { id } = await findTurn(app, session, turnId);
  const call = keyedCall(ownerOf(caller), 'unqueue', session.row.id, requiredKey(key), { turn: id });
  const commandId = app.ids.next('cmd');
  return runKeyedJob(app, lane, call, (state) =>
    state.live?.id === id
      ? refuse('turn_not_queued', 'The turn has started: cancel it to stop it.', { status: state.live.status })
      : {
          plan: { asks: [{ type: 'cancel', turnId: id, commandId }], adopt: true },
          answer: commandReceipt(session.row.id, id, commandId, 'cancel', app.clock.now()),
        },
  );
};
