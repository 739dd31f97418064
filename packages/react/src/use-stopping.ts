import type { Client } from '@turnkeeper/client/create-client';
import { freshKey } from '@turnkeeper/client/fresh-key';
import { liveTurn } from '@turnkeeper/client/view/timeline';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import { useCallback, useMemo, useState } from 'react';

export type TurnStop = {
  /** `stopping` lasts until the turn has its outcome. */
  readonly state: 'nothing_runs' | 'can_stop' | 'stopping';
  readonly stop: () => void;
};

/** How the turn that runs or waits is stopped, whoever may do so. */
export const useStopping = ({ turns }: Client, sessionId: string, view: SessionView | undefined): TurnStop => {
  const [asked, setAsked] = useState<string>();
  const live = view && liveTurn(view);
  const turnId = live?.turn_id;
  const stopping = live !== undefined && (live.cancel_requested === true || asked === turnId);
  const stop = useCallback(() => {
    if (turnId === undefined || stopping) return;
    setAsked(turnId);
    // Refused because it has just ended (the session will say so), or not reached: then it can be asked again.
    turns.cancel(sessionId, turnId, { idempotencyKey: freshKey('cancel') }).catch(() => setAsked(undefined));
  }, [turns, sessionId, turnId, stopping]);
  const state = live === undefined ? 'nothing_runs' : stopping ? 'stopping' : 'can_stop';
  return useMemo(() => ({ state, stop }), [state, stop]);
};
