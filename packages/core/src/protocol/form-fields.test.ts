import { expect, test } from 'vitest';
import { type DescribedForm, fieldsIn, formFields, formLabels, formParts, typedValue } from './form-fields.ts';

const schema = {
  type: 'object',
  required: ['city'],
  properties: {
    city: { type: 'string', title: 'City', description: 'Where to', format: 'email' },
    days: { type: 'integer', default: 3 },
    sure: { type: 'boolean' },
    class: { type: 'number', enum: [1, 2] },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    odd: 'no schema',
  },
};
const fields = formFields(schema);
const field = (name: string) => fields.find((each) => each.name === name) as (typeof fields)[number];

test('F7 fields come in their order, each with what is needed to show it', () => {
  expect(fields.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['city text', 'days number', 'sure boolean', 'class choice', 'tags list']);
  expect(field('city')).toEqual({ name: 'city', label: 'City', description: 'Where to', required: true, kind: 'text', options: [], format: 'email' });
  expect(field('days')).toMatchObject({ label: 'days', required: false, initial: 3 });
  expect(field('tags').options).toEqual(['a', 'b']);
  expect(formFields({})).toEqual([]);
});

test('what is typed is read by the kind of its field', () => {
  expect(typedValue(field('city'), ' Rome ')).toBe(' Rome ');
  expect([typedValue(field('days'), ' 0.5 '), typedValue(field('days'), ''), typedValue(field('days'), 'two')]).toEqual([0.5, undefined, undefined]);
  expect(['Yes', 'false', 'perhaps'].map((text) => typedValue(field('sure'), text))).toEqual([true, false, undefined]);
  expect([typedValue(field('class'), '2'), typedValue(field('class'), '3')]).toEqual([2, '3']);
  expect(typedValue(field('tags'), 'a, b,')).toEqual(['a', 'b']);
});

const described: DescribedForm = {
  schema: {
    required: ['key'],
    properties: { key: { type: 'string', title: 'Key', format: 'password' }, note: { type: 'string', title: 'Note' }, sure: { type: 'boolean' } },
  },
  fields: [
    { key: 'help', type: 'link', label: 'Where to find it', href: 'https://a.example/keys' },
    { key: 'note', type: 'textarea', label: 'Another label', required: true, placeholder: 'As much as you like', width: '1/2' },
    { key: 'key', type: 'password', label: 'Key', placeholder: 'sk-…', width: '1/3' },
    { key: 'unknown', type: 'text', label: 'Not in the schema' },
    { key: 'evil', type: 'link', label: 'Here', href: 'javascript:alert(1)' },
    { key: 'worse', type: 'link', label: 'Here', href: ' https:' },
  ],
};

test('F8 a mini-tool says how fields are shown, and where links lead; what may be given is the schema’s', () => {
  const parts = formParts(described);
  expect(parts).toEqual([
    { kind: 'link', name: 'help', label: 'Where to find it', description: '', href: 'https://a.example/keys' },
    { name: 'note', label: 'Note', description: '', required: false, kind: 'text', options: [], multiline: true, placeholder: 'As much as you like' },
    {
      name: 'key',
      label: 'Key',
      description: '',
      required: true,
      kind: 'text',
      options: [],
      format: 'password',
      secret: true,
      placeholder: 'sk-…',
      width: '1/3',
    },
    { name: 'sure', label: 'sure', description: '', required: false, kind: 'boolean', options: [] },
  ]);
  expect(fieldsIn(parts).map(({ name }) => name)).toEqual(['note', 'key', 'sure']);
  // Without a description it is the schema alone, in its order.
  expect(formParts({ schema: described.schema })).toEqual(formFields(described.schema));
});

test('labels of a form’s buttons are those of its mini-tool, where it has some', () => {
  expect(formLabels({ schema: {}, submit_label: ' Connect ', cancel_label: ' ' })).toEqual({ submit: 'Connect', cancel: undefined });
});
