/** Child sessions in the view of their parent. Times are Unix milliseconds. */
import type { EventData } from '../session/events.ts';
import type { ChildOutcome, ChildStatus } from '../session/family-events.ts';
import { parentTurnOf } from '../session/ids.ts';

export type SubagentBody = {
  readonly child_session_id: string;
  readonly child_turn_id: string;
  /** The turn that it was made in. */
  readonly turn_id: string;
  /** The name by which it was called. */
  readonly name: string;
  readonly agent_id: string;
  /** The names on the way down from the root. */
  readonly path: string;
  readonly background: boolean;
  readonly status: ChildStatus | ChildOutcome;
  readonly error_code?: string;
  readonly started_at: number;
  readonly ended_at?: number;
};

export const subagentStarted = (data: EventData<'subagent.started'>, at: number): SubagentBody => ({
  child_session_id: data.child_session_id,
  child_turn_id: data.child_turn_id,
  turn_id: parentTurnOf(data.child_session_id),
  name: data.name,
  agent_id: data.agent_id,
  path: data.path,
  background: data.background === true,
  status: 'running',
  started_at: at,
});

export const subagentUpdated = (body: SubagentBody, { status }: EventData<'subagent.updated'>): SubagentBody => ({ ...body, status });

export const subagentCompleted = (body: SubagentBody, { status, error_code }: EventData<'subagent.completed'>, at: number): SubagentBody => ({
  ...body,
  status,
  ended_at: at,
  ...(error_code === undefined ? {} : { error_code }),
});
