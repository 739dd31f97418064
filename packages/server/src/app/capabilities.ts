/** Use cases: what a session and a turn can do. */
import type { SessionCapabilities } from '@turnkeeper/core/protocol/wire/sessions';
import { resumeRefusal } from '@turnkeeper/core/session/decide/client';
import { pauseRefusal } from '@turnkeeper/core/session/decide/flow';
import { steerRefusal } from '@turnkeeper/core/session/decide/inputs';
import type { App } from './app.ts';
import type { Caller } from './caller.ts';
import { findSession } from './find-session.ts';
import type { Session } from './lane.ts';
import { minitoolsUsed, minitoolUse, usableTools } from './minitool-terms.ts';
import { findTurn } from './read-turn.ts';
import { capabilitiesOf, targetSupports } from './target-support.ts';

export const sessionCapabilities = async (app: App, caller: Caller, sessionId: string): Promise<SessionCapabilities> => {
  const { session } = await findSession(app, caller, sessionId, 'read');
  const minitools = minitoolsOf(app, session);
  return { capabilities: capabilitiesOf(session), ...(minitools.length > 0 ? { minitools } : {}) };
};

/** One that is not there is no fault of the session: this is where it is seen. */
const minitoolsOf = (app: App, session: Session): NonNullable<SessionCapabilities['minitools']> => {
  const use = minitoolUse(session);
  const usable = session.config.imported ? [] : usableTools(use, app.tools.minitools);
  return minitoolsUsed(use).map((id) => {
    const tools = usable.filter(({ tool }) => tool.minitoolId === id).map(({ tool }) => tool.name);
    return { id, available: tools.length > 0, tools };
  });
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
  const capabilities = capabilitiesOf(session);
  if (session.config.imported) return { available_commands: [], capabilities };
  const { live, queue } = session.state;
  const unfinished = live?.id === id || queue.some((turn) => turn.id === id);
  const commands = [
    ...(unfinished && !(live?.id === id && live.cancelRequested) ? ['cancel'] : []),
    ...(targetSupports(session, 'steer') && steerRefusal(session.state, id) === undefined ? ['steer'] : []),
    ...(live?.id === id && live.openActions.length > 0 ? ['actions'] : []),
    ...(pauseRefusal(session.state, id) === undefined ? ['pause'] : []),
    ...(resumeRefusal(session.state, id) === undefined ? ['resume'] : []),
  ];
  return { available_commands: commands, capabilities };
};
