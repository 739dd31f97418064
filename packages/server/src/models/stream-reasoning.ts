/** The reasoning blocks of one answer, as their pieces come (R2 in translate-stream.ts). */
import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { ModelError, type ModelPart } from '../ports/model.ts';
import { mergeMetadata, toProviderData } from './provider-data.ts';

/** UTF-16 units of all reasoning of one answer: as much as its text may have. */
const longestReasoning = 1_000_000;

type OpenBlock = { readonly text: string; readonly metadata: SharedV4ProviderMetadata | undefined };

export type StreamReasoning = {
  /** One event of a block: its start, a piece, or what its end carries. */
  readonly add: (id: string, text: string, metadata: SharedV4ProviderMetadata | undefined) => void;
  readonly end: (id: string) => readonly ModelPart[];
  /** Ends the blocks that are still open. */
  readonly endAll: () => readonly ModelPart[];
};

export const createStreamReasoning = (metadataKey: string): StreamReasoning => {
  const open = new Map<string, OpenBlock>();
  let thought = 0;
  const end = (id: string): readonly ModelPart[] => {
    const block = open.get(id);
    open.delete(id);
    if (block === undefined) return [];
    // The key is there even without data: it says whose reasoning this is.
    const provider = toProviderData(block.metadata, metadataKey) ?? { [metadataKey]: {} };
    return [{ type: 'reasoning', text: block.text.toWellFormed(), provider }];
  };
  return {
    add: (id, text, metadata) => {
      thought += text.length;
      if (thought > longestReasoning) throw new ModelError("The model's reasoning is longer than 1,000,000 characters.", { retryable: false });
      const block = open.get(id);
      open.set(id, { text: (block?.text ?? '') + text, metadata: mergeMetadata(block?.metadata, metadata) });
    },
    end,
    endAll: () => [...open.keys()].flatMap(end),
  };
};
