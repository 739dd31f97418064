import { beforeEach, expect, test, vi } from 'vitest';
import { commandToken } from './command-access.ts';

const storage = new Map<string, string>();
beforeEach(() => {
  storage.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
});

test('one token a day, good for a day; another person gets another', async () => {
  const made: (number | undefined)[] = [];
  const tokens = {
    create: async ({ expiresAt }: { readonly expiresAt?: number | undefined }) => ({ token: `tok_${made.push(expiresAt)}`, personalToken: {} as never }),
  };
  const hour = 3_600_000;
  expect(await commandToken(tokens, 'usr_1', 'n', 0)).toBe('tok_1');
  expect(made).toEqual([24 * hour]);
  expect(await commandToken(tokens, 'usr_1', 'n', 21 * hour)).toBe('tok_1');
  expect(await commandToken(tokens, 'usr_1', 'n', 23 * hour)).toBe('tok_2');
  expect(await commandToken(tokens, 'usr_2', 'n', 23 * hour)).toBe('tok_3');
  storage.set('turnkeeper.command-token', 'broken');
  expect(await commandToken(tokens, 'usr_2', 'n', 23 * hour)).toBe('tok_4');
});
