/**
 * What a store and a data folder are given when they have it not yet: the first admin, the command line's token, a key
 * for secrets, agents to begin with, and the Welcome session.
 *
 * FS1 Several nodes may start at once on one database: what another has made meanwhile counts as made.
 * FS2 Of the tokens given by `TURNKEEPER_ADMIN_TOKEN` only the one that is set now is valid: to change it revokes the one
 *     before. A start without the variable changes nothing.
 * FS3 A key for secrets that is there is never written over: what was encrypted by it would be lost.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import type { CreateAgentRequest } from '@turnkeeper/core/protocol/wire/agents';
import { everyRow } from './app/administration.ts';
import type { App } from './app/app.ts';
import { auditOf } from './app/audit.ts';
import type { UserCaller } from './app/caller.ts';
import { createSession } from './app/create-session.ts';
import type { Identity } from './app/identity.ts';
import { createAgent } from './app/manage-agents.ts';
import { givenTokenName, hashToken } from './app/tokens.ts';
import type { UserRow } from './ports/catalog.ts';

export type FirstStart = {
  readonly admin: UserRow;
  /** The first admin's token, on the start that made it; never again. */
  readonly newToken: string | undefined;
};

/** Finds the first admin or makes it, with the given token or a new one. */
export const ensureAdmin = async (app: App, identity: Identity, givenToken: string | undefined): Promise<FirstStart> => {
  const { admin, made } = await findOrMakeAdmin(app);
  if (givenToken !== undefined) {
    await ensureGivenToken(app, admin, hashToken(givenToken));
    return { admin, newToken: undefined };
  }
  return { admin, newToken: made ? await identity.issueToken(admin.id, 'first admin', null) : undefined };
};

const findOrMakeAdmin = async (app: App): Promise<{ readonly admin: UserRow; readonly made: boolean }> => {
  const known = await app.catalog.firstAdmin();
  if (known) return { admin: known, made: false };
  const admin: UserRow = {
    id: app.ids.next('user'),
    username: 'admin',
    displayName: 'Admin',
    roles: ['admin', 'user'],
    status: 'active',
    passwordHash: null,
    createdAt: app.clock.now(),
  };
  const details = { username: admin.username, roles: [...admin.roles] };
  const entry = auditOf(app, 'system', { action: 'user.created', subject: `user:${admin.id}`, details });
  if ((await app.catalog.createUser(admin, entry)) === 'created') return { admin, made: true };
  const others = await app.catalog.firstAdmin();
  if (!others) throw new TurnkeeperError('already_exists', 'There is no admin, and the name "admin" belongs to a user who is none.');
  return { admin: others, made: false };
};

const ensureGivenToken = async (app: App, admin: UserRow, hash: string): Promise<void> => {
  const { catalog, clock, ids } = app;
  const entry = (action: string, id: string) => auditOf(app, 'system', { action, subject: `token:${id}`, details: { user: admin.id, name: givenTokenName } });
  const isThere = async (): Promise<boolean> => (await catalog.tokenByHash(hash)) !== undefined;
  if (!(await isThere())) {
    const row = { id: ids.next('token'), userId: admin.id, name: givenTokenName, hash, createdAt: clock.now(), expiresAt: null, lastUsedAt: null };
    await catalog.addToken(row, entry('token.created', row.id)).catch(async (error: unknown) => {
      // Another node that starts now may have added it: hashes are unique.
      if (!(await isThere())) throw error;
    });
  }
  const former = (await everyRow((page) => catalog.tokensOf(admin.id, page))).filter((token) => token.name === givenTokenName && token.hash !== hash);
  for (const { id } of former) await catalog.deleteToken(id, entry('token.revoked', id));
};

/** The token file of the command line on this machine, readable by its owner only. */
export const ensureCliToken = async (app: App, identity: Identity, admin: UserRow, folder: string): Promise<void> => {
  const file = join(folder, 'cli-token');
  const kept = readIfThere(file);
  if (kept && (await app.catalog.tokenByHash(hashToken(kept)))) return;
  const token = await identity.issueToken(admin.id, 'command line', null);
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
};

const secretKeyFile = 'secret.key';
const keyDigits = /^[0-9a-f]{64}$/i;

/** The key for secrets: the given one, or that of the data folder, which is made if there is none (FS3). */
export const ensureSecretKey = (folder: string, given: Buffer | undefined): Buffer => {
  if (given) return given;
  const file = join(folder, secretKeyFile);
  const text = readIfThere(file) ?? makeSecretKey(file);
  if (!keyDigits.test(text))
    throw new TurnkeeperError('validation_failed', `${file} is not a key of 64 hexadecimal digits. Restore it from a backup, or set TURNKEEPER_SECRET_KEY.`);
  return Buffer.from(text, 'hex');
};

/** Whole and durable before it has its name; of several at once the first one's stays. */
const makeSecretKey = (file: string): string => {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const text = randomBytes(32).toString('hex');
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(handle, `${text}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(draft, file);
    return text;
  } catch (error) {
    const others = (error as NodeJS.ErrnoException).code === 'EEXIST' ? readIfThere(file) : undefined;
    if (others === undefined) throw error;
    return others;
  } finally {
    rmSync(draft, { force: true });
  }
};

const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const assistantPrompt = 'You are a helpful assistant. Answer briefly and clearly, in the language of the question. Use your tools where they help.';
const builtins = [
  { type: 'builtin', name: 'time' },
  { type: 'builtin', name: 'calculator' },
] as const;

/** An agent for each provider that is configured and has none, so that its models work at once. */
export const ensureProviderAgents = async (app: App, admin: UserRow): Promise<void> => {
  const seen = new Set<string>();
  const models = app.models.list();
  for (const model of models) {
    const provider = model.slice(0, model.indexOf(':'));
    if (provider === 'demo' || seen.has(provider)) continue;
    seen.add(provider);
    if (await app.catalog.agent(provider)) continue;
    await createAgentOnce(app, admin, {
      agentKey: provider,
      displayName: `Assistant (${model.slice(provider.length + 1)})`,
      description: `A general assistant on ${model}.`,
      definition: {
        system: assistantPrompt,
        model,
        models: models.filter((name) => name.startsWith(`${provider}:`)),
        maxIters: 20,
        tools: [...builtins],
        permissionMode: 'ask',
      },
    });
  }
};

/** The demo agent and the Welcome session, on a store that has no agent yet. */
export const ensureDemo = async (app: App, admin: UserRow): Promise<void> => {
  if (await app.catalog.agent('demo')) return;
  if ((await app.catalog.agents({ offset: 0, limit: 1 })).length > 0) return;
  const agentId = await createAgentOnce(app, admin, {
    agentKey: 'demo',
    displayName: 'Demo',
    description: 'A scripted agent that needs no key: it answers, tells the time and calculates.',
    definition: {
      system: 'You are the demo agent of Turnkeeper.',
      model: 'demo:welcome',
      maxIters: 20,
      tools: [...builtins],
      permissionMode: 'ask',
    },
  });
  if (agentId === undefined) return;
  await createSession(
    app,
    callerOf(admin),
    {
      target: { type: 'agent', id: agentId },
      title: 'Welcome',
      // What the demo model answers with its tour (models/demo/tour.ts).
      initialMessage: { message: 'Show me around.' },
    },
    'welcome-session',
  );
};

/** The new agent's id, or undefined when another node has made it meanwhile. */
const createAgentOnce = async (app: App, admin: UserRow, agent: CreateAgentRequest): Promise<string | undefined> => {
  try {
    return (await createAgent(app, callerOf(admin), agent, 'system')).agent.id;
  } catch (error) {
    if (error instanceof TurnkeeperError && error.code === 'already_exists') return undefined;
    throw error;
  }
};

/** The admin as the server itself acts for it. */
const callerOf = (user: UserRow): UserCaller => ({
  type: 'user',
  id: user.id,
  name: user.username,
  admin: user.roles.includes('admin'),
  credentialId: null,
  spaces: new Map(),
  applications: new Map(),
  minitools: new Set(),
});
