/** The life of a credential: how it ends, how fast that is noticed, and what comes back. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGate } from '../testing/harness/gate.ts';
import { openWorld, type World } from '../testing/harness/world.ts';
import { createMovedClock } from '../testing/http/moved-clock.ts';
import type { Caller, UserCaller } from './caller.ts';
import { createIdentity, type Identity } from './identity.ts';
import { changeApplication, createApplication } from './manage-applications.ts';
import { createCredential, listCredentials, revokeCredential, rotateCredential } from './manage-credentials.ts';
import { createSpace, putSpaceMember, removeSpaceMember } from './manage-spaces.ts';
import { createToken, listTokens, revokeToken } from './manage-tokens.ts';
import { changeUser, createUser, type PasswordAdministration, setPassword } from './manage-users.ts';
import { hashToken } from './tokens.ts';

let world: World;
let here: PasswordAdministration;
/** Another node on the same catalog. */
let there: Identity;
let admin: UserCaller;
let ended: string[];
/** The names whose passwords were tried. */
let tries: string[];
const page = { offset: 0, limit: 100 };
const clock = createMovedClock();

const makeUser = async (username: string, roles: ('admin' | 'user')[] = ['user']): Promise<{ readonly id: string; readonly caller: UserCaller }> => {
  const by =
    admin ??
    ({
      type: 'user',
      id: 'user_0',
      name: 'setup',
      admin: true,
      credentialId: null,
      spaces: new Map(),
      applications: new Map(),
      minitools: new Set<string>(),
    } as const);
  const { user } = await createUser(here, by, { username, roles });
  const token = await here.identity.issueToken(user.id, 'test', null);
  return { id: user.id, caller: (await here.identity.authenticate(hashToken(token))) as UserCaller };
};

beforeEach(async () => {
  world = await openWorld();
  const app = { ...world.engine.app, clock };
  tries = [];
  here = { app, identity: createIdentity(app), attempts: ({ username }) => tries.push(username) };
  there = createIdentity(app);
  ended = [];
  here.identity.onRevoked((hash) => ended.push(hash));
  admin = undefined as never;
  admin = (await makeUser('root', ['admin', 'user'])).caller;
});
afterEach(() => world.close());

const works = (token: string, identity = here.identity): Promise<Caller | false> =>
  identity.authenticate(hashToken(token)).catch((error: unknown) => {
    if (error instanceof TurnkeeperError && error.code === 'unauthenticated') return false as const;
    throw error;
  });
const agents = { type: 'agent', id: '*' } as const;
const newKey = async (more: { readonly expiresAt?: number } = {}) => {
  const { application } = await createApplication(here, admin, {
    name: 'Shop',
    description: '',
    maxConcurrent: null,
    tokenBudget: null,
    maxUnfinished: null,
    members: [],
  });
  const made = await createCredential(here, admin, application.id, { name: 'key', scopes: ['read', 'read', 'invoke'], targets: [agents, agents], ...more });
  return { application, ...made };
};

test('a key is its application with what it may, and is kept as no more than a hash', async () => {
  const { application, credential, apiKey } = await newKey();
  expect(apiKey).toMatch(/^tkk_[\w-]{43}$/);
  expect(apiKey.startsWith(credential.prefix)).toBe(true);
  expect(await works(apiKey)).toEqual({
    type: 'application',
    id: application.id,
    name: 'Shop',
    credentialId: credential.id,
    scopes: new Set(['read', 'invoke']),
    targets: [agents],
  });
  const kept = JSON.stringify([await here.app.catalog.credentials(application.id, page), await here.app.catalog.audit({ limit: 100 })]);
  expect(kept).not.toContain(apiKey);
  expect(kept).toContain(hashToken(apiKey));
});

test('A1: a revoked key is refused here at once, elsewhere within 5 s', async () => {
  const { application, credential, apiKey } = await newKey();
  expect([await works(apiKey), await works(apiKey, there)]).not.toContain(false);
  await revokeCredential(here, admin, application.id, credential.id);
  expect(await works(apiKey)).toBe(false);
  expect(ended).toEqual([hashToken(apiKey)]);
  clock.move(5_000);
  expect(await works(apiKey, there)).toBe(false);
  await expect(revokeCredential(here, admin, application.id, credential.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(rotateCredential(here, admin, application.id, credential.id, {})).rejects.toMatchObject({ code: 'not_found' });
});

test('a key ends at its time by itself, also where it was just seen', async () => {
  const { apiKey } = await newKey({ expiresAt: clock.now() + 2_000 });
  clock.move(1_999);
  expect(await works(apiKey)).not.toBe(false);
  clock.move(1);
  expect(await works(apiKey)).toBe(false);
  await expect(newKey({ expiresAt: clock.now() })).rejects.toMatchObject({ code: 'validation_failed', details: { errors: [{ pointer: '/expiresAt' }] } });
});

test('CR1: a rotated key works beside the old one until that is revoked', async () => {
  const expiresAt = clock.now() + 60_000;
  const { application, credential, apiKey } = await newKey({ expiresAt });
  const next = await rotateCredential(here, admin, application.id, credential.id, {});
  expect(next.credential).toMatchObject({ name: 'key', scopes: ['read', 'invoke'], targets: [agents], expiresAt, rotatedFrom: credential.id });
  const lasting = await rotateCredential(here, admin, application.id, credential.id, { expiresAt: null });
  expect(lasting.credential.expiresAt).toBeNull();
  expect([await works(apiKey), await works(next.apiKey)]).not.toContain(false);
  await revokeCredential(here, admin, application.id, credential.id);
  expect([await works(apiKey), await works(next.apiKey)]).toEqual([false, expect.objectContaining({ id: application.id })]);
  clock.move(60_000);
  expect([await works(next.apiKey), await works(lasting.apiKey)]).toEqual([false, expect.objectContaining({ id: application.id })]);
  const { items } = await listCredentials(here, admin, application.id, page);
  expect(items.map(({ id, revokedAt }) => [id, revokedAt === null])).toEqual([
    [credential.id, false],
    [next.credential.id, true],
    [lasting.credential.id, true],
  ]);
});

test('CR2: a key that is revoked while it is rotated leaves none in its place', async () => {
  const { application, credential } = await newKey();
  const gate = createGate();
  const { catalog } = here.app;
  const addCredential: typeof catalog.addCredential = async (...args) => {
    await gate.wait();
    return catalog.addCredential(...args);
  };
  const slow = { ...here, app: { ...here.app, catalog: { ...catalog, addCredential } } };
  const rotates = rotateCredential(slow, admin, application.id, credential.id, {});
  await gate.reached;
  await revokeCredential(here, admin, application.id, credential.id);
  gate.open();
  await expect(rotates).rejects.toMatchObject({ code: 'not_found' });
  expect((await listCredentials(here, admin, application.id, page)).items).toMatchObject([{ id: credential.id, revokedAt: clock.now() }]);
});

test('A5: the keys of a disabled application are refused at once, and work again with it', async () => {
  const { application, apiKey } = await newKey();
  expect([await works(apiKey), await works(apiKey, there)]).not.toContain(false);
  await changeApplication(here, admin, application.id, { version: 1, status: 'disabled' });
  expect([await works(apiKey), ended]).toEqual([false, [hashToken(apiKey)]]);
  clock.move(5_000);
  expect(await works(apiKey, there)).toBe(false);
  await changeApplication(here, admin, application.id, { version: 2, status: 'active' });
  expect(await works(apiKey)).not.toBe(false);
});

test('a change that is refused ends nothing', async () => {
  const { application, apiKey } = await newKey();
  const stale = changeApplication(here, admin, application.id, { version: 7, status: 'disabled' });
  await expect(stale).rejects.toMatchObject({ code: 'version_conflict', details: { version: 1 } });
  expect([await works(apiKey), ended]).toEqual([expect.anything(), []]);
  await expect(changeUser(here, admin, admin.id, { status: 'disabled' })).rejects.toMatchObject({ code: 'last_admin' });
  expect(ended).toEqual([]);
});

test('US2: a role that is taken away is gone at once', async () => {
  const { id, caller } = await makeUser('ann', ['admin', 'user']);
  const { token } = await createToken(here, caller, { name: 'laptop' });
  const isAdmin = async () => ((await works(token)) as UserCaller).admin;
  expect(await isAdmin()).toBe(true);
  await changeUser(here, admin, id, { roles: ['user'] });
  expect(await isAdmin()).toBe(false);
});

test('A5: a disabled user is refused by every token, and comes back with them', async () => {
  const { id, caller } = await makeUser('ann');
  const { token } = await createToken(here, caller, { name: 'laptop' });
  expect(await works(token)).toMatchObject({ id, name: 'ann' });
  await changeUser(here, admin, id, { status: 'disabled' });
  expect(await works(token)).toBe(false);
  expect(ended).toContain(hashToken(token));
  await changeUser(here, admin, id, { status: 'active' });
  expect(await works(token)).toMatchObject({ id });
});

test('US2: what a user belongs to is known here at once, elsewhere within 5 s', async () => {
  const { id, caller } = await makeUser('ann');
  const { token } = await createToken(here, caller, { name: 'laptop' });
  const of = async (identity?: Identity) => ((await works(token, identity)) as UserCaller).spaces;
  await createSpace(here, admin, { id: 'team' });
  expect([await of(), await of(there)]).toEqual([new Map(), new Map()]);
  await putSpaceMember(here, admin, 'team', id, 'member');
  expect([await of(), await of(there)]).toEqual([new Map([['team', 'member']]), new Map()]);
  clock.move(5_000);
  expect(await of(there)).toEqual(new Map([['team', 'member']]));
  await removeSpaceMember(here, admin, 'team', id);
  expect(await of()).toEqual(new Map());
  const { application } = await createApplication(here, admin, {
    ...{ name: 'Shop', description: '', maxConcurrent: null, tokenBudget: null, maxUnfinished: null },
    members: [{ userId: id, roles: ['viewer', 'viewer'] }],
  });
  const roles = async () => ((await works(token)) as UserCaller).applications.get(application.id);
  expect(await roles()).toEqual(['viewer']);
  await changeApplication(here, admin, application.id, { version: 1, members: [] });
  expect(await roles()).toBeUndefined();
});

test('US2: a password that replaces another, or that an admin sets, revokes the other tokens of the user', async () => {
  const { id, caller } = await makeUser('ann');
  const { token } = await createToken(here, caller, { name: 'laptop' });
  await setPassword(here, caller, id, { password: 'a long pass phrase' });
  expect(await works(token)).not.toBe(false);
  await expect(setPassword(here, caller, id, { password: 'another pass phrase' })).rejects.toMatchObject({ code: 'forbidden' });
  const wrong = setPassword(here, caller, id, { password: 'another pass phrase', currentPassword: 'not this one' });
  await expect(wrong).rejects.toMatchObject({ code: 'forbidden' });
  await setPassword(here, caller, id, { password: 'another pass phrase', currentPassword: 'a long pass phrase' });
  expect(await works(token)).toBe(false);
  expect((await listTokens(here, caller, page)).items.map(({ id: token, current }) => [token, current])).toEqual([[caller.credentialId, true]]);
  await setPassword(here, admin, id, { password: 'yet another phrase' });
  expect((await listTokens(here, caller, page)).items).toEqual([]);
  expect(await here.identity.signInByPassword({ username: 'ann', password: 'yet another phrase' })).toMatchObject({ user: { id } });
});

test('PA1: the present password is a try of the password, and nothing else is', async () => {
  const { id, caller } = await makeUser('ann');
  await setPassword(here, caller, id, { password: 'a long pass phrase' });
  await setPassword(here, admin, id, { password: 'another pass phrase' });
  expect(tries).toEqual([]);
  await expect(setPassword(here, caller, id, { password: 'yet another phrase', currentPassword: 'wrong' })).rejects.toMatchObject({ code: 'forbidden' });
  expect(tries).toEqual(['ann']);
});

test('US2: a token that is made while the password is replaced goes with it', async () => {
  const { id, caller } = await makeUser('ann');
  const gate = createGate();
  const { catalog } = here.app;
  const setsPassword: typeof catalog.setPassword = async (...args) => {
    await gate.wait();
    return catalog.setPassword(...args);
  };
  const slow = { ...here, app: { ...here.app, catalog: { ...catalog, setPassword: setsPassword } } };
  const sets = setPassword(slow, admin, id, { password: 'a long pass phrase' });
  await gate.reached;
  const { token } = await createToken(here, caller, { name: 'late' });
  expect(await works(token)).not.toBe(false);
  gate.open();
  await sets;
  expect(await works(token)).toBe(false);
  const entries = await catalog.audit({ action: 'token.revoked', limit: 10 });
  expect(entries.map(({ details }) => details)).toEqual([
    { user: id, reason: 'password_set' },
    { user: id, reason: 'password_set' },
  ]);
});

test('no token is called as the one that the server is given at its start', async () => {
  const refusal = createToken(here, admin, { name: 'TURNKEEPER_ADMIN_TOKEN' });
  await expect(refusal).rejects.toMatchObject({ code: 'validation_failed', details: { errors: [{ pointer: '/name' }] } });
});

test('tokens are their user’s own to list and revoke', async () => {
  const [ann, bob] = [await makeUser('ann'), await makeUser('bob')];
  const { token, personalToken } = await createToken(here, ann.caller, { name: 'laptop', expiresAt: clock.now() + 10_000 });
  await expect(revokeToken(here, bob.caller, personalToken.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(revokeToken(here, admin, personalToken.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await works(token)).not.toBe(false);
  await revokeToken(here, ann.caller, personalToken.id);
  expect(await works(token)).toBe(false);
});

test('A9: names cannot be told from the answers to wrong sign-ins', async () => {
  const { user } = await createUser(here, admin, { username: 'ann', roles: ['user'], password: 'a long pass phrase' });
  await makeUser('bob');
  const refusals = ['ann', 'bob', 'nobody'].map((username) =>
    here.identity.signInByPassword({ username, password: 'something else' }).catch((error: unknown) => error),
  );
  await changeUser(here, admin, user.id, { status: 'disabled' });
  refusals.push(here.identity.signInByPassword({ username: 'ann', password: 'a long pass phrase' }).catch((error: unknown) => error));
  const said = (await Promise.all(refusals)).map((error) => (error instanceof TurnkeeperError ? [error.code, error.message, error.details] : error));
  expect(new Set(said.map((words) => JSON.stringify(words))).size).toBe(1);
  expect(said[0]).toEqual(['unauthenticated', expect.any(String), {}]);
});

test('US1: two names that differ by case only are one too many', async () => {
  await makeUser('Ann');
  await expect(createUser(here, admin, { username: 'aNN', roles: ['user'] })).rejects.toMatchObject({ code: 'already_exists' });
});

test('when a key was last used is kept to the minute', async () => {
  const { application, apiKey } = await newKey();
  const used = async () => (await here.app.catalog.credentials(application.id, page))[0]?.lastUsedAt;
  await works(apiKey);
  const first = clock.now();
  await expect.poll(used).toBe(first);
  clock.move(30_000);
  await works(apiKey);
  clock.move(31_000);
  await works(apiKey);
  await expect.poll(used).toBe(first + 61_000);
});
