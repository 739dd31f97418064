/**
 * One attempt at a provider: connects, streams, translates, and closes the connection whatever happens.
 *
 * The one `AbortController` here ends the request for all reasons there are: the caller's signal, silence, a
 * caller that stops reading. Aborting it closes the provider's socket at once (M4). No retries (M1).
 */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { TypeValidationError } from '@ai-sdk/provider';
import type { Clock } from '../ports/clock.ts';
import { ModelError, type ModelPart, type ModelRequest } from '../ports/model.ts';
import type { Adapter } from './adapter.ts';
import { createBreather } from './breather.ts';
import { markPrompt, markTools } from './cache-marks.ts';
import { createCallIds } from './call-ids.ts';
import { requestTexts } from './request-texts.ts';
import { modelFor } from './shared-models.ts';
import { createSilenceWatch, type SilenceLimits, type SilenceWatch } from './silence-watch.ts';
import { toModelError } from './translate-error.ts';
import { translatePrompt } from './translate-prompt.ts';
import { createStreamTranslator, endedEarly } from './translate-stream.ts';
import { translateTools } from './translate-tools.ts';
import { isUsageReport } from './translate-usage.ts';

/** Made once: each would be made with a stack trace of its own. */
const ended = new DOMException('The call is over.', 'AbortError');
/** How long the end of the body may take after the end of the answer before the connection is given up. */
const drainMs = 250;

export type ProviderCall = {
  readonly adapter: Adapter;
  /** Without the provider's name. */
  readonly model: string;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly limits: SilenceLimits;
};

type Connection = { readonly controller: AbortController; readonly watch: SilenceWatch; silent: boolean };

const connect = ({ clock, limits }: ProviderCall): Connection => {
  const controller = new AbortController();
  const connection: Connection = {
    controller,
    silent: false,
    watch: createSilenceWatch(clock, limits, () => {
      connection.silent = true;
      controller.abort();
    }),
  };
  return connection;
};

const open = ({ adapter, model, request }: ProviderCall, { controller, watch }: Connection) => {
  const { cacheMark } = adapter;
  const prompt = translatePrompt(request, adapter);
  const tools = translateTools(request.tools);
  return modelFor(adapter, model, controller.signal, watch.fetch).doStream({
    prompt: cacheMark ? markPrompt(prompt, cacheMark) : prompt,
    ...(tools.length === 0 ? {} : { tools: cacheMark ? markTools(tools, prompt, cacheMark) : tools }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    providerOptions: adapter.providerOptions,
    abortSignal: controller.signal,
  });
};

const errorOf = (error: unknown, { adapter, request, clock }: ProviderCall, { watch, silent }: Connection): ModelError => {
  if (silent) return new ModelError(`The model provider "${adapter.provider}" was silent for too long.`, { retryable: true });
  return toModelError(error, {
    provider: adapter.provider,
    secrets: adapter.secrets,
    requestTexts: () => requestTexts(request),
    answered: watch.answered(),
    now: clock.now(),
  });
};

/** Reads the body to its end, so that its connection can be used again, but not for long. */
const drain = async (reader: ReadableStreamDefaultReader<unknown>, clock: Clock, controller: AbortController): Promise<void> => {
  const stop = clock.after(drainMs, () => controller.abort());
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is complete: how its connection ends does not matter any more.
  } finally {
    stop();
  }
};

/** Throws the signal's reason when it is aborted, else a `ModelError`. */
export async function* callProvider(call: ProviderCall): AsyncGenerator<ModelPart, void, undefined> {
  const { adapter, request, signal, clock } = call;
  signal.throwIfAborted();
  const connection = connect(call);
  const { controller, watch } = connection;
  const abort = (): void => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  const translator = createStreamTranslator({
    provider: adapter.provider,
    metadataKey: adapter.metadataKey,
    callIds: createCallIds(request.messages),
    onError: (error) => {
      if (!TypeValidationError.isInstance(error)) throw error;
      if (isUsageReport(error.value)) return 'bad usage report';
      if (adapter.isUnknownEvent(error.value)) return 'unknown event';
      throw error;
    },
  });
  const breathe = createBreather();
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  try {
    const { stream } = await watch.during(open(call, connection));
    reader = stream.getReader();
    for (;;) {
      const { done, value } = await watch.during(reader.read());
      if (done) throw endedEarly(adapter.provider);
      // Here too: parts that say nothing never reach the caller.
      await breathe();
      for (const part of translator.accept(value)) {
        // Parts that were read ahead are not the caller's concern any more.
        signal.throwIfAborted();
        yield part;
        if (part.type !== 'finish') continue;
        await drain(reader, clock, controller);
        return;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    throw errorOf(error, call, connection);
  } finally {
    signal.removeEventListener('abort', abort);
    watch.end();
    controller.abort(ended);
    reader?.cancel().catch(() => {});
  }
}
