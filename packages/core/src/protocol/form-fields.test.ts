import { expect, test } from 'vitest';
import { formFields, typedValue } from './form-fields.ts';

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
