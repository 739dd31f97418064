/**
 * The AI SDK's stream parts as the port's `ModelPart`s.
 *
 * R1 Unknown part types, and all that a provider adds for itself (sources, files, its own tools), are ignored.
 * R2 A block of reasoning becomes one part when it ends, with the data of all its events merged.
 * R3 The deltas of a call's arguments joined are the arguments; what no delta carried is sent as a last one.
 * R4 The answer ends with `finish`, or `finish` throws: a cut-off answer never looks complete (M2).
 */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4ToolCall, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { ModelError, type ModelPart } from '../ports/model.ts';
import type { CallIds } from './call-ids.ts';
import { mergeMetadata, toProviderData } from './provider-data.ts';
import { translateUsage } from './translate-usage.ts';
import { type CharacterJoiner, createCharacterJoiner } from './whole-characters.ts';

type Finish = Extract<ModelPart, { type: 'finish' }>;
type OpenCall = { readonly id: string; readonly name: string; readonly joiner: CharacterJoiner; sent: string };
type OpenReasoning = { text: string; metadata: SharedV4ProviderMetadata | undefined };

export type StreamTranslator = {
  /** The parts that follow from the provider's next one. Throws a `ModelError` for an answer that broke off. */
  readonly accept: (part: LanguageModelV4StreamPart) => readonly ModelPart[];
};

export type TranslatorOptions = {
  readonly provider: string;
  readonly metadataKey: string;
  readonly callIds: CallIds;
  /** Called with the error of an error part; returns when that one is to be ignored. */
  readonly onError: (error: unknown) => void;
};

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

/** The answer ended without saying so. */
export const endedEarly = (provider: string): ModelError =>
  new ModelError(`The answer of the model provider "${provider}" ended before it was complete.`, { retryable: true });

export const createStreamTranslator = ({ provider, metadataKey, callIds, onError }: TranslatorOptions): StreamTranslator => {
  const text = createCharacterJoiner();
  let textMetadata: SharedV4ProviderMetadata | undefined;
  const reasoning = new Map<string, OpenReasoning>();
  const calls = new Map<string, OpenCall>();
  let called = false;

  const textDelta = (delta: string): ModelPart[] => (delta === '' ? [] : [{ type: 'text_delta', text: delta }]);

  const argumentsDelta = (call: OpenCall, delta: string): ModelPart[] => {
    call.sent += delta;
    return delta === '' ? [] : [{ type: 'tool_call_delta', id: call.id, text: delta }];
  };

  const openCall = (given: string, name: string): readonly [OpenCall, ModelPart] => {
    const call: OpenCall = { id: callIds(given), name, joiner: createCharacterJoiner(), sent: '' };
    calls.set(given, call);
    return [call, { type: 'tool_call_start', id: call.id, name }];
  };

  const endCall = (part: LanguageModelV4ToolCall): ModelPart[] => {
    if (part.providerExecuted) return [];
    const parts: ModelPart[] = [];
    let call = calls.get(part.toolCallId);
    if (call === undefined) {
      const [opened, start] = openCall(part.toolCallId, part.toolName);
      call = opened;
      parts.push(start);
    }
    calls.delete(part.toolCallId);
    called = true;
    const whole = part.input.toWellFormed();
    parts.push(...argumentsDelta(call, call.joiner.end()));
    if (whole.startsWith(call.sent)) parts.push(...argumentsDelta(call, whole.slice(call.sent.length)));
    const data = toProviderData(part.providerMetadata, metadataKey);
    return [...parts, { type: 'tool_call', id: call.id, name: call.name, arguments: whole, ...(data === undefined ? {} : { provider: data }) }];
  };

  const touchReasoning = (id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void => {
    const open = reasoning.get(id) ?? { text: '', metadata: undefined };
    reasoning.set(id, { text: open.text + delta, metadata: mergeMetadata(open.metadata, metadata) });
  };

  const endReasoning = (id: string): ModelPart[] => {
    const open = reasoning.get(id);
    reasoning.delete(id);
    if (open === undefined) return [];
    return [{ type: 'reasoning', text: open.text.toWellFormed(), provider: toProviderData(open.metadata, metadataKey) ?? { [metadataKey]: {} } }];
  };

  const finish = (part: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): ModelPart[] => {
    const reason = toReason(part.finishReason, provider, called);
    const usage = translateUsage(part.usage);
    const textProvider = toProviderData(textMetadata, metadataKey);
    return [
      ...textDelta(text.end()),
      ...[...reasoning.keys()].flatMap(endReasoning),
      { type: 'finish', reason, ...(usage === undefined ? {} : { usage }), ...(textProvider === undefined ? {} : { textProvider }) },
    ];
  };

  const accept = (part: LanguageModelV4StreamPart): readonly ModelPart[] => {
    switch (part.type) {
      case 'text-start':
      case 'text-end':
        textMetadata = mergeMetadata(textMetadata, part.providerMetadata);
        return [];
      case 'text-delta':
        textMetadata = mergeMetadata(textMetadata, part.providerMetadata);
        return textDelta(text.push(part.delta));
      case 'reasoning-start':
        touchReasoning(part.id, '', part.providerMetadata);
        return [];
      case 'reasoning-delta':
        touchReasoning(part.id, part.delta, part.providerMetadata);
        return [];
      case 'reasoning-end':
        touchReasoning(part.id, '', part.providerMetadata);
        return endReasoning(part.id);
      case 'tool-input-start':
        return part.providerExecuted ? [] : [openCall(part.id, part.toolName)[1]];
      case 'tool-input-delta': {
        const call = calls.get(part.id);
        return call === undefined ? [] : argumentsDelta(call, call.joiner.push(part.delta));
      }
      case 'tool-call':
        return endCall(part);
      case 'finish':
        return finish(part);
      case 'error':
        onError(part.error);
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
