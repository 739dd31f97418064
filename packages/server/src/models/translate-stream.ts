/**
 * The AI SDK's stream parts as the port's `ModelPart`s.
 *
 * R1 Unknown part types, and all that a provider adds for itself (sources, files, its own tools), are ignored.
 * R2 A block of reasoning becomes one part when it ends, with the data of all its events merged.
 * R3 The deltas of a call's arguments joined are the arguments; what no delta carried is sent as a last one.
 * R4 The answer ends with `finish`, or `finish` throws: a cut-off answer never looks complete (M2).
 */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { ModelError, type ModelPart } from '../ports/model.ts';
import type { CallIds } from './call-ids.ts';
import { mergeMetadata, toProviderData } from './provider-data.ts';
import { createStreamCalls } from './stream-calls.ts';
import { createStreamReasoning } from './stream-reasoning.ts';
import { translateUsage } from './translate-usage.ts';
import { createCharacterJoiner } from './whole-characters.ts';

type Finish = Extract<ModelPart, { type: 'finish' }>;

export type StreamTranslator = {
  /** The parts that follow from the provider's next one. Throws a `ModelError` for an answer that broke off. */
  readonly accept: (part: LanguageModelV4StreamPart) => readonly ModelPart[];
};

export type TranslatorOptions = {
  readonly provider: string;
  readonly metadataKey: string;
  readonly callIds: CallIds;
  /** Called with the error of an error part; returns when that one is to be ignored. */
  readonly onError: (error: unknown) => 'unknown event' | 'bad usage report';
};

/** The answer ended without saying so. */
export const endedEarly = (provider: string): ModelError =>
  new ModelError(`The answer of the model provider "${provider}" ended before it was complete.`, { retryable: true });

const toReason = ({ unified, raw }: LanguageModelV4FinishReason, provider: string, called: boolean): Finish['reason'] => {
  switch (unified) {
    case 'stop':
    case 'other':
      // Some servers call it an ordinary stop when they ask for tools.
      return called ? 'tool_calls' : unified;
    case 'length':
      return 'length';
    case 'content-filter':
      return 'content_filter';
    case 'tool-calls':
      return 'tool_calls';
    case 'error':
      throw new ModelError(`The model provider "${provider}" broke off its answer${raw === undefined ? '' : ` (${raw.slice(0, 60)})`}.`, { retryable: true });
    case 'interrupted':
      throw endedEarly(provider);
  }
};

const textDelta = (text: string): readonly ModelPart[] => (text === '' ? [] : [{ type: 'text_delta', text }]);

export const createStreamTranslator = ({ provider, metadataKey, callIds, onError }: TranslatorOptions): StreamTranslator => {
  const text = createCharacterJoiner();
  const reasoning = createStreamReasoning(metadataKey);
  const calls = createStreamCalls(callIds, metadataKey);
  let badReport = false;
  let textMetadata: SharedV4ProviderMetadata | undefined;

  const finish = (part: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): readonly ModelPart[] => {
    // The AI SDK lets such a report take the place of the reason that came before it.
    const given = badReport && part.finishReason.unified === 'error' ? ({ unified: 'other', raw: undefined } as const) : part.finishReason;
    const reason = toReason(given, provider, calls.any());
    const usage = translateUsage(part.usage);
    const textProvider = toProviderData(textMetadata, metadataKey);
    const end: Finish = { type: 'finish', reason, ...(usage === undefined ? {} : { usage }), ...(textProvider === undefined ? {} : { textProvider }) };
    return [...textDelta(text.end()), ...reasoning.endAll(), end];
  };

  const accept = (part: LanguageModelV4StreamPart): readonly ModelPart[] => {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        textMetadata = mergeMetadata(textMetadata, part.providerMetadata);
        return part.type === 'text-delta' ? textDelta(text.push(part.delta)) : [];
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        reasoning.add(part.id, part.type === 'reasoning-delta' ? part.delta : '', part.providerMetadata);
        return part.type === 'reasoning-end' ? reasoning.end(part.id) : [];
      case 'tool-input-start':
        return part.providerExecuted ? [] : calls.start(part.id, part.toolName);
      case 'tool-input-delta':
        return calls.delta(part.id, part.delta);
      case 'tool-call':
        return part.providerExecuted ? [] : calls.end(part);
      case 'finish':
        return finish(part);
      case 'error':
        badReport ||= onError(part.error) === 'bad usage report';
        return [];
      case 'tool-input-end':
      case 'tool-approval-request':
      case 'tool-result':
      case 'custom':
      case 'file':
      case 'reasoning-file':
      case 'source':
      case 'stream-start':
      case 'response-metadata':
      case 'ping':
      case 'raw':
        return [];
    }
    // A type that is newer than the AI SDK's types (R1).
    return [];
  };

  return { accept };
};
