/**
 * The state's invariants as a check, for tests and for the rebuild check of a store.
 */
import { statusOf } from './decision.ts';
import { childrenCounted, linkOf } from './evolve-children.ts';
import { isEnd } from './flow.ts';
import { parentTurnOf } from './ids.ts';
import { openPieces, piecesWaitedFor } from './pieces.ts';
import { maxAllowedTools, maxCallsPerStep, maxChildren, maxFoundTools, maxPieces, maxWaitingInputs, type SessionState } from './state.ts';

/** Names the first invariant that the state breaks, or returns undefined. */
export const brokenInvariant = (state: SessionState): string | undefined => {
  const { live, queue } = state;
  const ids = queue.map((turn) => turn.id);
  if (live && ids.includes(live.id)) return 'S3: the live turn is in the queue';
  if (new Set(ids).size !== ids.length) return 'S3: a turn is queued twice';
  const { inputs } = state;
  if (inputs && (inputs.length === 0 || inputs.filter(({ ofChild }) => !ofChild).length > maxWaitingInputs)) return 'IN1: more inputs wait than may, or none';
  if (new Set(inputs?.map(({ id }) => id)).size !== (inputs?.length ?? 0)) return 'IN1: an input waits twice';
  if (inputs?.some(({ turnId }) => turnId !== undefined && turnId !== live?.id && !ids.includes(turnId))) return 'IN4: a steer waits for a turn that has ended';
  if (live && (live.status === 'running') !== (live.runStartedAt !== undefined)) return 'S4: run open and status disagree';
  if (live && live.status !== 'interrupted' && live.openActions.some((action) => action.kind === 'reconciliation'))
    return 'S5: an unknown result does not interrupt';
  if (live && live.status !== 'interrupted' && live.calls.some((call) => call.status === 'unknown')) return 'S5: an unknown result does not interrupt';
  if (live?.calls.some((call) => call.executor === 'person' && call.status !== 'waiting' && call.status !== 'done' && !live.cancelRequested))
    return 'S23: a question is to be run';
  if (state.allowedTools && (state.allowedTools.length > maxAllowedTools || new Set(state.allowedTools).size !== state.allowedTools.length))
    return 'S24: more tools allowed than are remembered, or one twice';
  if (live && new Set(live.calls.map((call) => call.id)).size !== live.calls.length) return 'C1: a tool call id twice';
  if (live && live.calls.length > maxCallsPerStep) return 'S14: more calls than a step may make';
  const waitedFor = [
    { childId: live?.check?.judge },
    ...(live?.calls.filter(({ status }) => status === 'delegated') ?? []),
    ...(live?.flow?.steps.filter(({ status }) => status === 'running') ?? []),
  ];
  const links = [...waitedFor.map(({ childId }) => linkOf(state, childId)), ...piecesWaitedFor(state)];
  const waitsForChild = links.some((link) => link?.status === 'requires_action' || link?.status === 'interrupted');
  if (live?.status === 'requires_action' && live.openActions.length === 0 && !waitsForChild) return 'S19: parked without an open action';
  const broken = brokenLink(state) ?? brokenFlow(state) ?? brokenCheck(state);
  if (broken !== undefined) return broken;
  if (live?.open && live.status !== 'running') return 'S10: an item streams without a run';
  const asking = live?.openActions.filter(({ whileRunning }) => whileRunning).map(({ callId }) => callId) ?? [];
  if (asking.some((id) => !live?.calls.some((call) => call.id === id && call.status === 'dispatched'))) return 'S5: a form of a call that does not run';
  if (new Set(asking).size !== asking.length) return 'RN1: two forms of one call are open';
  if (live?.waitingSince !== undefined && asking.length === 0) return 'RN4: it waits for nobody';
  if (state.foundTools && (state.foundTools.length > maxFoundTools || new Set(state.foundTools).size !== state.foundTools.length))
    return 'RN6: more tools found than are remembered, or one twice';
  if (
    live?.openActions.some(
      (action) =>
        !action.whileRunning &&
        action.callId !== undefined &&
        !live.calls.some((call) => call.id === action.callId && (call.status === 'waiting' || call.status === 'unknown')),
    )
  ) {
    return 'S17: an action whose call does not wait for it';
  }
  if (!state.terminated && statusOf(state) !== state.status) return 'the announced status is not the real one';
  return undefined;
};

/** Names what is wrong with how a turn is judged. */
const brokenCheck = ({ live, children }: SessionState): string | undefined => {
  const { check } = live ?? {};
  if (check && check.tries > check.maxTries) return 'OC2: it was tried more often than it may be';
  return check?.judge !== undefined && !children?.some(({ id }) => id === check.judge) ? 'OC3: a judge is over, and its verdict is not known' : undefined;
};

/** Names what is wrong with the progress of a workflow. */
const brokenFlow = ({ live, children }: SessionState): string | undefined => {
  const { steps = [] } = live?.flow ?? {};
  if (new Set(steps.map(({ key }) => key)).size !== steps.length) return 'WF1: a step is remembered twice';
  if (steps.some(({ taken, status }) => taken !== undefined && !isEnd(status))) return 'WF4: a step is routed that has not ended';
  if (steps.some(({ status, childId }) => status === 'running' && childId !== undefined && !children?.some(({ id }) => id === childId)))
    return 'WF6: a step runs whose child is over';
  const asked = steps.flatMap(({ status, requestId }) => (status === 'waiting' && requestId !== undefined ? [requestId] : []));
  return asked.some((id) => !live?.openActions.some((action) => action.id === id)) ? 'WF6: a step waits for an action that is closed' : undefined;
};

/** Names what is wrong with a session's links to its children. */
const brokenLink = (state: SessionState): string | undefined => {
  const { live, children, spawned = 0, parent } = state;
  if (children?.length === 0 || new Set(children?.map(({ id }) => id)).size !== (children?.length ?? 0)) return 'CH1: a child is linked twice, or none is';
  if (openPieces(state).length > Math.min(state.maxParallel ?? maxPieces, maxPieces)) return 'TQ1: more pieces are worked on than may be';
  if (childrenCounted(state) > maxChildren) return 'CH4: more children are open than may be';
  if ((children?.length ?? 0) > spawned) return 'CH1: a child was never made';
  if (live?.calls.some((call) => call.status === 'delegated' && !linkOf(state, call.childId))) return 'CH1: a call waits for a child that is over';
  if (children?.some((link) => parentTurnOf(link.id) !== live?.id && !link.background && !link.closing)) return 'CH2: a child is open that nobody waits for';
  if (live?.openActions.some((action) => action.childId !== undefined && !children?.some(({ id }) => `${action.childId}-`.startsWith(`${id}-`))))
    return 'CH5: an action is shown of a child that is over';
  if (children?.some(({ hold, flow, closing }) => hold && !closing && (!flow || live?.flow?.paused !== true)))
    return 'PZ1: a child is to be paused whose turn is not';
  if (parent && parent.told > parent.news) return 'CH3: more was told than there was';
  return undefined;
};
