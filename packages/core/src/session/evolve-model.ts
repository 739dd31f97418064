/** The fold of model calls, and of what they say. */
import type { EventData } from './events.ts';
import { progressed, unanswered } from './evolve-live.ts';
import { withoutVerdict } from './evolve-outcome.ts';
import { type LiveTurn, modelCallNumber } from './state.ts';
import { tooLong } from './too-long.ts';

export const modelFailed = (live: LiveTurn, data: EventData<'model.completed'>): LiveTurn => {
  const { open: _open, notBefore: _notBefore, ...rest } = live;
  if (data.status === 'completed') return live;
  if (data.status === 'cancelled') {
    if (live.open) return live.open.modelCallId === data.model_call_id ? rest : live;
    // Stopped before it had an item: its names are used all the same (S1).
    return { ...rest, modelCalls: live.modelCalls + 1, items: live.items + 1 };
  }
  const notBefore = data.retry_at === undefined ? {} : { notBefore: data.retry_at };
  // Tried again though its prompt was too long: only a shorter one can help.
  const compaction = data.error_code === tooLong && data.retry_at !== undefined ? ({ compaction: 'owed' } as const) : {};
  return {
    ...rest,
    ...notBefore,
    ...compaction,
    modelFailures: live.modelFailures + 1,
    modelCalls: modelCallNumber(live),
    items: live.items + (live.open ? 0 : 1),
  };
};

export const itemStarted = (live: LiveTurn, { item_id: itemId, model_call_id: modelCallId, model, cost }: EventData<'item.started'>): LiveTurn => ({
  ...live,
  items: live.items + 1,
  modelCalls: live.modelCalls + 1,
  open: { itemId, modelCallId, ...(model === undefined ? {} : { model }), ...(cost ? { cost } : {}) },
});

export const itemCompleted = (live: LiveTurn, data: EventData<'item.completed'>): LiveTurn => {
  if (data.model_call_id === undefined) return { ...withoutVerdict(unanswered(live)), items: live.items + 1 };
  const counted = live.open ? live : { ...live, items: live.items + 1, modelCalls: live.modelCalls + 1 };
  const { open: _open, notBefore: _notBefore, compaction: _compaction, ...rest } = withoutVerdict(counted);
  if (data.item?.status !== 'completed') return rest;
  const stepped = progressed({ ...rest, steps: live.steps + 1, calls: [], modelFailures: 0 });
  // Refused as the turn's output: no answer yet, and the model is told so once (OU2).
  return data.output_faults === undefined ? { ...stepped, answered: true } : { ...unanswered(stepped), repairs: true };
};

/** Its model call used its names, as one that was stopped before it had an item (S1). */
export const compacted = ({ notBefore: _, ...live }: LiveTurn): LiveTurn => ({
  ...live,
  items: live.items + 1,
  modelCalls: live.modelCalls + 1,
  ...(live.compaction === 'owed' ? { compaction: 'done' as const } : {}),
});
