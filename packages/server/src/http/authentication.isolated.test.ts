/** Guessed tokens are limited by address; who is known is not punished for a neighbour. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { type OpenHttp, openHttp } from '../testing/http/open-http.ts';

const hashed = vi.hoisted(() => ({ texts: [] as string[] }));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return {
    ...crypto,
    createHash: (algorithm: string) => {
      const hash = crypto.createHash(algorithm);
      const update = hash.update.bind(hash);
      hash.update = ((text: string) => {
        hashed.texts.push(text);
        return update(text);
      }) as typeof hash.update;
      return hash;
    },
  };
});

const clock = createMovedClock();
let server: OpenHttp;
let lookedUp: string[];
beforeEach(async () => {
  lookedUp = [];
  server = await openHttp({
    clock,
    rateLimits: { requests: 1_000, failedSignIns: 3 },
    wrapCatalog: (catalog) => ({
      ...catalog,
      tokenByHash: (hash) => {
        lookedUp.push(hash);
        return catalog.tokenByHash(hash);
      },
    }),
  });
});
afterEach(() => server.close());

const ask = async (token: string): Promise<number> => (await server.call('GET', '/api/auth/me', undefined, { authorization: `Bearer ${token}` })).status;
const guess = async (from: number, to: number): Promise<number[]> => {
  const statuses: number[] = [];
  for (let n = from; n < to; n += 1) statuses.push(await ask(`guess-${n}`));
  return statuses;
};

test('HA1: refused tokens use up the failed sign-ins of their address; then no guess is looked up', async () => {
  expect(await guess(0, 3)).toEqual([401, 401, 401]);
  const before = lookedUp.length;
  expect(await guess(3, 8)).toEqual([429, 429, 429, 429, 429]);
  expect(lookedUp).toHaveLength(before);
  // A token that this node has not seen before cannot be told from a guess.
  expect(await ask(server.otherToken)).toBe(429);
  expect((await server.call('POST', '/api/auth/link', { token: 'x' }, { authorization: '' })).status).toBe(429);
  clock.move(60_000);
  expect([await ask(server.otherToken), await ask('guess-9')]).toEqual([200, 401]);
});

test('HA1: a token that was valid goes on working at the same address, also when it must be looked up again', async () => {
  expect(await ask(server.token)).toBe(200);
  await guess(0, 5);
  clock.move(6_000);
  expect(await ask(server.token)).toBe(200);
  expect((await server.call('POST', '/api/auth/logout', {})).status).toBe(204);
  expect(await ask(server.token)).toBe(429);
});

test('HA1: who sends no credential at all guesses nothing', async () => {
  for (let n = 0; n < 5; n += 1) expect((await fetch(`${server.url}/api/auth/me`)).status).toBe(401);
  expect(await ask(server.token)).toBe(200);
});

test('the token is hashed once a request', async () => {
  hashed.texts.length = 0;
  expect(await ask(server.token)).toBe(200);
  expect(await ask(server.token)).toBe(200);
  expect(hashed.texts.filter((text) => text === server.token)).toHaveLength(2);
});
