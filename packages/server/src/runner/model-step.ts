/**
 * One model call of a run: from the prompt to the committed item.
 *
 * Owns: the stream of one attempt, its deltas, and what its end becomes. Retries are not made here: a failed attempt
 * is a fact, and the state says when the next is owed.
 */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { ItemBlock } from '@turnkeeper/core/protocol/content';
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import { assemblePrompt, lastMessages, type AssistantPart, type ContextRow } from '@turnkeeper/core/session/context';
import type { RequestedCall } from '@turnkeeper/core/session/commands';
import type { TokenUsage } from '@turnkeeper/core/session/events';
import type { SessionState } from '@turnkeeper/core/session/state';
import type { Ask } from '../app/lane-batch.ts';
import type { Session } from '../app/lane.ts';
import { ModelError, type ModelRequest } from '../ports/model.ts';
import { DeltaBuffer, type Gathered } from './delta-buffer.ts';
import type { RunServices } from './run-services.ts';
import type { ToolSet, WrittenCall } from './tool-set.ts';

/**
 * Where the step reports to: the session's lane, as the holder. `asks` sees the state on which it will be decided,
 * and may be called again after a conflict: it must ask the same. Resolves false when the run is over for this node.
 */
export type StepReport = (asks: (state: SessionState) => readonly Ask[]) => Promise<boolean>;

export type ModelStep = { readonly session: Session; readonly tools: ToolSet; readonly services: RunServices; readonly signal: AbortSignal; readonly report: StepReport };

/** What one attempt has produced so far. */
class Answer {
  readonly buffer = new DeltaBuffer();
  readonly parts: AssistantPart[] = [];
  readonly calls: (WrittenCall & { readonly provider?: JsonObject })[] = [];
  #open = '';

  text(piece: string): void {
    this.#open += piece;
    this.buffer.push({ type: 'text', text: piece });
  }

  /** Ends the run of text that was open, so that parts keep their order. */
  closeText(provider?: JsonObject): void {
    if (this.#open !== '') this.parts.push({ type: 'text', text: this.#open, ...(provider ? { provider } : {}) });
    this.#open = '';
  }
}

/** Makes one attempt and reports its outcome. Resolves with what was said when the signal aborted it. */
export const runModelStep = async (step: ModelStep): Promise<{ readonly partialText: string }> => {
  const answer = new Answer();
  const { definition } = step.session.config.target;
  try {
    const request = await modelRequest(step);
    const usage = await readStream(step, request, answer);
    if (step.signal.aborted) return { partialText: answer.buffer.text };
    const rest = flush(answer, step);
    await step.report((state) => [...rest(state), modelDone(step, answer, usage, state)]);
  } catch (error) {
    if (step.signal.aborted) return { partialText: answer.buffer.text };
    // The store is no fault of the model's: the call is owed until it can be made.
    if (error instanceof TurnkeeperError) throw error;
    const rest = flush(answer, step);
    const failure = failureOf(error, step, definition.model);
    await step.report((state) => [...rest(state), failure(state)]);
  }
  return { partialText: answer.buffer.text };
};

const modelRequest = async ({ session, tools, services }: ModelStep): Promise<ModelRequest> => {
  const { definition } = session.config.target;
  const limit = definition.maxContextMessages;
  // A message is at most one row for itself and one for each of its results: read no more than can be shown.
  const rows = await services.store.context(session.head.sid, limit === undefined ? undefined : limit * 8);
  const prompt = assemblePrompt(rows.map((row): ContextRow => ({ n: row.n, entry: JSON.parse(row.body) as ContextRow['entry'] })));
  return {
    model: definition.model,
    system: definition.system,
    messages: limit === undefined ? prompt : lastMessages(prompt, limit),
    tools: tools.specs,
    ...(definition.temperature === undefined ? {} : { temperature: definition.temperature }),
  };
};

const readStream = async (step: ModelStep, request: ModelRequest, answer: Answer): Promise<TokenUsage | undefined> => {
  let flushing: Promise<unknown> | undefined;
  const flushSoon = (): void => {
    // One delta job waits in the lane at a time; it takes whatever has gathered when its turn comes.
    flushing ??= step.report(flush(answer, step)).finally(() => {
      flushing = undefined;
      if (!answer.buffer.empty && !step.signal.aborted) flushSoon();
    });
  };
  for await (const part of step.services.models.stream(request, step.signal)) {
    switch (part.type) {
      case 'text_delta':
        if (part.text === '') break;
        answer.text(part.text);
        flushSoon();
        break;
      case 'reasoning':
        answer.closeText();
        answer.parts.push({ type: 'reasoning', text: part.text, ...(part.provider ? { provider: part.provider } : {}) });
        break;
      case 'tool_call_start':
        answer.closeText();
        answer.buffer.push({ type: 'tool_use', id: part.id, name: part.name, content: '' });
        flushSoon();
        break;
      case 'tool_call_delta':
        answer.buffer.push({ type: 'tool_use', id: part.id, content: part.text });
        flushSoon();
        break;
      case 'tool_call':
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
  let taken: Gathered | undefined;
  return (state) => {
    if (step.signal.aborted) return [];
    taken ??= answer.buffer.take();
    if (taken.content.length === 0) return [];
    const delta = { type: 'item_delta', ...taken } as const;
    return state.live?.open ? [delta] : [{ type: 'open_item' }, delta];
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
