import { createWishKeys } from '@turnkeeper/client/fresh-key';
import type { SubmitRequest, TurnReceipt } from '@turnkeeper/core/protocol/wire/sessions';
import { useCallback, useState } from 'react';
import { useClient } from './client-context.ts';

export type Submitting = {
  /** Resolves when the turn is stored, with its id. What failed and is submitted again in the same words counts once. */
  readonly submit: (input: SubmitRequest) => Promise<TurnReceipt>;
  readonly busy: boolean;
  readonly error: Error | undefined;
};

/** Submits one turn and says what became of that; for conversations `useSend` does more. */
export const useSubmit = (sessionId: string): Submitting => {
  const { turns } = useClient();
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: Error | undefined }>({ busy: false, error: undefined });
  const [keys] = useState(() => createWishKeys('turn'));
  const submit = useCallback(
    async (input: SubmitRequest): Promise<TurnReceipt> => {
      setState({ busy: true, error: undefined });
      try {
        const receipt = await turns.submit(sessionId, input, { idempotencyKey: keys.of(JSON.stringify([sessionId, input])) });
        keys.forget();
        setState({ busy: false, error: undefined });
        return receipt;
      } catch (error) {
        setState({ busy: false, error: error as Error });
        throw error;
      }
    },
    [turns, sessionId, keys],
  );
  return { submit, ...state };
};
