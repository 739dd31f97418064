/**
 * What streams and is not committed yet: joined while a commit is under way (semantics, section 5).
 */
import type { DeltaBlock } from '@turnkeeper/core/session/events';
import { pieces } from './pieces.ts';

export type Gathered = { readonly position: number; readonly content: readonly DeltaBlock[] };

/** UTF-16 units of one delta event: below 64 KB of JSON even where each is escaped. */
const deltaUnits = 10_000;
/** What a block takes besides its text. */
const blockUnits = 20;

const textOf = (block: DeltaBlock): string => (block.type === 'text' ? block.text : block.content);
const withText = (block: DeltaBlock, piece: string): DeltaBlock => (block.type === 'text' ? { ...block, text: piece } : { ...block, content: piece });
/** In pieces that fit into one delta; the name of a call stands at the first. */
const split = (block: DeltaBlock): readonly DeltaBlock[] => {
  const [first = '', ...others] = pieces(textOf(block), deltaUnits - blockUnits);
  const unnamed: DeltaBlock = block.type === 'text' ? block : { type: 'tool_use', id: block.id, content: '' };
  return [withText(block, first), ...others.map((piece) => withText(unnamed, piece))];
};
const weight = (block: DeltaBlock): number => blockUnits + textOf(block).length + (block.type === 'text' ? 0 : block.id.length + (block.name?.length ?? 0));

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
    const piece = textOf(block);
    const last = this.#blocks.at(-1);
    if (block.type === 'text') this.#text += piece;
    this.#length += piece.length;
    const joins = last?.type === 'text' ? block.type === 'text' : last !== undefined && block.type === 'tool_use' && last.id === block.id;
    if (last && joins) this.#blocks[this.#blocks.length - 1] = withText(last, textOf(last) + piece);
    else this.#blocks.push(block);
  }

  /** Takes what has gathered, as deltas with the positions at which they begin. Taken once: who takes it must commit it. */
  take(): readonly Gathered[] {
    const deltas: { position: number; content: DeltaBlock[] }[] = [];
    let room = 0;
    for (const block of this.#blocks.flatMap(split)) {
      if (weight(block) > room) {
        deltas.push({ position: this.#taken, content: [] });
        room = deltaUnits;
      }
      deltas.at(-1)?.content.push(block);
      room -= weight(block);
      this.#taken += textOf(block).length;
    }
    this.#blocks = [];
    return deltas;
  }
}
