/**
 * One model call of a run: from the prompt to the committed item.
 *
 * Owns: the stream of one attempt, its deltas, and what its end becomes. Retries are not made here: a failed attempt
 * is a fact, and the state says when the next is owed.
 *
 * N10 What a model call came to is committed, or said to have failed: it is never silently made again.
 * N11 Whatever part of the context is read, the prompt begins with a user message (C1).
 */
import type { ItemBlock } from '@turnkeeper/core/protocol/content';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { RequestedCall } from '@turnkeeper/core/session/commands';
import { type AssistantPart, assemblePrompt, type ContextRow, lastMessages, type PromptMessage } from '@turnkeeper/core/session/context';
import type { TokenUsage } from '@turnkeeper/core/session/events';
import type { TurnId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { Session } from '../app/lane.ts';
import type { Ask } from '../app/lane-batch.ts';
import { createBreather } from '../models/breather.ts';
import { ModelError, type ModelRequest } from '../ports/model.ts';
import { createAnswerLimit } from './answer-limit.ts';
import { DeltaBuffer, type Gathered } from './delta-buffer.ts';
import type { RunServices } from './run-services.ts';
import type { ToolSet, WrittenCall } from './tool-set.ts';

/**
 * Where the step reports to: the session's lane, as the holder. `asks` sees the state on which it will be decided,
 * and may be called again after a conflict: it must ask the same. Resolves false when the run is over for this node.
 */
export type StepReport = (asks: (state: SessionState) => readonly Ask[]) => Promise<boolean>;

export type ModelStep = {
  readonly session: Session;
  readonly turnId: TurnId;
  readonly tools: ToolSet;
  readonly services: RunServices;
  readonly signal: AbortSignal;
  readonly report: StepReport;
  /** Told at the beginning where to find what has been said so far. */
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
  #open = '';

  text(piece: string): void {
    this.limit.text(piece);
    this.#open += piece;
    this.buffer.push({ type: 'text', text: piece });
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
  const { definition } = step.session.config.target;
  step.begun(() => answer.buffer.text);
  const request = await modelRequest(step);
  let outcome: (state: SessionState) => Ask;
  try {
    const usage = await readStream(step, request, answer);
    outcome = (state) => modelDone(step, answer, usage, state);
  } catch (error) {
    if (step.signal.aborted) return;
    outcome = failureOf(error, step, definition.model);
  }
  if (step.signal.aborted) return;
  const rest = flush(answer, step);
  const taken = await step.report((state) => (isOpen(state, step) ? [...rest(state), outcome(state)] : []));
  if (!taken && !step.signal.aborted) throw new Error('what a model call came to was refused');
};

/** The turn may have been ended meanwhile: then nobody asks what its model said. */
const isOpen = (state: SessionState, { turnId }: ModelStep): boolean => state.live?.id === turnId && state.live.status === 'running';

const modelRequest = async (step: ModelStep): Promise<ModelRequest> => {
  const { definition } = step.session.config.target;
  return {
    model: definition.model,
    system: definition.system,
    messages: await promptOf(step),
    tools: step.tools.specs,
    ...(definition.temperature === undefined ? {} : { temperature: definition.temperature }),
  };
};

const promptOf = async ({ session, services }: ModelStep): Promise<readonly PromptMessage[]> => {
  const limit = session.config.target.definition.maxContextMessages;
  const read = async (last: number | undefined) => services.store.context(session.head.sid, last);
  const assembled = (rows: Awaited<ReturnType<typeof read>>) =>
    assemblePrompt(rows.map((row): ContextRow => ({ n: row.n, entry: JSON.parse(row.body) as ContextRow['entry'] })));
  if (limit === undefined) return assembled(await read(undefined));
  // Mostly enough for what may be shown; a long turn's user message may lie further back (N11).
  for (let last = limit * 8; ; last *= 4) {
    const rows = await read(last);
    const prompt = lastMessages(assembled(rows), limit);
    if (prompt[0]?.role === 'user' || rows.length < last) return prompt;
  }
};

const readStream = async (step: ModelStep, request: ModelRequest, answer: Answer): Promise<TokenUsage | undefined> => {
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

/** The deltas that have gathered when the lane comes to them, behind the item's start where they are its first. */
const flush = (answer: Answer, step: ModelStep): ((state: SessionState) => readonly Ask[]) => {
  let taken: readonly Gathered[] | undefined;
  return (state) => {
    taken ??= answer.buffer.take();
    if (step.signal.aborted || !isOpen(state, step) || !answer.begun) return [];
    const open: readonly Ask[] = state.live?.open ? [] : [{ type: 'open_item', model: step.session.config.target.definition.model }];
    return [...open, ...taken.map((delta): Ask => ({ type: 'item_delta', ...delta }))];
  };
};

const modelDone = (step: ModelStep, answer: Answer, usage: TokenUsage | undefined, state: SessionState): Ask => {
  const { services, session, tools } = step;
  const { model } = session.config.target.definition;
  const at = services.clock.now();
  const requests = tools.requests(answer.calls, { step: (state.live?.steps ?? 0) + 1, at });
  const content: ItemBlock[] = answer.parts.flatMap((part): ItemBlock[] => (part.type === 'text' ? [{ type: 'text', text: part.text }] : []));
  const uses = requests.map((request): ItemBlock => ({ type: 'tool_use', id: request.id, name: request.name, input: request.input as Record<string, never> }));
  const parts: readonly AssistantPart[] = [...answer.parts, ...requests.map((request, index) => callPart(request, answer.calls[index]?.provider))];
  const cost = usage && services.models.price(model, usage, at);
  return {
    type: 'model_done',
    model,
    content: [...content, ...uses],
    // An answer without any part would leave a hole in the transcript (C1).
    parts: parts.length > 0 ? parts : [{ type: 'text', text: '(no answer)' }],
    calls: requests,
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

const backoffMs = (failures: number): number => Math.min(1_000 * 2 ** failures, 30_000);
const longestRetryMs = 60_000;

const failureOf = (error: unknown, step: ModelStep, model: string): ((state: SessionState) => Ask) => {
  const { services, session } = step;
  const known = error instanceof ModelError ? error : undefined;
  if (!known) services.report(error, { sessionId: session.row.id });
  const at = services.clock.now();
  return (state) => ({
    type: 'model_failed',
    model,
    errorCode: known?.code ?? 'internal_error',
    errorMessage: known?.message ?? 'Something went wrong on our side.',
    retryable: known?.retryable ?? false,
    retryAt: at + Math.min(known?.retryAfterMs ?? backoffMs(state.live?.modelFailures ?? 0), longestRetryMs),
  });
};
