import type { Json } from '@turnkeeper/core/protocol/json';
import { useCallback, useMemo } from 'react';
import { useClient } from './client-context.ts';
import { outboxOf, type SendingMessage, type Sent, type SentFile } from './outbox.ts';
import { useOnTheirWay } from './use-on-their-way.ts';
import { useSession } from './use-session.ts';

export type Sending = {
  /** `input`: what the turn is given in place of the text, which is then how it was written. Takes the message at once, to be sent in its turn; it becomes a turn once, whatever happens on the way. */
  readonly send: (text: string, files?: readonly SentFile[], input?: Json) => void;
  /** Those that the session does not show yet, to be shown below it. */
  readonly messages: readonly SendingMessage[];
  readonly retry: (key: string) => void;
  /** Takes out one that failed, and gives it back. */
  readonly take: (key: string) => Sent | undefined;
};

const none: ReadonlySet<string> = new Set();

/** Sends messages that are shown before the server has them. */
export const useSend = (sessionId: string): Sending => {
  const client = useClient();
  const { view } = useSession(sessionId);
  const outbox = useMemo(() => outboxOf(client, sessionId), [client, sessionId]);
  const turns = view?.turns;
  const shown = useMemo(() => (turns ? new Set(turns.map(({ data }) => data.turn_id)) : none), [turns]);
  const messages = useOnTheirWay(outbox, shown);
  const send = useCallback(
    (text: string, files: readonly SentFile[] = [], input?: Json) => outbox.send({ text, files, ...(input === undefined ? {} : { input }) }),
    [outbox],
  );
  return useMemo(() => ({ send, messages, retry: outbox.retry, take: outbox.take }), [send, messages, outbox]);
};
