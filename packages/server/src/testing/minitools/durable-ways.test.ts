/** A bot in a real process, on an engine: an echo over a webhook, its replies by a consumer, its ticks by a schedule; and `kill -9` in between. */
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditOf } from '../../app/audit.ts';
import { createAgent } from '../../app/manage-agents.ts';
import { sealedName } from '../../app/minitools/sealed-name.ts';
import { createSecretBox } from '../../app/secrets.ts';
import { createEngine, type Engine } from '../../engine.ts';
import { DurableWays } from '../../minitools/durable-ways.ts';
import { Follower } from '../../minitools/follower/follower.ts';
import type { HostApi } from '../../minitools/host-api.ts';
import { AttachmentRoom } from '../../minitools/sessions/attachment-room.ts';
import { createSessionCalls } from '../../minitools/sessions/session-calls.ts';
import { silentBus } from '../../ports/bus.ts';
import { systemClock } from '../../ports/clock.ts';
import { createIds } from '../../system-ids.ts';
import { userCaller } from '../harness/client.ts';
import { type HostedForTest, openHost } from './hosted.ts';

const code = `
import { Buffer } from 'node:buffer';
export function activate(ctx) {
  ctx.logger.info('pid ' + process.pid);
  ctx.http.onWebhook('chat', async (delivery) => {
    const { chat, text, hang } = delivery.json();
    const session = await ctx.sessions.create({ containerId: 'inbox', externalKey: chat });
    const receipt = await ctx.sessions.send(session.sessionId, { text, idempotencyKey: delivery.idempotencyKey, metadata: { chat } });
    ctx.logger.info('sent ' + delivery.attempt + ' ' + receipt.state + ' ' + delivery.body.length);
    // The turn is there, and nobody was told: killed here, the message comes again.
    if (hang && delivery.attempt === 1) await new Promise(() => {});
  });
  ctx.sessions.consume('replies', (event) => {
    if (event.type === 'turn.completed') ctx.logger.info('reply to ' + event.metadata.chat + ': ' + event.outputText);
  });
  ctx.timers.onSchedule('ticks', (fire) => ctx.logger.info('tick ' + fire.fireId));
}
`;

let hosted: HostedForTest;
let ways: DurableWays;
let engine: Engine;
let follower: Follower;
const box = createSecretBox(Buffer.alloc(32, 3));
const report = (error: unknown): void => void process.stderr.write(`unexpected: ${String(error)}\n`);

beforeEach(async () => {
  // Made before the host is there, as the host is made with it.
  const later: { api?: Partial<HostApi> } = {};
  const api = new Proxy(
    {},
    {
      get: (_, name) => later.api?.[name as keyof HostApi],
      ownKeys: () => Object.keys(later.api ?? {}),
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  );
  hosted = await openHost({ api });
  const { store, dataFolder, host } = hosted;
  engine = createEngine({ store: { ...store, bus: silentBus }, clock: systemClock, models: { demo: true }, slots: 4, report });
  ways = new DurableWays({ store: store.minitools, box, clock: systemClock, ids: createIds(systemClock), dataFolder, report });
  ways.join(host);
  follower = new Follower({ app: engine.app, report });
  follower.onEvent((minitoolId, event) => {
    if ('sequence' in event) ways.eventAdded(minitoolId);
  });
  const sessionCalls = createSessionCalls({ app: engine.app, locale: () => 'en-US', catchUp: (sid) => follower.catchUp(sid), room: new AttachmentRoom() });
  later.api = { ...ways.api, 'sessions.call': sessionCalls };
  await engine.start();
  follower.start();
  const user = { id: 'user_1', username: 'ann', displayName: 'ann', roles: ['admin', 'user'], status: 'active', passwordHash: null, createdAt: 0 } as const;
  await engine.app.catalog.createUser(user, auditOf(engine.app, 'system', { action: 'user.created', subject: 'user:user_1' }));
  const definition = { system: '', model: 'demo:echo', maxIters: 20, tools: [], permissionMode: 'acceptCalls' as const };
  await createAgent(engine.app, userCaller('user_1', { name: 'ann', admin: true }), { agentKey: 'default', displayName: 'Echo', description: '', definition });
});
afterEach(async () => {
  const ended = ways.stop();
  await hosted.host.stop();
  await ended;
  await follower.stop();
  await engine.runner.stop(0);
  await engine.background.stop(0);
  await hosted.close();
});

const send = async (body: string): Promise<number> => {
  const hook = await ways.door.hook('bot', 'chat');
  const signature = createHmac('sha256', 'k').update(body).digest('hex');
  return (await hook?.receive({ headers: { 'x-signature': signature }, body: Buffer.from(body) }))?.status ?? 404;
};
const turnsOf = async (): Promise<readonly string[]> => {
  const [row] = await hosted.store.sessions.list({ owner: 'minitool:bot', status: 'all', order: 'created', offset: 0, limit: 10 });
  if (!row) return [];
  const rows = await hosted.store.sessions.events({ sid: row.sid, after: 0, limit: 1_000 });
  return rows.filter(({ type }) => type === 'turn.accepted').map(({ data }) => data);
};
const install = async (schedules: readonly object[] = []): Promise<void> => {
  const verify = { type: 'hmac-sha256', header: 'X-Signature', secret: 'chat.key' };
  await hosted.run('bot', code, {
    permissions: { sessions: true, secrets: ['chat.key'] },
    contributes: { sessionContainers: [{ id: 'inbox' }], webhooks: [{ id: 'chat', verify, dedupe: '/id', orderKey: '/chat' }], schedules: schedules as never },
  });
  await hosted.store.minitools.setSecret('bot', 'chat.key', box.seal(sealedName('bot', 'chat.key'), 'k'), 0);
  await hosted.logged('bot', 'activated');
};

test('a message is one turn and has its reply, also where the bot is killed between the delivery and its answer', async () => {
  await install();
  const body = JSON.stringify({ id: 'm1', chat: 'alice', text: 'hello', hang: true });
  expect(await send(body)).toBe(202);
  await hosted.logged('bot', 'sent 1 accepted');
  const pid = Number((await hosted.logged('bot', /^pid \d+$/)).slice('pid '.length));
  process.kill(pid, 'SIGKILL');
  // Down, and yet it is taken.
  expect(await send(JSON.stringify({ id: 'm2', chat: 'alice', text: 'there' }))).toBe(202);
  await hosted.logged('bot', 'sent 2 duplicate');
  await hosted.logged('bot', 'sent 1 accepted 41');
  await hosted.logged('bot', /reply to alice: .*there/);
  // The platform sends it again, as it heard nothing.
  expect(await send(body)).toBe(202);
  const log = await hosted.log('bot');
  expect(log.filter((line) => line.startsWith('sent')).map((line) => line.split(' ').slice(1, 3).join(' '))).toEqual([
    '1 accepted',
    '2 duplicate',
    '1 accepted',
  ]);
  expect(log.filter((line) => /reply to alice: .*hello/.test(line)).length).toBeGreaterThan(0);
  expect(await turnsOf()).toHaveLength(2);
  expect(hosted.reports).toEqual([]);
}, 60_000);

test('a body too large for a message reaches the handler whole', async () => {
  await install();
  const body = JSON.stringify({ id: 'm1', chat: 'alice', text: 'hello', more: 'x'.repeat(900_000) });
  expect(await send(body)).toBe(202);
  await hosted.logged('bot', `sent 1 accepted ${body.length}`);
}, 60_000);

test('a schedule ticks, and a slot that was told once is not told again by the next process', async () => {
  await install([{ id: 'ticks', everySeconds: 1 }]);
  await hosted.logged('bot', 'tick bot:ticks:');
  process.kill(Number((await hosted.logged('bot', /^pid \d+$/)).slice('pid '.length)), 'SIGKILL');
  const before = (await hosted.log('bot')).filter((line) => line.startsWith('tick')).length;
  await expect.poll(async () => (await hosted.log('bot')).filter((line) => line.startsWith('tick')).length).toBeGreaterThan(before + 1);
  const ticks = (await hosted.log('bot')).filter((line) => line.startsWith('tick'));
  expect(new Set(ticks).size).toBe(ticks.length);
}, 60_000);
