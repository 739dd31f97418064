import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { isDelta } from '@turnkeeper/core/session/events';
import { useEffect, useState } from 'react';
import { useSignedIn } from '../auth/signed-in-context.ts';

export type TurnEvents = {
  /** What has been told so far, deltas left out. */
  readonly events: readonly Envelope[];
  /** All that there was when the page opened has come, or the turn is over. */
  readonly settled: boolean;
  readonly fault: { readonly code: string; readonly message: string } | undefined;
  readonly retry: () => void;
};

const none: readonly Envelope[] = [];
/** Nothing more has come for so long: what there was is there. */
const quietMs = 150;

/** The events of a turn, from its first to its last one; while it runs, as they come. Many that come together are one change. */
export const useTurnEvents = (sessionId: string, turnId: string): TurnEvents => {
  const { client, signOut } = useSignedIn();
  const [told, setTold] = useState<{ readonly of: string; readonly events: readonly Envelope[]; readonly settled: boolean }>();
  const [fault, setFault] = useState<TurnEvents['fault']>();
  const [asked, setAsked] = useState(0);
  const subject = `${sessionId}/${turnId}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is how the page asks once more
  useEffect(() => {
    const stop = new AbortController();
    const events: Envelope[] = [];
    let frame: number | undefined;
    let quiet: ReturnType<typeof setTimeout> | undefined;
    let settled = false;
    const show = (): void => {
      frame = undefined;
      setTold({ of: subject, events: [...events], settled });
    };
    const changed = (): void => {
      frame ??= requestAnimationFrame(show);
    };
    const settle = (): void => {
      settled = true;
      changed();
    };
    const follow = async (): Promise<void> => {
      try {
        for await (const event of client.streamTurn(sessionId, turnId, { signal: stop.signal })) {
          if (isDelta(event.type)) continue;
          events.push(event);
          clearTimeout(quiet);
          if (!settled) quiet = setTimeout(settle, quietMs);
          changed();
        }
        settle();
      } catch (error) {
        if (stop.signal.aborted) return;
        const { code = '', message } = error as { readonly code?: string; readonly message: string };
        if (code === 'unauthenticated') signOut('tokenRefused');
        else setFault({ code, message });
      }
    };
    setFault(undefined);
    void follow();
    return () => {
      stop.abort(new Error('The page was left.'));
      clearTimeout(quiet);
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [client, signOut, sessionId, turnId, subject, asked]);
  const mine = told?.of === subject ? told : undefined;
  return { events: mine?.events ?? none, settled: mine?.settled === true, fault, retry: () => setAsked((before) => before + 1) };
};
