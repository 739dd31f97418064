/** Further attempts: which failures get one, and when. */
import type { WorkflowNode } from '../protocol/wire/workflows.ts';
import type { FlowStep } from '../session/flow.ts';
import { move, type Progress, refOf } from './flow-progress.ts';

export type Retry = WorkflowNode['retry'];

const longestBackoff = 86_400;
/** What the same attempt would only meet again. */
const lasting: ReadonlySet<string> = new Set(['expression_failed', 'output_too_large']);

/** The pause before the attempt that follows this one, in ms: it doubles each time, up to a day. */
export const backoffMs = (backoffSeconds: number, attempt: number): number =>
  Math.ceil(Math.min(longestBackoff, backoffSeconds * 2 ** Math.min(attempt - 1, 30)) * 1_000);

/** Plans the next attempt of a step that failed or timed out, where it has one left. What a person rejected is not asked again. */
export const retried = (progress: Progress, { key, status, attempt }: FlowStep, retry: Retry): boolean => {
  if (!retry || attempt >= retry.maxAttempts || (status !== 'failed' && status !== 'timed_out')) return false;
  if (lasting.has(progress.results.get(key)?.errorCode ?? '')) return false;
  move(progress, { do: 'retry', ...refOf(progress, key), until: progress.input.now + backoffMs(retry.backoffSeconds, attempt) });
  return true;
};
