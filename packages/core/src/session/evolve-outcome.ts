/**
 * The fold of outcome checks (OC1, OC2).
 *
 * OC4 A further try begins with all that a turn may take: its model calls and its one repair count anew. Time and budgets do not.
 */
import type { EventData, EventOf } from './events.ts';
import { isSessionId } from './ids.ts';
import { type ChildLink, type LiveTurn, maxChildren, type SessionState } from './state.ts';

/** A judge is owed from here on. */
const judging = (state: SessionState, { turn_id, child_session_id: id }: EventData<'outcome.judging'>): SessionState => {
  const { live, children = [] } = state;
  if (!live?.check || live.id !== turn_id || !isSessionId(id) || children.length >= maxChildren || children.some((link) => link.id === id)) return state;
  const link: ChildLink = { id, status: 'owed', judge: true };
  return { ...state, spawned: (state.spawned ?? 0) + 1, children: [...children, link], live: { ...live, check: { ...live.check, judge: id } } };
};

/** What a try has used up of its own, the next one has again (OC4). */
const triedAnew = ({ answered: _, repairs: __, ...live }: LiveTurn): LiveTurn => ({ ...live, steps: 0 });

/** A try is over. With another one the model is called again, or the graph begins anew. */
const checked = (live: LiveTurn, { status, again }: EventData<'outcome.checked'>): LiveTurn => {
  if (!live.check) return live;
  const { judge: _, verdict: __, ...check } = live.check;
  // One that heard something after its last try is looked at once more, and that is no further try.
  if (!again) return { ...live, check: { ...check, tries: Math.min(check.tries + 1, check.maxTries), verdict: status } };
  const next = { ...triedAnew(live), check: { ...check, tries: check.tries + 1 } };
  // Paused it stays: only whoever resumes it lets the next try begin.
  const { flow } = live;
  return flow ? { ...next, flow: { steps: [], tries: flow.tries + 1, ...(flow.paused ? { paused: true as const } : {}) } } : next;
};

export const judged = (state: SessionState, event: EventOf<'outcome.judging' | 'outcome.checked'>): SessionState => {
  if (event.type === 'outcome.judging') return judging(state, event.data);
  return state.live && state.live.id === event.data.turn_id ? { ...state, live: checked(state.live, event.data) } : state;
};

/** A new answer is judged anew. */
export const withoutVerdict = (live: LiveTurn): LiveTurn => {
  if (live.check?.verdict === undefined) return live;
  const { verdict: _, ...check } = live.check;
  return { ...live, check };
};
