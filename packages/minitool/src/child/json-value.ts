/** What of a value would be lost if it were written as JSON. */
import { pointerOf } from '@turnkeeper/core/protocol/wire-faults';
import { invalidArgument } from '../failure.ts';

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value) || 'toJSON' in value;
};

const lostAt = (value: unknown, path: PropertyKey[], above: readonly object[]): string | undefined => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${pointerOf(path)}: ${value} is no JSON number`;
  if (typeof value !== 'object') return `${pointerOf(path)}: a ${typeof value} is no JSON`;
  if (above.includes(value)) return `${pointerOf(path)}: it holds itself`;
  if (!isPlain(value)) return `${pointerOf(path)}: only plain objects and lists are kept as they are`;
  if ('toJSON' in value) return undefined;
  for (const [key, member] of Object.entries(value)) {
    // A member that is undefined is one that is not there.
    if (member === undefined && !Array.isArray(value)) continue;
    const lost = lostAt(member, [...path, key], [...above, value]);
    if (lost !== undefined) return lost;
  }
  return undefined;
};

/** The value as JSON would keep it; refused where something of it would be lost. */
export const jsonValue = (value: unknown, what: string): unknown => {
  const lost = lostAt(value, [], []);
  if (lost !== undefined) throw invalidArgument(`${what} must be JSON: ${lost.replace(/^: /, '')}`);
  return JSON.parse(JSON.stringify(value)) as unknown;
};
