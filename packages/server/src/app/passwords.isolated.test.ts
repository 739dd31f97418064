/** What is kept of a password, and what it takes to compare one. */
import { scryptSync } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { Passwords } from './passwords.ts';

const passwords = new Passwords();

const work = vi.hoisted(() => ({ done: [] as string[], now: 0, most: 0 }));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return {
    ...crypto,
    scrypt: (...[password, salt, bytes, options, callback]: Parameters<typeof crypto.scrypt>) => {
      work.now += 1;
      work.most = Math.max(work.most, work.now);
      work.done.push(`${options.N} ${options.r} ${options.p}`);
      crypto.scrypt(password, salt, bytes, options, (error, key) => {
        work.now -= 1;
        callback(error, key);
      });
    },
  };
});

test('PW1: a password is known again, and no other one', async () => {
  const kept = await passwords.hash('a long pass phrase');
  expect(kept).toMatch(/^scrypt\$32768\$8\$1\$/);
  expect(kept).not.toContain('phrase');
  expect(await passwords.matches('a long pass phrase', kept)).toBe(true);
  for (const wrong of ['a long pass phras', 'a long pass phrase ', 'A long pass phrase', '']) expect(await passwords.matches(wrong, kept)).toBe(false);
  // The same letters, composed and decomposed.
  expect(await passwords.matches('cafe\u0301 cafe\u0301 cafe\u0301', await passwords.hash('caf\u00e9 caf\u00e9 caf\u00e9'))).toBe(true);
});

test('PW1: each has a salt of its own; parameters of before go on to count', async () => {
  expect(await passwords.hash('a long pass phrase')).not.toBe(await passwords.hash('a long pass phrase'));
  const salt = Buffer.alloc(16, 7);
  const old = `scrypt$1024$4$2$${salt.toString('base64url')}$${scryptSync('of long ago', salt, 32, { N: 1024, r: 4, p: 2 }).toString('base64url')}`;
  expect(await passwords.matches('of long ago', old)).toBe(true);
  expect(await passwords.matches('of long ag0', old)).toBe(false);
});

test('PW2: where there is nothing to compare with, the same work is done', async () => {
  const kept = await passwords.hash('a long pass phrase');
  const workOf = async (against: string | null): Promise<readonly string[]> => {
    work.done.length = 0;
    expect(await passwords.matches('something else', against)).toBe(false);
    return [...work.done];
  };
  expect(await workOf(null)).toEqual(await workOf(kept));
  expect(await workOf('scrypt$broken')).toEqual(await workOf(kept));
});

test('PW3: few are worked on at once, and all of them in the end', async () => {
  const kept = await passwords.hash('a long pass phrase');
  work.most = 0;
  const answers = await Promise.all(Array.from({ length: 7 }, (_, n) => passwords.matches(n === 5 ? 'a long pass phrase' : `wrong ${n}`, kept)));
  expect(answers.indexOf(true)).toBe(5);
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(work.most).toBe(2);
});
