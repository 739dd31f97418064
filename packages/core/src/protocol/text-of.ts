/** Apart from content.ts, whose schemas bring a validator along: pages show texts, and check none. */
import type { TextBlock } from './content.ts';

/** The text of a message, its blocks joined; other blocks are left out. */
export const textOf = (blocks: readonly { readonly type: string }[]): string =>
  blocks
    .filter((block): block is TextBlock => block.type === 'text')
    .map((block) => block.text)
    .join('');
