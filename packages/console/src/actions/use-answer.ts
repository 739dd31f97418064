import { freshKey } from '@turnkeeper/client/fresh-key';
import type { ActionBody } from '@turnkeeper/core/view/action';
import { useRef, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';

export type Payload = { readonly [member: string]: unknown };

/** Sends an answer; the same answer sent again keeps its key, so that it counts once. */
export const useAnswer = (sessionId: string, action: ActionBody) => {
  const { turns } = useClient();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const sent = useRef({ text: '', key: '' });
  const answer = async (payload: Payload): Promise<void> => {
    const text = JSON.stringify(payload);
    if (sent.current.text !== text) sent.current = { text, key: freshKey('answer') };
    setBusy(true);
    setFault(undefined);
    try {
      const body = { request_id: action.request_id, expected_version: action.version, payload: payload as never };
      await turns.answer(sessionId, action.turn_id, body, { idempotencyKey: sent.current.key });
      // Stays busy: the view takes the card away when the answer has been applied.
    } catch (error) {
      setFault((error as Error).message);
      setBusy(false);
    }
  };
  return { busy, fault, answer };
};
export type Answering = ReturnType<typeof useAnswer>;
