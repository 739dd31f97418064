/**
 * The fold of waiting: while all that runs of a turn waits for people, its time stands still.
 *
 * RN4 The time in which every call that runs has a form open is no running time of the turn.
 */
import type { CallState, LiveTurn, SessionState } from './state.ts';

const isAsking = ({ openActions }: LiveTurn, callId: string): boolean => openActions.some((action) => action.whileRunning === true && action.callId === callId);

/** Whether the call does nothing but wait for people. */
const rests = (live: LiveTurn, { id, status }: CallState): boolean => {
  switch (status) {
    case 'dispatched':
      return isAsking(live, id);
    case 'waiting':
    case 'unknown':
    case 'done':
      return true;
    case 'requested':
    case 'delegated':
      return false;
  }
};

/** Whether people are all that the open run waits for. */
const onlyWaits = (live: LiveTurn): boolean =>
  live.runStartedAt !== undefined && live.openActions.some(({ whileRunning }) => whileRunning) && live.calls.every((call) => rests(live, call));

export const withWaiting = (state: SessionState, at: number): SessionState => {
  const { live } = state;
  if (!live) return state;
  const waits = onlyWaits(live);
  if (waits === (live.waitingSince !== undefined)) return state;
  if (waits) return { ...state, live: { ...live, waitingSince: at } };
  const { waitingSince = at, runStartedAt, ...rest } = live;
  // As if the run had begun by so much later.
  const started = runStartedAt === undefined ? {} : { runStartedAt: runStartedAt + Math.max(0, at - waitingSince) };
  return { ...state, live: { ...rest, ...started } };
};
