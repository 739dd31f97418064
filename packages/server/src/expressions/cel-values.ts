/**
 * JSON as CEL sees it, and back.
 *
 * A number of JSON that is whole is an int, any other a double. Objects become maps, whose members are looked up as data: none of them can
 * be taken for one of JavaScript's own (`constructor`, `__proto__`).
 */
import type { Json } from '@turnkeeper/core/protocol/json';
import { limits } from '@turnkeeper/core/protocol/wire/limits';

export type CelValue = null | boolean | bigint | number | string | readonly CelValue[] | ReadonlyMap<string, CelValue>;

/** What was brought in before: the outputs of steps are the same objects for every expression that looks at them. */
const known = new WeakMap<object, CelValue>();
/** How many values something holds, itself included, each as often as it is reached. */
const weights = new WeakMap<object, number>();

export const toCel = (value: Json): CelValue => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const made: CelValue = Array.isArray(value)
    ? (value as readonly Json[]).map(toCel)
    : new Map(Object.entries(value as { readonly [key: string]: Json }).map(([name, member]) => [name, toCel(member)]));
  known.set(value, made);
  return made;
};

const membersOf = (value: object): Iterable<unknown> => (Array.isArray(value) ? value : value instanceof Map ? value.values() : Object.values(value));

export const weightOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  const before = weights.get(value);
  if (before !== undefined) return before;
  if (value instanceof Uint8Array) return 1 + (value.length >> 2);
  let weight = 1;
  for (const member of membersOf(value)) weight += weightOf(member);
  weights.set(value, weight);
  return weight;
};

/** What an expression gave cannot be told as JSON. */
export class NoJson extends Error {
  override readonly name = 'NoJson';
}

type Room = { left: number };

/** Ints and doubles become numbers, times RFC 3339 text, durations text as `90s`, bytes base64. */
export const fromCel = (value: unknown, room: Room = { left: limits.jsonNodes }, depth = 0): Json => {
  room.left -= 1;
  if (room.left < 0) throw new NoJson(`it gives more than ${limits.jsonNodes} values`);
  if (depth > limits.jsonDepth) throw new NoJson(`it gives what is nested more than ${limits.jsonDepth} deep`);
  switch (typeof value) {
    case 'string':
      return keptText(value);
    case 'boolean':
      return value;
    case 'bigint':
      return wholeNumber(value);
    case 'number':
      if (!Number.isFinite(value)) throw new NoJson(`it gives ${value}, which is no number of JSON`);
      return value;
    case 'object':
      return value === null ? null : fromObject(value, room, depth);
    default:
      throw new NoJson('it gives something that is no JSON');
  }
};

const wholeNumber = (value: bigint): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new NoJson(`it gives ${value}, which is too large to be told exactly`);
  return number;
};

const fromObject = (value: object, room: Room, depth: number): Json => {
  if (Array.isArray(value)) return value.map((member) => fromCel(member, room, depth + 1));
  if (value instanceof Map || Object.getPrototypeOf(value) === Object.prototype) {
    const entries: Iterable<readonly [unknown, unknown]> = value instanceof Map ? value : Object.entries(value);
    return Object.fromEntries([...entries].map(([name, member]) => [memberName(name), fromCel(member, room, depth + 1)]));
  }
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  const plain: unknown = value.valueOf();
  // What is left of CEL's own types: an unsigned int is worth a bigint; a duration a number, and is told as text.
  if (typeof plain === 'bigint') return wholeNumber(plain);
  if (typeof plain === 'number') return String(value);
  throw new NoJson('it gives a type, which is no JSON');
};

/** As what comes in is held to (core F2): half of a character, which is left of one that was cut, becomes what stands for none. */
const keptText = (text: string): string => {
  if (text.includes('\0')) throw new NoJson('it gives a text with the character U+0000');
  return text.toWellFormed();
};

const memberName = (name: unknown): string => {
  const text = keptText(String(name));
  if (text === '__proto__') throw new NoJson('a member’s name must not be __proto__');
  return text;
};
