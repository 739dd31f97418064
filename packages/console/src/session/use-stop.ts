import { freshKey } from '@turnkeeper/client/fresh-key';
import { liveTurn } from '@turnkeeper/client/view/timeline';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import { useCallback, useEffect, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';

export type Stop = {
  /** `stopping` lasts until the turn's own outcome is there. */
  readonly state: 'nothing_runs' | 'can_stop' | 'stopping';
  readonly stop: () => void;
};

/** Stops the turn that runs or waits. Escape does the same, from anywhere on the page. */
export const useStop = (sessionId: string, view: SessionView | undefined): Stop => {
  const client = useClient();
  const [asked, setAsked] = useState<string>();
  const live = view && liveTurn(view);
  const turnId = live?.turn_id;
  const stopping = live !== undefined && (live.cancel_requested === true || asked === live.turn_id);
  const stop = useCallback(() => {
    if (turnId === undefined || stopping) return;
    setAsked(turnId);
    client.turns.cancel(sessionId, turnId, { idempotencyKey: freshKey('cancel') }).catch(() => {
      // Refused because it has just ended (the view will say so), or not reached: then it can be asked again.
      setAsked(undefined);
    });
  }, [client, sessionId, turnId, stopping]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // A menu, a dialog or an input method that takes the key for itself comes first.
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || document.querySelector('dialog[open], [role=menu]')) return;
      stop();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [stop]);
  return { state: live === undefined ? 'nothing_runs' : stopping ? 'stopping' : 'can_stop', stop };
};
