/** One call of a turn: run here, or handed to whoever gives its result. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { Work } from '@turnkeeper/core/session/pending-work';
import type { ToolBody } from '@turnkeeper/core/view/tool';
import type { Session } from '../app/lane.ts';
import { askedPiece } from '../app/wanted-piece.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { ToolStep } from './running-call.ts';
import { answeringOf, termsOf } from './tool-permission.ts';
import type { ToolSet } from './tool-set.ts';
import { runToolStep } from './tool-step.ts';

export type CallRun = Pick<ToolStep, 'services' | 'signal' | 'report' | 'mayAct' | 'state' | 'watch' | 'lost'> & {
  /** Throws `ToolsUnavailable`. */
  readonly tools: () => Promise<ToolSet>;
};

/** How a call to a child is carried out; of a team's leader it may not be. */
const delegated = async (session: Session, turnId: TurnId, input: JsonObject, store: SessionStore) =>
  session.config.target.team ? askedPiece(store, session, turnId, input) : {};

export const runCall = async (session: Session, { turnId, callId, executor }: Extract<Work, { kind: 'tool' }>, run: CallRun): Promise<void> => {
  const { services, report } = run;
  const row = await services.store.resource(session.head.sid, `${turnId}:${callId}`);
  if (!row) throw new Error(`the tool call ${callId} is missing`);
  const { input, name } = JSON.parse(row.body) as ToolBody;
  if (executor === 'server') {
    const { tools, ...step } = run;
    const tool = async () => (await tools()).tool(name);
    const formTerms = async () => (await tools()).formTerms(name, services.clock.now());
    await runToolStep({ ...step, session, turnId, callId, input, tool, formTerms });
    return;
  }
  // A person has allowed it: now whoever gives its result is asked for that. A child is owed by the dispatch itself.
  const terms = termsOf(session.config.target.definition, name);
  const asked = executor === 'session' ? await delegated(session, turnId, input, services.store) : answeringOf(terms, services.clock.now());
  await report((state) => (state.live?.id === turnId ? [{ type: 'dispatch', callId, input, ...asked }] : []));
};
