/** Changes of the turn that runs. */
import type { CallState, LiveTurn, SessionState } from './state.ts';

export const withLive = (state: SessionState, turnId: string, change: (live: LiveTurn) => LiveTurn): SessionState =>
  state.live && state.live.id === turnId ? { ...state, live: change(state.live) } : state;

export const setCall = (calls: readonly CallState[], id: string, status: CallState['status']): readonly CallState[] =>
  calls.map((call) => (call.id === id ? { ...call, status } : call));

/**
 * A completed model call or tool: the turn made progress, so earlier losses no longer count. A dispatch is no
 * progress: a tool that kills its process would otherwise reset the count each time it is tried.
 */
export const progressed = (live: LiveTurn): LiveTurn => ({ ...live, lostRuns: 0, lostAlone: 0, runsAlone: false });

export const unanswered = ({ answered: _, ...live }: LiveTurn): LiveTurn => live;
