import type { InputBlock, ItemBlock } from '@turnkeeper/core/protocol/content';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { Sent } from '@turnkeeper/react/outbox';

/** A structured value is written again as it is shown: as JSON. */
const writtenOf = (content: readonly (InputBlock | ItemBlock)[]): string => {
  const [only, ...more] = content;
  return only?.type === 'data' && more.length === 0 ? JSON.stringify(only.data, null, 2) : textOf(content);
};

/** What of a message can be written again: its text, and those of its files that are files of the session. */
export const saidAgain = (content: readonly (InputBlock | ItemBlock)[]): Pick<Sent, 'text' | 'files'> => ({
  text: writtenOf(content),
  files: content.flatMap((block) => (block.type === 'file' ? [{ fileId: block.file_id, name: nameOfBlock(block) ?? block.file_id }] : [])),
});

/** What a block that is no text is called, where that is known. */
export const nameOfBlock = (block: InputBlock | ItemBlock): string | undefined => ('name' in block && typeof block.name === 'string' ? block.name : undefined);
