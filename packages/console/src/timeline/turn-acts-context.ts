import type { Sent } from '@turnkeeper/react/outbox';
import { createContext, use } from 'react';

/** What can be done from within the timeline, beside answering. Undefined where the session is only read. */
export type TurnActs = {
  readonly send: (sent: Sent) => void;
  /** Into the composer, to be changed. */
  readonly writeAgain: (sent: Pick<Sent, 'text' | 'files'>) => void;
  readonly retry: (key: string) => void;
  readonly edit: (key: string) => void;
  /** Undefined where the session's target has no context to go on from. */
  readonly fork: ((turnId: string) => void) | undefined;
  /** The turn that is being forked from. */
  readonly forking: string | undefined;
};

export const TurnActsContext = createContext<TurnActs | undefined>(undefined);
export const useTurnActs = (): TurnActs | undefined => use(TurnActsContext);

/** The open action that single keys answer: the first one. */
export const KeyedActionContext = createContext<string | undefined>(undefined);
export const useIsKeyed = (requestId: string | undefined): boolean => use(KeyedActionContext) === requestId && requestId !== undefined;
