/** Use case: the open actions of a session or a turn, and the receipts of answers. */
import type { RequiredActions } from '@turnkeeper/core/protocol/wire/actions';
import type { ActionBody, CommandBody } from '@turnkeeper/core/view/action';
import type { App } from './app.ts';
import { type Caller, findSession } from './caller.ts';
import { commandResource } from './command-receipt.ts';
import { findTurn } from './read-turn.ts';

/** The open actions of a turn, or of the whole session, by request id; and the receipts of answers. */
export const listActions = async (app: App, caller: Caller, sessionId: string, turnId: string | undefined): Promise<RequiredActions> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const turn = turnId === undefined ? undefined : (await findTurn(app, session, turnId)).id;
  const page = await app.sessions.store.resources(session.head.sid, [
    { kind: 'required_action', limit: 300, newest: true },
    { kind: 'command', limit: 200, newest: true },
  ]);
  const actions = (page?.resources[0] ?? []).map((row) => JSON.parse(row.body) as ActionBody);
  const commands = (page?.resources[1] ?? []).map((row) => JSON.parse(row.body) as CommandBody);
  const mine = <Body extends { readonly turn_id: string }>(body: Body): boolean => turn === undefined || body.turn_id === turn;
  return {
    required_actions: Object.fromEntries(
      actions.filter((action) => action.status === 'open' && mine(action)).map((action) => [action.request_id, action]),
    ) as RequiredActions['required_actions'],
    commands: commands.filter((command) => command.kind === 'actions' && mine(command)).map(commandResource),
  };
};
