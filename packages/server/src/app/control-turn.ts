/** Use cases: cancel and resume a turn. */
import type { CommandReceipt } from '@turnkeeper/core/protocol/wire/actions';
import type { App } from './app.ts';
import { type Caller, findSession, ownerOf } from './caller.ts';
import { commandReceipt } from './command-receipt.ts';
import { type Keyed, keyedCall, requiredKey } from './idempotency.ts';
import { findTurn } from './read-turn.ts';
import { runKeyedJob } from './run-job.ts';

/** Cancelling a queued or waiting turn ends it at once; a running one ends when its work has stopped. */
export const cancelTurn = (app: App, caller: Caller, sessionId: string, turnId: string, key: string | undefined): Promise<Keyed<CommandReceipt>> =>
  control(app, caller, { sessionId, turnId, key, kind: 'cancel' });

/** Resuming keeps the turn and starts a new run of it. */
export const resumeTurn = (app: App, caller: Caller, sessionId: string, turnId: string, key: string | undefined): Promise<Keyed<CommandReceipt>> =>
  control(app, caller, { sessionId, turnId, key, kind: 'resume' });

type Control = { readonly sessionId: string; readonly turnId: string; readonly key: string | undefined; readonly kind: 'cancel' | 'resume' };

const control = async (app: App, caller: Caller, { sessionId, turnId, key, kind }: Control): Promise<Keyed<CommandReceipt>> => {
  const { lane, session } = await findSession(app, caller, sessionId, 'control');
  const { id } = await findTurn(app, session, turnId);
  const call = keyedCall(ownerOf(caller), kind, session.row.id, requiredKey(key), { turn: id });
  const commandId = app.ids.next('cmd');
  return runKeyedJob(app, lane, call, () => ({
    plan: { asks: [{ type: kind, turnId: id, commandId }], adopt: true },
    answer: commandReceipt(session.row.id, id, commandId, kind, app.clock.now()),
  }));
};
