/**
 * The progress of a workflow's turn, as the state remembers it.
 *
 * Owns: the shape of that memory, and what of it asks for the next look at the graph. Ids, enums and counters only: inputs and
 * outputs stand in the steps' resources.
 */
import type { Json } from '../protocol/json.ts';
import type { SessionId } from './ids.ts';
import type { Inquiry } from './inquiry.ts';
import type { Verdict } from './outcome.ts';

/** How a step may end. */
const stepEnds = ['succeeded', 'failed', 'timed_out', 'rejected', 'cancelled', 'skipped'] as const;
export type StepEnd = (typeof stepEnds)[number];
/** `waiting`: an action is open; `sleeping`: a timer, or a join that has a time-out; `delayed`: its next attempt has a time. */
export type StepStatus = 'running' | 'waiting' | 'sleeping' | 'delayed' | StepEnd;

/** One node that was begun or skipped; `<key>.<index>`: one element of a map, until it is routed, which counts and forgets it. */
export type FlowStep = {
  readonly key: string;
  readonly status: StepStatus;
  /** Counts from 1; 0 of what was skipped. */
  readonly attempt: number;
  readonly childId?: SessionId;
  readonly requestId?: string;
  /** Of what sleeps or is delayed, and of a map that has a time-out: Unix ms. */
  readonly until?: number;
  /** Once it is routed: which of its outgoing edges, counted in the order of the spec, were taken. */
  readonly taken?: readonly number[];
  readonly map?: MapProgress;
};

/** How many elements of a map there are, run at once, were begun, were counted as ended when they were routed, and of these failed. */
export type MapProgress = { readonly total: number; readonly parallel: number; readonly begun: number; readonly ended: number; readonly failed: number };

/** Children of a workflow from which on no further step is routed: one step leads to at most `maxFanOut` others. */
export const maxFlowChildren = 64;
export const maxFanOut = 32;
/** Elements of maps that a turn remembers at once, those that wait for a further attempt among them: no map begins another beyond. */
export const maxFlowElements = 128;

/** `tries`: how often the graph was begun (outcome checks), from 1. */
export type Flow = { readonly steps: readonly FlowStep[]; readonly tries: number; readonly begun?: true; readonly paused?: true };

export const isEnd = (status: StepStatus): status is StepEnd => (stepEnds as readonly string[]).includes(status);
export const stepOf = (flow: Flow | undefined, key: string): FlowStep | undefined => flow?.steps.find((step) => step.key === key);
/** The map that an element belongs to; undefined of a node. */
export const mapOf = (key: string): string | undefined => (key.includes('.') ? key.slice(0, key.indexOf('.')) : undefined);

/** Whether the graph is to be looked at now: something ended that was not routed, or a map has room or is over, or nothing has begun. */
const isOwed = ({ begun, steps }: Flow): boolean => {
  const hasRoom = steps.filter(({ key }) => mapOf(key) !== undefined).length < maxFlowElements;
  return begun !== true || steps.some((step) => (isEnd(step.status) && !step.taken) || isMapOwed(step, hasRoom));
};

const isMapOwed = ({ status, map }: FlowStep, hasRoom: boolean): boolean =>
  status === 'running' && map !== undefined && (map.ended === map.total || (hasRoom && map.begun < map.total && map.begun - map.ended < map.parallel));

/**
 * When the graph is to be looked at next: 0 = now, a time, or undefined while only others can move it on. With `openChildren` at
 * their most only times are kept: all else waits for one of them to end.
 */
export const flowDue = (flow: Flow, openChildren: number): number | undefined => {
  if (flow.paused) return undefined;
  const full = openChildren >= maxFlowChildren;
  if (!full && isOwed(flow)) return 0;
  // What is to be tried again needs room, too; a time that is over needs none.
  const times = flow.steps.flatMap(({ status, until }) => (until !== undefined && !isEnd(status) && !(full && status === 'delayed') ? [until] : []));
  return times.length === 0 ? undefined : Math.min(...times);
};

/** What one node is to do, as core/workflow plans it. */
export type StepRef = { readonly key: string; readonly type: string; readonly name?: string };
export type FlowMove =
  /** A child session works on it: an agent, a team, another workflow. Of a map's element the key says so. */
  | (StepRef & { readonly do: 'begin'; readonly input: Json })
  /** A map with this many elements, each of which is begun by a move of its own. */
  | (StepRef & { readonly do: 'begin_map'; readonly total: number; readonly parallel: number; readonly until?: number })
  | (StepRef & {
      readonly do: 'ask';
      readonly inquiry: Extract<Inquiry, { kind: 'approval' | 'signal' }>;
      readonly approver: string | readonly string[];
      readonly roleOf?: string;
      readonly expiresAt?: number;
    })
  | (StepRef & { readonly do: 'sleep'; readonly until: number })
  /** A step that is over: at once (`condition`, `join`), because it could not begin, or because nothing waits for it. */
  | (StepRef & { readonly do: 'end'; readonly status: StepEnd; readonly output?: Json; readonly errorCode?: string; readonly errorMessage?: string })
  /** It failed, and is begun again at this time (Unix ms; then `begin`, `ask` or `sleep` follows). */
  | (StepRef & { readonly do: 'retry'; readonly until: number })
  | { readonly do: 'route'; readonly key: string; readonly taken: readonly number[] }
  /** The last ones of a plan. */
  | {
      readonly do: 'finish';
      readonly outcome: 'completed' | 'partial_succeeded';
      readonly outputText: string;
      readonly result: Json;
      readonly verdict?: Verdict;
    }
  | { readonly do: 'fail'; readonly errorCode: string; readonly errorMessage: string };
