import { createContext, use } from 'react';
import { fullAccess, type SessionAccess } from './access.ts';

/** Of the session, or the action, that is shown. */
export const SessionAccessContext = createContext<SessionAccess>(fullAccess);
export const useSessionAccess = (): SessionAccess => use(SessionAccessContext);
