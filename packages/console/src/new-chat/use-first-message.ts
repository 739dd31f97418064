import { createWishKeys } from '@turnkeeper/client/fresh-key';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { attachmentsOf } from '../composer/attachments.ts';
import { draftOf } from '../composer/draft.ts';
import { go } from '../shell/address.ts';
import { type ChatWish, startChat } from './start-chat.ts';

export type FirstMessage = {
  readonly busy: boolean;
  readonly fault: string | undefined;
  readonly send: (wish: Omit<ChatWish, 'files'>) => void;
};

/** Makes the session with its first message, and shows it. What could not be sent is a draft again. */
export const useFirstMessage = (place: string, onCreated: () => void): FirstMessage => {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const [keys] = useState(() => createWishKeys('chat'));
  const send = async (said: Omit<ChatWish, 'files'>): Promise<void> => {
    const attached = attachmentsOf(place);
    const files = attached.get().flatMap(({ file }) => (file ? [file] : []));
    const { type, id } = said.target;
    const wish = JSON.stringify([type, id, said.model, said.message, said.input, attached.get().map(({ key }) => key)]);
    setBusy(true);
    setFault(undefined);
    try {
      const session = await startChat(client, { ...said, files }, keys.of(wish));
      attached.clear();
      onCreated();
      go({ kind: 'session', id: session });
    } catch (error) {
      draftOf(place).set(said.message);
      setFault((error as Error).message);
      setBusy(false);
    }
  };
  return { busy, fault, send: (wish) => void send(wish) };
};
