import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf, createBlockReader, inlineOf, nested, safeLink } from './markdown.ts';

const kinds = (text: string): string[] => blocksOf(text).map(({ block }) => block.kind);
const links = (text: string): string[] => inlineOf(text).flatMap((node) => (node.kind === 'link' ? [node.href] : []));

test('MD1: HTML stays text, and a link leads by http, https or mailto only', () => {
  const hostile = '<img src=x onerror=alert(1)> <script>alert(1)</script>';
  expect(inlineOf(hostile)).toEqual([{ kind: 'text', text: hostile }]);
  for (const address of ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'vbscript:x', '//evil.example', '/settings', 'file:///etc/passwd'])
    expect([address, safeLink(address), links(`[look](${address})`)]).toEqual([address, undefined, []]);
  expect(links('see [this](https://a.example/x), https://b.example/y?z=1. And [me](mailto:me@a.example)')).toEqual([
    'https://a.example/x',
    'https://b.example/y?z=1',
    'mailto:me@a.example',
  ]);
  expect(inlineOf('**bold** and `a*b*c` and *so*')).toEqual([
    { kind: 'strong', inner: [{ kind: 'text', text: 'bold' }] },
    { kind: 'text', text: ' and ' },
    { kind: 'code', text: 'a*b*c' },
    { kind: 'text', text: ' and ' },
    { kind: 'em', inner: [{ kind: 'text', text: 'so' }] },
  ]);
  expect(inlineOf('2 * 3 * 4 and snake_case_name')).toEqual([{ kind: 'text', text: '2 * 3 * 4 and snake_case_name' }]);
});

const long = [
  '# Title',
  'One\nparagraph.',
  '- a\n- b\n  - c\n\n- d',
  '1. x\n2. y',
  '```ts\nconst a = "# no title";\n\n- no list\n```',
  '> quoted\n> twice',
  'Prices:\n| what | price |\n|:-|--:|\n| `a\\|b` | 1 |\n| pear |',
  '---',
  'The end',
].join('\n\n');

test('paragraphs, headings, lists, code, quotes; code that is not closed yet is code all the same', () => {
  expect(kinds(long)).toEqual(['heading', 'paragraph', 'list', 'list', 'code', 'quote', 'paragraph', 'table', 'rule', 'paragraph']);
  expect(blocksOf(long)[2]?.block).toEqual({
    kind: 'list',
    ordered: false,
    start: 1,
    items: [
      { depth: 0, ordered: false, text: 'a' },
      { depth: 0, ordered: false, text: 'b' },
      { depth: 1, ordered: false, text: 'c' },
      { depth: 0, ordered: false, text: 'd' },
    ],
  });
  expect(blocksOf(long)[7]?.block).toEqual({
    kind: 'table',
    head: ['what', 'price'],
    aligned: ['left', 'right'],
    rows: [
      ['`a|b`', '1'],
      ['pear', ''],
    ],
  });
  expect(kinds('a | b\n\n---\n\n| a |\n|---|---|')).toEqual(['paragraph', 'rule', 'paragraph']);
  const [list] = blocksOf('1. a\n   - b\n     - c\n2. d');
  expect(list?.block.kind === 'list' && nested(list.block.items).map(({ text, below }) => [text, ...below.map((each) => each.text)])).toEqual([
    ['a', 'b', 'c'],
    ['d'],
  ]);
  expect(blocksOf('```js\nlet x')).toMatchObject([{ block: { kind: 'code', language: 'js', text: 'let x' } }]);
});

test('MD2: while a text grows, only its last block changes', () => {
  let before: string[] = [];
  for (let end = 1; end <= long.length; end += 1) {
    const sources = blocksOf(long.slice(0, end)).map(({ source }) => source);
    const settled = Math.min(sources.length, before.length) - 1;
    expect(sources.slice(0, settled), long.slice(0, end)).toEqual(before.slice(0, settled));
    before = sources;
  }
});

const piece = fc.constantFrom(
  '| a | b |\n',
  '|-|-|\n',
  '|--|\n',
  '- a',
  '-',
  '1',
  '. x',
  '\n',
  '\n\n',
  '  - b',
  '# t',
  '```',
  '```js\n',
  '> q',
  '---',
  'words ',
  '\r\n',
  '\r',
  '    ',
  '~~~\n',
  '* ',
  '|',
);

test('MD2: read piece by piece, a text has the blocks that it has as a whole, and all but the last two stay the same objects', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const read = createBlockReader();
      let [text, before] = ['', read('')];
      for (const each of pieces) {
        text += each;
        const blocks = read(text);
        expect(blocks).toEqual(createBlockReader()(text));
        if (!text.includes('\r')) expect(before.slice(0, -2).every((block, at) => block === blocks[at])).toBe(true);
        before = blocks;
      }
      expect(read('another')).toEqual(blocksOf('another'));
    }),
    { numRuns: 200 },
  );
});
