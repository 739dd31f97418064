/** Schedules: each slot one turn, whatever crashes; every slot noted; as much as its maker may. */
import { afterEach, expect, test } from 'vitest';
import type { App } from '../../app/app.ts';
import { changeSchedule, createSchedule, deleteSchedule, listScheduleRuns, listSchedules, readSchedule } from '../../app/manage-schedules.ts';
import { archiveSession, deleteSession } from '../../app/manage-session.ts';
import { listTurns } from '../../app/read-turn.ts';
import { runOwedSlot, runScheduleNow } from '../../app/run-schedule.ts';
import type { ScheduleStore } from '../../ports/schedules.ts';
import { addApplication } from '../harness/application.ts';
import { ann, bob, createClient, fresh } from '../harness/client.ts';
import { createGate } from '../harness/gate.ts';
import { eventually } from '../harness/settle.ts';
import { openWorld, type World, type WorldOptions } from '../harness/world.ts';
import { auditRow } from '../store-contract/samples.ts';

let world: World;
const minute = 60_000;
const hour = 60 * minute;
const page = { offset: 0, limit: 100 };
const app = (): App => world.engine.app;

const addUser = async (id: string) =>
  app().catalog.createUser(
    { id, username: id, displayName: id, roles: ['user'], status: 'active', passwordHash: null, createdAt: 0 },
    auditRow({ subject: `user:${id}` }),
  );
const open = async (options: WorldOptions = {}) => {
  world = await openWorld(options);
  await addUser('ann');
  return createClient(world);
};
afterEach(() => world.close());

const iso = (at: number): string => new Date(at).toISOString();
type Wanted = Partial<Parameters<typeof createSchedule>[3]>;
const schedule = async (session: string, body: Wanted, caller = ann as Parameters<typeof createSchedule>[1], key = fresh('schedule')) =>
  (await createSchedule(app(), caller, session, { message: 'again', onMissed: 'run_once', enabled: true, ...body }, key)).answer;
const runsOf = async (session: string, id: string) => (await listScheduleRuns(app(), ann, session, id, page)).items;
const turnsOf = async (session: string, caller = ann as Parameters<typeof listTurns>[1]) => (await listTurns(app(), caller, session, page)).items;
const eventuallyRuns = (session: string, id: string, count: number) =>
  eventually(`${count} runs`, async () => ((await runsOf(session, id)).length >= count ? runsOf(session, id) : undefined), { clock: world.clock });

test('a turn at an instant, once, that says where it comes from', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const at = world.clock.now() + 90_500;
  const made = await schedule(session, { at: iso(at), metadata: { kind: 'reminder' } });
  expect(made).toMatchObject({ session_id: session, at, cron: null, next_at: at, enabled: true, created_by: { type: 'user', id: 'ann' } });
  await world.clock.advance(90_499);
  expect(await turnsOf(session)).toEqual([]);
  await world.clock.advance(1);
  const [run] = await eventuallyRuns(session, made.id, 1);
  expect(run).toMatchObject({ slot: at, outcome: 'submitted', asked_by: 'schedule', code: null });
  const turn = await client.until(session, String(run?.turn_id));
  expect(turn).toMatchObject({ preview: 'again', metadata: { kind: 'reminder', schedule_id: made.id, schedule_slot: iso(at) } });
  expect(await readSchedule(app(), ann, session, made.id)).toMatchObject({ next_at: null, enabled: true });
  await world.clock.advance(hour);
  expect(await turnsOf(session)).toHaveLength(1);
});

test('a turn a slot, by cron', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const { id, next_at } = await schedule(session, { cron: '*/5 * * * *' });
  for (let n = 0; n < 3; n += 1) {
    await world.clock.advance(5 * minute);
    await eventuallyRuns(session, id, n + 1);
  }
  const first = next_at ?? 0;
  const runs = await runsOf(session, id);
  expect(runs.map(({ slot, outcome }) => [slot - first, outcome])).toEqual([2, 1, 0].map((n) => [n * 5 * minute, 'submitted']));
  expect(await turnsOf(session)).toHaveLength(runs.length);
});

/** Each method of the store by which a slot is dealt with, cut off before or after it was done. */
const cuts = ['before the submission', 'before it is noted', 'after it was noted'] as const;
test.each(cuts)('SF1: one turn, though the process ends %s', async (cut) => {
  const client = await open();
  const session = await client.session(await client.agent());
  const at = world.clock.now() + minute;
  const { id } = await schedule(session, { at: iso(at) });
  const store = app().schedules as { -readonly [Name in keyof ScheduleStore]: ScheduleStore[Name] };
  const never = new Promise<never>(() => {});
  let reached = false;
  const stop = async (): Promise<never> => {
    reached = true;
    return never;
  };
  if (cut === 'before the submission') {
    const claim = store.claim.bind(store);
    Object.assign(app(), { schedules: { ...methods(store), claim: async (...given: Parameters<typeof claim>) => (await claim(...given)) && stop() } });
  } else {
    const settle = store.settle.bind(store);
    const cutSettle = async (...given: Parameters<typeof settle>) => {
      if (cut === 'after it was noted') await settle(...given);
      await stop();
    };
    Object.assign(app(), { schedules: { ...methods(store), settle: cutSettle } });
  }
  await world.clock.advance(minute);
  await eventually('the cut', () => reached, { clock: world.clock });
  await world.restart();
  const [run, ...others] = await eventuallyRuns(session, id, 1);
  expect(others).toEqual([]);
  expect(run?.outcome).toBe(cut === 'before it is noted' ? 'duplicate' : 'submitted');
  await world.clock.advance(hour);
  const turns = await turnsOf(session);
  expect(turns.map((turn) => turn.id)).toEqual([run?.turn_id]);
  expect(await runsOf(session, id)).toHaveLength(1);
});

const names = ['create', 'byKey', 'schedule', 'list', 'update', 'remove', 'runs', 'addRun', 'due', 'claim', 'settle', 'releaseAll'] as const;
const methods = (store: ScheduleStore): ScheduleStore =>
  Object.fromEntries(names.map((name) => [name, (store[name] as (...given: unknown[]) => unknown).bind(store)])) as unknown as ScheduleStore;

test('SF1: several nodes that see the same slot make one turn of it', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const at = world.clock.now() + minute;
  const { id } = await schedule(session, { at: iso(at) });
  const row = await app().schedules.schedule(id);
  if (!row) throw new Error('it is not there');
  world.clock.sleepThrough(minute);
  // Their claims give way as if the leases were over: what is left is the key.
  Object.assign(app(), { schedules: { ...methods(app().schedules), claim: async () => true } });
  await Promise.all([1, 2, 3].map(() => runOwedSlot(app(), row)));
  expect(await turnsOf(session)).toHaveLength(1);
  expect(await runsOf(session, id)).toHaveLength(1);
});

test('SY3, SF2: after downtime the latest slot runs, or none, and what is left out is told', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const once = await schedule(session, { cron: '0 * * * *' });
  const skipping = await schedule(session, { cron: '0 * * * *', onMissed: 'skip' });
  const first = once.next_at ?? 0;
  await world.kill();
  world.clock.sleepThrough(first - world.clock.now() + 3 * hour + 20 * minute);
  await world.open();
  const runs = await eventuallyRuns(session, once.id, 2);
  expect(runs.map(({ slot, slot_until, outcome }) => [slot, slot_until, outcome]).toSorted()).toEqual(
    [
      [first, first + 2 * hour, 'skipped'],
      [first + 3 * hour, null, 'submitted'],
    ].toSorted(),
  );
  expect(await eventuallyRuns(session, skipping.id, 1)).toMatchObject([{ slot: first, slot_until: first + 3 * hour, outcome: 'skipped', turn_id: null }]);
  expect(await turnsOf(session)).toHaveLength(1);
  for (const { id } of [once, skipping]) expect(await readSchedule(app(), ann, session, id)).toMatchObject({ next_at: first + 4 * hour });
});

test('SF2: a refusal is noted by its code: an archived session, a full queue, a maker who is gone', async () => {
  const client = await open({ limitsOf: () => ({ unfinished: 1 }) });
  const session = await client.session(await client.agent());
  const { id } = await schedule(session, { cron: '* * * * *' });
  const next = async (count: number) => {
    await world.clock.advance(minute);
    return (await eventuallyRuns(session, id, count))[0];
  };
  await archiveSession(app(), ann, session, true);
  expect(await next(1)).toMatchObject({ outcome: 'rejected', code: 'session_archived', turn_id: null });
  await archiveSession(app(), ann, session, false);
  const gate = createGate();
  world.model.when('waits', [{ gate }, { text: 'done' }]);
  const busy = await client.submit(session, 'waits');
  expect(await next(2)).toMatchObject({ outcome: 'rejected', code: 'queue_full' });
  gate.open();
  await client.until(session, busy);
  await app().catalog.updateUser('ann', { status: 'disabled' }, auditRow());
  const before = (await runsOf(session, id)).length;
  expect(await next(before + 1)).toMatchObject({ outcome: 'rejected', code: 'forbidden' });
});

test('SF2: while the store is away nothing is noted, and the slot stays owed', async () => {
  const client = await open({ expectsReports: true });
  const session = await client.session(await client.agent());
  const at = world.clock.now() + minute;
  const { id } = await schedule(session, { at: iso(at) });
  const inner = methods(app().schedules);
  let faults = 0;
  const settle = async () => {
    faults += 1;
    throw new Error('the store is away');
  };
  Object.assign(app(), { schedules: { ...inner, settle } });
  await world.clock.advance(minute);
  await eventually('a fault', () => faults > 0, { clock: world.clock });
  expect(await inner.runs(id, page)).toEqual([]);
  Object.assign(app(), { schedules: inner });
  await world.clock.advance(minute);
  expect(await eventuallyRuns(session, id, 1)).toMatchObject([{ outcome: 'duplicate', slot: at }]);
  expect(await turnsOf(session)).toHaveLength(1);
});

test('SC3: what is said may change while a slot is owed; another timing owes its own', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const { id, next_at } = await schedule(session, { cron: '0 * * * *' });
  const said = await changeSchedule(app(), ann, session, id, { version: 1, message: 'something else' });
  expect(said).toMatchObject({ version: 2, next_at, message: 'something else' });
  await expect(changeSchedule(app(), ann, session, id, { version: 1, enabled: false })).rejects.toMatchObject({ code: 'version_conflict' });
  const off = await changeSchedule(app(), ann, session, id, { version: 2, enabled: false });
  expect(off).toMatchObject({ enabled: false, next_at: null });
  await world.clock.advance(2 * hour);
  expect(await turnsOf(session)).toEqual([]);
  const moved = await changeSchedule(app(), ann, session, id, { version: 3, enabled: true, cron: '30 * * * *' });
  expect(new Date(moved.next_at ?? 0).getUTCMinutes()).toBe(30);
  await world.clock.advance((moved.next_at ?? 0) - world.clock.now());
  const [run] = await eventuallyRuns(session, id, 1);
  expect(await client.turn(session, String(run?.turn_id))).toMatchObject({ preview: 'something else' });
});

test('they end with their deletion, and with that of the session', async () => {
  const client = await open();
  const agent = await client.agent();
  const [first, second] = [await client.session(agent), await client.session(agent)];
  const { id } = await schedule(first, { cron: '* * * * *' });
  await schedule(second, { cron: '* * * * *' });
  await deleteSchedule(app(), ann, first, id);
  await expect(readSchedule(app(), ann, first, id)).rejects.toMatchObject({ code: 'not_found' });
  await deleteSession(app(), ann, second);
  await world.clock.advance(5 * minute);
  expect(await turnsOf(first)).toEqual([]);
  await expect(listSchedules(app(), ann, second, page)).rejects.toMatchObject({ code: 'not_found' });
  const log = await world.store.load(second as never);
  expect(JSON.parse(log?.state ?? '{}')).not.toMatchObject({ live: expect.anything() });
});

test('SC1, SC2: whose they are, and what is refused when it is scheduled', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const made = await schedule(session, { cron: '0 9 * * *', timezone: 'Europe/Berlin' }, ann, 'one key');
  expect(
    (
      await createSchedule(
        app(),
        ann,
        session,
        { message: 'again', onMissed: 'run_once', enabled: true, cron: '0 9 * * *', timezone: 'Europe/Berlin' },
        'one key',
      )
    ).replayed,
  ).toBe(true);
  await expect(schedule(session, { cron: '0 10 * * *' }, ann, 'one key')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  await expect(schedule(session, { cron: '* * * * *' }, bob)).rejects.toMatchObject({ code: 'not_found' });
  await expect(readSchedule(app(), bob, session, made.id)).rejects.toMatchObject({ code: 'not_found' });
  for (const [wanted, pointer] of [
    [{ cron: '* * * * * *' }, '/cron'],
    [{ cron: '0 0 31 2 *' }, '/cron'],
    [{ cron: '0 9 * * *', timezone: 'Berlin' }, '/timezone'],
    [{ at: iso(world.clock.now()) }, '/at'],
  ] as const)
    await expect(schedule(session, wanted)).rejects.toMatchObject({ code: 'validation_failed', details: { errors: [{ pointer }] } });
  await expect(schedule(session, { cron: '* * * * *', message: 'x'.repeat(100_001) })).rejects.toMatchObject({ code: 'payload_too_large' });
  const other = await client.session(await client.agent());
  await expect(readSchedule(app(), ann, other, made.id)).rejects.toMatchObject({ code: 'not_found' });
  for (let n = 1; n < 50; n += 1) await schedule(session, { cron: '0 0 1 1 *' });
  await expect(schedule(session, { cron: '0 0 1 1 *' })).rejects.toMatchObject({ code: 'schedule_limit', details: { limit: 50 } });
});

test('SF3: an application’s go on though its keys were rotated, and stop with the application', async () => {
  await open();
  const application = await addApplication(world);
  const client = createClient(world, application.key);
  const session = await client.session(await client.agent());
  const { id, created_by } = await schedule(session, { cron: '* * * * *' }, application.key);
  expect(created_by).toEqual({ type: 'application', id: application.id });
  const runs = async () => (await listScheduleRuns(app(), application.key, session, id, page)).items;
  const next = async (count: number) => {
    await world.clock.advance(minute);
    return eventually('a run', async () => ((await runs()).length >= count ? (await runs())[0] : undefined), { clock: world.clock });
  };
  expect(await next(1)).toMatchObject({ outcome: 'submitted' });
  expect(await app().catalog.updateApplication(application.id, 1, { status: 'disabled' }, world.clock.now(), auditRow())).toBe('updated');
  const before = (await runs()).length;
  expect(await next(before + 1)).toMatchObject({ outcome: 'rejected', code: 'forbidden' });
});

test('one is run now by whoever may submit, once a key, and its slots stay', async () => {
  const client = await open();
  const session = await client.session(await client.agent());
  const { id, next_at } = await schedule(session, { cron: '0 0 1 1 *' });
  const first = await runScheduleNow(app(), ann, session, id, 'now');
  const again = await runScheduleNow(app(), ann, session, id, 'now');
  expect(again).toEqual({ answer: first.answer, replayed: true });
  expect(await runsOf(session, id)).toEqual([first.answer]);
  expect(first.answer).toMatchObject({ asked_by: 'call', outcome: 'submitted' });
  expect(await client.turn(session, String(first.answer.turn_id))).toMatchObject({ metadata: { schedule_id: id } });
  expect(await readSchedule(app(), ann, session, id)).toMatchObject({ next_at });
});
