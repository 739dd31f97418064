import { expect, test } from 'vitest';
import { pagesFor } from './nav-pages.ts';

const names = (reach: Parameters<typeof pagesFor>[0]): string[] => pagesFor(reach).map(({ text }) => text);

test('pages that would be empty for ever are left out, the others keep their order', () => {
  const all = names({ minitools: true, deliveries: true });
  const few = names({ minitools: false, deliveries: false });
  expect(all.filter((name) => !few.includes(name))).toEqual(['minitoolsTitle', 'deliveriesTitle']);
  expect(all.filter((name) => few.includes(name))).toEqual(few);
  expect(names({ minitools: true, deliveries: false })).toContain('minitoolsTitle');
});

test('each page has a key of its own, and four are in the bar of phones', () => {
  const pages = pagesFor({ minitools: true, deliveries: true });
  expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length);
  expect(pages.filter(({ main }) => main)).toHaveLength(4);
});
