/**
 * A diligent crew: does what is owed, answers what is open, until nothing is left. A session that this cannot bring
 * to rest is stuck.
 */
import type { Command, SessionRules } from '../session/commands.ts';
import type { ContextRow } from '../session/context.ts';
import { decide } from '../session/decide.ts';
import { isOfChild } from '../session/evolve-children.ts';
import type { SessionId } from '../session/ids.ts';
import { pendingWork, type Work } from '../session/pending-work.ts';
import type { SessionState } from '../session/state.ts';
import { payloadFor } from './arbitraries.ts';
import {
  answer,
  applyInputs,
  childEnded,
  childMade,
  childResumed,
  childTells,
  dispatch,
  modelDone,
  restart,
  resume,
  start,
  stopped,
  to,
  toolDone,
  type Wish,
} from './commands.ts';
import { rowsOf } from './given.ts';

/** The command that reports an owed piece of work as done. */
export const doneBy = (work: Work, state: SessionState): Wish => {
  switch (work.kind) {
    case 'start':
      return start('go');
    case 'restart':
      return restart({ alone: work.alone });
    case 'apply':
      return applyInputs(...work.inputs);
    case 'model':
      return modelDone('that is all');
    case 'tool':
      return state.live?.calls.find((entry) => entry.id === work.callId)?.status === 'dispatched' ? toolDone(work.callId) : dispatch(work.callId);
    case 'child':
      if (work.step === 'resume') return childResumed(work.childId);
      if (work.step === 'pause') return childTells(work.childId, { is: { status: 'interrupted', paused: true } });
      return work.step === 'make' ? childMade(work.childId) : childEnded(work.childId, 'cancelled');
    case 'conclude':
      return { type: 'conclude', outputText: 'that is all' };
    case 'flow':
      return { type: 'advance_flow', moves: [{ do: 'fail', errorCode: 'step_failed', errorMessage: 'a step failed' }] };
    case 'wake':
      return { type: 'wake_flow' };
    case 'await':
      return childEnded(childAwaited(state) ?? 'ses_x-1');
    case 'tell':
      return { type: 'parent_told', news: work.news };
    case 'stop':
      return stopped('cancelled', 'until here');
    case 'expire':
      return { type: 'expire', requestId: work.requestId };
  }
};

/** The child of an action that is shown, or of a call. */
const childAwaited = ({ live, children = [] }: SessionState): SessionId | undefined => {
  const shown = live?.openActions.find(({ childId }) => childId !== undefined)?.childId;
  return children.find((link) => (shown ? isOfChild(link, shown) : live?.calls.some(({ status, childId }) => status === 'delegated' && childId === link.id)))
    ?.id;
};

const due = (work: Work): number => ('notBefore' in work ? (work.notBefore ?? 0) : 0);

/** The next thing that the crew does: owed work but expiries first, then an answer, then an expiry. */
export const nextWish = (state: SessionState): Wish | undefined => {
  const work = pendingWork(state);
  const first = work.find((entry) => entry.kind !== 'expire');
  if (first) return doneBy(first, state);
  const open = state.live?.openActions.find((action) => action.expiresAt === undefined && action.childId === undefined);
  if (state.live && open) return answer(state.live.id.slice('turn_'.length), to(open.id, payloadFor(open)));
  if (work[0]) return doneBy(work[0], state);
  // People answer where it is open, and the child ends.
  const waits = state.live?.openActions.length || state.live?.status === 'requires_action' ? childAwaited(state) : undefined;
  if (waits) return childEnded(waits);
  // Only a person can let it go on.
  return state.live?.status === 'interrupted' ? resume(state.live.id.slice('turn_'.length)) : undefined;
};

export type Drained = { readonly state: SessionState; readonly rows: readonly ContextRow[]; readonly steps: number; readonly refused: string | undefined };

export const drain = (from: SessionState, at: number, rules: SessionRules, limit = 400): Drained => {
  const rows: ContextRow[] = [];
  let state = from;
  let events = 1_000_000;
  for (let steps = 0; steps < limit; steps += 1) {
    const wish = nextWish(state);
    if (!wish) return { state, rows, steps, refused: undefined };
    const now = Math.max(at + steps, ...pendingWork(state).map(due));
    const decision = decide(state, { ...wish, at: now } as Command, rules);
    if (!decision.ok) return { state, rows, steps, refused: `${wish.type}: ${decision.code}: ${decision.detail}` };
    rows.push(...rowsOf(decision.context, events));
    events += decision.events.length;
    state = decision.state;
  }
  return { state, rows, steps: limit, refused: 'no end in sight' };
};
