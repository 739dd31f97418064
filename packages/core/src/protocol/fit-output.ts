/**
 * What a tool or an application gives back, held to the size that events and the context may have.
 *
 * F2 Nothing is left out silently: what was cut or left out says so, and how large it was.
 */
import { cutText, type OutputBlock } from './content.ts';
import { limits } from './wire/limits.ts';

/** Bytes of a text in UTF-8. */
export const utf8Bytes = (text: string): number => {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Each half of a surrogate pair counts two.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3;
  }
  return bytes;
};

const fitBlock = (block: OutputBlock): OutputBlock => {
  if (block.type === 'text') return { ...block, text: cutText(block.text, limits.toolOutputCharacters) };
  const bytes = utf8Bytes(JSON.stringify(block));
  if (bytes <= limits.toolOutputBlockBytes) return block;
  return { type: 'text', text: `[left out: a block of type ${block.type} with ${bytes} bytes; the limit is ${limits.toolOutputBlockBytes}]` };
};

export const fitOutput = (blocks: readonly OutputBlock[]): readonly OutputBlock[] => blocks.map(fitBlock);
