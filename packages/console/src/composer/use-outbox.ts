import type { SessionView } from '@turnkeeper/core/view/session-view';
import { createOutbox, type SendingMessage, type Sent } from '@turnkeeper/react/outbox';
import { useOnTheirWay } from '@turnkeeper/react/use-on-their-way';
import { useCallback, useMemo } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { readStored, writeStored } from '../preferences/stored-value.ts';
import { attachmentsOf } from './attachments.ts';
import { draftOf } from './draft.ts';

export type SessionOutbox = {
  readonly messages: readonly SendingMessage[];
  readonly send: (sent: Sent) => void;
  readonly retry: (key: string) => void;
  /** Back into the composer. */
  readonly edit: (key: string) => void;
};

const nothingShown: ReadonlySet<string> = new Set();

const idsIn = ({ turns, inputs }: SessionView): ReadonlySet<string> =>
  new Set([...turns.map(({ data }) => data.turn_id), ...inputs.map(({ data }) => data.input_id)]);

/** The text and the files of a message, in the composer, to be changed and sent. */
export const writeAgain = (sessionId: string, { text, files }: Pick<Sent, 'text' | 'files'>): void => {
  draftOf(sessionId).set(text);
  attachmentsOf(sessionId).put(files);
  document.getElementById('message')?.focus();
};

/** What is on its way. It outlives the tab, too: a second one sends the same. */
export const useOutbox = (sessionId: string, view: SessionView | undefined): SessionOutbox => {
  const { turns } = useClient();
  const store = useMemo(() => createOutbox(turns, sessionId, { read: readStored, write: writeStored }), [turns, sessionId]);
  const [shownTurns, shownInputs] = [view?.turns, view?.inputs];
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two of the view, which do not change with each token
  const shown = useMemo(() => (view ? idsIn(view) : nothingShown), [shownTurns, shownInputs]);
  const messages = useOnTheirWay(store, shown);
  const edit = useCallback(
    (key: string) => {
      const taken = store.take(key);
      if (taken) writeAgain(sessionId, taken);
    },
    [store, sessionId],
  );
  return useMemo(() => ({ messages, send: store.send, retry: store.retry, edit }), [messages, store, edit]);
};
