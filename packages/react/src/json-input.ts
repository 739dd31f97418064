/** What is written for a target that takes JSON: a whole text that is a JSON object is the turn's input, any other text stays a message. */
import type { Json } from '@turnkeeper/core/protocol/json';
import { jsonFault } from './json-fault.ts';
import type { SentFile } from './outbox.ts';

export type Written =
  | { readonly kind: 'message' }
  | { readonly kind: 'input'; readonly value: { readonly [name: string]: Json } }
  /** It begins as an object and is none: sent as it is, it would be a message that nobody meant. */
  | { readonly kind: 'fault'; readonly line: number; readonly column: number };

/** A message with files is one, whatever its text. */
export const writtenIn = (text: string, files: readonly SentFile[] = []): Written => {
  if (files.length > 0 || !looksLikeInput(text)) return { kind: 'message' };
  try {
    return { kind: 'input', value: JSON.parse(text) as { readonly [name: string]: Json } };
  } catch {
    return { kind: 'fault', ...(jsonFault(text) ?? { line: 1, column: 1 }) };
  }
};

export const looksLikeInput = (text: string): boolean => text.trimStart().startsWith('{');
