/** The fold of what waits for people. */
import type { EventData } from './events.ts';
import { setCall } from './evolve-live.ts';
import type { SessionId } from './ids.ts';
import { isAllowed, type LiveTurn, maxAllowedTools, maxChildActions, type SessionState } from './state.ts';

export const actionCreated = (live: LiveTurn, data: EventData<'required_action.created'>): LiveTurn => {
  if (data.child_session_id !== undefined) return childActionCreated(live, data, data.child_session_id);
  const call = data.tool_call;
  const expires = data.expires_at === undefined ? {} : { expiresAt: data.expires_at };
  const of = call === undefined ? {} : { callId: call.id };
  const remember = data.can_remember === true ? { canRemember: true } : {};
  const waits = data.kind !== 'reconciliation' && data.while_running !== true;
  const running = data.while_running === true ? { whileRunning: true as const } : {};
  return {
    ...live,
    actions: live.actions + 1,
    openActions: [...live.openActions, { id: data.request_id, kind: data.kind, version: data.version, ...of, ...expires, ...remember, ...running }],
    calls: call && waits ? setCall(live.calls, call.id, 'waiting') : live.calls,
  };
};

/** Shown only: it is no call's of this session, and it expires where it is open. */
const childActionCreated = (live: LiveTurn, data: EventData<'required_action.created'>, childId: SessionId): LiveTurn =>
  live.openActions.filter((action) => action.childId !== undefined).length < maxChildActions
    ? { ...live, openActions: [...live.openActions, { id: data.request_id, kind: data.kind, version: data.version, childId }] }
    : live;

export const actionResolved = (live: LiveTurn, data: EventData<'required_action.resolved'>): LiveTurn => {
  const action = live.openActions.find((entry) => entry.id === data.request_id);
  const allowed = data.kind === 'confirmation' && data.resolution === 'answered';
  return {
    ...live,
    openActions: live.openActions.filter((entry) => entry !== action),
    calls: allowed && action?.callId ? setCall(live.calls, action.callId, 'requested') : live.calls,
  };
};

/** Once each, and no more than are kept: what does not fit is asked for again. */
export const remembered = (state: SessionState, { turn_id, remembered_tool: tool }: EventData<'required_action.resolved'>): SessionState => {
  const known = state.allowedTools ?? [];
  if (tool === undefined || state.live?.id !== turn_id || isAllowed(state, tool) || known.length >= maxAllowedTools) return state;
  return { ...state, allowedTools: [...known, tool] };
};
