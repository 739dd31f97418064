/**
 * The form that a mini-tool describes, as people of any client can fill it in: a flat JSON Schema, with the mini-tool's own fields
 * beside it for those who show more.
 *
 * MQ1 What is not a form is refused with every fault by its place; nothing of it is shown then.
 * MQ2 A secret field has nothing in it at first: what its mini-tool would put there would be shown.
 */
import type { Json, JsonObject } from '@turnkeeper/core/protocol/json';
import { pointerOf } from '@turnkeeper/core/protocol/wire-faults';
import type { FormValues } from '@turnkeeper/minitool/protocol';
import { z } from 'zod';
import type { AskedForm } from '../../ports/tool.ts';
import { MinitoolFailure } from '../host-api.ts';

const mostFields = 40;
const mostOptions = 200;
const shortestMs = 1_000;

const option = z.object({ value: z.string().max(1_000), label: z.string().max(200) });
const field = z
  .object({
    key: z.string().min(1).max(100),
    label: z.string().max(400),
    type: z.enum(['text', 'password', 'textarea', 'number', 'select', 'multiselect', 'boolean', 'link']),
    placeholder: z.string().max(400).optional(),
    description: z.string().max(2_000).optional(),
    required: z.boolean().optional(),
    default: z.union([z.string().max(20_000), z.number(), z.boolean(), z.array(z.string().max(1_000)).max(mostOptions)]).optional(),
    options: z.array(option).min(1).max(mostOptions).optional(),
    secret: z.boolean().optional(),
    width: z.enum(['full', '1/2', '1/3', '2/3']).optional(),
    href: z
      .url({ protocol: /^https?$/, error: 'an http:// or https:// address' })
      .max(2_000)
      .optional(),
  })
  .refine(({ type, options }) => (type !== 'select' && type !== 'multiselect') || options !== undefined, { error: 'a choice wants options', path: ['options'] })
  .refine(({ type, href }) => type !== 'link' || href !== undefined, { error: 'a link wants an address', path: ['href'] });

const haveOwnKeys = (fields: readonly { readonly key: string }[]): boolean => new Set(fields.map(({ key }) => key)).size === fields.length;
const spec = z.object({
  title: z.string().min(1).max(200),
  description: z.string().max(4_000).optional(),
  submitLabel: z.string().max(100).optional(),
  cancelLabel: z.string().max(100).optional(),
  fields: z.array(field).max(mostFields).refine(haveOwnKeys, { error: 'keys must differ' }),
  timeoutMs: z.number().optional(),
});

export type FormField = z.infer<typeof field>;

const isSecret = ({ type, secret }: FormField): boolean => secret === true || type === 'password';

/** What holds the value of each kind of field. A text that must be filled in is not empty. */
const valueSchema = ({ type, required, options = [] }: FormField): JsonObject => {
  const choices = { enum: options.map(({ value }) => value), oneOf: options.map(({ value, label }) => ({ const: value, title: label })) };
  switch (type) {
    case 'number':
      return { type: 'number' };
    case 'boolean':
      return { type: 'boolean' };
    case 'select':
      return { type: 'string', ...choices };
    case 'multiselect':
      return { type: 'array', items: { type: 'string', ...choices }, uniqueItems: true, ...(required ? { minItems: 1 } : {}) };
    case 'text':
    case 'password':
    case 'textarea':
    case 'link':
      return { type: 'string', maxLength: 20_000, ...(required ? { minLength: 1 } : {}) };
  }
};

const fieldSchema = (each: FormField): JsonObject => ({
  ...valueSchema(each),
  title: each.label,
  ...(each.description === undefined ? {} : { description: each.description }),
  ...(each.default === undefined ? {} : { default: each.default as Json }),
  ...(isSecret(each) ? { format: 'password', writeOnly: true } : {}),
});

const withoutDefault = ({ default: _, ...rest }: FormField): FormField => rest;

/** The form, and its fields. Throws `invalid_argument` (MQ1). */
export const formOf = (described: unknown): AskedForm & { readonly fields: readonly FormField[] } => {
  const parsed = spec.safeParse(described);
  if (!parsed.success) {
    const faults = parsed.error.issues.slice(0, 10).map(({ path, message }) => `${pointerOf(path) || 'the form'}: ${message}`);
    throw new MinitoolFailure('invalid_argument', `This is no form: ${faults.join('; ')}`);
  }
  const { title, description, submitLabel, cancelLabel, timeoutMs } = parsed.data;
  const fields = parsed.data.fields.map((each) => (isSecret(each) ? withoutDefault(each) : each));
  const filled = fields.filter(({ type }) => type !== 'link');
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(filled.map((each) => [each.key, fieldSchema(each)])),
    required: filled.filter(({ required }) => required).map(({ key }) => key),
    additionalProperties: false,
  };
  return {
    form: {
      title,
      ...(description === undefined ? {} : { description }),
      schema,
      ...(submitLabel === undefined ? {} : { submit_label: submitLabel }),
      ...(cancelLabel === undefined ? {} : { cancel_label: cancelLabel }),
      fields: fields as unknown as readonly JsonObject[],
    },
    fields,
    ...(timeoutMs === undefined ? {} : { timeoutMs: Math.max(shortestMs, timeoutMs) }),
  };
};

/** What was filled in, as a mini-tool is given it: of a choice of several there is a list in any case. */
export const valuesOf = (fields: readonly FormField[], values: JsonObject): FormValues => ({
  ...Object.fromEntries(fields.filter(({ type }) => type === 'multiselect').map(({ key }) => [key, []])),
  ...(values as FormValues),
});
