import { expect, test } from 'vitest';
import { iconOf } from './icon-of.ts';

const svg = (body: string): string => `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg">${body}</svg>`)}`;

test('a picture that came along is shown as it is, or in the colour of the text where it says so', () => {
  expect(iconOf(svg('<path fill="red"/>')).kind).toBe('picture');
  expect(iconOf(svg('<path stroke="currentColor"/>')).kind).toBe('shape');
});

test('CI1 no address but that of a picture within is one: of other hosts, of files, and of other kinds nothing is fetched', () => {
  const addresses = [
    'https://example.com/a.svg',
    '//example.com/a.png',
    './icon.svg',
    'data:text/html,<script>',
    'data:image/png,"),url(https://example.com/a)',
  ];
  expect(addresses.map((address) => iconOf(address).kind)).toEqual(addresses.map(() => 'named'));
});

test('a sign is shown as a sign; whatever else is a name, however it is written', () => {
  expect([iconOf('📮'), iconOf('👩‍🔧'), iconOf('信')].map(({ kind }) => kind)).toEqual(['sign', 'sign', 'sign']);
  expect(['inbox', 'Inbox', 'InboxIcon', 'lucide:inbox'].map(iconOf)).toEqual(Array(4).fill({ kind: 'named', name: 'inbox' }));
  expect(iconOf('messageCircle')).toEqual({ kind: 'named', name: 'message-circle' });
});
