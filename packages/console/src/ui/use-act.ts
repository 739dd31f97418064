import { useState } from 'react';

export type Act = {
  readonly busy: boolean;
  readonly fault: string | undefined;
  /** Where in what was sent the faults are, as the server says (JSON pointers); empty where it does not. */
  readonly faults: readonly Fault[];
  /** One at a time. True when it was done. */
  readonly act: (run: () => Promise<unknown>) => Promise<boolean>;
  readonly clear: () => void;
};
export type Fault = { readonly pointer: string; readonly detail: string };

const faultsOf = (error: unknown): readonly Fault[] => {
  const errors = (error as { readonly details?: { readonly errors?: unknown } }).details?.errors;
  return Array.isArray(errors) ? (errors as readonly Fault[]) : [];
};

/** What a button does, while it does it, and what became of it. */
export const useAct = (): Act => {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>();
  return {
    busy,
    fault: failed === undefined ? undefined : (failed as Error).message,
    faults: faultsOf(failed ?? {}),
    act: async (run) => {
      setBusy(true);
      setFailed(undefined);
      try {
        await run();
        return true;
      } catch (error) {
        setFailed(error);
        return false;
      } finally {
        setBusy(false);
      }
    },
    clear: () => setFailed(undefined),
  };
};
