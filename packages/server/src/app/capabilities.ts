/** Use cases: what a session and a turn can do. */
import { resumeRefusal } from '@turnkeeper/core/session/decide/client';
import type { App } from './app.ts';
import { type Caller, findSession } from './caller.ts';
import { findTurn } from './read-turn.ts';

/** What this server does for sessions with an agent. */
const agentCapabilities = {
  steer: false,
  inject: false,
  actions: true,
  files: false,
  file_input: false,
  checkpoints: false,
  fork: false,
  subagents: false,
  budget: false,
  cancel: true,
  resume: true,
} as const;

export const sessionCapabilities = async (app: App, caller: Caller, sessionId: string): Promise<{ readonly capabilities: Record<string, boolean> }> => {
  await findSession(app, caller, sessionId, 'read');
  return { capabilities: { ...agentCapabilities } };
};

/** What would succeed now; a later call may still meet 409. */
export const turnCapabilities = async (
  app: App,
  caller: Caller,
  sessionId: string,
  turnId: string,
): Promise<{ readonly available_commands: readonly string[]; readonly capabilities: Record<string, boolean> }> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const { id } = await findTurn(app, session, turnId);
  const { live, queue } = session.state;
  const unfinished = live?.id === id || queue.some((turn) => turn.id === id);
  const commands = [
    ...(unfinished && !(live?.id === id && live.cancelRequested) ? ['cancel'] : []),
    ...(live?.id === id && live.openActions.length > 0 ? ['actions'] : []),
    ...(resumeRefusal(session.state, id) === undefined ? ['resume'] : []),
  ];
  return { available_commands: commands, capabilities: { ...agentCapabilities } };
};
