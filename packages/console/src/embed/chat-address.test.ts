import { expect, test } from 'vitest';
import { readChatAddress, withoutToken } from './chat-address.ts';

const read = (url: string) => readChatAddress(new URL(url, 'https://turns.example'));

test('a token stands in the path or behind the #, and how it looks beside it', () => {
  const plain = { language: undefined, theme: 'system', title: undefined, closable: false };
  expect(read('/c/tkc_abc')).toEqual({ ...plain, token: 'tkc_abc' });
  expect(read('/c/#token=tkc_abc')).toEqual({ ...plain, token: 'tkc_abc' });
  expect(read('/c/#language=zh&theme=dark&title=Help%20me&closable=1')).toEqual({
    token: undefined,
    language: 'zh',
    theme: 'dark',
    title: 'Help me',
    closable: true,
  });
  expect(read('/c/#language=fr&theme=pink')).toEqual({ ...plain, token: undefined });
  expect(read('/c/a/b').token).toBeUndefined();
});

test('CA1: what is left in the address has no token', () => {
  for (const url of ['/c/tkc_abc', '/c/#token=tkc_abc', '/c/tkc_abc#theme=dark', '/c/#theme=dark&token=tkc_abc'])
    expect(withoutToken(new URL(url, 'https://turns.example')), url).not.toContain('tkc_abc');
  expect(withoutToken(new URL('https://turns.example/c/#theme=dark&token=x'))).toBe('/c/#theme=dark');
});
