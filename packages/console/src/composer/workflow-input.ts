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

/** How an expression gives away what a name stands for: tried in this order, in the spec as JSON. `~` is the name. */
const uses: readonly (readonly [pattern: string, example: string])[] = [
  ['"at":"~"', '"2030-01-31T09:00:00Z"'],
  [String.raw`"items":"~"|~\.(all|exists|exists_one|map|filter)\(`, '["…"]'],
  [String.raw`"durationSeconds":"~"|~ ?([<>]=?|[-*/%]) ?[^'\"]|[\w)] ?([<>]=?|[-*/%]) ?~|~ ?[=!]= ?-?\d|\d ?[=!]= ?~`, '1'],
  [String.raw`(&&|\|\||!) ?~(?! ?[=!<>.+\w])|"condition":"~"|~ ?(&&|\|\||\?)|~ ?[=!]= ?(true|false)`, 'true'],
];

const exampleOfName = (name: string, spec: string): string => {
  const read = String.raw`run\.input\.${name}\b`;
  return uses.find(([pattern]) => new RegExp(pattern.replaceAll('~', read)).test(spec))?.[1] ?? '"…"';
};

/** An input to go by: the names that a workflow's expressions read of it. Undefined where a plain message is all that is read. */
export const exampleFor = (spec: unknown): string | undefined => {
  const text = JSON.stringify(spec ?? {});
  const read = [...new Set([...text.matchAll(/\brun\.input\.([A-Za-z_]\w*)/g)].map(([, name]) => name ?? ''))].slice(0, mostNames);
  if (read.every((name) => name === 'message')) return undefined;
  return `{${read.map((name) => `${JSON.stringify(name)}: ${exampleOfName(name, text)}`).join(', ')}}`;
};
