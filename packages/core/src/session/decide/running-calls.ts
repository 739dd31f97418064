/**
 * Calls of the server's tools while they run: the forms that they put to people, and the loss of what runs them.
 *
 * RN1 A form that a running call asks for is an action that settles nothing: once it is resolved, the call goes on. A call has one
 *     open at a time.
 * RN2 Such a form is open only while its call runs: whatever ends the call, its run or its turn closes it in the same commit.
 * RN3 What people fill in stands in no event and no resource: it is sealed for the run that asked (`answer_key`), which alone can
 *     open it, and only as long as it runs.
 * RN5 A call whose process ended has an unknown result, as one whose run was lost (S13): it is never run again by itself, and waits
 *     for a person once nothing else of its step runs.
 * RN6 What a call found is remembered for the session: once each, the newest.
 * RN7 An answer to a form that was taken, and then could not reach its call, is told of: the call had ended, had given the form up
 *     in the same moment, or could not open what was filled in. The action stays closed: nobody is asked again for a call that is
 *     done with it. Of a run whose process died nobody knows what had reached it, and nothing is told.
 */
import { refuse } from '../../protocol/errors.ts';
import type { Command } from '../commands.ts';
import { type Decision, draft } from '../decision.ts';
import type { CallState, LiveTurn, SessionState } from '../state.ts';
import { closeForms, endRun } from './closing.ts';
import { askedFor } from './inquiries.ts';
import { openAction } from './open-action.ts';
import { askToReconcile } from './runs.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

const closed = () => refuse('turn_closed', 'The call does not run any more.');
const running = ({ live }: SessionState): LiveTurn | undefined => (live?.status === 'running' ? live : undefined);
const dispatched = (live: LiveTurn | undefined, callId: string): CallState | undefined =>
  live?.calls.find(({ id, status, executor }) => id === callId && status === 'dispatched' && executor === 'server');
const hasForm = (live: LiveTurn | undefined, callId: string): boolean =>
  live?.openActions.some((action) => action.whileRunning && action.callId === callId) === true;

export const decideAskForm = (state: SessionState, command: Of<'ask_form'>): Decision => {
  const live = running(state);
  const call = dispatched(live, command.callId);
  if (!live || !call || live.cancelRequested) return closed();
  if (hasForm(live, call.id)) return refuse('action_pending', 'A form of this call is open.');
  const { input, form, key, note } = command;
  const out = draft(state, command.at);
  const asked = { ...askedFor({ kind: 'form', form }), while_running: true, answer_key: key, ...(note ? { tool_note: note } : {}) } as const;
  openAction(out, asked, { id: call.id, name: call.name, input }, command);
  return out.done();
};

export const decideTakeBackForm = (state: SessionState, command: Of<'take_back_form'>): Decision => {
  const live = running(state);
  if (!hasForm(live, command.callId)) return closed();
  const out = draft(state, command.at);
  closeForms(out, command.callId);
  return out.done();
};

export const decideRejectAnswer = (state: SessionState, command: Of<'reject_answer'>): Decision => {
  const { turnId, requestId, commandId, reason } = command;
  const live = running(state);
  if (live?.id !== turnId || live.openActions.some(({ id }) => id === requestId)) return closed();
  const out = draft(state, command.at);
  out.emit({ type: 'required_action.rejected', data: { turn_id: turnId, request_id: requestId, command_id: commandId, reason, pending: false } });
  return out.done();
};

export const decideToolsLost = (state: SessionState, command: Of<'tools_lost'>): Decision => {
  const live = running(state);
  const { callIds, inputs } = command;
  if (!live || live.cancelRequested || callIds.length === 0 || !callIds.every((id) => dispatched(live, id))) return closed();
  if (live.calls.some(({ id, status }) => !callIds.includes(id) && (status === 'requested' || status === 'dispatched'))) {
    return refuse('turn_not_resumable', 'Other calls of the step still run.');
  }
  const out = draft(state, command.at);
  endRun(out, 'interrupted', undefined, callIds);
  closeForms(out);
  askToReconcile(out, inputs);
  return out.done();
};
