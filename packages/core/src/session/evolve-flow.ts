/**
 * The fold of steps: what a fact about a step makes of a workflow's progress.
 *
 * WF1 A step is remembered from its beginning, or its skipping, to the end of the turn; an element of a map until it is routed.
 * WF2 A step that has ended changes no more, but for its next attempt and for being routed.
 * WF8 Every fact about a step is progress: a look at the graph that was committed has ended no process, and what it began works in sessions of
 *     its own. So a workflow that was tried alone is not while it waits for children: they would wait for its slot.
 */
import type { EventData } from './events.ts';
import { progressed } from './evolve-live.ts';
import { type Flow, type FlowStep, isEnd, type MapProgress, mapOf, stepOf } from './flow.ts';
import { isSessionId } from './ids.ts';
import { type ChildLink, type LiveTurn, maxChildren, type SessionState } from './state.ts';

type StepData = EventData<'step.updated'> | EventData<'step.failed'>;

/** A workflow's turn begins with nothing done. */
export const withFlow = (state: SessionState): SessionState =>
  state.target === 'workflow' && state.live && !state.live.flow ? { ...state, live: { ...state.live, flow: { steps: [], tries: 1 } } } : state;

const upserted = (steps: readonly FlowStep[], step: FlowStep): readonly FlowStep[] =>
  steps.some(({ key }) => key === step.key) ? steps.map((entry) => (entry.key === step.key ? step : entry)) : [...steps, step];

const stepAfter = (before: FlowStep | undefined, data: StepData): FlowStep => {
  const { key, status, attempt, child_session_id, request_id, until, taken, map = before?.map } = data;
  const same = before?.status === status && before.attempt === attempt;
  const childId = child_session_id ?? (same || isEnd(status) ? before?.childId : undefined);
  return {
    ...{ key, status, attempt },
    ...(childId === undefined ? {} : { childId }),
    ...(request_id === undefined || isEnd(status) ? {} : { requestId: request_id }),
    ...(until === undefined || isEnd(status) ? {} : { until }),
    ...(taken === undefined ? {} : { taken }),
    ...(map === undefined ? {} : { map }),
  };
};

const changeMap = (steps: readonly FlowStep[], key: string, change: (map: MapProgress) => MapProgress): readonly FlowStep[] =>
  steps.map((step) => (step.key === key && step.map ? { ...step, map: change(step.map) } : step));

/** An element that is routed is over: its map counts it, and it is forgotten. */
const elementOver = (steps: readonly FlowStep[], map: string, { key, status }: StepData): readonly FlowStep[] =>
  changeMap(
    steps.filter((step) => step.key !== key),
    map,
    (progress) => ({ ...progress, ended: progress.ended + 1, failed: progress.failed + (status === 'succeeded' ? 0 : 1) }),
  );

const stepsAfter = (flow: Flow, data: StepData): readonly FlowStep[] => {
  const before = stepOf(flow, data.key);
  const map = mapOf(data.key);
  if (before && isEnd(before.status) && before.taken !== undefined) return flow.steps;
  if (map !== undefined && data.taken !== undefined) return before ? elementOver(flow.steps, map, data) : flow.steps;
  const steps = upserted(flow.steps, stepAfter(before, data));
  return map !== undefined && !before ? changeMap(steps, map, (progress) => ({ ...progress, begun: progress.begun + 1 })) : steps;
};

/** The child that a step is worked on by is owed from here on, as one of a tool call is. */
const withChild = (state: SessionState, { child_session_id: id, status, type }: StepData): SessionState => {
  const { children = [] } = state;
  if (id === undefined || !isSessionId(id)) return state;
  if (status === 'cancelled') {
    return { ...state, ...(children.length > 0 ? { children: children.map((link) => (link.id === id ? { ...link, closing: true } : link)) } : {}) };
  }
  if (status !== 'running' || children.some((link) => link.id === id) || children.length >= maxChildren) return state;
  const link: ChildLink = { id, status: 'owed', ...(type === 'subrun' ? { flow: true } : {}) };
  return { ...state, spawned: (state.spawned ?? 0) + 1, children: [...children, link] };
};

export const stepChanged = (state: SessionState, data: StepData): SessionState => {
  const { live } = state;
  if (!live?.flow || live.id !== data.turn_id) return state;
  const flow: Flow = { ...live.flow, begun: true, steps: stepsAfter(live.flow, data) };
  return withChild({ ...state, live: progressed({ ...live, flow }) }, data);
};

/** Paused until it is resumed. */
export const flowPaused = (live: LiveTurn, paused: boolean): LiveTurn => {
  if (!live.flow) return live;
  const { paused: _, ...flow } = live.flow;
  return { ...live, flow: paused ? { ...flow, paused: true } : flow };
};
