import { formFields } from '@turnkeeper/core/protocol/form-fields';
import { expect, test } from 'vitest';
import { fillInForm, readField } from './fill-in-form.ts';

const oneOf = [
  { const: 'eu-1', title: 'Frankfurt, Germany' },
  { const: 'us-1', title: 'Ohio' },
];
const schema = {
  type: 'object',
  properties: { region: { type: 'string', enum: ['eu-1', 'us-1'], oneOf }, spare: { type: 'array', items: { type: 'string', enum: ['eu-1', 'us-1'], oneOf } } },
  required: ['region'],
};

test('options are shown by what people read for them, and taken by that, by number, or as they are', () => {
  const [region, spare] = formFields(schema);
  if (!region || !spare) return expect.fail('a form of two fields');
  expect(['Ohio', '2', 'us-1'].map((typed) => readField(region, typed))).toEqual(['us-1', 'us-1', 'us-1']);
  expect(readField(region, 'Mars')).toBeUndefined();
  // Its own words may have a comma in them.
  expect(['Frankfurt, Germany', '1, Ohio'].map((typed) => readField(spare, typed))).toEqual([['eu-1'], ['eu-1', 'us-1']]);
});

test('asks field by field', async () => {
  const shown: string[] = [];
  const typed = ['Ohio', ''];
  const form = { title: 'Where?', schema };
  expect(
    await fillInForm(
      async () => typed.shift(),
      form as never,
      (line) => shown.push(line),
    ),
  ).toEqual({ region: 'us-1' });
  expect(shown).toContain('  1  Frankfurt, Germany');
});
