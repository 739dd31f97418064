/**
 * One model call of a run: from the prompt to the committed item.
 *
 * Owns: the stream of one attempt, its deltas, and what its end becomes. Retries are not made here: a failed attempt
 * is a fact, and the state says when the next is owed.
 *
 * N10 What a model call came to is committed, or said to have failed: it is never silently made again.
 */
import type { ItemBlock } from '@turnkeeper/core/protocol/content';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { JudgedOutput, RequestedCall } from '@turnkeeper/core/session/commands';
import type { AssistantPart, PromptMessage } from '@turnkeeper/core/session/context';
import type { TokenUsage } from '@turnkeeper/core/session/events';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { Verdict } from '@turnkeeper/core/session/outcome';
import { modelCallNumber, type SessionState } from '@turnkeeper/core/session/state';
import type { Session } from '../app/lane.ts';
import type { Ask, CheckpointMark } from '../app/lane-batch.ts';
import { createBreather } from '../models/breather.ts';
import { ModelError, type ModelRequest } from '../ports/model.ts';
import type { ModelCallWatch } from '../ports/telemetry.ts';
import { ToolsUnavailable } from '../ports/tool.ts';
import { admitCall } from './admit-call.ts';
import { createAnswerLimit } from './answer-limit.ts';
import { callCost } from './call-cost.ts';
import { compact } from './compaction-step.ts';
import { DeltaBuffer, type Gathered } from './delta-buffer.ts';
import { inRun } from './in-run.ts';
import { knownCost } from './known-cost.ts';
import { failureOf, tooLongOr, unusedOr } from './model-failure.ts';
import { jsonOrText, verdictOn } from './outcome-verdict.ts';
import { readPromptFiles } from './prompt-files.ts';
import type { RunServices } from './run-services.ts';
import { stepPrompt } from './step-prompt.ts';
import type { CheckedCall, ToolSet, WrittenCall } from './tool-set.ts';
import { judgeOutput, outputInstruction } from './turn-output.ts';

/**
 * Where the step reports to: the session's lane, as the holder. `asks` sees the state on which it will be decided,
 * and may be called again after a conflict: it must ask the same. With a checkpoint the context is marked behind them.
 * Resolves false when the run is over for this node.
 */
export type StepReport = (asks: (state: SessionState) => readonly Ask[], checkpoint?: CheckpointMark) => Promise<boolean>;

export type ModelStep = {
  readonly session: Session;
  readonly turnId: TurnId;
  /** Throws `ToolsUnavailable`: then the attempt has failed. */
  readonly tools: () => Promise<ToolSet>;
  readonly services: RunServices;
  readonly signal: AbortSignal;
  readonly report: StepReport;
  /** False: the claim is not to be relied on any more, and no call is made on it. */
  readonly mayAct: () => boolean;
  /** Told when the call is made, and not before, where to find what has been said so far: from then on it counts. */
  readonly begun: (said: () => string) => void;
};

/** What one attempt has produced so far. */
class Answer {
  readonly buffer = new DeltaBuffer();
  readonly limit = createAnswerLimit();
  readonly parts: AssistantPart[] = [];
  readonly calls: (WrittenCall & { readonly provider?: JsonObject })[] = [];
  /** The provider has begun to answer. */
  begun = false;
  /** A budget counts the call. */
  limited = false;
  #open = '';

  text(piece: string): void {
    this.limit.text(piece);
    this.#open += piece;
    this.buffer.push({ type: 'text', text: piece });
  }

  /** Its text, without what it did not say aloud. */
  get said(): string {
    return this.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  /** Ends the run of text that was open, so that parts keep their order. */
  closeText(provider?: JsonObject): void {
    if (this.#open !== '') this.parts.push({ type: 'text', text: this.#open, ...(provider ? { provider } : {}) });
    this.#open = '';
  }
}

/** Makes one attempt and reports its outcome, unless the signal aborted it. */
export const runModelStep = async (step: ModelStep): Promise<void> => {
  const answer = new Answer();
  const tools = await toolsOf(step);
  const outcome = typeof tools === 'function' ? tools : await attempt(step, answer, tools);
  if (!outcome || step.signal.aborted) return;
  const rest = flush(answer, step);
  const taken = await step.report((state) => (isOpen(state, step) ? [...rest(state), outcome(state)] : []));
  if (!taken && !step.signal.aborted) throw new Error('what a model call came to was refused');
  // Also where the turn has ended, and its run with it.
  if (answer.limited) await step.services.budgets.warn(step.session, step.turnId);
};

type Outcome = (state: SessionState) => Ask;

/** The tools, or the failed attempt that a server which cannot be asked for them makes of it. */
const toolsOf = async (step: ModelStep): Promise<ToolSet | Outcome> => {
  try {
    return await step.tools();
  } catch (error) {
    if (!(error instanceof ToolsUnavailable)) throw error;
    return unusedOr(failureOf(error, step, step.session.config.target.definition.model), error, false);
  }
};

/** What the attempt came to; undefined when it was aborted. */
const attempt = async (step: ModelStep, answer: Answer, tools: ToolSet): Promise<Outcome | undefined> => {
  const prompt = await stepPrompt(step.session, step.services, tools);
  if (prompt.due) return compact(step, prompt.due, await modelRequest(step, tools, prompt.due.messages));
  const asked = await modelRequest(step, tools, prompt.messages);
  const { schemas } = step.session.config;
  const request = { ...asked, system: `${asked.system}${outputInstruction(schemas)}` };
  const admitted = await admitCall(step, 'answer');
  answer.limited = admitted === 'limited';
  if (!admitted || step.signal.aborted || !step.mayAct()) return undefined;
  step.begun(() => answer.buffer.text);
  const watch = step.services.telemetry.modelCallBegan({ ...inRun(step, 1), request });
  let usage: TokenUsage | undefined;
  try {
    usage = await readStream(step, request, answer, watch);
    watch.ended({ outcome: 'completed', usage, said: () => answer.buffer.text });
  } catch (error) {
    if (step.signal.aborted) watch.ended({ outcome: 'cancelled', errorCode: 'cancelled' });
    else watch.ended({ outcome: 'failed', errorCode: error instanceof ModelError ? error.code : 'internal_error' });
    return step.signal.aborted ? undefined : tooLongOr(unusedOr(failureOf(error, step, request.model), error, answer.begun), error, prompt.mayShorten);
  }
  const calls = await tools.check(answer.calls);
  const output = calls.length === 0 ? await judgeOutput(step.services.tools, schemas, answer.said) : undefined;
  const ends = calls.length === 0 && output?.ok !== false;
  const result = output?.ok ? output.result : jsonOrText(answer.said);
  const verdict = ends ? await verdictOn(step.services, step.session, step.turnId, result) : undefined;
  return (state) => modelDone(step, { answer, usage, tools, calls, output, verdict }, state);
};

/** The turn may have been ended meanwhile: then nobody asks what its model said. */
const isOpen = (state: SessionState, { turnId }: ModelStep): boolean => state.live?.id === turnId && state.live.status === 'running';

const modelRequest = async (step: ModelStep, tools: ToolSet, messages: readonly PromptMessage[]): Promise<ModelRequest> => {
  const { definition } = step.session.config.target;
  const files = await readPromptFiles(step.services.files, step.session.row.id, messages);
  return {
    model: definition.model,
    system: `${definition.system}${tools.prompt}`,
    messages,
    tools: tools.specs,
    ...(files.size > 0 ? { files } : {}),
    ...(definition.temperature === undefined ? {} : { temperature: definition.temperature }),
  };
};

const readStream = async (step: ModelStep, request: ModelRequest, answer: Answer, watch: ModelCallWatch): Promise<TokenUsage | undefined> => {
  let flushing = false;
  // One delta job waits in the lane at a time; it takes whatever has gathered when its turn comes. One that fails leaves
  // a gap that the whole item fills, and is not tried again by itself: if the lane is broken, the item's commit says so.
  const flushSoon = (): void => {
    if (flushing) return;
    flushing = true;
    const ended = (goOn: boolean): void => {
      flushing = false;
      if (goOn && !answer.buffer.empty && !step.signal.aborted) flushSoon();
    };
    step.report(flush(answer, step)).then(ended, () => ended(false));
  };
  const breathe = createBreather();
  for await (const part of step.services.models.stream(request, step.signal)) {
    if (!answer.begun) watch.began();
    answer.begun = true;
    await breathe();
    switch (part.type) {
      case 'text_delta':
        if (part.text === '') break;
        answer.text(part.text);
        flushSoon();
        break;
      case 'reasoning':
        answer.closeText();
        answer.parts.push({ type: 'reasoning', text: part.text, ...(part.provider ? { provider: part.provider } : {}) });
        // Nothing to show, but the call has begun: it counts, whatever becomes of it.
        flushSoon();
        break;
      case 'tool_call_start':
        answer.limit.text(part.name);
        answer.closeText();
        answer.buffer.push({ type: 'tool_use', id: part.id, name: part.name, content: '' });
        flushSoon();
        break;
      case 'tool_call_delta':
        answer.limit.delta(part.id, part.text);
        answer.buffer.push({ type: 'tool_use', id: part.id, content: part.text });
        flushSoon();
        break;
      case 'tool_call':
        answer.limit.call(part.id, part.arguments);
        answer.closeText();
        answer.calls.push({ id: part.id, name: part.name, arguments: part.arguments, ...(part.provider ? { provider: part.provider } : {}) });
        break;
      case 'finish':
        answer.closeText(part.textProvider);
        if (part.reason === 'content_filter' && answer.parts.length === 0 && answer.calls.length === 0) {
          throw new ModelError('The provider refused to answer (content filter).', { retryable: false });
        }
        return part.usage;
    }
  }
  throw new ModelError('The model ended its answer without a finish.', { retryable: true });
};

const modelOf = ({ session, services }: ModelStep) => {
  const { model } = session.config.target.definition;
  return { model, ...knownCost(services, session.config, model) };
};

/** The deltas that have gathered when the lane comes to them, behind the item's start where they are its first. */
const flush = (answer: Answer, step: ModelStep): ((state: SessionState) => readonly Ask[]) => {
  let taken: readonly Gathered[] | undefined;
  return (state) => {
    taken ??= answer.buffer.take();
    if (step.signal.aborted || !isOpen(state, step) || !answer.begun) return [];
    const open: readonly Ask[] = state.live?.open ? [] : [{ type: 'open_item', ...modelOf(step) }];
    return [...open, ...taken.map((delta): Ask => ({ type: 'item_delta', ...delta }))];
  };
};

type Said = {
  readonly answer: Answer;
  readonly usage: TokenUsage | undefined;
  readonly tools: ToolSet;
  readonly calls: readonly CheckedCall[];
  readonly output: JudgedOutput | undefined;
  readonly verdict: Verdict | undefined;
};

const modelDone = (step: ModelStep, { answer, usage, tools, calls, output, verdict }: Said, state: SessionState): Ask => {
  const { services, session } = step;
  const { model } = session.config.target.definition;
  const at = services.clock.now();
  // Not its step's number: steps are counted anew with a further try, and with a resumption.
  const n = state.live ? modelCallNumber(state.live) : 1;
  const requests = tools.requests(calls, { n, at, mode: state.permissionMode });
  const content: ItemBlock[] = answer.parts.flatMap((part): ItemBlock[] => (part.type === 'text' ? [{ type: 'text', text: part.text }] : []));
  const uses = requests.map((request): ItemBlock => ({ type: 'tool_use', id: request.id, name: request.name, input: request.input as Record<string, never> }));
  const parts: readonly AssistantPart[] = [...answer.parts, ...requests.map((request, index) => callPart(request, answer.calls[index]?.provider))];
  const cost = usage && callCost(services, session.config, model, usage);
  return {
    type: 'model_done',
    model,
    content: [...content, ...uses],
    // An answer without any part would leave a hole in the transcript (C1).
    parts: parts.length > 0 ? parts : [{ type: 'text', text: '(no answer)' }],
    calls: requests,
    ...(output ? { output } : {}),
    ...(verdict ? { verdict } : {}),
    ...(usage ? { usage } : {}),
    ...(cost ? { cost } : {}),
  };
};

const callPart = (request: RequestedCall, provider: JsonObject | undefined): AssistantPart => ({
  type: 'tool_call',
  id: request.id,
  name: request.name,
  input: request.input,
  ...(provider ? { provider } : {}),
});
