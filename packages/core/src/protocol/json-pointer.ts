/**
 * JSON pointers (RFC 6901): a place in a JSON value.
 *
 * F6 A pointer leads to what the value holds itself, never to what its prototype does: `/constructor` is nowhere.
 */
import type { Json } from './json.ts';

/** `""` is the whole value; `~` stands only before `0` or `1`. */
export const isPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);

const isIndex = (part: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(part);

const memberOf = (value: Json, part: string): Json | undefined => {
  if (Array.isArray(value)) return isIndex(part) ? (value as readonly Json[])[Number(part)] : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
  return (value as { readonly [name: string]: Json })[part];
};

/** What stands at a sound pointer; undefined where nothing does. */
export const valueAt = (value: Json, pointer: string): Json | undefined => {
  let found: Json | undefined = value;
  for (const part of pointer.split('/').slice(1)) {
    if (found === undefined) return undefined;
    found = memberOf(found, part.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return found;
};
