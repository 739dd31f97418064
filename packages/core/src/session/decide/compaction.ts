/**
 * Compaction of the context: a model call of a turn that answers with a summary instead of an item.
 *
 * CP1 It happens where the model may be called, and moves nothing of the turn but the names that its call used (S1).
 * CP2 What was refused for its length is compacted and tried once more: refused again after that, the turn fails.
 * CP3 The history keeps all items: `context.compacted` says how many of them the model is not shown any more.
 */
import { refuse } from '../../protocol/errors.ts';
import type { Command } from '../commands.ts';
import { type Decision, draft } from '../decision.ts';
import { itemId, modelCallId, runId } from '../ids.ts';
import type { LiveTurn, SessionState } from '../state.ts';
import { atModel } from './at-model.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

/** Whether a call that was refused for its length may be made again after a compaction (CP2). */
export const mayCompact = (live: LiveTurn): boolean => live.compaction !== 'done';

export const decideCompact = (state: SessionState, command: Of<'compact'>): Decision => {
  const live = atModel(state);
  if (!live || live.open || live.cancelRequested) return refuse('turn_closed', 'No model call is owed.');
  const { id, runs, items, modelCalls } = live;
  const call = { turn_id: id, run_id: runId(id, runs), item_id: itemId(id, items + 1), model_call_id: modelCallId(id, modelCalls + 1) };
  const { model, usage, cost } = command;
  const out = draft(state, command.at);
  out.emit(
    { type: 'context.compacted', data: { ...call, replaced_items: command.replaced } },
    { kind: 'compacted', summary: command.summary, keepFrom: command.keepFrom },
  );
  if (usage) out.emit({ type: 'usage.recorded', data: { ...call, model, usage, ...(cost ? { cost } : {}) } });
  else out.emit({ type: 'model.completed', data: { ...call, model, status: 'completed' } });
  return out.done();
};
