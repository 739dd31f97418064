import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bestLanguage, catalogues, textIn } from './catalogues.ts';

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

test('the catalogues have equal keys and equal placeholders, and no empty text', () => {
  expect(Object.keys(catalogues.zh).sort()).toEqual(Object.keys(catalogues.en).sort());
  for (const [key, text] of Object.entries(catalogues.en)) {
    const other = catalogues.zh[key as keyof typeof catalogues.zh];
    expect(other.trim(), key).not.toBe('');
    expect(placeholders(other), key).toEqual(placeholders(text));
  }
});

test('no text is written twice: the later one would silently count', () => {
  const parts = join(import.meta.dirname, 'parts');
  const sources = ['en.ts', ...readdirSync(parts).map((file) => join('parts', file))];
  const keys = sources.flatMap((file) => {
    const english = readFileSync(join(import.meta.dirname, file), 'utf8').split('  zh: {')[0] ?? '';
    return [...english.matchAll(/^ +(\w+): ['"]/gm)].map((match) => match[1] ?? '');
  });
  expect(keys.length).toBeGreaterThan(500);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test('every text is used', () => {
  const source = join(import.meta.dirname, '..');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/^i18n.((en|zh)\.ts$|parts)/.test(file) && !file.includes('.test.'),
  );
  expect(files.length).toBeGreaterThan(20);
  const text = files.map((file) => readFileSync(join(source, file), 'utf8')).join('\n');
  expect(Object.keys(catalogues.en).filter((key) => !text.includes(`'${key}'`))).toEqual([]);
});

test('a text says one or several as its number is', () => {
  const said = (count: string | number): string => textIn('en', 'countRunningLong', { count });
  expect([said('1'), said(0), said('2'), said('1,200'), said('1+')]).toEqual([
    '1 session runs',
    '0 sessions run',
    '2 sessions run',
    '1,200 sessions run',
    '1+ sessions run',
  ]);
});

test('texts are filled in, and the language is the first that is known', () => {
  expect(textIn('en', 'confirmTitle', { name: 'rm' })).toBe('May the agent run rm?');
  expect(bestLanguage(['fr-FR', 'zh-Hans-CN', 'en'])).toBe('zh');
  expect(bestLanguage(['fr'])).toBe('en');
});
