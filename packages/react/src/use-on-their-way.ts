import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { isAmong, type Outbox, type SendingMessage } from './outbox.ts';

const nothing: readonly SendingMessage[] = [];

/** Those of an outbox that the session does not show yet. `shown`: the ids of turns and inputs that it shows. */
export const useOnTheirWay = (outbox: Outbox, shown: ReadonlySet<string>): readonly SendingMessage[] => {
  const messages = useSyncExternalStore(outbox.subscribe, outbox.get, () => nothing);
  useEffect(() => outbox.arrived(shown), [outbox, shown]);
  // A turn may be there a moment before its receipt has arrived, or before the effect above has run.
  return useMemo(() => messages.filter((message) => !isAmong(message, shown)), [messages, shown]);
};
