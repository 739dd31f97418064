import { createWishKeys } from '@turnkeeper/client/fresh-key';
import type { Json } from '@turnkeeper/core/protocol/json';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import type { Resolution } from './resolution.ts';
import type { ShownAction } from './shown-action.ts';

/** Of a signal any JSON; of all others an object. */
export type Payload = Json | { readonly [member: string]: unknown };
export type AnswerFault = { readonly kind: 'refused'; readonly message: string } | { readonly kind: 'too_late'; readonly resolution: Resolution };

type Refusal = { readonly code?: unknown; readonly message: string; readonly details?: { readonly resolution?: unknown; readonly resolved_by?: unknown } };

const faultOf = (error: unknown): AnswerFault => {
  const { code, message, details } = error as Refusal;
  if (code !== 'action_resolved') return { kind: 'refused', message };
  const by = details?.resolved_by;
  return { kind: 'too_late', resolution: { status: String(details?.resolution ?? 'answered'), ...(typeof by === 'string' ? { by } : {}) } };
};

/** Sends an answer; the same answer sent again keeps its key, so that it counts once. */
export const useAnswer = (sessionId: string, action: ShownAction, onAnswered?: () => void) => {
  const { turns } = useClient();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<AnswerFault>();
  const [keys] = useState(() => createWishKeys('answer'));
  /** `decision`: what an approval wants beside its payload. */
  const answer = async (payload: Payload, decision?: 'approved' | 'rejected'): Promise<void> => {
    const idempotencyKey = keys.of(JSON.stringify([payload, decision]));
    setBusy(true);
    setFault(undefined);
    try {
      const body = { request_id: action.request_id, expected_version: action.version, payload: payload as never, ...(decision ? { decision } : {}) };
      await turns.answer(sessionId, action.turn_id, body, { idempotencyKey });
      // Stays busy: the view takes the card away when the answer has been applied.
      onAnswered?.();
    } catch (error) {
      setFault(faultOf(error));
      setBusy(false);
    }
  };
  return { busy, fault, answer };
};
export type Answering = ReturnType<typeof useAnswer>;
