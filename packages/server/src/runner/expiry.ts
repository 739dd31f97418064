/** An action that nobody answered in time: what its tool's definition says in place of an answer. */
import type { SessionState } from '@turnkeeper/core/session/state';
import type { Session } from '../app/lane.ts';
import type { Ask } from '../app/lane-batch.ts';
import { otherwiseOf } from './tool-permission.ts';

export const expiry = ({ live }: SessionState, { config }: Pick<Session, 'config'>, requestId: string): Ask => {
  const { callId } = live?.openActions.find(({ id }) => id === requestId) ?? {};
  const otherwise = otherwiseOf(config.target.definition, live?.calls.find(({ id }) => id === callId)?.name);
  return { type: 'expire', requestId, ...(otherwise === undefined ? {} : { otherwise }) };
};
