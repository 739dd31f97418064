/**
 * What a store is given when it has it not yet: the first admin, the command line's token, agents to begin with, and
 * the Welcome session.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from './app/app.ts';
import type { Caller } from './app/caller.ts';
import { createSession } from './app/create-session.ts';
import { hashToken, type Identity } from './app/identity.ts';
import { createAgent } from './app/manage-agents.ts';
import type { UserRow } from './ports/catalog.ts';

export type FirstStart = {
  readonly admin: UserRow;
  /** The first admin's token, on the start that made it; never again. */
  readonly newToken: string | undefined;
};

/** Finds the first admin or makes it, with the given token or a new one. */
export const ensureAdmin = async (app: App, identity: Identity, givenToken: string | undefined): Promise<FirstStart> => {
  const known = (await app.catalog.users()).find((user) => user.roles.includes('admin'));
  const admin: UserRow = known ?? { id: app.ids.next('user'), username: 'admin', displayName: 'Admin', roles: ['admin', 'user'], createdAt: app.clock.now() };
  if (!known) await app.catalog.createUser(admin);
  if (givenToken !== undefined) {
    if (!(await app.catalog.tokenByHash(hashToken(givenToken)))) {
      await app.catalog.addToken({
        id: app.ids.next('token'),
        userId: admin.id,
        name: 'TURNKEEPER_ADMIN_TOKEN',
        hash: hashToken(givenToken),
        createdAt: app.clock.now(),
        expiresAt: null,
        lastUsedAt: null,
      });
    }
    return { admin, newToken: undefined };
  }
  return { admin, newToken: known ? undefined : await identity.issueToken(admin.id, 'first admin', null) };
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
  for (const model of app.models.list()) {
    const provider = model.slice(0, model.indexOf(':'));
    if (provider === 'demo' || seen.has(provider)) continue;
    seen.add(provider);
    if (await app.catalog.agent(provider)) continue;
    await createAgent(app, callerOf(admin), {
      agentKey: provider,
      displayName: `Assistant (${model.slice(provider.length + 1)})`,
      description: `A general assistant on ${model}.`,
      definition: { system: assistantPrompt, model, maxIters: 20, tools: [...builtins], permissionMode: 'ask' },
    });
  }
};

/** The demo agent and the Welcome session, on a store that has no agent yet. */
export const ensureDemo = async (app: App, admin: UserRow): Promise<void> => {
  if (await app.catalog.agent('demo')) return;
  if ((await app.catalog.agents({ offset: 0, limit: 1 })).length > 0) return;
  const { agent } = await createAgent(app, callerOf(admin), {
    agentKey: 'demo',
    displayName: 'Demo',
    description: 'A scripted agent that needs no key: it answers, tells the time and calculates.',
    definition: { system: 'You are the demo agent of Turnkeeper.', model: 'demo:welcome', maxIters: 20, tools: [...builtins], permissionMode: 'ask' },
  });
  await createSession(
    app,
    callerOf(admin),
    {
      target: { type: 'agent', id: agent.id },
      title: 'Welcome',
      initialMessage: { message: 'Hello! What can you do, what time is it, and what is (17 + 25) * 3?' },
    },
    'welcome-session',
  );
};

const callerOf = (user: UserRow): Caller => ({ type: 'user', id: user.id, name: user.username, admin: user.roles.includes('admin') });
