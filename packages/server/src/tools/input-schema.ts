/**
 * JSON Schemas that users wrote: do they compile, and what do arguments have that they refuse. What is done here may take
 * as long as a schema likes: who asks, and where, is `schema-checker.ts`.
 *
 * Q1 Whatever pattern a schema holds, matching takes time linear in the text: patterns run on RE2.
 * Q2 Nothing outside of a schema is ever read: a `$ref` leads within it, or it does not compile.
 * Q3 Compiled schemas are kept, at most `mostKept`; each in a compiler of its own, so that no `$id` of one meets another's.
 */
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import type { Fault } from '@turnkeeper/core/protocol/wire-faults';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { RE2JS } from 're2js';

const mostKept = 500;
const longestSchema = 128 * 1024;
/** Enough for a model to correct itself by. */
const mostFaults = 10;

type Compiled = { readonly validate: ValidateFunction } | { readonly faults: readonly string[] };

const linearPattern = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    return { test: (text: string): boolean => compiled.matcher(text).find() };
  },
  // Only where validators are written out as source text.
  { code: 'unused' },
);

const options: Options = {
  strict: false,
  allErrors: true,
  logger: false,
  addUsedSchema: false,
  code: { regExp: linearPattern },
};

const metaSchema = new Ajv2020(options);

const describe = ({ instancePath, keyword, message, params }: ErrorObject): Fault => {
  const member =
    keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
      ? ` (${JSON.stringify(params['additionalProperty'] ?? params['unevaluatedProperty'])})`
      : '';
  const choices = keyword === 'enum' ? `: ${JSON.stringify(params['allowedValues']).slice(0, 200)}` : '';
  return { pointer: instancePath, detail: `${message ?? 'does not fit'}${member}${choices}` };
};

/** A fault as one text. */
export const faultText = ({ pointer, detail }: Fault): string => `${pointer || 'the object'}: ${detail}`;

const described = (errors: readonly ErrorObject[] | null | undefined): readonly Fault[] => {
  const all = [...new Map((errors ?? []).map(describe).map((fault) => [faultText(fault), fault])).values()];
  return all.length <= mostFaults ? all : [...all.slice(0, mostFaults), { pointer: '', detail: `and ${all.length - mostFaults} more faults` }];
};

const compile = (schema: JsonObject, text: string): Compiled => {
  if (text.length > longestSchema) return { faults: [`the schema is longer than ${longestSchema} characters`] };
  // Older dialects are read as 2020-12, as models and providers do.
  const { $schema: _, ...plain } = schema;
  try {
    if (!metaSchema.validateSchema(plain)) return { faults: described(metaSchema.errors).map(faultText) };
    // Known to itself: `$ref: "#"` leads to the whole of it.
    const compiler = new Ajv2020({ ...options, addUsedSchema: true, meta: false, validateSchema: false });
    formats.default(compiler);
    return { validate: compiler.compile(plain) };
  } catch (error) {
    return { faults: [error instanceof Error ? error.message : 'the schema does not compile'] };
  }
};

const kept = new Map<string, Compiled>();

const compiledOf = (text: string): Compiled => {
  const found = kept.get(text) ?? compile(JSON.parse(text) as JsonObject, text);
  // Moved to the end: the first is the one that was not used for the longest time.
  kept.delete(text);
  kept.set(text, found);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return found;
};

/** Why a JSON Schema (2020-12), given as its text, cannot be used; none = it can. */
export const schemaFaults = (schema: string): readonly string[] => {
  const compiled = compiledOf(schema);
  return 'faults' in compiled ? compiled.faults : [];
};

/** What of a call's arguments the tool's schema refuses. A schema that does not compile refuses nothing. */
export const inputFaults = (schema: string, input: Json): readonly Fault[] => {
  const compiled = compiledOf(schema);
  try {
    if ('faults' in compiled || compiled.validate(input)) return [];
  } catch (error) {
    // Endless recursion, most of all: what was not looked at to its end does not fit.
    return [{ pointer: '', detail: `cannot be checked: ${error instanceof Error ? error.message : 'the schema fails'}` }];
  }
  return described(compiled.validate.errors);
};
