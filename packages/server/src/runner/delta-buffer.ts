/**
 * What streams and is not committed yet: joined while a commit is under way (semantics, section 5).
 */
import type { DeltaBlock } from '@turnkeeper/core/session/events';

export type Gathered = { readonly position: number; readonly content: readonly DeltaBlock[] };

export class DeltaBuffer {
  #blocks: DeltaBlock[] = [];
  /** Length of all that was put in, in UTF-16 units: the position of the next delta. */
  #length = 0;
  #taken = 0;
  #text = '';

  /** All text so far. */
  get text(): string {
    return this.#text;
  }

  get empty(): boolean {
    return this.#blocks.length === 0;
  }

  push(block: DeltaBlock): void {
    const piece = block.type === 'text' ? block.text : block.content;
    const last = this.#blocks.at(-1);
    if (block.type === 'text') this.#text += piece;
    this.#length += piece.length;
    if (last?.type === 'text' && block.type === 'text') this.#blocks[this.#blocks.length - 1] = { type: 'text', text: last.text + block.text };
    else if (last?.type === 'tool_use' && block.type === 'tool_use' && last.id === block.id)
      this.#blocks[this.#blocks.length - 1] = { ...last, content: last.content + block.content };
    else this.#blocks.push(block);
  }

  /** Takes what has gathered, with the position at which it begins. Taken once: who takes it must commit it. */
  take(): Gathered {
    const position = this.#taken;
    const content = this.#blocks;
    this.#blocks = [];
    this.#taken = this.#length;
    return { position, content };
  }
}
