import type { SessionView } from '@turnkeeper/core/view/session-view';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { draftOf } from './draft.ts';
import { createOutbox, type OutboxMessage } from './outbox.ts';

export type Outbox = {
  readonly messages: readonly OutboxMessage[];
  readonly send: (text: string) => void;
  readonly retry: (key: string) => void;
  readonly edit: (key: string) => void;
};

const nothingShown: ReadonlySet<string> = new Set();

export const useOutbox = (sessionId: string, view: SessionView | undefined): Outbox => {
  const { turns } = useClient();
  const store = useMemo(() => createOutbox(turns, sessionId), [turns, sessionId]);
  const messages = useSyncExternalStore(store.subscribe, store.get);
  const shown = useMemo(() => (view ? new Set(view.turns.map(({ data }) => data.turn_id)) : nothingShown), [view]);
  useEffect(() => store.arrived(shown), [store, shown]);
  return {
    // The turn may be in the view a moment before its receipt has arrived, or before the effect above has run.
    messages: messages.filter(({ state }) => state.kind !== 'accepted' || !shown.has(state.turnId)),
    send: store.send,
    retry: store.retry,
    edit: (key) => {
      const text = store.take(key);
      if (text !== undefined) draftOf(sessionId).set(text);
    },
  };
};
