/**
 * One compaction: the checkpoint before it, the model call for the summary, and what it comes to.
 *
 * CK1 Nothing of it is kept until the summary is whole: after a crash it is made again from the same context. Its checkpoint is
 *     taken once for one context.
 * CK2 Its call is a model call like others: counted, measured, and retried as they are.
 */
import type { CompactionPlan } from '@turnkeeper/core/session/compaction';
import type { TokenUsage } from '@turnkeeper/core/session/events';
import { checkpointId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { Ask, CheckpointMark } from '../app/lane-batch.ts';
import { createBreather } from '../models/breather.ts';
import { ModelError, type ModelRequest } from '../ports/model.ts';
import { admitCall } from './admit-call.ts';
import { createAnswerLimit } from './answer-limit.ts';
import { callCost } from './call-cost.ts';
import { inRun } from './in-run.ts';
import { failureOf, tooLongOr, unusedOr } from './model-failure.ts';
import type { ModelStep } from './model-step.ts';

/** What the call came to, as the ask that reports it; undefined when it was aborted. `request` shows the model `plan.messages`. */
export const compact = async (step: ModelStep, plan: CompactionPlan, request: ModelRequest): Promise<((state: SessionState) => Ask) | undefined> => {
  await takeCheckpoint(step);
  if (!(await admitCall(step, 'summary')) || step.signal.aborted || !step.mayAct()) return undefined;
  // Nothing of a summary is shown.
  step.begun(() => '');
  const { services } = step;
  const watch = services.telemetry.modelCallBegan({ ...inRun(step, 1), request });
  let begun = false;
  const began = (): void => {
    begun = true;
    watch.began();
  };
  try {
    const { summary, usage } = await readSummary(step, request, began);
    watch.ended({ outcome: 'completed', usage, said: () => summary });
    const { keepFrom, replaced } = plan;
    const cost = usage && callCost(services, step.session.config, request.model, usage);
    return () => ({ type: 'compact', model: request.model, summary, keepFrom, replaced, ...(usage ? { usage } : {}), ...(cost ? { cost } : {}) });
  } catch (error) {
    if (step.signal.aborted) watch.ended({ outcome: 'cancelled', errorCode: 'cancelled' });
    else watch.ended({ outcome: 'failed', errorCode: error instanceof ModelError ? error.code : 'internal_error' });
    // Too long even so: less of it is shown the next time.
    return step.signal.aborted ? undefined : tooLongOr(unusedOr(failureOf(error, step, request.model), error, begun), error, () => true);
  }
};

/** Before anything is replaced; not again when the same was tried before (CK1). */
const takeCheckpoint = async ({ session, turnId, services, report }: ModelStep): Promise<void> => {
  const { live } = session.state;
  if (live?.id !== turnId) return;
  const mark: CheckpointMark = { id: checkpointId(turnId, `m${live.modelCalls + 1}`), turn: live.n, reason: 'context.compacted' };
  if (await services.store.checkpoint(session.head.sid, mark.id)) return;
  await report(() => [], mark);
};

type Summary = { readonly summary: string; readonly usage: TokenUsage | undefined };

const readSummary = async ({ services, signal }: ModelStep, request: ModelRequest, began: () => void): Promise<Summary> => {
  const limit = createAnswerLimit();
  const breathe = createBreather();
  let summary = '';
  let begun = false;
  for await (const part of services.models.stream(request, signal)) {
    if (!begun) began();
    begun = true;
    await breathe();
    switch (part.type) {
      case 'text_delta':
        limit.text(part.text);
        summary += part.text;
        break;
      case 'finish':
        if (summary.trim() === '') throw new ModelError('The model gave no summary of the conversation.', { retryable: true });
        return { summary: summary.trim(), usage: part.usage };
      case 'reasoning':
      case 'tool_call_start':
      case 'tool_call_delta':
      case 'tool_call':
        // It was asked for a summary: whatever else it says is not used.
        break;
    }
  }
  throw new ModelError('The model ended its answer without a finish.', { retryable: true });
};
