/** Steps of teams' and workflows' turns in the view. Times are Unix milliseconds. */
import type { EventData } from '../session/events.ts';
import type { StepFacts } from '../session/family-events.ts';
import { isEnd, type StepStatus } from '../session/flow.ts';

/** What is not said of a member here is said of the events' (`StepFacts`): `child_session_id` is of the newest attempt. */
export type StepBody = Pick<StepFacts, 'input' | 'output' | 'child_session_id' | 'request_id' | 'until' | 'map' | 'taken' | 'retry' | 'of'> & {
  readonly step_id: string;
  readonly turn_id: string;
  readonly key: string;
  readonly type: string;
  readonly name?: string;
  readonly status: StepStatus;
  /** Counts from 1; 0 of what was skipped. */
  readonly attempt: number;
  readonly error_code?: string;
  readonly error_message?: string;
  readonly started_at: number;
  readonly ended_at?: number;
  /** Since when it waits for its next attempt, and how long it did so before: no time in which anybody worked on it. */
  readonly delayed_at?: number;
  readonly delayed_ms?: number;
};

type StepData = EventData<'step.updated'> | EventData<'step.failed'>;

/** What is not said stays as it was; what held for an earlier attempt, or for a wait, does not. */
export const stepChanged = (before: StepBody | undefined, data: StepData, at: number): StepBody => {
  const { turn_id, step_id, key, status, attempt, type = before?.type ?? '', ...more } = data;
  const again = before !== undefined && before.attempt !== attempt;
  const {
    until: _u,
    error_code: _c,
    error_message: _m,
    delayed_at: _d,
    delayed_ms: _w,
    ended_at,
    output,
    child_session_id,
    ...kept
  } = before ?? {
    started_at: at,
  };
  const stays = again ? {} : { ...(output === undefined ? {} : { output }), ...(child_session_id === undefined ? {} : { child_session_id }) };
  const error = again || before === undefined ? {} : errorOf(before);
  const end = isEnd(status) ? { ended_at: again ? at : (ended_at ?? at) } : {};
  return { ...kept, ...stays, ...error, ...{ step_id, turn_id, key, type, status, attempt }, ...more, ...end, ...delays(before, status, at) };
};

const delays = (before: Partial<StepBody> = {}, status: StepStatus, at: number): Pick<StepBody, 'delayed_at' | 'delayed_ms'> => {
  const { delayed_at: since, delayed_ms: known = 0 } = before;
  if (status === 'delayed') return { delayed_at: since ?? at, ...(known > 0 ? { delayed_ms: known } : {}) };
  const all = known + (since === undefined ? 0 : Math.max(0, at - since));
  return all > 0 ? { delayed_ms: all } : {};
};

/** How long it was worked on, or waited for people or a time; undefined of what has not ended. What passed between its attempts does not count. */
export const stepTook = ({ started_at, ended_at, delayed_ms = 0 }: StepBody): number | undefined =>
  ended_at === undefined ? undefined : Math.max(0, ended_at - started_at - delayed_ms);

const errorOf = ({ error_code, error_message }: StepBody) => ({
  ...(error_code === undefined ? {} : { error_code }),
  ...(error_message === undefined ? {} : { error_message }),
});
