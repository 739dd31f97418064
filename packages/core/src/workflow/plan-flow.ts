/**
 * What a workflow's turn does next.
 *
 * GP1 A plan follows from the frozen spec and the facts alone: made again after a crash, it is the same plan. So nothing is lost that
 *     was planned and not yet a fact, and nothing is done twice.
 * GP2 A plan is complete: carried out, nothing is left to do until something outside of it ends or comes due, except where children are
 *     at their most.
 * GP3 A step that ended is routed once, and only what has been routed counts for what follows it. It is not routed while it may still be
 *     tried again, nor while there is no room for the children that it may lead to.
 * GP4 A join is decided by the edges that are known, as soon as those that are not could change nothing; one with a time-out at the latest when
 *     that is over, counted from the first edge that was taken.
 * GP5 Nobody waits for a step: it is cancelled, or never begun. A step is waited for while something that it leads to may still come of it,
 *     or where it leads nowhere and so is part of the result.
 * GP6 An expression that cannot be evaluated fails the step that needs it, and says where and why; on an edge it fails the turn.
 */
import { type FlowMove, type FlowStep, isEnd, maxFlowChildren } from '../session/flow.ts';
import { evaluateIn, fateOf, isOver, move, type PlanInput, type Progress, progressOf, refOf } from './flow-progress.ts';
import { type GraphEdge, type GraphNode, topological } from './graph.ts';
import { edgeOn, quorumOf } from './node-rules.ts';
import { cancelElements, planMap } from './plan-map.ts';
import { planEnd, unhandledFailure } from './plan-result.ts';
import { retried } from './plan-retry.ts';
import { startNode, timeOut, unneeded } from './plan-start.ts';

/** The moves, in the order in which they are to be made; none where there is nothing to do. */
export const planFlow = (input: PlanInput): readonly FlowMove[] => {
  if (input.flow.paused) return [];
  const progress = progressOf(input);
  const order = topological(progress.graph);
  for (;;) {
    const before = progress.moves.length;
    if (planOnce(progress, order) === 'over') break;
    if (progress.moves.length === before) {
      planEnd(progress);
      break;
    }
  }
  return progress.moves;
};

/** One look at all nodes, the later ones with what came of the earlier; `over`: the turn has failed. */
const planOnce = (progress: Progress, order: readonly string[]): 'on' | 'over' => {
  const idle = unneeded(progress, order);
  progress.promised = 0;
  for (const key of order) {
    const known = progress.graph.nodes.get(key);
    if (!known) continue;
    const step = progress.steps.get(key);
    if (!step) planNew(progress, known, idle.has(key));
    else if (!isEnd(step.status)) planGoing(progress, known, step, idle.has(key));
    else {
      // Whoever ended a map: of its elements nothing goes on.
      if (known.node.type === 'map') cancelElements(progress, key);
      if (!step.taken && planEnded(progress, known, step, idle.has(key)) === 'over') return 'over';
    }
  }
  return 'on';
};

const planNew = (progress: Progress, known: GraphNode, isIdle: boolean): undefined => {
  const { node, into } = known;
  const fates = into.map((edge) => fateOf(progress, edge));
  const skip = (): undefined => move(progress, { do: 'end', ...refOf(progress, node.key), status: 'skipped' });
  if (node.type === 'join') return isIdle ? skip() : planJoin(progress, known);
  if (fates.includes('unknown')) return;
  if (into.length > 0 && (isIdle || !fates.includes('taken'))) return skip();
  startNode(progress, node);
};

/** GP4. `step`: of one that waits for its time-out. */
const planJoin = (progress: Progress, { node, into }: GraphNode, step?: FlowStep): undefined => {
  if (node.type !== 'join') return;
  const fates = into.map((edge) => fateOf(progress, edge));
  const count = (fate: (typeof fates)[number]): number => fates.filter((one) => one === fate).length;
  const [taken, lost, unknown] = [count('taken'), count('lost'), count('unknown')];
  const quorum = quorumOf(node);
  const ref = refOf(progress, node.key);
  if (quorum === undefined ? unknown === 0 && taken > 0 && lost === 0 : taken >= quorum) {
    const output = into.flatMap((edge, at) => (fates[at] === 'taken' ? [edge.from] : []));
    move(progress, { do: 'end', ...ref, status: 'succeeded', output });
  } else if (taken + lost > 0 && (quorum === undefined ? unknown === 0 && lost > 0 : taken + unknown < quorum)) {
    const needs = quorum === undefined ? 'none may be lost' : `${quorum} must be`;
    const errorMessage = `Of ${into.length} incoming edges ${taken} were taken; ${needs}.`;
    move(progress, { do: 'end', ...ref, status: 'failed', errorCode: 'join_unsatisfied', errorMessage });
  } else if (unknown === 0 && taken + lost === 0) move(progress, { do: 'end', ...ref, status: 'skipped' });
  else if (step === undefined) {
    const { until } = timeOut(progress, node.timeoutSeconds);
    if (taken > 0 && until !== undefined) move(progress, { do: 'sleep', ...ref, until });
  } else if ((step.until ?? 0) <= progress.input.now) {
    const errorMessage = `Of ${into.length} incoming edges ${taken} were taken within ${node.timeoutSeconds} s.`;
    move(progress, { do: 'end', ...ref, status: 'timed_out', errorCode: 'timed_out', errorMessage });
  }
};

const planGoing = (progress: Progress, known: GraphNode, step: FlowStep, isIdle: boolean): undefined => {
  const { node } = known;
  if (isIdle) {
    if (node.type === 'map') cancelElements(progress, node.key);
    return move(progress, { do: 'end', ...refOf(progress, node.key), status: 'cancelled' });
  }
  if (node.type === 'map') return planMap(progress, node, step);
  if (node.type === 'join') return planJoin(progress, known, step);
  const isDue = step.until !== undefined && step.until <= progress.input.now;
  if (step.status === 'sleeping' && isDue) move(progress, { do: 'end', ...refOf(progress, node.key), status: 'succeeded', output: null });
  else if (step.status === 'delayed' && isDue && progress.open < maxFlowChildren) startNode(progress, node);
};

/** GP3. */
const planEnded = (progress: Progress, known: GraphNode, step: FlowStep, isIdle: boolean): 'on' | 'over' => {
  const { node, out } = known;
  if (!isOver(step)) return 'on';
  if (!isIdle && 'retry' in node && retried(progress, step, node.retry)) return 'on';
  if (progress.open + progress.promised >= maxFlowChildren) return 'on';
  const taken: number[] = [];
  for (const edge of out.filter((one) => isOnEnd(one, step.status))) {
    const held = holds(progress, known, edge);
    if (held === true) taken.push(edge.n);
    if (typeof held === 'boolean') continue;
    const errorMessage = `The condition of the edge from "${edge.from}" to "${edge.to}" (/edges/${edge.at}/condition) ${held}`;
    move(progress, { do: 'fail', errorCode: 'expression_failed', errorMessage });
    return 'over';
  }
  progress.promised += taken.length;
  move(progress, { do: 'route', key: node.key, taken });
  // Whether what nobody waits for fails or is cancelled first is chance.
  const failure = isIdle ? undefined : unhandledFailure(progress, known);
  if (failure?.policy !== 'fail_fast') return 'on';
  move(progress, { do: 'fail', errorCode: failure.errorCode, errorMessage: failure.errorMessage });
  return 'over';
};

/** An edge from a `condition` that has none of its own goes by what that gave. A text says why it cannot be told. */
const holds = (progress: Progress, { node }: GraphNode, { condition }: GraphEdge): boolean | string => {
  if (condition === undefined)
    return node.type !== 'condition' || progress.steps.get(node.key)?.status !== 'succeeded' || progress.results.get(node.key)?.output === true;
  const evaluated = evaluateIn(progress, condition);
  if (!evaluated.ok) return `failed: ${evaluated.detail}`;
  return typeof evaluated.value === 'boolean' ? evaluated.value : 'gave neither true nor false.';
};

const isOnEnd = (edge: GraphEdge, status: FlowStep['status']): boolean => {
  const on = edgeOn(edge);
  switch (status) {
    case 'succeeded':
      return on.includes('succeeded');
    case 'timed_out':
    case 'rejected':
      return on.includes(status) || on.includes('failed');
    case 'failed':
    case 'cancelled':
      return on.includes('failed');
    case 'skipped':
    case 'running':
    case 'waiting':
    case 'sleeping':
    case 'delayed':
      return false;
  }
};
