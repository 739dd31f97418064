/**
 * Schemas that may be used in the thread that serves everybody.
 *
 * Q4 A plain schema is short and flat, and has no keyword by which an input's value is looked at more than once, a schema is
 *    looked up, or a text is searched. It is used here for inputs only where its length times theirs is small: a fault may be
 *    found for each of its words at each of their values.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';

/** What compiles within milliseconds, whatever it holds. */
const longestPlain = 2_000;
const deepestPlain = 8;
/** Characters of the schema times characters of the input: some ten thousand faults at most. */
const mostWork = 200_000;

/** Those that are a number, a text or a name. */
const scalars = new Set(['type', 'title', 'description', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength']);
const bounds = new Set(['minItems', 'maxItems', 'minProperties', 'maxProperties', 'required', 'enum', 'const', 'default', 'examples', '$schema']);

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

const isPlain = (schema: unknown, depth: number): boolean => {
  if (typeof schema === 'boolean') return true;
  if (!isObject(schema) || depth >= deepestPlain) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    if (keyword === 'properties') return isObject(value) && Object.values(value).every((member) => isPlain(member, depth + 1));
    if (keyword === 'items' || keyword === 'additionalProperties') return isPlain(value, depth + 1);
    return scalars.has(keyword) || bounds.has(keyword);
  });
};

/** `text`: the schema as JSON. */
export const isPlainSchema = (schema: JsonObject, text: string): boolean => text.length <= longestPlain && isPlain(schema, 0);

/** Both as JSON. */
export const isLittleWork = (schema: string, input: string): boolean => schema.length * input.length <= mostWork;
