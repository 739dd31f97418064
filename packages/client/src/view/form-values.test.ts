import { formFields } from '@turnkeeper/core/protocol/form-fields';
import { expect, test } from 'vitest';
import { firstDraft, valuesOf } from './form-values.ts';

const fields = formFields({
  required: ['city'],
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', default: 3 },
    sure: { type: 'boolean' },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] },
  },
});

test('a form is whole when what it requires is there and all that is there is of its kind', () => {
  expect(valuesOf(fields, {})).toBeUndefined();
  expect(valuesOf(fields, { city: 'Rome' })).toEqual({ city: 'Rome', days: 3, tags: ['b'] });
  expect(valuesOf(fields, { city: 'Rome', days: 'x' })).toBeUndefined();
  expect(valuesOf(fields, { city: 'Rome', days: '', sure: 'false', tags: [] })).toEqual({ city: 'Rome', sure: false });
  expect(fields.map(firstDraft)).toEqual(['', '3', '', ['b']]);
});
