/** The fold of budgets: of which limits one was warned. */
import { rearmed, type WarningLevels } from './budget.ts';
import type { EventData } from './events.ts';
import type { SessionState } from './state.ts';

/** Once each (BU4). */
export const warned = (state: SessionState, { limit, percent }: EventData<'budget.warning'>): SessionState =>
  percent > (state.warned?.[limit] ?? 0) ? withWarned(state, { ...state.warned, [limit]: percent }) : state;

export const budgetChanged = (state: SessionState, { passed }: EventData<'budget.changed'>): SessionState =>
  withWarned(state, rearmed(state.warned ?? {}, passed ?? {}));

const withWarned = ({ warned: _, ...state }: SessionState, levels: WarningLevels): SessionState =>
  Object.keys(levels).length > 0 ? { ...state, warned: levels } : state;

/** What each turn may use is another turn's from here on. */
export const ofNewTurn = (state: SessionState): SessionState => {
  const { max_tokens_per_turn: of, ...levels } = state.warned ?? {};
  return of === undefined ? state : withWarned(state, levels);
};
