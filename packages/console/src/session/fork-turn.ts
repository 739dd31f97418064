import type { Client } from '@turnkeeper/client/create-client';
import { freshKey } from '@turnkeeper/client/fresh-key';
import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { go } from '../shell/address.ts';

/** The id of a new session that begins with what was known after the turn. */
const forkAt = async ({ context }: Pick<Client, 'context'>, sessionId: string, turnId: string, title: string): Promise<string> =>
  (await context.fork(sessionId, { at: turnId, title }, { idempotencyKey: freshKey('fork') })).id;

const mostTitle = 200;

/** One click: the fork is made and opened. */
export const useFork = (sessionId: string, title: string, onDone: () => void) => {
  const t = useText();
  const client = useClient();
  const [forking, setForking] = useState<string>();
  const [fault, setFault] = useState<string>();
  const fork = useCallback(
    (turnId: string): void => {
      setForking(turnId);
      setFault(undefined);
      forkAt(client, sessionId, turnId, t('forkTitle', { title }).slice(0, mostTitle)).then(
        (id) => {
          onDone();
          go({ kind: 'session', id });
        },
        (error: unknown) => {
          setForking(undefined);
          setFault((error as Error).message);
        },
      );
    },
    [client, sessionId, title, onDone, t],
  );
  return { fork, forking, fault };
};
