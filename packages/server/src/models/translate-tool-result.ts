/** Tool results as the AI SDK's tool result parts. */
import type { LanguageModelV4ToolResultOutput, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import type { ToolResult } from '@turnkeeper/core/session/context';
import type { Adapter } from './adapter.ts';
import { inWords, toFilePart } from './translate-media.ts';
import { wellFormed } from './well-formed.ts';

type Shown = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number];

const toShown = (block: OutputBlock, { kinds, urls }: Adapter['toolResultMedia']): Shown => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text.toWellFormed() };
    case 'data':
      return { type: 'text', text: JSON.stringify(wellFormed(block.data)) };
    case 'image':
    case 'audio':
    case 'video': {
      const part = toFilePart(block);
      return kinds.includes(block.type) && (urls || part.data.type === 'data') ? part : { type: 'text', text: inWords(block) };
    }
  }
};

const toOutput = (result: ToolResult, media: Adapter['toolResultMedia']): LanguageModelV4ToolResultOutput => {
  // An error is text to every provider: none takes media in one.
  const shown = result.output.map((block) => toShown(block, result.isError ? { kinds: [], urls: false } : media));
  if (shown.some((part) => part.type !== 'text')) return { type: 'content', value: shown };
  const text = shown.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : [])).join('\n') || '(no output)';
  return result.isError ? { type: 'error-text', value: text } : { type: 'text', value: text };
};

export const translateToolResult = (result: ToolResult, media: Adapter['toolResultMedia']): LanguageModelV4ToolResultPart => ({
  type: 'tool-result',
  toolCallId: result.callId,
  toolName: result.name,
  output: toOutput(result, media),
});
