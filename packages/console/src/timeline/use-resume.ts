import { freshKey } from '@turnkeeper/client/fresh-key';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';

/** Asks for another run of the same turn; the view says when it goes on. */
export const useResume = (sessionId: string, turnId: string) => {
  const { turns } = useClient();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const resume = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      await turns.resume(sessionId, turnId, { idempotencyKey: freshKey('resume') });
    } catch (error) {
      setFault((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return { busy, fault, resume };
};
