/** The tool calls of one answer, as their pieces come (R3 in translate-stream.ts). */
import type { LanguageModelV4ToolCall } from '@ai-sdk/provider';
import type { ModelPart } from '../ports/model.ts';
import type { CallIds } from './call-ids.ts';
import { toProviderData } from './provider-data.ts';
import { type CharacterJoiner, createCharacterJoiner } from './whole-characters.ts';

type OpenCall = { readonly id: string; readonly name: string; readonly joiner: CharacterJoiner; sent: string };

export type StreamCalls = {
  readonly start: (given: string, name: string) => readonly ModelPart[];
  readonly delta: (given: string, text: string) => readonly ModelPart[];
  readonly end: (call: LanguageModelV4ToolCall) => readonly ModelPart[];
  /** Whether any call was made in full. */
  readonly any: () => boolean;
};

const argumentsDelta = (call: OpenCall, text: string): readonly ModelPart[] => {
  call.sent += text;
  return text === '' ? [] : [{ type: 'tool_call_delta', id: call.id, text }];
};

export const createStreamCalls = (callIds: CallIds, metadataKey: string): StreamCalls => {
  const open = new Map<string, OpenCall>();
  let ended = 0;

  const begin = (given: string, name: string): OpenCall => {
    const call: OpenCall = { id: callIds(given), name, joiner: createCharacterJoiner(), sent: '' };
    open.set(given, call);
    return call;
  };
  const startPart = ({ id, name }: OpenCall): ModelPart => ({ type: 'tool_call_start', id, name });

  return {
    start: (given, name) => [startPart(begin(given, name))],
    delta: (given, text) => {
      const call = open.get(given);
      return call === undefined ? [] : argumentsDelta(call, call.joiner.push(text));
    },
    end: ({ toolCallId, toolName, input, providerMetadata }) => {
      const known = open.get(toolCallId);
      const call = known ?? begin(toolCallId, toolName);
      open.delete(toolCallId);
      ended += 1;
      const whole = input.toWellFormed();
      const held = argumentsDelta(call, call.joiner.end());
      const rest = whole.startsWith(call.sent) ? argumentsDelta(call, whole.slice(call.sent.length)) : [];
      const data = toProviderData(providerMetadata, metadataKey);
      return [
        ...(known === undefined ? [startPart(call)] : []),
        ...held,
        ...rest,
        { type: 'tool_call', id: call.id, name: call.name, arguments: whole, ...(data === undefined ? {} : { provider: data }) },
      ];
    },
    any: () => ended > 0,
  };
};
