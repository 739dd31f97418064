/**
 * Values that cannot be kept as they are: refused where they come in (requests, arguments written by models), so that
 * nothing behind meets them.
 *
 * F2 Member names are looked at as parsed, never in the text: `"\u005f_proto__"` is the same name as `"__proto__"`.
 *    Assigning such a member to another object would change its prototype.
 * F3 No more than `limits.jsonNodes` values are looked at: what has more is refused before anything dearer sees it.
 *
 * NUL cannot be stored as text by PostgreSQL; half of a surrogate pair is no character and would be stored as another
 * one; a number beyond the range of JSON's readers becomes `null`; endless nesting costs the stack.
 */
import { limits } from './wire/limits.ts';

export type Fault = { readonly pointer: string; readonly detail: string };

/** Enough to find the mistake; a body may hold thousands of faults. */
export const mostFaults = 50;

export const tooManyValues: Fault = { pointer: '', detail: `must not hold more than ${limits.jsonNodes} values in all` };

/** Names may be megabytes long, and every fault below one repeats it. */
const longestPointer = 1_000;

export const pointerOf = (path: readonly PropertyKey[]): string => {
  let pointer = '';
  for (const part of path) {
    pointer += `/${String(part).slice(0, longestPointer).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (pointer.length > longestPointer) return `${pointer.slice(0, longestPointer).toWellFormed()}…`;
  }
  return pointer;
};

const textFault = (text: string): string | undefined => {
  if (text.includes('\0')) return 'must not contain the character U+0000';
  return text.isWellFormed() ? undefined : 'must not contain half of a surrogate pair';
};

const nameFault = (name: string): string | undefined => (name === '__proto__' ? 'must not be __proto__' : textFault(name));

type Look = { readonly faults: Fault[]; nodes: number };

const isOver = ({ faults, nodes }: Look): boolean => faults.length >= mostFaults || nodes > limits.jsonNodes;

const walk = (value: unknown, path: PropertyKey[], look: Look): void => {
  const { faults } = look;
  look.nodes += 1;
  if (isOver(look)) return;
  if (typeof value === 'string') {
    const detail = textFault(value);
    if (detail !== undefined) faults.push({ pointer: pointerOf(path), detail });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) faults.push({ pointer: pointerOf(path), detail: 'must be a number within the range of a double' });
  } else if (typeof value === 'object' && value !== null) {
    if (path.length >= limits.jsonDepth) faults.push({ pointer: pointerOf(path), detail: `must not be nested more than ${limits.jsonDepth} deep` });
    else walkMembers(value, path, look);
  }
};

const walkMembers = (value: object, path: PropertyKey[], look: Look): void => {
  const isList = Array.isArray(value);
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const detail = typeof key === 'string' ? nameFault(key) : undefined;
    if (detail !== undefined) look.faults.push({ pointer: pointerOf(path), detail: `a member's name ${detail}` });
    path.push(key);
    walk((value as Record<PropertyKey, unknown>)[key], path, look);
    path.pop();
    if (isOver(look)) return;
  }
};

/** What of a value that came in cannot be kept, by JSON pointer; at most `mostFaults`. */
export const wireFaults = (value: unknown): readonly Fault[] => {
  const look: Look = { faults: [], nodes: 0 };
  walk(value, [], look);
  // Alone: of what was not looked at, nothing can be said.
  return look.nodes > limits.jsonNodes ? [tooManyValues] : look.faults;
};
