/** What a target that takes JSON is given by hand, as `workflow run --input` gives it. */
import type { Json } from '@turnkeeper/core/protocol/json';
import { writtenIn } from '@turnkeeper/react/json-input';
import type { Sent } from '@turnkeeper/react/outbox';

/** Undefined: the text is no input, and stays a message, which a workflow is given as `{message}`. */
export const inputIn = (text: string): { readonly [name: string]: Json } | undefined => {
  const written = writtenIn(text);
  return written.kind === 'input' ? written.value : undefined;
};

export const withInput = (sent: Sent): Sent => {
  const written = writtenIn(sent.text, sent.files);
  return written.kind === 'input' ? { ...sent, input: written.value } : sent;
};

const mostNames = 6;

/** The names that the expressions of a workflow's spec read of its input, in the order in which they stand there. */
export const inputNames = (spec: unknown): readonly string[] => {
  const read = JSON.stringify(spec ?? {}).matchAll(/\brun\.input\.([A-Za-z_]\w*)/g);
  return [...new Set([...read].map(([, name]) => name ?? ''))].slice(0, mostNames);
};

/** An input to go by; undefined where a plain message is all that is read. */
export const exampleOf = (names: readonly string[]): string | undefined => {
  if (names.length === 0 || names.every((name) => name === 'message')) return undefined;
  return `{${names.map((name) => `${JSON.stringify(name)}: "…"`).join(', ')}}`;
};
