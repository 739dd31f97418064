import { useCallback, useEffect, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';
import { pollWhileSeen } from './poll.ts';

export type Loaded<Of> = {
  /** Undefined until the first answer to this very question. */
  readonly data: Of | undefined;
  readonly fault: string | undefined;
  readonly reload: () => void;
};

type Answer<Of> = { readonly to: unknown; readonly data: Of };

/**
 * What `read` answers, read again when it is another function (memoize it), when asked to, and every `everyMs` while the
 * page is looked at. A fault leaves what was there before.
 */
export const useLoaded = <Of>(read: () => Promise<Of>, everyMs?: number): Loaded<Of> => {
  const { signOut } = useSignedIn();
  const [answer, setAnswer] = useState<Answer<Of>>();
  const [fault, setFault] = useState<string>();
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is how others ask for a fresh answer
  useEffect(() => {
    let here = true;
    const ask = async (): Promise<boolean> => {
      try {
        const data = await read();
        if (!here) return true;
        setAnswer({ to: read, data });
        setFault(undefined);
        return true;
      } catch (error) {
        if (!here) return false;
        if ((error as { readonly code?: unknown }).code === 'unauthenticated') signOut('tokenRefused');
        else setFault((error as Error).message);
        return false;
      }
    };
    if (everyMs === undefined) void ask();
    // The first time even where nobody looks yet.
    const stop = everyMs === undefined ? undefined : pollWhileSeen(ask, everyMs, { evenHidden: true });
    return () => {
      here = false;
      stop?.();
    };
  }, [read, everyMs, asked, signOut]);
  return {
    data: answer?.to === read ? answer.data : undefined,
    fault,
    reload: useCallback(() => setAsked((before) => before + 1), []),
  };
};
