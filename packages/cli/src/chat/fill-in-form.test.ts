import { formFields } from '@turnkeeper/core/protocol/form-fields';
import { expect, test } from 'vitest';
import { fillInForm, formChoices, readField } from './fill-in-form.ts';

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

const described = {
  title: 'Connect',
  schema: {
    required: ['key'],
    properties: { key: { type: 'string', title: 'Key', format: 'password' }, note: { type: 'string', title: 'Note', default: 'none' } },
  },
  submit_label: 'Go \u001b[2J[l] on',
  cancel_label: 'Not [y]et',
  fields: [
    { key: 'help', type: 'link', label: 'Where to find it', href: 'https://a.example/keys' },
    { key: 'key', type: 'password', label: 'Key', placeholder: 'sk-…' },
    { key: 'note', type: 'textarea', label: 'Note' },
  ],
};

test('FT1 a form is asked for as its mini-tool described it: links are told, secrets are not shown, texts may have several lines', async () => {
  const shown: string[] = [];
  const asked: unknown[] = [];
  const typed = ['sk-1', 'one \\', 'two'];
  const values = await fillInForm(
    async (question, how) => {
      asked.push([question, how?.hidden]);
      return typed.shift();
    },
    described,
    (line) => shown.push(line),
  );
  expect(values).toEqual({ key: 'sk-1', note: 'one \ntwo' });
  expect(shown).toEqual(['  Where to find it: https://a.example/keys']);
  expect(asked).toEqual([
    ['Key (a text, not shown, e.g. sk-…): ', true],
    [expect.stringMatching(/^Note \(a text; .* goes on with another, empty = "none"\): $/), false],
    ['… ', false],
  ]);
});

test('the words on its buttons are its own, and pass for no key of ours', () => {
  expect(formChoices(described)).toBe('[y] fill it in, then “Go 2Jl on”  [n] “Not yet”  [l]ater: ');
  expect(formChoices({ title: 'x', schema: {} })).toBe('[y] fill it in  [n] decline  [l]ater: ');
});
