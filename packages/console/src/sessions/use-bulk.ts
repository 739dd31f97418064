import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import { useState } from 'react';

export type BulkFault = { readonly title: string; readonly message: string };
export type Bulk = {
  readonly busy: boolean;
  readonly faults: readonly BulkFault[];
  /** Does the same to each, a few at a time; what fails is said, and does not hold the others. */
  readonly run: (sessions: readonly SessionResource[], act: (session: SessionResource) => Promise<unknown>) => Promise<void>;
};

const atOnce = 4;

export const useBulk = (onDone: () => void): Bulk => {
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<readonly BulkFault[]>([]);
  const run: Bulk['run'] = async (sessions, act) => {
    setBusy(true);
    const found: BulkFault[] = [];
    const waiting = [...sessions];
    const work = async (): Promise<void> => {
      for (let session = waiting.shift(); session !== undefined; session = waiting.shift()) {
        try {
          await act(session);
        } catch (error) {
          found.push({ title: session.title || session.id, message: (error as Error).message });
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    setFaults(found);
    setBusy(false);
    onDone();
  };
  return { busy, faults, run };
};
