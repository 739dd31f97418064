import { useState } from 'react';

export type Answering = {
  readonly busy: boolean;
  /** Why it was refused: `too_late` where somebody else was first. */
  readonly fault: 'too_late' | { readonly reason: string } | undefined;
  /** Stays busy once it is sent: the card goes when the answer is known to all. */
  readonly run: (send: () => Promise<unknown>) => void;
};

export const useAnswering = (): Answering => {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Answering['fault']>();
  const run = (send: () => Promise<unknown>): void => {
    setBusy(true);
    setFault(undefined);
    send().catch((error: Error & { readonly code?: unknown }) => {
      setFault(error.code === 'action_resolved' ? 'too_late' : { reason: error.message });
      setBusy(false);
    });
  };
  return { busy, fault, run };
};
