/** What two nodes on one database both look for: slots of schedules and notices of webhooks are dealt with once (SF1, SD2, WD2, WH1). */
import { expect, it } from 'vitest';
import { auditOf } from '../../app/audit.ts';
import { createIdentity } from '../../app/identity.ts';
import { createSchedule, listScheduleRuns } from '../../app/manage-schedules.ts';
import { createWebhook } from '../../app/manage-webhooks.ts';
import { listTurns } from '../../app/read-turn.ts';
import { createSecretBox } from '../../app/secrets.ts';
import type { WebhookSender } from '../../ports/webhooks.ts';
import { ann, fresh } from '../harness/client.ts';
import { createFakeReceiver, taken } from '../harness/fake-receiver.ts';
import { eventually } from '../harness/settle.ts';
import { auditRow, waitMs } from '../store-contract/samples.ts';
import { moves, type Node, useNodes } from './nodes.ts';

const page = { offset: 0, limit: 100 };
const nodes = useNodes();

const addAnn = ({ engine: { app } }: Node) =>
  app.catalog.createUser(
    { id: ann.id, username: ann.id, displayName: 'Ann', roles: ['user'], status: 'active', passwordHash: null, createdAt: 0 },
    auditOf(app, 'system', { action: 'user.created', subject: `user:${ann.id}` }),
  );

it('each slot is submitted once and noted once, by whichever of two schedulers', async () => {
  // They look so often that they meet.
  const [here, there] = [await nodes.open({ sweepMs: 20 }), await nodes.open({ sweepMs: 20 })];
  await addAnn(here);
  const session = await here.client.session(await here.client.agent());
  const { app } = here.engine;
  const schedule = async (node: Node, when: { readonly at: string } | { readonly cron: string }) =>
    (await createSchedule(node.engine.app, ann, session, { message: 'again', onMissed: 'run_once', enabled: false, ...when }, fresh('schedule'))).answer.id;
  const once: string[] = [];
  for (let n = 0; n < 8; n += 1) once.push(await schedule(n % 2 ? here : there, { at: '2100-01-01T00:00:00Z' }));
  const often = [await schedule(here, { cron: '* * * * *' }), await schedule(there, { cron: '* * * * *' })];
  const enable = async (id: string, when: { readonly nextAt: number; readonly at?: number }): Promise<void> => {
    const row = await app.schedules.schedule(id);
    if (row) await app.schedules.update({ ...row, ...when, enabled: true, version: row.version + 1 }, row.version, auditRow());
  };
  // All are due at one moment, and none before all are there.
  const at = app.clock.now() + 1_000;
  for (const id of once) await enable(id, { at, nextAt: at });
  const minute = 60_000;
  const owed = Math.floor(app.clock.now() / minute) * minute - 5 * minute;
  for (const id of often) await enable(id, { nextAt: owed });
  const runsOf = async (id: string) => (await listScheduleRuns(app, ann, session, id, page)).items;
  await eventually('all have run', async () => (await Promise.all([...once, ...often].map(runsOf))).every((runs) => runs.length > 0), { clock: moves });
  // Many more looks.
  await waitMs(500);
  for (const id of once) expect(await runsOf(id)).toMatchObject([{ slot: at, outcome: 'submitted' }]);
  for (const id of often) {
    const runs = (await runsOf(id)).toSorted((a, b) => a.slot - b.slot);
    expect(runs[0]).toMatchObject({ slot: owed, outcome: 'skipped' });
    // From the first that was owed on, each slot is in one of them: no gap, and none twice.
    const spans = runs.map(({ slot, slot_until }) => [slot, slot_until ?? slot] as const);
    for (const [n, [slot]] of spans.entries()) expect(slot).toBe(n === 0 ? owed : (spans[n - 1]?.[1] ?? 0) + minute);
    expect(runs.slice(1).map(({ outcome }) => outcome)).toEqual(Array(runs.length - 1).fill('submitted'));
  }
  const turnsAndRuns = async () => {
    const turns = (await listTurns(app, ann, session, page)).items.map(({ metadata }) => {
      const { schedule_id, schedule_slot } = metadata as Readonly<Record<string, unknown>>;
      return `${schedule_id} ${schedule_slot}`;
    });
    expect(new Set(turns).size).toBe(turns.length);
    const submitted = (await Promise.all([...once, ...often].map(runsOf))).flat().filter(({ outcome }) => outcome === 'submitted');
    return turns.length - submitted.length;
  };
  // Another minute may begin between two looks: a turn is there before its run is noted.
  await expect.poll(turnsAndRuns).toBe(0);
});

it('each notice is sent once and in the order of its session, by whichever of two dispatchers', async () => {
  const receiver = createFakeReceiver();
  const sending = new Map<string, number>();
  let met = 0;
  receiver.answer(async ({ notice: { session_id } }) => {
    const now = (sending.get(session_id ?? '') ?? 0) + 1;
    sending.set(session_id ?? '', now);
    if (now > 1) met += 1;
    await waitMs(5);
    sending.set(session_id ?? '', now - 1);
    return taken;
  });
  const by = { here: 0, there: 0 };
  const secretBox = createSecretBox(Buffer.alloc(32, 7));
  const senderOf = (name: keyof typeof by): WebhookSender => ({
    ...receiver,
    send: (request, signal) => {
      by[name] += 1;
      return receiver.send(request, signal);
    },
  });
  const [here, there] = [
    await nodes.open({ secretBox, webhooks: { sender: senderOf('here') } }),
    await nodes.open({ secretBox, webhooks: { sender: senderOf('there') } }),
  ];
  const agent = await here.client.agent();
  const sessions: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    const { client, engine } = n % 2 ? here : there;
    const sessionId = await client.session(agent);
    const administration = { app: engine.app, identity: createIdentity(engine.app) };
    const body = { url: 'https://hooks.example/in', event_types: [] };
    await createWebhook(administration, ann, { kind: 'session', sessionId }, body, fresh('hook'));
    sessions.push(sessionId);
  }
  const from = new Map(await Promise.all(sessions.map(async (session) => [session, (await logOf(here, session)).length] as const)));
  // Commits of both nodes in each session: its turns run on one, and what is said comes on the other, too.
  // Who sends what is left to chance: until both have had a part in it.
  for (let round = 0; round < 3 || (round < 40 && (by.here === 0 || by.there === 0)); round += 1) {
    const turns = await Promise.all(
      sessions.flatMap((session) => [here, there].map(async ({ client }) => [session, await client.submit(session, `m${round}`)] as const)),
    );
    for (const [session, turn] of turns) await here.client.until(session, turn);
  }
  const owed = async (session: string) => (await logOf(here, session)).slice(from.get(session)).map(({ type }) => type);
  const wanted = new Map(await Promise.all(sessions.map(async (session) => [session, await owed(session)] as const)));
  const count = [...wanted.values()].flat().length;
  await eventually('all is told', () => receiver.received.length >= count, { clock: moves });
  await waitMs(300);
  for (const session of sessions) {
    const notices = receiver.received.filter(({ notice }) => notice.session_id === session).map(({ notice }) => notice);
    expect(notices.map(({ type }) => type)).toEqual(wanted.get(session));
    expect(new Set(notices.map(({ id }) => id)).size).toBe(notices.length);
  }
  expect(met).toBe(0);
  expect(by.here > 0 && by.there > 0).toBe(true);
});

const logOf = async ({ store }: Node, session: string) => {
  const sid = (await store.sessions.load(session as never))?.head.sid ?? 0;
  return store.sessions.events({ sid, after: 0, limit: 10_000 });
};
