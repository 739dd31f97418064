import fc from 'fast-check';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown, Piece } from './markdown.tsx';

/** What is drawn, without what wraps the pieces and without the white space between blocks. */
const drawn = (node: ReactNode): string =>
  renderToStaticMarkup(node)
    .replaceAll(/<\/?div[^>]*>/g, '')
    .replaceAll(/>\s+</g, '><')
    .trim();

const inline = fc.constantFrom(
  'plain words',
  '**strong**',
  '`code`',
  '[link](https://a.example)',
  '_em_',
  'https://b.example',
  '<b>no HTML</b>',
  '你好',
  '1 < 2',
);
const sentence = fc.array(inline, { minLength: 1, maxLength: 6 }).map((parts) => `Text ${parts.join(' ')}.`);
const block = fc.oneof(
  sentence,
  sentence.map((text) => `## ${text}`),
  fc.array(sentence, { minLength: 1, maxLength: 5 }).map((items) => items.map((text) => `- ${text}`).join('\n')),
  fc.array(sentence, { minLength: 1, maxLength: 4 }).map((items) => items.map((text, at) => `${at + 1}. ${text}\n\n   more of it`).join('\n\n')),
  fc.array(sentence, { minLength: 1, maxLength: 4 }).map((lines) => `> ${lines.join('\n> ')}`),
  fc.array(fc.constantFrom('const a = 1;', '', '  # no title', '- no item', '**'), { maxLength: 12 }).map((lines) => `\`\`\`js\n${lines.join('\n')}\n\`\`\``),
  fc.array(sentence, { minLength: 1, maxLength: 4 }).map((cells) => `| a | b |\n| - | - |\n${cells.map((text) => `| ${text} | x |`).join('\n')}`),
  fc.constant('---'),
);
const document = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join('\n\n'));

test('in pieces and in blocks, a text looks as it does when it is parsed as a whole', () => {
  fc.assert(
    fc.property(document, (text) => {
      const whole = drawn(<Piece text={text} streaming={false} />);
      expect(drawn(<Markdown text={text} streaming={false} />)).toBe(whole);
      expect(drawn(<Markdown text={text} streaming />)).toBe(whole);
    }),
    { numRuns: 30 },
  );
});

test('TY4 code that is still open looks as if it were parsed, with each token of it', () => {
  const code = 'const a = "<b>";\n\n\tif (a) {\n  `a` // ``\n\n\n}\n~~~\n**\n';
  for (const before of ['', 'Some words.\n\n'])
    for (const fence of ['```', '~~~~', '````']) {
      const text = `${before}${fence}js\n${code}`;
      for (let end = before.length; end <= text.length; end += 1) {
        const shown = text.slice(0, end);
        expect(drawn(<Markdown text={shown} streaming />), JSON.stringify(shown)).toBe(drawn(<Piece text={shown} streaming={false} />));
      }
    }
});
