/** What an MCP server gave back, as blocks of a tool's output. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import type { Json } from '@turnkeeper/core/protocol/json';
import { wireFaults } from '@turnkeeper/core/protocol/wire-faults';

/** Blocks of one result; a text counts as one with the texts that follow it. */
const mostBlocks = 50;

/** What can be kept of a text: NUL and halves of characters cannot (core F2). */
export const plainText = (value: string): string => value.toWellFormed().replaceAll('\0', '\ufffd');

const text = (value: string): OutputBlock => ({ type: 'text', text: plainText(value) });

/** What cannot be kept as it is, is named with why. */
const kept = (block: OutputBlock, what: string): OutputBlock => {
  const [unfit] = wireFaults(block);
  return unfit ? text(`[left out: ${what}: ${unfit.detail}]`) : block;
};

const media = (kind: 'image' | 'audio', mediaType: string, data: string): OutputBlock =>
  /^[A-Za-z0-9+/]*={0,2}$/.test(data)
    ? kept({ type: kind, source: { type: 'base64', media_type: mediaType || 'application/octet-stream', data } }, kind)
    : text(`[left out: ${kind} that is not base64]`);

const blockOf = (block: ContentBlock): OutputBlock => {
  switch (block.type) {
    case 'text':
      return text(block.text);
    case 'image':
    case 'audio':
      return media(block.type, block.mimeType, block.data);
    case 'resource_link':
      return text(`${block.name}: ${block.uri}`);
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return text(resource.text);
      const kind = /^(image|audio)\//.exec(resource.mimeType ?? '')?.[1] as 'image' | 'audio' | undefined;
      return kind ? media(kind, resource.mimeType ?? '', resource.blob) : text(`[left out: ${resource.uri}, ${resource.mimeType ?? 'of no named type'}]`);
    }
  }
};

/** Texts that follow each other are one. */
const joined = (blocks: readonly OutputBlock[]): readonly OutputBlock[] => {
  const result: OutputBlock[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (block.type === 'text' && last?.type === 'text') result[result.length - 1] = { type: 'text', text: `${last.text}\n${block.text}` };
    else result.push(block);
  }
  return result;
};

export const resultBlocks = ({ content = [], structuredContent }: CallToolResult): readonly OutputBlock[] => {
  const blocks = joined(content.map(blockOf));
  const hasText = blocks.some((block) => block.type === 'text' && block.text !== '');
  // By the protocol a server repeats structured content as text; one that does not is understood all the same.
  const structured = { type: 'data', data: structuredContent as Json } as OutputBlock;
  const all = structuredContent === undefined || hasText ? blocks : [...blocks, kept(structured, 'structured content')];
  if (all.length === 0) return [text('Done; the tool gave nothing back.')];
  return all.length <= mostBlocks ? all : [...all.slice(0, mostBlocks), text(`[left out: ${all.length - mostBlocks} more blocks]`)];
};
