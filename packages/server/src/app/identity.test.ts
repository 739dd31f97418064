/** Tokens and sign-in links when several things happen at once, or the catalog fails in between. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Catalog } from '../ports/catalog.ts';
import { userCaller } from '../testing/harness/client.ts';
import { createGate } from '../testing/harness/gate.ts';
import { openWorld, type World } from '../testing/harness/world.ts';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import { auditOf } from './audit.ts';
import { createIdentity } from './identity.ts';
import { hashToken } from './tokens.ts';

let world: World;
let catalog: Catalog;
const clock = createMovedClock();
beforeEach(async () => {
  world = await openWorld();
  catalog = world.engine.app.catalog;
  const user = { id: 'user_1', username: 'ann', displayName: 'Ann', roles: ['user'], status: 'active', passwordHash: null, createdAt: 0 } as const;
  await catalog.createUser(user, auditOf(world.engine.app, 'system', { action: 'user.created', subject: 'user:user_1' }));
});
afterEach(() => world.close());

/** An identity on a catalog of which some calls behave otherwise. */
const withCatalog = (changed: (inner: Catalog) => Partial<Catalog> = () => ({})) =>
  createIdentity({ catalog: { ...catalog, ...changed(catalog) }, clock, ids: world.engine.app.ids });
const unavailable = () => Promise.reject(new TurnkeeperError('storage_unavailable', 'not now'));
const ann = userCaller('user_1');
const page = { offset: 0, limit: 100 };
const refused = { code: 'unauthenticated' };

test('A1: a token that is being revoked is refused, and not known again afterwards', async () => {
  const gate = createGate();
  const identity = withCatalog((catalog) => ({
    deleteToken: async (id, entry) => {
      await gate.wait();
      return catalog.deleteToken(id, entry);
    },
  }));
  const token = await identity.issueToken('user_1', 'test', null);
  const hash = hashToken(token);
  expect(await identity.authenticate(hash)).toMatchObject({ id: 'user_1' });
  const out = identity.signOut(token, ann);
  await expect.poll(() => gate.waiting()).toBe(1);
  await expect(identity.authenticate(hash)).rejects.toMatchObject(refused);
  await expect(identity.signOut(token, ann)).rejects.toMatchObject(refused);
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
  await identity.signOut(token, ann);
  gate.open();
  // It was asked before the token was gone.
  expect(await late).toMatchObject({ id: 'user_1' });
  await expect(identity.authenticate(hashToken(token))).rejects.toMatchObject(refused);
});

test('A1: what was read before a change and arrives after it is not remembered either', async () => {
  const gate = createGate();
  let holds = false;
  let reads = 0;
  const identity = withCatalog((catalog) => ({
    user: async (id) => {
      reads += 1;
      const user = await catalog.user(id);
      if (holds) await gate.wait();
      return user;
    },
  }));
  const hash = hashToken(await identity.issueToken('user_1', 'test', null));
  holds = true;
  const late = identity.authenticate(hash);
  await expect.poll(() => gate.waiting()).toBe(1);
  identity.forgetUser('user_1');
  holds = false;
  gate.open();
  await late;
  await identity.authenticate(hash);
  expect(reads).toBe(2);
  // And then it is, until the next change.
  await identity.authenticate(hash);
  identity.forgetUser('user_2');
  await identity.authenticate(hash);
  expect(reads).toBe(2);
  identity.forgetUser('user_1');
  await identity.authenticate(hash);
  expect(reads).toBe(3);
});

test('A1: a revocation that failed leaves the token valid', async () => {
  let fails = true;
  const identity = withCatalog((catalog) => ({ deleteToken: (id, entry) => (fails ? unavailable() : catalog.deleteToken(id, entry)) }));
  const token = await identity.issueToken('user_1', 'test', null);
  await expect(identity.signOut(token, ann)).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(await identity.authenticate(hashToken(token))).toMatchObject({ id: 'user_1' });
  fails = false;
  await identity.signOut(token, ann);
  await expect(identity.authenticate(hashToken(token))).rejects.toMatchObject(refused);
});

test('A2: a link is used up by its token, not by a failure', async () => {
  let fails = true;
  const identity = withCatalog((catalog) => ({
    useSignInLink: (hash, row, entry) => (fails ? unavailable() : catalog.useSignInLink(hash, row, entry)),
  }));
  const link = await identity.newSignInLink('user_1', 60_000);
  await expect(identity.signIn(link)).rejects.toMatchObject({ code: 'storage_unavailable' });
  fails = false;
  const { token } = await identity.signIn(link);
  expect(await identity.authenticate(hashToken(token))).toMatchObject({ id: 'user_1' });
  await expect(identity.signIn(link)).rejects.toMatchObject(refused);
});

test('A2: of two uses at once one wins; a link that has expired gives nothing', async () => {
  const identity = withCatalog();
  const link = await identity.newSignInLink('user_1', 60_000);
  const both = await Promise.allSettled([identity.signIn(link), identity.signIn(link)]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await catalog.tokensOf('user_1', page)).toHaveLength(1);
  const late = await identity.newSignInLink('user_1', 60_000);
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

test('A10: a password that was replaced between its check and its token gives none', async () => {
  const gate = createGate();
  const identity = withCatalog((catalog) => ({
    addTokenByPassword: async (...args) => {
      await gate.wait();
      return catalog.addTokenByPassword(...args);
    },
  }));
  const set = async (password: string): Promise<void> => {
    const entry = (subject: string) => auditOf(world.engine.app, 'system', { action: 'user.password_set', subject });
    const change = { userId: 'user_1', hash: await identity.passwords.hash(password), revokeAllBut: null };
    expect(await catalog.setPassword(change, entry('user:user_1'), entry('token'))).toBe('updated');
  };
  await set('a long pass phrase');
  const signsIn = identity.signInByPassword({ username: 'ANN', password: 'a long pass phrase' });
  await gate.reached;
  await set('another pass phrase');
  gate.open();
  await expect(signsIn).rejects.toMatchObject(refused);
  expect(await catalog.tokensOf('user_1', page)).toEqual([]);
  expect(await identity.signInByPassword({ username: 'ann', password: 'another pass phrase' })).toMatchObject({ user: { id: 'user_1' } });
});

test('A1: requests at once wait for one look-up, but not for one that began before a change', async () => {
  const gate = createGate();
  let reads = 0;
  const identity = withCatalog((catalog) => ({
    tokenByHash: async (hash) => {
      reads += 1;
      if (reads === 1) await gate.wait();
      return catalog.tokenByHash(hash);
    },
  }));
  const hash = hashToken(await identity.issueToken('user_1', 'test', null));
  const early = [identity.authenticate(hash), identity.authenticate(hash)];
  await gate.reached;
  expect(reads).toBe(1);
  identity.forgetUser('user_1');
  await Promise.all([identity.authenticate(hash), identity.authenticate(hash)]);
  expect(reads).toBe(2);
  gate.open();
  await Promise.all(early);
});
