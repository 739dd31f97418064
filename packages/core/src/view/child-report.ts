/** What a child has to tell its parent, put together from what is stored of it. */
import type { ChildAction, ChildName, ChildReport } from '../session/child-report.ts';
import type { SessionId } from '../session/ids.ts';
import type { ActionBody } from './action.ts';
import type { TurnBody } from './turn.ts';

export type ChildRead = { readonly turn: TurnBody; readonly actions: readonly ActionBody[]; readonly asOf: number };

/** `turn`: the child's one turn. `actions`: its own, by what is stored; those that are not open any more tell how they ended. */
export const childReport = (child: ChildName & { readonly id: SessionId }, { turn, actions, asOf }: ChildRead): ChildReport => {
  const { id, name, agentId, path } = child;
  const closed = actions.filter(({ status }) => status !== 'open');
  return {
    ...{ name, agentId, path },
    actions: actions.filter(({ status }) => status === 'open').map((body) => shownAction(id, body)),
    closed: Object.fromEntries(
      closed.map(({ request_id, status, resolved_by }) => [
        request_id,
        { resolution: status === 'open' ? 'cancelled' : status, ...(resolved_by === undefined ? {} : { resolvedBy: resolved_by }) },
      ]),
    ),
    is: standing(turn),
    asOf,
  };
};

const shownAction = (id: SessionId, body: ActionBody): ChildAction => {
  const { turn_id: _turn, status: _status, created_at: _created, resolved_at: _at, resolved_by: _by, sealed: _sealed, ...action } = body;
  return { ...action, child_session_id: action.child_session_id ?? id };
};

const standing = (turn: TurnBody): ChildReport['is'] => {
  const { status, output_text = '', result, error_code, error_message } = turn;
  switch (status) {
    case 'queued':
      return turn.reason === 'timer' && turn.not_before !== undefined ? { status: 'sleeping', until: turn.not_before } : { status: 'running' };
    case 'running':
      return { status: 'running' };
    case 'requires_action':
      return { status };
    case 'interrupted':
      return { status, ...(turn.reason === 'paused' ? { paused: true } : {}) };
    case 'completed':
    case 'partial_succeeded':
      return { status, output: said(output_text), ...(result === undefined ? {} : { result }) };
    case 'failed':
      return {
        status,
        output: said(`The delegated task failed: ${error_message ?? 'no reason is known'}`),
        ...(error_code === undefined ? {} : { errorCode: error_code }),
      };
    case 'cancelled':
      return { status, output: said('The delegated task was cancelled.') };
    case 'timed_out':
      return { status, output: said('The delegated task ran out of time.'), errorCode: 'timed_out' };
  }
};

const said = (text: string) => [{ type: 'text', text }] as const;

/** What is told of a child that is not there any more. */
export const goneReport = (child: ChildName): ChildReport => ({
  ...child,
  actions: [],
  closed: {},
  is: { status: 'gone', output: said('The delegated task is not there any more.'), errorCode: 'not_found' },
});
