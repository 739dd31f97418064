import type { AnswerShowRequest } from '@turnkeeper/core/protocol/wire/minitool-shows';
import { useCallback, useEffect, useReducer, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { noShows, type ShowsState, withChange } from './shows-state.ts';

export type Shows = {
  readonly state: ShowsState;
  /** Rejects where the answer was not taken. */
  readonly answer: (id: string, answer: AnswerShowRequest) => Promise<void>;
  /** It is not to be seen here any more. `isUnwanted`: nobody here wants to answer it. */
  readonly leave: (id: string, isUnwanted?: boolean) => void;
  readonly hush: (minitoolId: string) => void;
};

/** Whoever looks away for a moment is still there; a browser has few connections, which pages that nobody looks at must not take. */
const awayMs = 10_000;

const useIsHere = (): boolean => {
  const [isHere, setIsHere] = useState(!document.hidden);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setIsHere(false), awayMs);
      else setIsHere(true);
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return isHere;
};

/** Answered by somebody else, or over: there is nothing to be done about it. One that is not found may be another node's. */
const isOver = (error: unknown): boolean => (error as { readonly code?: unknown }).code === 'action_resolved';

/** What mini-tools show this person, while the page is looked at. */
export const useShows = (): Shows => {
  const { minitools } = useClient();
  const [state, change] = useReducer(withChange, noShows);
  const isHere = useIsHere();
  useEffect(() => {
    if (!isHere) return;
    const leave = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const news of minitools.ui.stream({ signal: leave.signal })) change(news);
    };
    // Refused: whoever lists sessions tells what is wrong with the token. Aborted: the page is left.
    void follow().catch(() => {});
    return () => leave.abort();
  }, [minitools, isHere]);
  const leave = useCallback((id: string, isUnwanted = false) => change({ type: 'left', id, isUnwanted }), []);
  const answer = useCallback(
    async (id: string, given: AnswerShowRequest): Promise<void> => {
      await minitools.ui.answer(id, given).catch((error: unknown) => {
        if (!isOver(error)) throw error;
      });
      leave(id);
    },
    [minitools, leave],
  );
  return { state, answer, leave, hush: useCallback((minitoolId: string) => change({ type: 'hushed', minitoolId }), []) };
};
