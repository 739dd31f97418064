/**
 * Built-in tool: asks people to fill in a form. It is never run: what they fill in is its result.
 *
 * AF1 A form is flat: an object whose members are texts, numbers, yes or no, or a choice of several. Whoever shows it needs to
 *     know no more of JSON Schema than this.
 */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { Form } from '@turnkeeper/core/session/events';
import type { Tool } from '../ports/tool.ts';

const mostFields = 40;
const mostChoices = 100;

const choices = { type: 'array', minItems: 1, maxItems: mostChoices, items: { type: ['string', 'number'] } } as const;
const field = {
  type: 'object',
  properties: {
    type: { enum: ['string', 'number', 'integer', 'boolean', 'array'] },
    title: { type: 'string', maxLength: 200 },
    description: { type: 'string', maxLength: 1_000 },
    enum: { ...choices, description: 'To choose one from.' },
    default: { type: ['string', 'number', 'boolean', 'array'] },
    format: { enum: ['email', 'uri', 'date', 'date-time'] },
    minLength: { type: 'integer', minimum: 0 },
    maxLength: { type: 'integer', minimum: 0 },
    minimum: { type: 'number' },
    maximum: { type: 'number' },
    items: {
      type: 'object',
      properties: { type: { const: 'string' }, enum: choices },
      required: ['enum'],
      additionalProperties: false,
      description: 'Of an array: to choose several from.',
    },
    minItems: { type: 'integer', minimum: 0 },
    maxItems: { type: 'integer', minimum: 0 },
  },
  required: ['type'],
  additionalProperties: false,
} as const;

const inputSchema: JsonObject = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 200, description: 'What the form is for.' },
    description: { type: 'string', maxLength: 4_000, description: 'What whoever fills it in should know.' },
    schema: {
      type: 'object',
      description: 'A flat JSON Schema: an object whose properties are the fields.',
      properties: {
        type: { const: 'object' },
        properties: { type: 'object', minProperties: 1, maxProperties: mostFields, additionalProperties: field },
        required: { type: 'array', items: { type: 'string' } },
        additionalProperties: { const: false },
      },
      required: ['properties'],
      additionalProperties: false,
    },
  },
  required: ['title', 'schema'],
  additionalProperties: false,
};

/** An array without choices holds texts. */
const fieldOf = (from: JsonObject): JsonObject => (from['type'] === 'array' && from['items'] === undefined ? { ...from, items: { type: 'string' } } : from);

/** The form that a call with these arguments asks people to fill in. Throws what is wrong with them. */
const formOf = (input: JsonObject): Form => {
  const { title, description, schema } = input as { readonly title: string; readonly description?: string; readonly schema: JsonObject };
  const properties = schema['properties'] as Readonly<Record<string, JsonObject>>;
  const required = (schema['required'] ?? []) as readonly string[];
  const missing = required.filter((name) => !Object.hasOwn(properties, name));
  if (missing.length > 0) throw new Error(`\`required\` names fields that the form does not have: ${missing.slice(0, 5).join(', ')}.`);
  const fields = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, fieldOf(each)]));
  return {
    title,
    ...(description === undefined ? {} : { description }),
    schema: { type: 'object', properties: fields, required, additionalProperties: false },
  };
};

export const createAskFormTool = (): Tool => ({
  spec: { name: 'ask_form', description: 'Asks the user to fill in a form, and waits for it.', inputSchema },
  replaySafe: true,
  readOnly: true,
  timeoutMs: 5_000,
  inquiry: (input) => ({ kind: 'form', form: formOf(input) }),
  run: () => Promise.reject(new Error('A form is not filled in by running this tool.')),
});
