import { freshKey } from '@turnkeeper/client/fresh-key';
import { liveTurn } from '@turnkeeper/client/view/timeline';
import type { SessionView } from '@turnkeeper/core/view/session-view';
import { useCallback, useMemo, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { useCommands } from '../palette/commands.ts';

export type TurnPause = {
  /** `pausing` lasts until the turn stands still. */
  readonly state: 'cannot' | 'can_pause' | 'pausing';
  readonly pause: () => void;
};

/** Holds the turn that runs or waits, until it is resumed. `view` is undefined where this person, or the target, cannot. */
export const usePause = (sessionId: string, view: SessionView | undefined): TurnPause => {
  const t = useText();
  const { turns } = useClient();
  const [asked, setAsked] = useState<string>();
  const live = view && liveTurn(view);
  // One that stands still, or is being stopped, is not paused.
  const turnId = live === undefined || live.status === 'interrupted' || live.cancel_requested === true ? undefined : live.turn_id;
  if (asked !== undefined && asked !== turnId) setAsked(undefined);
  const pausing = turnId !== undefined && asked === turnId;
  const pause = useCallback(() => {
    if (turnId === undefined || pausing) return;
    setAsked(turnId);
    // Refused because it has just ended (the session will say so), or not reached: then it can be asked again.
    turns.pause(sessionId, turnId, { idempotencyKey: freshKey('pause') }).catch(() => setAsked(undefined));
  }, [turns, sessionId, turnId, pausing]);
  const state = turnId === undefined ? 'cannot' : pausing ? 'pausing' : 'can_pause';
  useCommands(state === 'can_pause' ? [{ id: 'pause', text: t('pauseTurn'), run: pause }] : []);
  return useMemo(() => ({ state, pause }), [state, pause]);
};
