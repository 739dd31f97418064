/** The steps of a team's turn, as they are stored. */
import { type SessionId, stepId, type TurnId } from '@turnkeeper/core/session/ids';
import type { StepBody } from '@turnkeeper/core/view/step';
import type { SessionStore } from '../ports/session-store.ts';

/** Steps of one turn that are looked at: no turn has more, for each takes a call of its leader. */
const mostSteps = 10_000;

/** In the order in which they were begun. */
export const stepsOfTurn = async (store: SessionStore, sid: number, turnId: TurnId): Promise<readonly StepBody[]> => {
  const page = await store.resources(sid, [{ kind: 'step', idPrefix: stepId(turnId, ''), limit: mostSteps }]);
  return page?.resources[0]?.map(({ body }) => JSON.parse(body) as StepBody) ?? [];
};

/** The child that worked on a step of this session last. */
export const childOfStep = ({ child_session_id: id }: StepBody): SessionId | undefined => id as SessionId | undefined;
