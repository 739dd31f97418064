/**
 * The fields of a form, as those who show it need them: read from its flat JSON Schema, and from what a mini-tool said of them beside it.
 *
 * F7 What a form's schema says beyond these fields is for the server to hold answers to: whoever shows a form refuses nothing that
 *    the server would take.
 *
 * F8 What stands beside the schema changes how a field is shown and never what may be given for it: names, kinds, options and what is
 *    required are the schema's. A link leads to http:// or https:// and nowhere else; any other is not there.
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
  /** It is nobody's to read over a shoulder: what is typed is not shown, nor what stands there at first. */
  readonly secret?: true;
  /** A text of several lines. */
  readonly multiline?: true;
  /** Shown where nothing is typed yet. */
  readonly placeholder?: string;
  /** The part of a row that it wants, where there is room; the whole one without it. */
  readonly width?: '1/2' | '1/3' | '2/3';
  readonly options: readonly (string | number)[];
  /** What people read in place of an option, where the form says so. */
  readonly optionLabels?: { readonly [option: string]: string };
  /** What stands there before anything is typed. */
  readonly initial?: Json;
};

/** It has no value: it leads somewhere, in a page of its own. */
export type FormLink = { readonly kind: 'link'; readonly name: string; readonly label: string; readonly description: string; readonly href: string };
/** What stands in a form, from its top to its end. */
export type FormPart = FormField | FormLink;

/** Of a form: what is asked, and how the mini-tool that asks described it. */
export type DescribedForm = {
  readonly schema: JsonObject;
  readonly submit_label?: string | undefined;
  readonly cancel_label?: string | undefined;
  readonly fields?: readonly JsonObject[] | undefined;
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
    ...(schema['format'] === 'password' ? { secret: true } : {}),
    ...(schema['default'] === undefined ? {} : { initial: schema['default'] }),
  };
};

/** In the order in which the form names them. */
export const formFields = ({ properties, required }: JsonObject): readonly FormField[] => {
  const wanted = Array.isArray(required) ? required : [];
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => (isObject(schema) ? [fieldOf(name, schema, wanted.includes(name))] : []));
};

const widths = ['1/2', '1/3', '2/3'] as const;

/** How its mini-tool wants a field to be shown; of what it says wrongly, nothing. */
const looksOf = (field: FormField, described: JsonObject): FormField => {
  const placeholder = textOf(described['placeholder'], '');
  const width = widths.find((each) => each === described['width']);
  return {
    ...field,
    ...(described['secret'] === true || described['type'] === 'password' ? { secret: true } : {}),
    ...(described['type'] === 'textarea' && field.kind === 'text' ? { multiline: true } : {}),
    ...(placeholder === '' ? {} : { placeholder }),
    ...(width === undefined || described['type'] === 'textarea' ? {} : { width }),
  };
};

const isWebAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\/[^/\s]/i.test(value);

const linkOf = (described: JsonObject): FormLink | undefined => {
  const { key, href } = described;
  if (described['type'] !== 'link' || !isWebAddress(href)) return undefined;
  const name = textOf(key, href);
  return { kind: 'link', name, label: textOf(described['label'], href), description: textOf(described['description'], ''), href };
};

/** All that stands in a form, in the order in which it was described: its fields, and links between them (F8). */
export const formParts = ({ schema, fields: described = [] }: DescribedForm): readonly FormPart[] => {
  const fields = formFields(schema);
  const byName = new Map(fields.map((field) => [field.name, field]));
  const parts: FormPart[] = [];
  for (const each of Array.isArray(described) ? described.filter(isObject) : []) {
    const { key } = each;
    const field = typeof key === 'string' ? byName.get(key) : undefined;
    const part = field ? looksOf(field, each) : linkOf(each);
    if (part) parts.push(part);
    if (field) byName.delete(field.name);
  }
  return [...parts, ...byName.values()];
};

/** Those of the parts that are filled in. */
export const fieldsIn = (parts: readonly FormPart[]): readonly FormField[] => parts.filter((part) => part.kind !== 'link');

/** What its mini-tool wrote on the button that submits a form, and on the one that hands it back; undefined where that is up to who shows it. */
export const formLabels = ({ submit_label, cancel_label }: DescribedForm): { readonly submit: string | undefined; readonly cancel: string | undefined } => ({
  submit: textOf(submit_label?.trim(), '') || undefined,
  cancel: textOf(cancel_label?.trim(), '') || undefined,
});

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
