/** Tokens and sign-in links when several things happen at once, or the catalog fails in between. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Catalog } from '../ports/catalog.ts';
import { createGate } from '../testing/harness/gate.ts';
import { openWorld, type World } from '../testing/harness/world.ts';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { createIdentity, hashToken } from './identity.ts';

let world: World;
let catalog: Catalog;
const clock = createMovedClock();
beforeEach(async () => {
  world = await openWorld();
  catalog = world.engine.app.catalog;
  await catalog.createUser({ id: 'user_1', username: 'ann', displayName: 'Ann', roles: ['user'], createdAt: 0 });
});
afterEach(() => world.close());

/** An identity on a catalog of which some calls behave otherwise. */
const withCatalog = (changed: (inner: Catalog) => Partial<Catalog> = () => ({})) =>
  createIdentity({ catalog: { ...catalog, ...changed(catalog) }, clock, ids: world.engine.app.ids });
const unavailable = () => Promise.reject(new TurnkeeperError('storage_unavailable', 'not now'));
const refused = { code: 'unauthenticated' };

test('A1: a token that is being revoked is refused, and not known again afterwards', async () => {
  const gate = createGate();
  const identity = withCatalog((catalog) => ({
    deleteToken: async (id) => {
      await gate.wait();
      return catalog.deleteToken(id);
    },
  }));
  const token = await identity.issueToken('user_1', 'test', null);
  const hash = hashToken(token);
  expect(await identity.authenticate(hash)).toMatchObject({ id: 'user_1' });
  const out = identity.signOut(token);
  await expect.poll(() => gate.waiting()).toBe(1);
  await expect(identity.authenticate(hash)).rejects.toMatchObject(refused);
  await expect(identity.signOut(token)).rejects.toMatchObject(refused);
  gate.open();
  await out;
  await expect(identity.authenticate(hash)).rejects.toMatchObject(refused);
  expect(identity.recognises(hash)).toBe(false);
});

test('A1: what was read before a revocation and arrives after it is not remembered', async () => {
  const gate = createGate();
  let holds = false;
  const identity = withCatalog((catalog) => ({
    user: async (id) => {
      const user = await catalog.user(id);
      if (holds) await gate.wait();
      return user;
    },
  }));
  const token = await identity.issueToken('user_1', 'test', null);
  holds = true;
  const late = identity.authenticate(hashToken(token));
  await expect.poll(() => gate.waiting()).toBe(1);
  await identity.signOut(token);
  gate.open();
  // It was asked before the token was gone.
  expect(await late).toMatchObject({ id: 'user_1' });
  await expect(identity.authenticate(hashToken(token))).rejects.toMatchObject(refused);
});

test('A1: a revocation that failed leaves the token valid', async () => {
  let fails = true;
  const identity = withCatalog((catalog) => ({ deleteToken: (id) => (fails ? unavailable() : catalog.deleteToken(id)) }));
  const token = await identity.issueToken('user_1', 'test', null);
  await expect(identity.signOut(token)).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(await identity.authenticate(hashToken(token))).toMatchObject({ id: 'user_1' });
  fails = false;
  await identity.signOut(token);
  await expect(identity.authenticate(hashToken(token))).rejects.toMatchObject(refused);
});

test('A2: a link is used up by its token, not by a failure', async () => {
  let fails = true;
  const identity = withCatalog((catalog) => ({ addToken: (row) => (fails ? unavailable() : catalog.addToken(row)) }));
  const link = identity.newSignInLink('user_1', 60_000);
  await expect(identity.signIn(link)).rejects.toMatchObject({ code: 'storage_unavailable' });
  fails = false;
  const { token } = await identity.signIn(link);
  expect(await identity.authenticate(hashToken(token))).toMatchObject({ id: 'user_1' });
  await expect(identity.signIn(link)).rejects.toMatchObject(refused);
});

test('A2: of two uses at once one wins; a link that has expired gives nothing', async () => {
  const identity = withCatalog();
  const link = identity.newSignInLink('user_1', 60_000);
  const both = await Promise.allSettled([identity.signIn(link), identity.signIn(link)]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await catalog.tokensOf('user_1')).toHaveLength(1);
  const late = identity.newSignInLink('user_1', 60_000);
  clock.move(60_000);
  await expect(identity.signIn(late)).rejects.toMatchObject(refused);
});

test('a token is recognised once it was valid, until it is refused', async () => {
  const identity = withCatalog();
  const token = await identity.issueToken('user_1', 'test', 30_000);
  const hash = hashToken(token);
  expect(identity.recognises(hash)).toBe(false);
  await identity.authenticate(hash);
  clock.move(20_000);
  expect(identity.recognises(hash)).toBe(true);
  clock.move(20_000);
  await expect(identity.authenticate(hash)).rejects.toMatchObject(refused);
  expect(identity.recognises(hash)).toBe(false);
});
