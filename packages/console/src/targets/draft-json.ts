/** JSON that somebody writes, and where its faults are. */
import { parseArguments } from '../actions/parse-arguments.ts';
import type { Fault } from '../ui/use-act.ts';

export type Draft = { readonly value: { readonly [member: string]: unknown } | undefined; readonly line?: number; readonly column?: number };

export const readDraft = (text: string): Draft => {
  const parsed = parseArguments(text);
  switch (parsed.kind) {
    case 'arguments':
      return { value: parsed.value };
    case 'not_an_object':
      return { value: undefined };
    case 'not_json':
      return { value: undefined, line: parsed.line, column: parsed.column };
  }
};

/** The line on which what a pointer names begins, in text as `JSON.stringify(value, null, 2)` writes it; undefined where it is not there. */
export const lineOf = (text: string, pointer: string): number | undefined => {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const mark = '\u0001here';
  const marked = markAt(value, parts, mark);
  if (marked === undefined) return undefined;
  const before = JSON.stringify(marked, null, 2).split(JSON.stringify(mark))[0] ?? '';
  return JSON.stringify(value, null, 2) === text ? before.split('\n').length : undefined;
};

const markAt = (value: unknown, [part, ...rest]: readonly string[], mark: string): unknown => {
  if (part === undefined) return mark;
  if (Array.isArray(value))
    return value[Number(part)] === undefined ? undefined : value.map((entry, at) => (at === Number(part) ? (markAt(entry, rest, mark) ?? mark) : entry));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, name === part ? (markAt(entry, rest, mark) ?? mark) : entry]));
};

/** Faults of a request, of which the JSON is a part below `prefix`: by their places in the JSON. */
export const faultsWithin = (faults: readonly Fault[], prefix: string): readonly Fault[] =>
  faults.map(({ pointer, detail }) => ({ pointer: pointer.startsWith(prefix) ? pointer.slice(prefix.length) : pointer, detail }));
