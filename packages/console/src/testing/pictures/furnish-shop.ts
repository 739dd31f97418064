/** A bookshop that has used Turnkeeper for two weeks: what the pictures of the console show. */
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@turnkeeper/client/create-client';
import type { TestServer } from '../start-server.ts';
import { hireWorkers, organise, type Workers } from './shop-agents.ts';
import { earlier } from './shop-answers.ts';
import type { ShopServices } from './shop-services.ts';

const dayMs = 86_400_000;
/** How many days ago, and how much was asked on that day. */
const days = [
  [12, 1],
  [11, 3],
  [10, 2],
  [9, 3],
  [8, 2],
  [5, 1],
  [4, 3],
  [3, 2],
  [2, 3],
  [1, 2],
] as const;
const samples = join(import.meta.dirname, '../../../../../examples/minitools');

/** What the server is told. Which day it lives in changes, from one start to the next. */
export const shopEnvironment: NodeJS.ProcessEnv = {
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'days-ago.ts')}`,
  DAYS_AGO: '12',
  TURNKEEPER_DEMO: '0',
  TURNKEEPER_WEBHOOK_ALLOW_PRIVATE: '1',
  TURNKEEPER_OUTBOUND_ALLOW: 'localhost',
};

const configuration = (url: string) => ({
  providers: { studio: { type: 'openai-compatible', baseURL: url, models: ['large', 'small'] } },
  prices: { 'studio:large': { input: 3, output: 15, cachedInput: 0.3 }, 'studio:small': { input: 0.4, output: 1.6, cachedInput: 0.1 } },
});

const until = async (what: string, is: () => Promise<boolean>): Promise<void> => {
  for (const end = performance.now() + 30_000; !(await is()); ) {
    if (performance.now() > end) throw new Error(`It does not come to this: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
const isNow = (client: Client, id: string, status: string): Promise<void> =>
  until(`${id} is ${status}`, async () => (await client.sessions.get(id)).status === status);

/** Asks, and waits until the session is as it says. */
const ask = async (client: Client, target: object, title: string, said: { readonly message?: string; readonly input?: unknown }, then = 'idle') => {
  const { id } = await client.sessions.create({ ...target, title } as never);
  await client.turns.submit(id, said as never, { idempotencyKey: title });
  await isNow(client, id, then);
  return id;
};

const past = async (server: TestServer, client: () => Client, workers: Workers): Promise<void> => {
  let asked = 0;
  for (const [day, count] of days) {
    shopEnvironment['DAYS_AGO'] = String(day);
    await server.restart('SIGTERM');
    const ofDay = earlier.slice(asked, asked + count);
    asked += count;
    await Promise.all(ofDay.map(([agent, title]) => ask(client(), { agent: workers[agent] }, title, { message: `${title} Please look into it.` })));
  }
  shopEnvironment['DAYS_AGO'] = '0';
  await server.restart('SIGTERM');
};

/** Turns one after the other, and what was tried besides. */
const investigate = async (client: Client, agent: string) => {
  const session = await ask(client, { agent }, 'Why is checkout slow?', { message: 'Checkout takes three seconds since yesterday. Why?' });
  for (const message of ['Which customers noticed?', 'Write a note for the team.']) {
    await client.turns.submit(session, { message }, { idempotencyKey: message });
    await isNow(client, session, 'idle');
  }
  const turns = (await client.turns.list(session)).items.toSorted((one, other) => one.createdAt - other.createdAt);
  const { data } = await client.context.checkpoints(session);
  const [newest, , oldest] = data;
  const names = { [newest?.checkpoint_id ?? '']: 'With the note', [oldest?.checkpoint_id ?? '']: 'Cause found' };
  await client.sessions.patch(session, { metadata: { checkpoint_names: names } });
  const fork = await client.context.fork(session, { title: 'A shorter note', at: turns[1]?.id }, { idempotencyKey: 'shorter' });
  const shorter = 'Make it shorter, and friendly.';
  await client.turns.submit(fork.id, { message: shorter }, { idempotencyKey: shorter });
  return { session, turn: turns[0]?.id ?? '', fork: fork.id };
};

/** An order that is paid, and waits to be shipped. */
const order = async (client: Client, workflow: string): Promise<string> => {
  const input = { article: 'Atlas of Tides', to: 'Hamburg' };
  const id = await ask(client, { target: { type: 'workflow', id: workflow } }, 'Order 4712: Atlas of Tides', { input }, 'requires_action');
  const waiting = async (kind: string) => (await client.actions.list()).find((action) => action.session_id === id && action.kind === kind);
  const payment = await waiting('signal');
  if (payment) await client.actions.signal(payment, { sum: 48.9, by: 'card' });
  await until('the order waits to be shipped', async () => (await waiting('approval')) !== undefined);
  return id;
};

const installSamples = async (client: Client, defaultAgent: string): Promise<void> => {
  await client.minitools.putDefaults({ defaultAgent });
  const folder = mkdtempSync(join(tmpdir(), 'minitools-'));
  cpSync(samples, folder, { recursive: true });
  for (const name of ['todo', 'planner', 'echo-bot']) {
    writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ name: `example-${name}`, version: '1.2.0', type: 'module' }));
    const { minitool } = await client.minitools.install({ source: `folder:${join(folder, name)}` });
    if (name !== 'echo-bot') await client.minitools.enable(minitool.id, minitool.permissions);
  }
};

/** The web shop itself: an application with its key, and whoever hears of its sessions. */
const connect = async (client: Client, url: string, { support }: Workers): Promise<string> => {
  const { id: applicationId } = await client.applications.create({ name: 'Web shop', description: 'Answers visitors of the shop.' });
  const grants = { scopes: ['invoke', 'read', 'interact', 'cancel'] as const, targets: [{ type: 'agent' as const, id: support }] };
  const { apiKey } = await client.credentials.create(applicationId, { name: 'Production', ...grants, scopes: [...grants.scopes] });
  const types = ['turn.completed', 'turn.failed', 'turn.requires_action'];
  const hook = await client.webhooks.create({ applicationId }, { url: `${url}/hooks/orders`, event_types: types }, { idempotencyKey: 'orders' });
  await client.webhooks.create({ applicationId }, { url: `${url}/hooks/old-office`, event_types: types }, { idempotencyKey: 'office' });
  const shop = createClient({ baseUrl: client.baseUrl, apiKey });
  for (const title of ['Opening hours at Easter', 'Is the Atlas in stock?', 'A gift for a sailor'])
    await ask(shop, { agent: support }, title, { message: `${title} Is the Atlas of Tides in stock?` });
  await client.webhooks.test({ applicationId }, hook.id);
  return hook.id;
};

const settle = async (client: Client): Promise<void> => {
  const [berg, moreau] = [
    await client.users.create({ username: 'anna', displayName: 'Anna Berg', password: 'anna has a long password' }),
    await client.users.create({ username: 'louis', displayName: 'Louis Moreau', password: 'louis has a long password' }),
  ];
  await client.spaces.create({ id: 'shop', name: 'Shop' });
  await client.spaces.putMember('shop', berg.id, 'manager');
  await client.spaces.putMember('shop', moreau.id, 'member');
  await client.tokens.create({ name: 'Laptop' });
  await client.tokens.create({ name: 'Nightly report', expiresAt: Date.now() + 30 * dayMs });
  await client.secrets.put('ORDERS_KEY', 'a secret of the shop');
  await client.secrets.put('LOGS_KEY', 'another secret');
};

export type Shop = Awaited<ReturnType<typeof furnishShop>>;

/** Places that the pictures show. The newest things come last. */
export const furnishShop = async (server: TestServer, client: () => Client, services: ShopServices) => {
  writeFileSync(join(server.folder, 'turnkeeper.config.json'), JSON.stringify(configuration(services.url)));
  await server.restart('SIGTERM');
  const workers = await hireWorkers(client(), services.url);
  const { team, workflow } = await organise(client(), workers);
  await settle(client());
  await past(server, client, workers);
  const today = client();
  await installSamples(today, workers.support);
  const webhook = await connect(today, services.url, workers);
  await ask(today, { target: { type: 'team', id: team } }, 'Readers on the lighthouse book', { message: 'What do readers say about the lighthouse book?' });
  const found = await investigate(today, workers.engineer);
  await ask(today, { agent: workers.analyst }, 'Weekly numbers', { message: 'The numbers of last week, please.' });
  const message = 'Order 4711 arrived broken. The customer wants the money back.';
  const refund = await ask(today, { agent: workers.support }, 'Refund for order 4711', { message }, 'requires_action');
  await ask(today, { agent: workers.writer }, 'Autumn sale', { message: 'Plan the autumn sale: which shelves, how much off?' }, 'requires_action');
  const orderSession = await order(today, workflow);
  await ask(today, { agent: workers.writer }, 'Autumn letter', { message: 'Write the autumn letter, in our voice.' }, 'running');
  return { ...found, refund, webhook, workflow, team, order: orderSession, agent: workers.support };
};
