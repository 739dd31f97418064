/** The fold of tool calls. */
import type { EventData } from './events.ts';
import { progressed, setCall, withLive } from './evolve-live.ts';
import { type CallState, type LiveTurn, maxCallsPerStep, maxFoundTools, maxUnverified, type SessionState } from './state.ts';

export const withCall = (calls: readonly CallState[], data: EventData<'tool.requested'>): readonly CallState[] =>
  calls.length < maxCallsPerStep ? [...calls, requestedCall(data)] : calls;

const requestedCall = (data: EventData<'tool.requested'>): CallState => ({
  id: data.tool_call_id,
  name: data.name,
  status: 'requested',
  executor: data.executor,
  replaySafe: data.replay_safe,
});

const toolCompleted = (live: LiveTurn, data: EventData<'tool.completed'>): LiveTurn => {
  const unverified = data.status === 'unknown' ? [...live.unverified, data.tool_call_id].slice(-maxUnverified) : live.unverified;
  return progressed({ ...live, unverified, calls: setCall(live.calls, data.tool_call_id, 'done') });
};

export const toolEnded = (state: SessionState, data: EventData<'tool.completed'>): SessionState =>
  found(
    withLive(state, data.turn_id, (live) => toolCompleted(live, data)),
    data,
  );

/** Once each; where there are too many, those that were found first are to be found again (RN6). */
const found = (state: SessionState, { turn_id, found_tools: names = [] }: EventData<'tool.completed'>): SessionState => {
  const known = state.foundTools ?? [];
  const fresh = [...new Set(names)].filter((name) => !known.includes(name));
  if (fresh.length === 0 || state.live?.id !== turn_id) return state;
  return { ...state, foundTools: [...known, ...fresh].slice(-maxFoundTools) };
};
