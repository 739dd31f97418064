import type { ActionCalls, OpenAction } from '@turnkeeper/client/calls/actions';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { useMemo } from 'react';
import { useClient } from './client-context.ts';
import { useAccess } from './use-access.ts';
import { useSession } from './use-session.ts';

export type SessionActions = {
  /** What waits for an answer now, the oldest first. */
  readonly actions: readonly OpenAction[];
  /** Whether this token may answer it: tools that want the owner's or a person's word are not a visitor's. */
  readonly mayAnswer: (action: ActionBody) => boolean;
  /** `answers.confirm(action)`, `deny`, `answer`, `fillIn` …: the same answer sent again counts once. */
  readonly answers: ActionCalls;
};

export const useActions = (sessionId: string): SessionActions => {
  const { actions: answers } = useClient();
  const { view } = useSession(sessionId);
  const { mayAnswer } = useAccess();
  const open = view?.required_actions;
  const actions = useMemo(() => (open ?? []).map(({ data }) => ({ ...data, session_id: sessionId })), [open, sessionId]);
  return useMemo(() => ({ actions, mayAnswer, answers }), [actions, mayAnswer, answers]);
};
