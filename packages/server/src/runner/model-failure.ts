/** What a failed attempt at a model call is to the turn: why, and when the next one may be made. */
import type { SessionState } from '@turnkeeper/core/session/state';
import type { Session } from '../app/lane.ts';
import type { Ask } from '../app/lane-batch.ts';
import { ModelError } from '../ports/model.ts';
import { ToolsUnavailable } from '../ports/tool.ts';
import { knownCost } from './known-cost.ts';
import type { RunServices } from './run-services.ts';

const backoffMs = (failures: number): number => Math.min(1_000 * 2 ** failures, 30_000);
const longestRetryMs = 60_000;

const noTools = ({ message }: ToolsUnavailable) => ({ code: 'tools_unavailable', message, retryable: true, retryAfterMs: undefined });

export const failureOf = (
  error: unknown,
  { services, session }: { readonly services: RunServices; readonly session: Session },
  model: string,
): ((state: SessionState) => Ask) => {
  // Without its tools the model would be told of a smaller world: it is not called, and tried again later.
  const known = error instanceof ToolsUnavailable ? noTools(error) : error instanceof ModelError ? error : undefined;
  if (!known) services.report(error, { sessionId: session.row.id });
  const at = services.clock.now();
  return (state) => ({
    type: 'model_failed',
    model,
    ...knownCost(services, session.config, model),
    errorCode: known?.code ?? 'internal_error',
    errorMessage: known?.message ?? 'Something went wrong on our side.',
    retryable: known?.retryable ?? false,
    retryAt: at + Math.min(known?.retryAfterMs ?? backoffMs(state.live?.modelFailures ?? 0), longestRetryMs),
  });
};

/** The same where a compaction may help: then the next attempt is made after one. */
export const tooLongOr = (failed: (state: SessionState) => Ask, error: unknown, mayShorten: () => boolean): ((state: SessionState) => Ask) => {
  if (!(error instanceof ModelError) || error.code !== 'context_length_exceeded' || !mayShorten()) return failed;
  return (state) => {
    const ask = failed(state);
    return ask.type === 'model_failed' ? { ...ask, compacts: true } : ask;
  };
};

/** Between us and the provider somebody waited too long: it may have worked on the call all the same. */
const timedOut: ReadonlySet<number> = new Set([408, 499, 502, 504, 522, 524]);

/** The same for a call that the provider refused before it began to answer, or never got: it used nothing. */
export const unusedOr = (failed: (state: SessionState) => Ask, error: unknown, begun: boolean): ((state: SessionState) => Ask) => {
  const isRefused = error instanceof ModelError && (error.code === 'model_not_configured' || (error.status !== undefined && !timedOut.has(error.status)));
  if (begun || !(isRefused || error instanceof ToolsUnavailable)) return failed;
  return (state) => {
    const ask = failed(state);
    return ask.type === 'model_failed' ? { ...ask, unused: true } : ask;
  };
};
