/** Tool calls in the view: one card each. Times are Unix milliseconds. */
import type { OutputBlock } from '../protocol/content.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { EventData, ToolEnd, ToolExecutor, ToolResultBlock } from '../session/events.ts';

export type ToolBody = {
  readonly turn_id: string;
  readonly run_id: string;
  readonly item_id: string;
  readonly execution_id: string;
  readonly tool_call_id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly executor: ToolExecutor;
  /** The child that works on it. */
  readonly child_session_id?: string;
  readonly status: 'requested' | 'waiting' | 'running' | ToolEnd;
  readonly progress: readonly OutputBlock[];
  readonly output: readonly OutputBlock[];
  readonly result?: ToolResultBlock;
  readonly requested_at: number;
  readonly dispatched_at?: number;
  readonly completed_at?: number;
};

export const toolRequested = (data: EventData<'tool.requested'>, at: number): ToolBody => ({
  turn_id: data.turn_id,
  run_id: data.run_id,
  item_id: data.item_id,
  execution_id: data.execution_id,
  tool_call_id: data.tool_call_id,
  name: data.name,
  input: data.input,
  executor: data.executor,
  status: 'requested',
  progress: [],
  output: [],
  requested_at: at,
});

export const toolDispatched = (body: ToolBody, data: EventData<'tool.dispatched'>, at: number): ToolBody => ({
  ...body,
  run_id: data.run_id,
  input: data.input,
  ...(data.child_session_id === undefined ? {} : { child_session_id: data.child_session_id }),
  status: 'running',
  progress: [],
  dispatched_at: at,
});

export const toolDelta = (body: ToolBody, output: readonly OutputBlock[]): ToolBody => ({ ...body, progress: [...body.progress, ...output] });

export const toolCompleted = (body: ToolBody, data: EventData<'tool.completed'>, at: number): ToolBody => ({
  ...body,
  status: data.status,
  output: data.result.output,
  result: data.result,
  completed_at: at,
});

export const toolStatus = (body: ToolBody, status: ToolBody['status']): ToolBody => ({ ...body, status });

/** A person allowed it, perhaps with other arguments. */
export const toolAllowed = (body: ToolBody, input: JsonObject | undefined): ToolBody => ({
  ...body,
  status: 'requested',
  ...(input === undefined ? {} : { input }),
});
