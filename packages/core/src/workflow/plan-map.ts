/** A `map`: its elements begin a few at a time, in their order, and its output is theirs, in the same order. */
import type { Json } from '../protocol/json.ts';
import type { WorkflowNode } from '../protocol/wire/workflows.ts';
import { type FlowStep, isEnd, mapOf, maxFlowChildren, maxFlowElements } from '../session/flow.ts';
import { elementsOf, evaluateIn, isOver, move, type Progress, refOf } from './flow-progress.ts';
import { retried } from './plan-retry.ts';
import { failExpression, inputOf, isTooLarge, mostCharacters } from './plan-start.ts';

type MapNode = Extract<WorkflowNode, { type: 'map' }>;

const elementKey = (key: string, index: number): string => `${key}.${index}`;
const indexOf = (key: string): number => Number(key.slice(key.indexOf('.') + 1));

/** Unless said otherwise a map fails with its first element that fails for good. */
const goesOn = ({ failurePolicy }: MapNode): boolean => failurePolicy === 'continue' || failurePolicy === 'partial_success';

export const planMap = (progress: Progress, node: MapNode, step: FlowStep): undefined => {
  const failed = countEndedElements(progress, node);
  if (failed && !goesOn(node)) return failMap(progress, node, failed);
  if (isLate(progress, node, step)) return endLate(progress, node);
  beginDue(progress, node);
  beginNext(progress, node);
  const map = progress.steps.get(node.key)?.map ?? step.map;
  if (map && map.begun === map.total && elementsOf(progress, node.key).length === 0) endMap(progress, node, map.total);
};

/** Elements that ended are tried again, or counted and forgotten; the first that failed for good is named. */
const countEndedElements = (progress: Progress, node: MapNode): FlowStep | undefined => {
  let failed: FlowStep | undefined;
  for (const element of elementsOf(progress, node.key)) {
    if (!isOver(element) || retried(progress, element, node.node.retry)) continue;
    if (element.status !== 'succeeded') failed ??= element;
    move(progress, { do: 'route', key: element.key, taken: [] });
  }
  return failed;
};

/** Its time is over, and something of it is left to do. */
const isLate = (progress: Progress, { key }: MapNode, { until, map }: FlowStep): boolean => {
  const begun = progress.steps.get(key)?.map?.begun ?? map?.begun;
  return until !== undefined && until <= progress.input.now && (begun !== map?.total || elementsOf(progress, key).length > 0);
};

const endLate = (progress: Progress, { key, timeoutSeconds }: MapNode): undefined => {
  const { ended = 0, total = 0 } = progress.steps.get(key)?.map ?? {};
  cancelElements(progress, key);
  const errorMessage = `Of its ${total} elements ${ended} had ended after ${timeoutSeconds} s.`;
  move(progress, { do: 'end', ...refOf(progress, key), status: 'timed_out', errorCode: 'timed_out', errorMessage });
};

const failMap = (progress: Progress, { key }: MapNode, failed: FlowStep): undefined => {
  cancelElements(progress, key);
  const { errorCode, errorMessage } = progress.results.get(failed.key) ?? {};
  move(progress, {
    do: 'end',
    ...refOf(progress, key),
    status: 'failed',
    errorCode: errorCode ?? 'step_failed',
    errorMessage: `Its element ${indexOf(failed.key)} ended as ${failed.status}${errorMessage === undefined ? '.' : `: ${errorMessage}`}`,
  });
};

/** Cancels what goes on of a map that is over, and forgets its elements. */
export const cancelElements = (progress: Progress, key: string): undefined => {
  for (const element of elementsOf(progress, key)) {
    if (!isEnd(element.status)) move(progress, { do: 'end', ...refOf(progress, element.key), status: 'cancelled' });
    move(progress, { do: 'route', key: element.key, taken: [] });
  }
};

const beginDue = (progress: Progress, node: MapNode): undefined => {
  for (const { key, status, until } of elementsOf(progress, node.key)) {
    if (status === 'delayed' && until !== undefined && until <= progress.input.now && progress.open < maxFlowChildren) begin(progress, node, key);
  }
};

const beginNext = (progress: Progress, node: MapNode): undefined => {
  for (;;) {
    const map = progress.steps.get(node.key)?.map;
    if (!map || map.begun >= map.total || elementsOf(progress, node.key).length >= map.parallel || !hasRoom(progress)) return;
    begin(progress, node, elementKey(node.key, map.begun));
  }
};

const hasRoom = ({ open, steps }: Progress): boolean =>
  open < maxFlowChildren && [...steps.keys()].filter((key) => mapOf(key) !== undefined).length < maxFlowElements;

const begin = (progress: Progress, node: MapNode, key: string): undefined => {
  const index = indexOf(key);
  const items = progress.items.get(node.key) ?? evaluateIn(progress, node.items);
  progress.items.set(node.key, items);
  const item = items.ok && Array.isArray(items.value) ? (items.value as readonly Json[])[index] : undefined;
  if (item === undefined) return failExpression(progress, key, items.ok ? `There is no item ${index} any more.` : `Its items failed: ${items.detail}`);
  const given = inputOf(progress, node.node.input, { item, index });
  if (given.ok) move(progress, { do: 'begin', ...refOf(progress, key), input: given.input });
  else failExpression(progress, key, given.detail);
};

const endMap = (progress: Progress, { key }: MapNode, total: number): undefined => {
  const output = Array.from({ length: total }, (_, index) => progress.results.get(elementKey(key, index))?.output ?? null);
  const ref = refOf(progress, key);
  if (!isTooLarge(output)) return move(progress, { do: 'end', ...ref, status: 'succeeded', output });
  const errorMessage = `The outputs of its elements are longer than ${mostCharacters} characters together.`;
  move(progress, { do: 'end', ...ref, status: 'failed', errorCode: 'output_too_large', errorMessage });
};
