/**
 * The queue as a person orders it.
 *
 * QO1 Queued turns start in the order of acceptance unless a person reordered them; then in that order, and what is accepted
 *     later stands behind. Turns that have started are never moved.
 * QO2 A new order names every queued turn once: one that was made for another queue is refused, and changes nothing.
 */
import { refuse } from '../../protocol/errors.ts';
import type { Command } from '../commands.ts';
import { type Decision, draft } from '../decision.ts';
import type { SessionState } from '../state.ts';

/** Each turn from the first that moves on goes to the back in its turn: that is what `turn.queued` (`reordered`) says of it. */
export const decideReorder = (state: SessionState, { order, at }: Extract<Command, { type: 'reorder' }>): Decision => {
  const queued = state.queue.map(({ id }) => id);
  if (order.length !== queued.length || !queued.every((id) => order.includes(id))) {
    return refuse('version_conflict', 'The queue has changed: the order must name every queued turn once.', { turn_ids: queued });
  }
  const out = draft(state, at);
  const first = order.findIndex((id, index) => id !== queued[index]);
  const ahead = state.live ? 1 : 0;
  for (const [index, turn_id] of order.entries()) {
    if (first === -1 || index < first) continue;
    out.emit({ type: 'turn.queued', data: { turn_id, reason: 'reordered', queue_position: index + ahead } });
  }
  return out.done();
};
