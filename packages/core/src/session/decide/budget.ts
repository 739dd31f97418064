/**
 * Budgets as a session decides on them: the stop at a limit, and the warnings before it.
 *
 * BU3 A limit stops a turn between two model calls: it is `interrupted`, nothing of it is undone, and `resume` goes on with
 *     the call that was refused. A turn that was asked to cancel ends cancelled instead.
 * BU4 50, 80 and 100 percent of a limit are warned of once each, whoever notices and however often. Setting the limits anew
 *     arms again what lies above what is used of them by then.
 */
import { refuse } from '../../protocol/errors.ts';
import { warningPercents } from '../budget.ts';
import type { Command } from '../commands.ts';
import { type Decision, draft } from '../decision.ts';
import type { SessionState } from '../state.ts';
import { atModel } from './at-model.ts';
import { endRun } from './closing.ts';
import { hasWaitingSteer } from './inputs.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export const decideExceedBudget = (state: SessionState, { exceeded, sessionId, at }: Of<'exceed_budget'>): Decision => {
  const live = atModel(state);
  const stops = live && !live.open && !live.cancelRequested && !(live.answered && hasWaitingSteer(state, live.id));
  if (!stops) return refuse('turn_closed', 'No model call is owed.');
  const out = draft(state, at);
  out.emit({ type: 'budget.exceeded', data: { turn_id: live.id, ...exceeded, ...(sessionId === undefined ? {} : { session_id: sessionId }) } });
  endRun(out, 'interrupted');
  out.emit({ type: 'turn.interrupted', data: { turn_id: live.id, reason: 'budget_exceeded', error_code: 'budget_exceeded' } });
  return out.done();
};

export const decideWarnBudget = (state: SessionState, { uses, at }: Of<'warn_budget'>): Decision => {
  const out = draft(state, at);
  for (const { limit, used, max, currency } of uses) {
    const turn = limit === 'max_tokens_per_turn' ? state.live?.id : undefined;
    // What a turn used is nobody's any more when it has ended.
    if (limit === 'max_tokens_per_turn' && turn === undefined) continue;
    for (const percent of warningPercents) {
      if (used * 100 < max * percent || percent <= (out.state().warned?.[limit] ?? 0)) continue;
      const of = { ...(turn === undefined ? {} : { turn_id: turn }), ...(currency === undefined ? {} : { currency }) };
      out.emit({ type: 'budget.warning', data: { ...of, limit, percent, used, max } });
    }
  }
  return out.done();
};

/** The limits are others from now on: `passed` says how much of them is used already. */
export const decideNoteBudget = (state: SessionState, { budget, passed, at }: Of<'note_budget'>): Decision => {
  const out = draft(state, at);
  out.emit({ type: 'budget.changed', data: { ...budget, passed } });
  return out.done();
};
