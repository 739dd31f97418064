import { expect, test } from 'vitest';
import { fillBody as fillBodyWith, fillForm as fillFormWith, fillHeader, fillUrl } from './templates.ts';

const secretOf = (name: string) => `{{input.a}} of ${name}`;
const fillBody = (body: Parameters<typeof fillBodyWith>[0], input: object) => fillBodyWith(body, input as never, secretOf);
const fillForm = (body: Parameters<typeof fillFormWith>[0], input: object) => fillFormWith(body, input as never, secretOf);

test('H1: input in the path and the query is text, never syntax', () => {
  const fill = (url: string, input: Record<string, never> | object) => fillUrl(url, input as never);
  expect(fill('https://a.example/o/{{input.id}}?q={{ input.q }}&fix=1', { id: 'a/b?c#d', q: 'x&y=1 ü' })).toBe(
    'https://a.example/o/a%2Fb%3Fc%23d?q=x%26y%3D1%20%C3%BC&fix=1',
  );
  expect(fill('https://a.example/{{input.a.b}}-{{input.n}}#part', { a: { b: true }, n: 5 })).toBe('https://a.example/true-5');
  expect(fill('https://a.example?all={{input.list}}', { list: [1, 'x'] })).toBe('https://a.example/?all=%5B1%2C%22x%22%5D');
  for (const id of ['..', '.', '', null]) expect(() => fill('https://a.example/o/{{input.id}}', { id }), String(id)).toThrow();
  // A literal dot beside it does not make another resource either.
  expect(() => fill('https://a.example/o/.{{input.id}}', { id: '.' })).toThrow();
  expect(() => fill('https://a.example/o/{{input.constructor}}', {})).toThrow('constructor');
});

test('H1: a header has one line', () => {
  expect(fillHeader('x-user', 'user {{input.name}}', { name: 'ann' })).toBe('user ann');
  for (const name of ['a\r\nx-admin: yes', 'a\nb', 'a\0', '漢']) expect(() => fillHeader('x-user', '{{input.name}}', { name })).toThrow('x-user');
});

test('a whole text keeps the type of what it stands for; within a text it is text', () => {
  const body = { order: '{{input.order}}', n: '{{input.n}}', note: 'for {{input.who}}: {{input.n}}', list: ['{{input.n}}', 7, null], fix: true };
  expect(fillBody(body, { order: { id: 'A"17' }, n: 3, who: 'ann"' })).toEqual({
    order: { id: 'A"17' },
    n: 3,
    note: 'for ann": 3',
    list: [3, 7, null],
    fix: true,
  });
  expect(fillBody('{{input}}', { a: [1] })).toEqual({ a: [1] });
  // A value that looks like a template is not filled in again.
  expect(fillBody({ a: '{{input.a}} {{input.b}}' }, { a: '{{input.b}}', b: 'secret' })).toEqual({ a: '{{input.b}} secret' });
  expect(fillForm('a={{input.a}}&b=1', { a: 'x&b=2' })).toBe('a=x%26b%3D2&b=1');
  expect(fillForm({ a: '{{input.a}}', b: 1 }, { a: 'x&b=2' })).toBe('a=x%26b%3D2&b=1');
});

test('H2: what is missing leaves out what it was the whole of', () => {
  expect(fillUrl('https://a.example/o?a={{input.a}}&b={{input.b}}&c=x{{input.a}}', { b: null })).toBe('https://a.example/o?c=x');
  expect(fillHeader('x', '{{input.a}}', {})).toBeUndefined();
  expect(fillHeader('x', 'v{{input.a}}', {})).toBe('v');
  expect(fillBody({ a: '{{input.a}}', b: ['{{input.a}}'], c: 'x{{input.a}}' }, {})).toEqual({ b: [null], c: 'x' });
});

test('H9: a secret stands where the definition refers to it: not by what a model wrote, and not as a template', () => {
  const ref = { $secret: 'KEY' };
  expect(fillBody({ a: ref, b: ['{{input.a}}', ref], c: 'x {{input.a}}' }, { a: ref })).toEqual({
    a: '{{input.a}} of KEY',
    b: [ref, '{{input.a}} of KEY'],
    c: 'x {"$secret":"KEY"}',
  });
  expect(fillBody(ref, { a: 1 })).toBe('{{input.a}} of KEY');
  // Not a reference alone: it goes as it is, in what was made before such were refused.
  expect(fillBody({ $secret: 'KEY', x: 1 }, {})).toEqual({ $secret: 'KEY', x: 1 });
  expect(fillForm({ token: ref, a: '{{input.a}}' }, { a: ref })).toBe(
    `token=${encodeURIComponent('{{input.a}} of KEY').replaceAll('%20', '+')}&a=${encodeURIComponent(JSON.stringify(ref))}`,
  );
});
