/**
 * The prompt as the AI SDK wants it.
 *
 * Owns: which parts go to the provider and in what form. Does not own: the order of messages (C1, core).
 * Y1 Blank text parts are left out and a message is never empty: providers refuse both with a 400 that would
 *    come back at every later call of the session.
 * Y2 A part's provider data goes back only to the kind of provider that made it; reasoning of others is left out.
 */
import type { LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4TextPart } from '@ai-sdk/provider';
import type { InputBlock } from '@turnkeeper/core/protocol/content';
import type { AssistantPart, PromptMessage } from '@turnkeeper/core/session/context';
import type { ModelRequest, PromptFile } from '../ports/model.ts';
import type { Adapter } from './adapter.ts';
import { isText } from './input-media.ts';
import { toProviderOptions } from './provider-data.ts';
import { toFilePart } from './translate-media.ts';
import { translateToolResult } from './translate-tool-result.ts';
import { wellFormed, wellFormedObject } from './well-formed.ts';

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

const emptyMessage: LanguageModelV4TextPart = { type: 'text', text: '(empty message)' };

const isBlank = (text: string): boolean => text.trim() === '';

const toUserPart = (block: InputBlock, files: ModelRequest['files']): readonly UserPart[] => {
  switch (block.type) {
    case 'text':
      return isBlank(block.text) ? [] : [{ type: 'text', text: block.text.toWellFormed() }];
    case 'data':
      return [{ type: 'text', text: JSON.stringify(wellFormed(block.data)) }];
    case 'image':
    case 'audio':
    case 'video':
      return [toFilePart(block)];
    case 'file':
      return [ofFile(block.file_id, files?.get(block.file_id))];
  }
};

/** Text goes as text, to every model; what is not there, or was left out for its size, is named. */
const ofFile = (id: string, file: PromptFile | undefined): UserPart => {
  if (!file) return { type: 'text', text: `[file ${id}, not there any more]` };
  const { name, mediaType, bytes } = file;
  if (!bytes) return { type: 'text', text: `[file "${name}" (${mediaType}), not shown: it is too large]` };
  if (isText(mediaType)) return { type: 'text', text: `[file "${name}"]\n${new TextDecoder().decode(bytes)}` };
  return { type: 'file', mediaType, data: { type: 'data', data: bytes }, filename: name };
};

const toAssistantPart = (part: AssistantPart, key: string): AssistantContent => {
  const options = toProviderOptions(part.provider, key);
  const own = options === undefined ? {} : { providerOptions: options };
  switch (part.type) {
    case 'text':
      // Google puts signatures on empty text, and wants them back.
      return isBlank(part.text) && options?.[key]?.thoughtSignature === undefined ? [] : [{ type: 'text', text: part.text.toWellFormed(), ...own }];
    case 'reasoning':
      return options === undefined ? [] : [{ type: 'reasoning', text: part.text, ...own }];
    case 'tool_call':
      return [{ type: 'tool-call', toolCallId: part.id, toolName: part.name, input: wellFormedObject(part.input), ...own }];
  }
};

const translateMessage = (message: PromptMessage, adapter: Adapter, files: ModelRequest['files']): LanguageModelV4Message => {
  switch (message.role) {
    case 'user': {
      const content = message.content.flatMap((block) => toUserPart(block, files));
      return { role: 'user', content: content.length === 0 ? [emptyMessage] : content };
    }
    case 'assistant': {
      const content = message.content.flatMap((part) => toAssistantPart(part, adapter.metadataKey));
      const said = content.some((part) => part.type === 'text' || part.type === 'tool-call');
      return { role: 'assistant', content: said ? content : [...content, emptyMessage] };
    }
    case 'tool':
      return { role: 'tool', content: message.results.map((result) => translateToolResult(result, adapter.toolResultMedia)) };
  }
};

export const translatePrompt = (request: Pick<ModelRequest, 'system' | 'messages' | 'files'>, adapter: Adapter): LanguageModelV4Prompt => [
  ...(isBlank(request.system) ? [] : [{ role: 'system' as const, content: request.system.toWellFormed() }]),
  ...request.messages.map((message) => translateMessage(message, adapter, request.files)),
];
