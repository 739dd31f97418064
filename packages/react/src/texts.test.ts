import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatLanguage, chatText, chatTexts } from './texts.ts';

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

test('both languages have the same texts, none is empty, and each is used', () => {
  expect(Object.keys(chatTexts.zh).sort()).toEqual(Object.keys(chatTexts.en).sort());
  const files = readdirSync(import.meta.dirname, { encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file) && !/^texts\.|\.test\./.test(file));
  const source = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n');
  for (const [key, text] of Object.entries(chatTexts.en)) {
    const other = chatTexts.zh[key as keyof typeof chatTexts.zh];
    expect([key, other.trim() !== '', placeholders(other)]).toEqual([key, true, placeholders(text)]);
    expect(source.includes(`'${key}'`), key).toBe(true);
  }
});

test('texts are filled in, in the first language that is known', () => {
  expect(chatText(chatLanguage(['fr', 'zh-Hans-CN', 'en']))('files', { count: 2 })).toBe('已附 2 个文件');
  expect(chatText(chatLanguage(['fr']))('files', { count: 2 })).toBe('2 attached');
});
