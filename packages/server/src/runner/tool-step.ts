/**
 * One tool call of a run: dispatched durably, then run, then its result committed.
 *
 * S15 is kept here: `run` is called only after the dispatch was committed.
 */
import { codePoints, firstCodePoints, type OutputBlock } from '@turnkeeper/core/protocol/content';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { limits } from '@turnkeeper/core/protocol/wire/limits';
import type { ToolOutcome } from '@turnkeeper/core/session/commands';
import type { TurnId } from '@turnkeeper/core/session/ids';
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

/** Runs the call and reports its result. Resolves when nothing of it runs any more, or it was abandoned. */
export const runToolStep = async (step: ToolStep): Promise<void> => {
  if (!(await step.report(() => [{ type: 'dispatch', callId: step.callId, input: step.input }]))) return;
  const outcome = step.tool ? await runTool(step, step.tool) : { status: 'error' as const, output: text('This tool is no longer there.') };
  if (outcome) await step.report(() => [{ type: 'tool_done', callId: step.callId, outcome }]);
};

/** The outcome, or undefined when the tool ignored its abort: then it cannot be told, and others say so. */
const runTool = async (step: ToolStep, tool: Tool): Promise<ToolOutcome | undefined> => {
  const timeout = new AbortController();
  const stopTimer = step.services.clock.after(tool.timeoutMs, () => timeout.abort(new Error('timed out')));
  const signal = AbortSignal.any([step.signal, timeout.signal]);
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
    return step.signal.aborted ? undefined : { status: 'unknown', output: text(`No answer in ${tool.timeoutMs} ms; the tool did not stop when told to. Its outcome is unknown.`) };
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
      progress: (output) => void step.report(() => [{ type: 'tool_delta', callId: step.callId, output }]),
    });
    return { status: answer.isError ? 'error' : 'success', output: answer.output.map(fit) };
  } catch (error) {
    if (step.signal.aborted) return { status: 'cancelled', output: text('Stopped.') };
    if (signal.aborted) return { status: 'error', output: text(`Stopped: no answer in ${tool.timeoutMs} ms.`) };
    return { status: 'error', output: text(error instanceof Error ? error.message : 'The tool failed.') };
  }
};

/** Results are held to the size that events may have, and say so. */
const fit = (block: OutputBlock): OutputBlock => {
  if (block.type !== 'text' || block.text.length <= limits.toolOutputCharacters) return block;
  return { type: 'text', text: `${firstCodePoints(block.text, limits.toolOutputCharacters)}\n[cut: ${codePoints(block.text)} characters in all]` };
};
