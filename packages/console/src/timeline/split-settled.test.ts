import { expect, test } from 'vitest';
import { createSplitter, splitSettled } from './split-settled.ts';

const words = (count: number): string => Array.from({ length: count }, (_, n) => `word${n}`).join(' ');
const paragraph = words(80);
const code = `\`\`\`js\nconst a = 1;\n\n${words(80)}\n\nconst b = 2;\n\`\`\``;
const list = Array.from({ length: 30 }, (_, n) => `${n + 1}. ${words(6)}\n\n   more of it`).join('\n\n');
const table = `| a | b |\n| - | - |\n${'| x | y |\n'.repeat(60)}`;
const text = [paragraph, '# A heading', list, paragraph, code, '- one\n- two', paragraph, `~~~\n\`\`\`\n\n${paragraph}\n~~~`, table, paragraph, 'end'].join(
  '\n\n',
);

test('TY1 what is settled stays, whatever comes; TY2 nothing is lost', () => {
  let before: readonly string[] = [];
  const split = createSplitter();
  for (let length = 0; length <= text.length; length += 1) {
    const { settled, tail, open } = splitSettled(text.slice(0, length));
    expect(split(text.slice(0, length))).toEqual({ settled, tail, open });
    expect(settled.join('') + tail).toBe(text.slice(0, length));
    expect(settled.slice(0, before.length)).toEqual(before);
    before = settled;
  }
  expect(before.length).toBeGreaterThan(5);
});

test('TY3 lists, code and tables are whole in one piece', () => {
  const { settled, tail } = splitSettled(text);
  const pieces = [...settled, tail];
  for (const block of [list, code, table.trimEnd(), `~~~\n\`\`\`\n\n${paragraph}\n~~~`])
    expect(pieces.filter((piece) => piece.includes(block))).toHaveLength(1);
});

test('what may yet become a list item of the list before it is not cut off', () => {
  const open = `${list}\n\n`;
  for (const next of ['31', '31.', '-', '*', '1. x', '   more']) expect(splitSettled(open + next).settled).toEqual([]);
  expect(splitSettled(`${open}A`).settled).toEqual([open]);
});

test('TY4 code that stands by itself is a piece from its fence on, and its text is told apart until it is closed', () => {
  const begun = 'Look:\n\n```js\nconst a = 1;\n\nb';
  expect(splitSettled(begun)).toEqual({
    settled: ['Look:\n\n'],
    tail: '```js\nconst a = 1;\n\nb',
    open: { opening: '```js\n', code: 'const a = 1;\n\nb' },
  });
  const none = ['```js', `${begun}\n\`\`\``, '- item\n  ```\n  x', '> ```\n> x', 'Look:\n```\nx', '```\nx\n```\n```\ny', '```\r\nx'];
  for (const text of none) expect([text, splitSettled(text).open]).toEqual([text, undefined]);
  expect(createSplitter()('another').tail).toBe('another');
});
