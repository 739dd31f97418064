/**
 * One tool call of a run: dispatched durably, then run, then its result committed.
 *
 * S15 is kept here: `run` is called only after the dispatch was committed.
 */
import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import { fitOutput } from '@turnkeeper/core/protocol/fit-output';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { ToolOutcome } from '@turnkeeper/core/session/commands';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { Session } from '../app/lane.ts';
import type { Tool } from '../ports/tool.ts';
import type { StepReport } from './model-step.ts';
import type { RunServices } from './run-services.ts';

export type ToolStep = {
  readonly session: Session;
  readonly turnId: TurnId;
  readonly callId: string;
  readonly input: JsonObject;
  readonly tool: Tool | undefined;
  readonly services: RunServices;
  readonly signal: AbortSignal;
  readonly report: StepReport;
};

const text = (value: string): readonly OutputBlock[] => [{ type: 'text', text: value }];

/** A call id may come again in a later turn: a late report of this one must not meet it (N6). */
const isRunning = ({ live }: SessionState, { turnId, callId }: ToolStep): boolean =>
  live?.id === turnId && live.status === 'running' && live.calls.some((call) => call.id === callId && call.status === 'dispatched');

/** Runs the call and reports its result. Resolves when nothing of it runs any more, or it was abandoned. */
export const runToolStep = async (step: ToolStep): Promise<void> => {
  const { turnId, callId, input } = step;
  let mine = false;
  const dispatched = await step.report((state) => {
    mine = state.live?.id === turnId;
    return mine ? [{ type: 'dispatch', callId, input }] : [];
  });
  if (!dispatched || !mine) return;
  const outcome = step.tool ? await runTool(step, step.tool) : { status: 'error' as const, output: text('This tool is no longer there.') };
  if (outcome) await step.report((state) => (isRunning(state, step) ? [{ type: 'tool_done', callId, outcome }] : []));
};

/** The outcome, or undefined when the tool ignored its abort: then it cannot be told, and others say so. */
const runTool = async (step: ToolStep, tool: Tool): Promise<ToolOutcome | undefined> => {
  const timeout = new AbortController();
  const stopTimer = step.services.clock.after(tool.timeoutMs, () => timeout.abort(new Error('timed out')));
  const signal = AbortSignal.any([step.signal, timeout.signal]);
  // Told to stop between the dispatch and here: it need not begin.
  if (signal.aborted) {
    stopTimer();
    return { status: 'cancelled', output: text('Not run: it was stopped before it began.') };
  }
  let abandon = (): void => {};
  const abandoned = new Promise<undefined>((resolve) => {
    abandon = () => resolve(undefined);
  });
  let stopGrace = (): void => {};
  const onAbort = (): void => {
    stopGrace = step.services.clock.after(step.services.graceMs, abandon);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const result = await Promise.race([call(step, tool, signal), abandoned]);
    if (result) return result;
    // Out of time and deaf: the turn goes on with what is known. A cancelled turn is closed as a whole.
    return step.signal.aborted
      ? undefined
      : { status: 'unknown', output: text(`No answer in ${tool.timeoutMs} ms; the tool did not stop when told to. Its outcome is unknown.`) };
  } finally {
    stopTimer();
    stopGrace();
    signal.removeEventListener('abort', onAbort);
  }
};

const call = async (step: ToolStep, tool: Tool, signal: AbortSignal): Promise<ToolOutcome> => {
  try {
    const answer = await tool.run(step.input, {
      sessionId: step.session.row.id,
      turnId: step.turnId,
      callId: step.callId,
      signal,
      // Best effort: progress that cannot be stored, or comes too late, is nobody's fault.
      progress: (output) =>
        void step.report((state) => (isRunning(state, step) ? [{ type: 'tool_delta', callId: step.callId, output: fitOutput(output) }] : [])).catch(() => {}),
    });
    return { status: answer.isError ? 'error' : 'success', output: fitOutput(answer.output) };
  } catch (error) {
    if (step.signal.aborted) return { status: 'cancelled', output: text('Stopped.') };
    if (signal.aborted) return { status: 'error', output: text(`Stopped: no answer in ${tool.timeoutMs} ms.`) };
    return { status: 'error', output: text(error instanceof Error ? error.message : 'The tool failed.') };
  }
};
