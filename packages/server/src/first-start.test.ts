/** What a start gives a store, also when several nodes start at once, or one starts again with other settings. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { App } from './app/app.ts';
import { createIdentity } from './app/identity.ts';
import { hashToken } from './app/tokens.ts';
import { ensureAdmin, ensureDemo, ensureProviderAgents, ensureSecretKey } from './first-start.ts';
import type { Catalog } from './ports/catalog.ts';
import { openWorld, type World } from './testing/harness/world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const page = { offset: 0, limit: 100 };
const app = (): App => world.engine.app;
/** A node that saw the catalog as it was before another node wrote to it: its first answers are those of an empty one. */
const late = (): App => {
  const { catalog } = app();
  const blind = new Set<keyof Catalog>(['firstAdmin', 'agent', 'agents', 'tokenByHash']);
  const empty = { firstAdmin: undefined, agents: [], agent: undefined, tokenByHash: undefined };
  const seen = new Proxy(catalog, {
    get: (target, name: keyof Catalog) => {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => (blind.delete(name) ? empty[name as keyof typeof empty] : method.apply(target, args));
    },
  });
  return { ...app(), catalog: seen };
};
const given = 'a-token-for-the-admin';

test('FS1: of two nodes that start at once one makes the admin, and both go on with it', async () => {
  const first = await ensureAdmin(app(), createIdentity(app()), undefined);
  const second = await ensureAdmin(late(), createIdentity(app()), undefined);
  expect(first.newToken).toMatch(/^tk_/);
  expect(second).toEqual({ admin: first.admin, newToken: undefined });
  expect(await app().catalog.users(page)).toHaveLength(1);
  expect(await app().catalog.tokensOf(first.admin.id, page)).toHaveLength(1);
});

test('FS1: both may bring the same token', async () => {
  const { admin } = await ensureAdmin(app(), createIdentity(app()), given);
  expect(await ensureAdmin(late(), createIdentity(app()), given)).toEqual({ admin, newToken: undefined });
  expect(await app().catalog.tokensOf(admin.id, page)).toHaveLength(1);
});

test('FS1: agents and the Welcome session are made once', async () => {
  const { admin } = await ensureAdmin(app(), createIdentity(app()), given);
  const models = { ...app().models, list: () => ['openai:gpt-5-mini', 'openai:gpt-5', 'demo:welcome'] };
  await ensureDemo(app(), admin);
  await ensureDemo(late(), admin);
  await ensureProviderAgents({ ...app(), models }, admin);
  await ensureProviderAgents({ ...late(), models }, admin);
  const agents = await app().catalog.agents({ offset: 0, limit: 10 });
  expect(agents.map(({ key }) => key).toSorted()).toEqual(['demo', 'openai']);
  const sessions = await app().sessions.store.list({ owner: `user:${admin.id}`, status: 'all', offset: 0, limit: 10 } as never);
  expect(sessions).toHaveLength(1);
});

test('FS2: a new TURNKEEPER_ADMIN_TOKEN revokes the one before, and no other token; without one nothing changes', async () => {
  const identity = createIdentity(app());
  const { admin } = await ensureAdmin(app(), identity, 'the-first-admin-token');
  const other = await identity.issueToken(admin.id, 'browser', null);
  const works = (token: string) =>
    createIdentity(app())
      .authenticate(hashToken(token))
      .then(
        () => true,
        () => false,
      );
  await ensureAdmin(app(), identity, undefined);
  expect([await works('the-first-admin-token'), await works(other)]).toEqual([true, true]);
  await ensureAdmin(app(), identity, 'the-second-admin-token');
  await ensureAdmin(app(), identity, 'the-second-admin-token');
  expect([await works('the-first-admin-token'), await works('the-second-admin-token'), await works(other)]).toEqual([false, true, true]);
});

test('what the server makes at its first start is its own act in the audit log', async () => {
  const { admin } = await ensureAdmin(app(), createIdentity(app()), given);
  await ensureDemo(app(), admin);
  await ensureAdmin(app(), createIdentity(app()), 'another-token-for-the-admin');
  const entries = await app().catalog.audit({ limit: 100 });
  expect(entries.map(({ action, actor, credentialId }) => [action, actor, credentialId]).toReversed()).toEqual([
    ['user.created', 'system', null],
    ['token.created', 'system', null],
    ['agent.created', 'system', null],
    ['token.created', 'system', null],
    ['token.revoked', 'system', null],
  ]);
  expect(JSON.stringify(entries)).not.toContain('-token-for-the-admin');
});

test('FS3: a key for secrets is made once, for its owner only, and never written over', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tk-key-'));
  try {
    const key = ensureSecretKey(folder, undefined);
    const file = join(folder, 'secret.key');
    expect([key.length, statSync(file).mode & 0o777, readdirSync(folder)]).toEqual([32, 0o600, ['secret.key']]);
    expect(ensureSecretKey(folder, undefined)).toEqual(key);
    const given = Buffer.alloc(32, 9);
    expect(ensureSecretKey(folder, given)).toEqual(given);
    expect(readFileSync(file, 'utf8').trim()).toBe(key.toString('hex'));
    chmodSync(file, 0o600);
    writeFileSync(file, 'broken');
    expect(() => ensureSecretKey(folder, undefined)).toThrow(/secret\.key is not a key/);
    expect(readFileSync(file, 'utf8')).toBe('broken');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
