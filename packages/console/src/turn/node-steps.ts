/**
 * How the nodes of a workflow stand in a turn, told from its events.
 *
 * Owns: which step stands for a node, and which node something in the waterfall belongs to. Pure.
 *
 * NG1 A node has the step that was told last: of its newest attempt, and once the graph is begun anew none until it is begun again.
 * NG2 What a turn left open when it ended goes on no more.
 */
import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { isEnd, type MapProgress, mapOf, type StepStatus } from '@turnkeeper/core/session/flow';
import type { ShownStep } from '../graph/graph-node.tsx';
import type { ShownSteps } from '../graph/workflow-graph.tsx';
import type { TraceRow } from './trace.ts';

export type NodeSteps = {
  /** By node key. */
  readonly steps: ShownSteps;
  /** Of each of these the row in the waterfall. */
  readonly rowOf: ReadonlyMap<string, string>;
  /** By the id of a step, an element of a map, or a child session: the node that it is for. */
  readonly nodeOf: ReadonlyMap<string, string>;
};

type StepData = {
  readonly step_id: string;
  readonly key: string;
  readonly status: StepStatus;
  readonly child_session_id?: string;
  readonly map?: MapProgress;
  readonly taken?: readonly number[];
};
type Told = Pick<StepData, 'status' | 'map' | 'taken'>;

/** How many elements of each map are over. */
const endedOf = (elements: ReadonlyMap<string, StepStatus>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const [key, status] of elements) {
    const map = mapOf(key);
    if (map !== undefined && isEnd(status)) counts.set(map, (counts.get(map) ?? 0) + 1);
  }
  return counts;
};

const shownAs = ({ status, map, taken }: Told, ended: number, isOver: boolean): ShownStep => ({
  // [NG2]
  status: isOver && !isEnd(status) ? 'cancelled' : status,
  ...(map === undefined ? {} : { note: `${ended}/${map.total}` }),
  ...(taken === undefined ? {} : { taken }),
});

/** `isOver`: the turn has its outcome. */
export const nodeStepsOf = (events: readonly Envelope[], isOver: boolean): NodeSteps => {
  const told = new Map<string, Told>();
  const elements = new Map<string, StepStatus>();
  const rowOf = new Map<string, string>();
  const nodeOf = new Map<string, string>();
  for (const { type, data } of events) {
    if (type === 'outcome.checked' && data['again'] === true) for (const each of [told, elements, rowOf]) each.clear();
    if (type !== 'step.updated' && type !== 'step.failed') continue;
    const { step_id, key, status, child_session_id, map, taken } = data as unknown as StepData;
    const node = mapOf(key) ?? key;
    for (const id of [step_id, child_session_id]) if (id !== undefined) nodeOf.set(id, node);
    if (node !== key) {
      elements.set(key, status);
      continue;
    }
    const progress = map ?? told.get(key)?.map;
    told.set(key, { status, ...(progress ? { map: progress } : {}), ...(taken ? { taken } : {}) });
    rowOf.set(key, step_id);
  }
  const ended = endedOf(elements);
  return { steps: new Map([...told].map(([key, step]) => [key, shownAs(step, ended.get(key) ?? 0, isOver)])), rowOf, nodeOf };
};

/** The node that a row of the waterfall belongs to, if it belongs to one. */
export const nodeOfRow = ({ nodeOf }: NodeSteps, row: Pick<TraceRow, 'id' | 'parent'> | undefined): string | undefined =>
  row && (nodeOf.get(row.id) ?? (row.parent === undefined ? undefined : nodeOf.get(row.parent)));
