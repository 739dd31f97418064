import type { SessionView } from '@turnkeeper/core/view/session-view';
import { type TurnStop, useStopping } from '@turnkeeper/react/use-stopping';
import { useLayoutEffect } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { useCommands } from '../palette/commands.ts';

/** Stops the turn that runs or waits. Escape does the same, from anywhere on the page. */
export const useStop = (sessionId: string, view: SessionView | undefined): TurnStop => {
  const t = useText();
  const stopping = useStopping(useClient(), sessionId, view);
  const { state, stop } = stopping;
  // As soon as it is seen that something runs: a key that is pressed then is not lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // A menu, a dialog or an input method that takes the key for itself comes first.
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || document.querySelector('dialog[open], [role=menu]')) return;
      stop();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [stop]);
  useCommands(state === 'can_stop' ? [{ id: 'stop', text: t('stopTurn'), run: stop }] : []);
  return stopping;
};
