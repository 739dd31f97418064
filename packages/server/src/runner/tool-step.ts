/**
 * One tool call of a run: dispatched durably, then run, then its result committed.
 *
 * S15 is kept here: `run` is called only after the dispatch was committed.
 */
import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { fitOutput } from '@turnkeeper/core/protocol/fit-output';
import type { ToolOutcome } from '@turnkeeper/core/session/commands';
import { sleep } from '../ports/clock.ts';
import { ToolLost } from '../ports/minitool-tools.ts';
import { type Tool, ToolsUnavailable } from '../ports/tool.ts';
import { CallForms } from './call-forms.ts';
import { CallTimer } from './call-timer.ts';
import { inRun } from './in-run.ts';
import { LostAnswers } from './lost-answers.ts';
import { loseCall } from './lost-calls.ts';
import { isRunning, type ToolStep } from './running-call.ts';
import { inputRefusal } from './tool-set.ts';

/** Between two tries of a tool that the store failed. */
const longestWaitMs = 5_000;
/** How often a tool that may be repeated is given to a process that ended over it. */
const mostLosses = 3;

const text = (value: string): readonly OutputBlock[] => [{ type: 'text', text: value }];

/** Runs the call and reports its result. Resolves when nothing of it runs any more, or it was abandoned. */
export const runToolStep = async (step: ToolStep): Promise<void> => {
  const { turnId, callId, input } = step;
  let mine = false;
  const dispatched = await step.report((state) => {
    mine = state.live?.id === turnId;
    return mine ? [{ type: 'dispatch', callId, input }] : [];
  });
  if (!dispatched || !mine) return;
  const found = await find(step);
  const answers = new LostAnswers(step);
  const outcome = 'spec' in found ? await watchTool(step, found, answers) : found;
  if (outcome === 'lost') await loseCall(step);
  else if (outcome) await step.report((state) => (isRunning(state, step) ? [{ type: 'tool_done', callId, outcome }] : []));
  // Only now can no answer come any more.
  await answers.tellRest();
};

/** Runs it under the eyes of whoever counts and traces. */
const watchTool = async (step: ToolStep, tool: Tool, answers: LostAnswers): Promise<Ended | undefined> => {
  const { session, callId, input, services } = step;
  const { definition } = session.config.target;
  const ended = services.telemetry.toolCallBegan({ ...inRun(step, 0), callId, name: tool.spec.name, input, definition });
  const outcome = await runTool(step, tool, answers);
  const known = outcome === 'lost' ? undefined : outcome;
  ended({ status: known?.status ?? 'unknown', output: () => JSON.stringify(known?.output ?? []) });
  return outcome;
};

/** `lost`: its process ended, and it may not be repeated. */
type Ended = ToolOutcome | 'lost';

const failed = (message: string): ToolOutcome => ({ status: 'error', output: text(message) });

/** What runs the call, or why it is not run. */
const find = async (step: ToolStep): Promise<Tool | ToolOutcome> => {
  try {
    const tool = await step.tool();
    if (!tool) return failed('This tool is no longer there.');
    // A person may have edited them since the model was held to the schema (L6).
    const faults = await step.services.tools.inputFaults(tool.spec.inputSchema, step.input);
    return faults.length === 0 ? tool : failed(`Not run. ${inputRefusal(faults)}`);
  } catch (error) {
    if (step.signal.aborted) return { status: 'cancelled', output: text('Not run: it was stopped before it began.') };
    if (error instanceof ToolsUnavailable) return failed(`Not run. ${error.message}`);
    throw error;
  }
};

/** The outcome, or undefined when the tool ignored its abort: then it cannot be told, and others say so. */
const runTool = async (step: ToolStep, tool: Tool, answers: LostAnswers): Promise<Ended | undefined> => {
  const timeout = new AbortController();
  const timer = new CallTimer(step.services.clock, tool.timeoutMs, () => timeout.abort(new Error('timed out')));
  const signal = AbortSignal.any([step.signal, timeout.signal]);
  // Told to stop between the dispatch and here, or long stopped itself: it need not begin.
  if (!step.mayAct() || signal.aborted) {
    timer.end();
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
  const forms = new CallForms(step, timer, answers);
  try {
    const result = await Promise.race([call(step, tool, { signal, forms }), abandoned]);
    if (result) return result === 'gone' ? undefined : result;
    // Out of time and deaf: the turn goes on with what is known. A cancelled turn is closed as a whole.
    return step.signal.aborted
      ? undefined
      : { status: 'unknown', output: text(`No answer in ${tool.timeoutMs} ms; the tool did not stop when told to. Its outcome is unknown.`) };
  } finally {
    timer.end();
    forms.end();
    stopGrace();
    signal.removeEventListener('abort', onAbort);
  }
};

/** What may be repeated waits for our own store as the turn does (L1): a result that says "failed" may be untrue of a lost answer. */
const call = async (step: ToolStep, tool: Tool, run: Running): Promise<Ended | 'gone'> => {
  let now = tool;
  for (let waitMs = 100, losses = 0; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const outcome = await callOnce(step, now, run);
    if (outcome !== 'store_failed' && outcome !== 'process_ended') return outcome;
    if (outcome === 'process_ended') losses += 1;
    if (losses === mostLosses) return failed(`Its process ended ${mostLosses} times while it ran.`);
    // A process that ended begins again after a second or more.
    await sleep(step.services.clock, outcome === 'process_ended' ? Math.max(waitMs, 2_000) : waitMs, run.signal).catch(() => {});
    // It is another one's now, if its process has begun again.
    if (outcome === 'process_ended') now = (await step.tool().catch(() => undefined)) ?? now;
  }
};

type Running = { readonly signal: AbortSignal; readonly forms: CallForms };

const callOnce = async (step: ToolStep, tool: Tool, { signal, forms }: Running): Promise<Ended | 'store_failed' | 'process_ended' | 'gone'> => {
  try {
    signal.throwIfAborted();
    const answer = await tool.run(step.input, {
      sessionId: step.session.row.id,
      turnId: step.turnId,
      callId: step.callId,
      signal,
      // Best effort: progress that cannot be stored, or comes too late, is nobody's fault.
      progress: (output) =>
        void step.report((state) => (isRunning(state, step) ? [{ type: 'tool_delta', callId: step.callId, output: fitOutput(output) }] : [])).catch(() => {}),
      ask: forms.ask,
    });
    return { status: answer.isError ? 'error' : 'success', output: fitOutput(answer.output), ...(answer.found ? { found: answer.found } : {}) };
  } catch (error) {
    if (error instanceof ToolLost && !tool.replaySafe) {
      // Stopped with its process: whoever stopped it says what that means for the call.
      return step.signal.aborted ? 'gone' : 'lost';
    }
    if (step.signal.aborted) return { status: 'cancelled', output: text('Stopped.') };
    if (signal.aborted) return { status: 'error', output: text(`Stopped: no answer in ${tool.timeoutMs} ms.`) };
    if (tool.replaySafe && isStoreFault(error)) return 'store_failed';
    if (error instanceof ToolLost) return 'process_ended';
    return { status: 'error', output: text(error instanceof Error ? error.message : 'The tool failed.') };
  }
};

const isStoreFault = (error: unknown): boolean => error instanceof TurnkeeperError && error.code === 'storage_unavailable';
