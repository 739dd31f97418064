import { expect, test } from 'vitest';
import { createRedaction } from './redaction.ts';
import { resolveValues } from './resolve-values.ts';

const value = 'p/ä "q" 100%';
const redaction = createRedaction(
  new Map([
    ['KEY', value],
    ['LONG', `${value}-and-more`],
    ['PIN', '123'],
    ['LINES', 'first\nsecond\n'],
    ['DIGITS', '987654'],
  ]),
);

test('Y1: a value is replaced in every form in which it is likely to come back', () => {
  const forms = [
    value,
    JSON.stringify(value),
    JSON.stringify({ a: { b: value } }),
    JSON.stringify({ sent: JSON.stringify({ a: value }) }),
    encodeURIComponent(value),
    new URLSearchParams({ value }).toString(),
  ];
  for (const form of forms) {
    const safe = redaction.text(`before ${form} after`);
    expect(safe).toContain('[secret KEY]');
    expect(safe).not.toMatch(/100%|100%25/);
  }
  expect(redaction.text(`${value}-and-more`)).toBe('[secret LONG]');
  expect(redaction.text('first\nsecond')).toBe('[secret LINES]');
  expect(redaction.text('"first\\nsecond\\n"')).toBe('"[secret LINES]"');
  expect(redaction.text('pin 123')).toBe('pin 123');
});

test('Y1: and in every kind of block', () => {
  const output = redaction.output([
    { type: 'text', text: value },
    { type: 'data', data: { [value]: [value, 987654, 1, null] } },
    { type: 'image', source: { type: 'url', url: `https://example.com/?k=${encodeURIComponent(value)}` } },
  ]);
  expect(output).toEqual([
    { type: 'text', text: '[secret KEY]' },
    { type: 'data', data: { '[secret KEY]': ['[secret KEY]', '[secret DIGITS]', 1, null] } },
    { type: 'image', source: { type: 'url', url: 'https://example.com/?k=[secret KEY]' } },
  ]);
});

test('Y1: as others spell it', () => {
  const plain = "Pä&<ß>'/+ !*(x)-~_.z";
  const of = createRedaction(
    new Map([
      ['KEY', plain],
      ['AUTH', 'Bearer abc123/def456'],
      ['WORDS', 'correct horse'],
    ]),
  );
  const bytes = Buffer.from(plain);
  const percent = (keep: RegExp) =>
    [...bytes].map((byte) => (keep.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16)}`)).join('');
  const strict = percent(/[A-Za-z0-9._~-]/);
  const forms = [
    // Python, Go, PHP.
    "P\\u00e4&<\\u00df>'/+ !*(x)-~_.z",
    "P\\u00E4&<\\u00DF>'/+ !*(x)-~_.z",
    "Pä\\u0026\\u003cß\\u003e'/+ !*(x)-~_.z",
    'P\\u00E4\\u0026\\u003C\\u00DF\\u003E\\u0027\\/+ !*(x)-~_.z',
    strict,
    strict.replace(/%../g, (code) => code.toUpperCase()),
    strict.replaceAll('%20', '+'),
    percent(/[A-Za-z0-9._~/-]/),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ];
  for (const form of forms) expect(of.text(`<${form}>`).replace(/=+/, ''), form).toBe('<[secret KEY]>');
  expect(of.text('abc123/def456 abc123%2Fdef456')).toBe('[secret AUTH] [secret AUTH]');
  expect(of.text('horse')).toBe('horse');
});

test('Y3: of a text that was cut, no part of a value is shown', () => {
  const of = createRedaction(
    new Map([
      ['KEY', 'abcdefghij'],
      ['OTHER', 'hij-klmnop'],
    ]),
  );
  const filler = '.'.repeat(60);
  for (let at = 1; at < 10; at += 1) {
    expect(of.part(`${'abcdefghij'.slice(at)}${filler}`, { start: true })).toMatch(/^\.+$/);
    expect(of.part(`${filler}${'abcdefghij'.slice(0, at)}`, { end: true })).toMatch(/^\.+$/);
    // One that lies where it is cut anew goes as a whole.
    expect(of.part(`${'.'.repeat(at)}abcdefghij${filler}`, { start: true })).not.toMatch(/[a-j]{2}/);
    expect(of.part(`${filler}abcdefghij${'.'.repeat(at)}`, { end: true }).replaceAll('[secret KEY]', '')).not.toMatch(/[a-j]{2}/);
  }
  expect(of.part(`${filler}abcdefghij${filler}`, { start: true, end: true })).toContain('[secret KEY]');
  expect(createRedaction(new Map()).part('abc', { start: true, end: true })).toBe('abc');
});

test('Y3: a value that comes in pieces is shown in none', () => {
  const of = createRedaction(new Map([['KEY', 'abcdefghij']]));
  const pieces = of.pieces();
  expect(['say abcde', 'fghij now', 'abcdabcdef', 'ghij', 'abcdefghij', 'abcdefg'].map(pieces)).toEqual([
    'say ',
    '[secret KEY] now',
    'abcd',
    '[secret KEY]',
    '[secret KEY]',
    '',
  ]);
});

test('Y4: a text that calls itself a picture is not shown, and a picture that holds a value neither', () => {
  const picture = (data: Buffer) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: data.toString('base64') } }) as const;
  const png = Buffer.from('89504e470d0a1a0a', 'hex');
  for (const bytes of [Buffer.from('backwards: %001'), Buffer.from(value), Buffer.concat([png, Buffer.from(value)])]) {
    const [block] = redaction.output([picture(bytes)]);
    expect(block).toMatchObject({ type: 'text', text: expect.stringContaining('left out: image/png') });
  }
  expect(redaction.output([picture(png)])).toEqual([picture(png)]);
});

test('Y2: a missing secret fails by its name', async () => {
  const secrets = { resolve: async (name: string) => (name === 'KEY' ? value : undefined) };
  await expect(resolveValues(secrets, { authorization: { $secret: 'NONE' } })).rejects.toThrow('"NONE"');
  const { values, secret } = await resolveValues(secrets, { a: 'plain', b: { $secret: 'KEY' } });
  expect([values, [...secret]]).toEqual([{ a: 'plain', b: value }, ['b']]);
});
