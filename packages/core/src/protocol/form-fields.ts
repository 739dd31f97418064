/**
 * The fields of a form, as those who show it need them: read from its flat JSON Schema.
 *
 * F7 What a form's schema says beyond these fields is for the server to hold answers to: whoever shows a form refuses nothing that
 *    the server would take.
 */
import type { Json, JsonObject } from './json.ts';

export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly required: boolean;
  /** `choice`: one of `options`; `list`: several of them, or, without any, several texts. */
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'list';
  /** The HTML input that fits a text best. */
  readonly format?: string;
  readonly options: readonly (string | number)[];
  /** What people read in place of an option, where the form says so. */
  readonly optionLabels?: { readonly [option: string]: string };
  /** What stands there before anything is typed. */
  readonly initial?: Json;
};

/** What people read for an option. */
export const labelOf = ({ optionLabels }: FormField, option: string | number): string => optionLabels?.[option] ?? String(option);

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
const optionsOf = (value: unknown): readonly (string | number)[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string' || typeof each === 'number') : [];
const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' && value !== '' ? value : otherwise);

/** `oneOf: [{const, title}]`, beside the options. */
const labelsOf = ({ oneOf }: JsonObject): { readonly [option: string]: string } | undefined => {
  if (!Array.isArray(oneOf)) return undefined;
  const named = oneOf.flatMap((each) => (isObject(each) && typeof each['title'] === 'string' ? [[String(each['const']), each['title']]] : []));
  return named.length === 0 ? undefined : (Object.fromEntries(named) as { readonly [option: string]: string });
};

const kindOf = (schema: JsonObject): FormField['kind'] => {
  if (schema['type'] === 'array') return 'list';
  if (optionsOf(schema['enum']).length > 0) return 'choice';
  if (schema['type'] === 'boolean') return 'boolean';
  return schema['type'] === 'number' || schema['type'] === 'integer' ? 'number' : 'text';
};

const fieldOf = (name: string, schema: JsonObject, required: boolean): FormField => {
  const items = isObject(schema['items']) ? schema['items'] : {};
  const choices = schema['type'] === 'array' ? items : schema;
  const optionLabels = labelsOf(choices);
  return {
    name,
    label: textOf(schema['title'], name),
    description: textOf(schema['description'], ''),
    required,
    kind: kindOf(schema),
    options: optionsOf(choices['enum']),
    ...(optionLabels ? { optionLabels } : {}),
    ...(typeof schema['format'] === 'string' ? { format: schema['format'] } : {}),
    ...(schema['default'] === undefined ? {} : { initial: schema['default'] }),
  };
};

/** In the order in which the form names them. */
export const formFields = ({ properties, required }: JsonObject): readonly FormField[] => {
  const wanted = Array.isArray(required) ? required : [];
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => (isObject(schema) ? [fieldOf(name, schema, wanted.includes(name))] : []));
};

const yes: ReadonlySet<string> = new Set(['true', 'yes', 'y']);
const no: ReadonlySet<string> = new Set(['false', 'no', 'n']);

const optionFor = ({ options }: FormField, text: string): string | number => options.find((option) => String(option) === text) ?? text;

const partsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/**
 * What somebody typed for a field, or chose of its options, as its value; undefined where it is none. An empty text is for the
 * caller to read. Only what was typed is split at commas: an option may hold some.
 */
export const typedValue = (field: FormField, typed: string | readonly string[]): Json | undefined => {
  if (typeof typed !== 'string') return field.kind === 'list' ? typed.map((each) => optionFor(field, each)) : undefined;
  const text = typed.trim();
  switch (field.kind) {
    case 'text':
      return typed;
    case 'number':
      return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean':
      if (yes.has(text.toLowerCase())) return true;
      return no.has(text.toLowerCase()) ? false : undefined;
    case 'choice':
      return optionFor(field, text);
    case 'list':
      return partsOf(text).map((part) => optionFor(field, part));
  }
};
