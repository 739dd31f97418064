import { useCallback } from 'react';
import { useClient } from './client-context.ts';
import { useAccess } from './use-access.ts';
import { useSession } from './use-session.ts';
import { useStopping } from './use-stopping.ts';

export type Stopping = {
  /** `stopping` lasts until the turn has its outcome. `not_allowed`: the token lacks the scope `cancel`. */
  readonly state: 'nothing_runs' | 'not_allowed' | 'can_stop' | 'stopping';
  readonly stop: () => void;
};

/** Stops the turn that runs or waits. */
export const useStop = (sessionId: string): Stopping => {
  const { view } = useSession(sessionId);
  const { may } = useAccess();
  const { state, stop } = useStopping(useClient(), sessionId, view);
  const allowed = may('cancel');
  const stopIfAllowed = useCallback(() => {
    if (allowed) stop();
  }, [allowed, stop]);
  return { state: state === 'can_stop' && !allowed ? 'not_allowed' : state, stop: stopIfAllowed };
};
