/** Use cases: cancel, pause and resume a turn. */
import type { CommandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import type { App } from './app.ts';
import { type Caller, ownerOf } from './caller.ts';
import { commandReceipt } from './command-receipt.ts';
import { findSession } from './find-session.ts';
import { type Keyed, keyedCall, requiredKey } from './idempotency.ts';
import { findTurn } from './read-turn.ts';
import { runKeyedJob } from './run-job.ts';

/** Cancelling a queued or waiting turn ends it at once; a running one ends when its work has stopped. */
export const cancelTurn = (app: App, caller: Caller, sessionId: string, turnId: string, key: string | undefined): Promise<Keyed<CommandReceipt>> =>
  control(app, caller, { sessionId, turnId, key, kind: 'cancel' });

/** Resuming keeps the turn and starts a new run of it. */
export const resumeTurn = (app: App, caller: Caller, sessionId: string, turnId: string, key: string | undefined): Promise<Keyed<CommandReceipt>> =>
  control(app, caller, { sessionId, turnId, key, kind: 'resume' });

/** Nothing new of a workflow's turn begins until it is resumed. Throws `not_supported` of another target. */
export const pauseTurn = (app: App, caller: Caller, sessionId: string, turnId: string, key: string | undefined): Promise<Keyed<CommandReceipt>> =>
  control(app, caller, { sessionId, turnId, key, kind: 'pause' });

type Control = { readonly sessionId: string; readonly turnId: string; readonly key: string | undefined; readonly kind: 'cancel' | 'resume' | 'pause' };

/** Resuming goes on with what somebody has looked into, as an answer does; so does pausing, which only resuming ends. */
const useFor = { cancel: 'cancel', resume: 'interact', pause: 'interact' } as const;

const control = async (app: App, caller: Caller, { sessionId, turnId, key, kind }: Control): Promise<Keyed<CommandReceipt>> => {
  const { lane, session } = await findSession(app, caller, sessionId, useFor[kind]);
  const { id } = await findTurn(app, session, turnId);
  const call = keyedCall(ownerOf(caller), kind, session.row.id, requiredKey(key), { turn: id });
  const commandId = app.ids.next('cmd');
  return runKeyedJob(app, lane, call, () => ({
    plan: { asks: [{ type: kind, turnId: id, commandId }], adopt: true },
    answer: commandReceipt(session.row.id, id, commandId, kind, app.clock.now()),
  }));
};
