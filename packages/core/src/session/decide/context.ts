/**
 * What is asked of a session's context from outside: to go on from a checkpoint, or to begin with another session's.
 *
 * CX1 Both need a session at rest: nothing runs, waits, is unknown or is still to be used, here or in a child whose result would
 *     still be told. What is in the way is named.
 * CX2 The history stays: a restore and a fork are facts of their own, and undo nothing.
 * CX3 After a restore no earlier turn can be resumed: it would go on in a context that it does not belong to.
 * CX4 Only a session that has never had a context takes one over.
 * CX5 A child session is not restored: it has one turn, and no context that another would go on from.
 */
import { type Refusal, refuse } from '../../protocol/errors.ts';
import type { Command } from '../commands.ts';
import { type Decision, draft } from '../decision.ts';
import type { SessionState } from '../state.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export type InTheWay = 'running_turn' | 'waiting_turn' | 'queued_turns' | 'open_actions' | 'unknown_results' | 'unapplied_inputs' | 'open_children';

const inTheWay = ({ live, queue, inputs, children }: SessionState): readonly InTheWay[] => [
  ...(live ? [live.status === 'running' || live.status === 'queued' ? ('running_turn' as const) : ('waiting_turn' as const)] : []),
  ...(queue.length > 0 ? ['queued_turns' as const] : []),
  ...(live?.openActions.length ? ['open_actions' as const] : []),
  ...(live?.calls.some(({ status }) => status === 'unknown') ? ['unknown_results' as const] : []),
  ...(inputs?.length ? ['unapplied_inputs' as const] : []),
  ...(children ? ['open_children' as const] : []),
];

const words: Readonly<Record<InTheWay, string>> = {
  running_turn: 'a turn is running',
  waiting_turn: 'a turn waits to go on',
  queued_turns: 'turns are queued',
  open_actions: 'actions are open',
  unknown_results: 'a tool result is unknown',
  unapplied_inputs: 'inputs were not used yet',
  open_children: 'child sessions have not ended',
};

/** Why the session's context cannot be touched now, or undefined (CX1). */
export const busyRefusal = (state: SessionState): Refusal | undefined => {
  const found = inTheWay(state);
  if (found.length === 0) return undefined;
  const { live, queue, inputs, children } = state;
  return refuse('session_busy', `The session is not at rest: ${found.map((entry) => words[entry]).join(', ')}.`, {
    in_the_way: found,
    turn_ids: [...(live ? [live.id] : []), ...queue.map(({ id }) => id)],
    request_ids: live?.openActions.map(({ id }) => id) ?? [],
    input_ids: inputs?.map(({ id }) => id) ?? [],
    child_session_ids: children?.map(({ id }) => id) ?? [],
  });
};

export const decideRestoreContext = (state: SessionState, command: Of<'restore_context'>): Decision => {
  if (state.parent) return refuse('not_supported', 'A child session has one turn: restore the context of the session that it belongs to.');
  const busy = busyRefusal(state);
  if (busy) return busy;
  const out = draft(state, command.at);
  const { checkpointId, fromTurn, reason, upto } = command;
  const turn = fromTurn === null ? {} : { from_turn_id: fromTurn };
  out.emit({ type: 'session.restored', data: { checkpoint_id: checkpointId, ...turn, reason } }, { kind: 'rebase', upto });
  return out.done();
};

/** Why the session cannot take over a context, or undefined (CX1, CX4). */
export const initializeRefusal = (state: SessionState): Refusal | undefined => {
  if (state.archived) return refuse('session_archived', 'The session is archived: restore it to fork into it.');
  if (state.turns > 0 || state.contextInitialized)
    return refuse('fork_target_unfit', 'The target session is not empty: fork into one that has had no turn and no context yet.', { why: 'not_empty' });
  return busyRefusal(state);
};

export const decideInitializeContext = (state: SessionState, command: Of<'initialize_context'>): Decision => {
  const refusal = initializeRefusal(state);
  if (refusal) return refusal;
  const { messages, tokens, reason } = command;
  const out = draft(state, command.at);
  out.emit(
    { type: 'session.context_initialized', data: { reason, messages: messages.length } },
    { kind: 'initial', messages, ...(tokens === undefined ? {} : { tokens }) },
  );
  return out.done();
};
