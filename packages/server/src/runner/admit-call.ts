/**
 * The look at budgets before a model call.
 *
 * N22 A call that a limit counts is begun durably before it is made: whatever becomes of its process, it is known that it was,
 *     so the next attempt has another name and counts anew. Until then it may be asked for again under the same name.
 */
import { currentModelCall, type SessionState } from '@turnkeeper/core/session/state';
import { knownCost } from './known-cost.ts';
import type { ModelStep } from './model-step.ts';

/**
 * Whether the call may be made, and whether a budget counts it; where it may not, the turn was told why. An answer is an item,
 * which begins with the call; a summary is none, so each run's attempt at it counts.
 */
export const admitCall = async (step: ModelStep, wanted: 'answer' | 'summary'): Promise<'free' | 'limited' | undefined> => {
  const { session, turnId, services, report } = step;
  const { live } = session.state;
  if (live?.id !== turnId) return undefined;
  const id = currentModelCall(live);
  const admission = await services.budgets.admit(session, turnId, wanted === 'answer' ? id : `${id}#${live.runs}`);
  if (step.signal.aborted) return undefined;
  if (admission === 'free') return 'free';
  if (admission !== 'taken') {
    await report((state) => (isRunning(state, step) ? [{ type: 'exceed_budget', ...admission }] : []));
    return undefined;
  }
  if (wanted === 'summary') return 'limited';
  const { model } = session.config.target.definition;
  const begins = await report((state) =>
    isRunning(state, step) && !state.live?.open ? [{ type: 'open_item', model, ...knownCost(services, session.config, model) }] : [],
  );
  return begins ? 'limited' : undefined;
};

const isRunning = ({ live }: SessionState, { turnId }: ModelStep): boolean => live?.id === turnId && live.status === 'running';
