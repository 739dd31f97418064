/** A store that lived is moved, and nobody notices: what was seen is seen, what waited goes on, what was used up stays used up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../app/app.ts';
import { createSession } from '../../app/create-session.ts';
import { createIdentity } from '../../app/identity.ts';
import { listSessions } from '../../app/list-sessions.ts';
import { archiveSession, changeSession, deleteSession } from '../../app/manage-session.ts';
import { readEvents } from '../../app/read-events.ts';
import { readSnapshot } from '../../app/read-snapshot.ts';
import { submitTurn } from '../../app/submit-turn.ts';
import { hashToken } from '../../app/tokens.ts';
import { systemClock } from '../../ports/clock.ts';
import { openPostgresStore } from '../../store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { moveFolder } from '../../transfer/move.ts';
import { addApplication } from '../harness/application.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, builtin, createClient, external } from '../harness/client.ts';
import { eventually } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../private-postgres.ts';
import { auditRow } from '../store-contract/samples.ts';
import { steadyStore } from './steady-store.ts';

let server: PrivatePostgres;
let folder: string;
let url: string;
const worlds: World[] = [];

beforeAll(async () => {
  server = await startPrivatePostgres();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnkeeper-move-'));
  url = await server.freshDatabase();
});
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
  rmSync(folder, { recursive: true });
});

const opened = async (world: Promise<World>): Promise<World> => {
  worlds.push(await world);
  return world;
};
const closed = async (world: World): Promise<void> => {
  worlds.splice(worlds.indexOf(world), 1);
  await world.close();
};
const onSqlite = async (): Promise<World> => opened(openWorld({ store: steadyStore(await openSqliteStore({ folder, clock: systemClock })) }));
const onPostgres = async (): Promise<World> => opened(openWorld({ store: steadyStore(await openPostgresStore({ url, clock: systemClock })) }));

const odd = 'nul \u0000, half \ud83d, whole 😀, quotes "\' and \\, {braces}, line\u2028end, 中文 \u0301';

const script = (world: World): void => {
  world.model.when('big', [{ text: `${odd}${'0123456789'.repeat(30_000)}` }]);
  world.model.when('ask', [{ call: 'effect', input: { odd: odd.toWellFormed().replaceAll('\u0000', '') } }], [{ text: 'after the answer' }]);
  world.model.when('pay', [{ call: 'pay', input: { n: 1 } }], [{ text: 'paid' }]);
  world.model.when('slow', [{ call: 'slow' }], [{ text: 'never' }]);
};

/** Everything that is to be seen of these sessions. */
const seen = async (app: App, sessions: readonly string[]) =>
  Promise.all(
    sessions.map(async (id) => ({
      snapshot: await readSnapshot(app, ann, id, 10_000),
      events: await readEvents(app, ann, id, undefined, { limit: 200 }),
    })),
  );
const lists = (app: App) => Promise.all((['active', 'archived'] as const).map((status) => listSessions(app, ann, { status, limit: 50, offset: 0 })));

/** Lives on the embedded store, ends by a crash in the middle of a tool. */
const lived = async () => {
  const world = await onSqlite();
  script(world);
  const client = createClient(world);
  const { app } = world.engine;
  for (const id of ['ann', 'bob'])
    await app.catalog.createUser({ id, username: id, displayName: id, roles: ['user'], status: 'active', passwordHash: null, createdAt: 0 }, auditRow());
  const agent = await client.agent({
    tools: [builtin('effect', { permission: 'always_ask', approver: ['ann', 'bob'] } as never), builtin('slow'), external('pay')],
  });
  const big = await client.session(agent);
  await client.until(big, await client.submit(big, 'big', 'key-big'));
  await client.until(big, await client.submit(big, odd));
  await changeSession(app, ann, big, { title: odd, metadata: { odd, n: 1 } });
  const waiting = await client.session(agent);
  const turn = await client.submit(waiting, 'ask', 'key-ask');
  await client.until(waiting, turn, 'requires_action');
  const next = await client.submit(waiting, 'echo', 'key-next');
  const archived = await client.session(agent);
  await client.until(archived, await client.submit(archived, 'x'));
  await archiveSession(app, ann, archived, true);
  const gone = await client.session(agent);
  await deleteSession(app, ann, gone);
  const application = await addApplication(world, { tokenBudget: 1_000 });
  const asApplication = createClient(world, application.key);
  const theirs = await asApplication.session(agent);
  await asApplication.until(theirs, await asApplication.submit(theirs, 'hi'));
  await asApplication.until(theirs, await asApplication.submit(theirs, 'pay'), 'requires_action');
  await app.catalog.putSecret({ name: 'KEY', ciphertext: 'c', updatedAt: 1, updatedBy: 'ann' }, auditRow());
  const token = await createIdentity(app).issueToken('ann', 'test', null);
  const single = await addApplication(world, { maxConcurrent: 1 });
  const asSingle = createClient(world, single.key);
  const broken = await asSingle.session(agent);
  const torn = await asSingle.submit(broken, 'slow');
  await eventually('the tool runs', async () => world.tools.count('slow') === 1);
  const made = await createSession(app, ann, { target: { type: 'agent', id: agent } }, 'key-create');
  const shown = [big, waiting, archived];
  const before = { seen: await seen(app, shown), lists: await lists(app), quota: await world.store.quota(application.owner) };
  await world.kill();
  return { world, shown, before, single, agent, big, waiting, turn, next, archived, gone, application, theirs, token, broken, torn, made: made.answer.id };
};

describe('a store that was moved to PostgreSQL', () => {
  it('shows the same, and goes on where it was', async () => {
    const life = await lived();
    const { shown, before, big, waiting, turn, next, archived, gone, theirs, application, broken, torn, single } = life;
    await closed(life.world);

    const phases = new Set<string>();
    const result = await moveFolder(folder, { url, onProgress: ({ phase }) => phases.add(phase) });
    expect(result.tables.filter(({ same }) => !same)).toEqual([]);
    expect(result.same).toBe(true);
    expect([...phases]).toEqual(['copy', 'verify']);
    for (const name of ['sessions', 'events', 'open_actions', 'action_approvers', 'audit', 'secrets', 'quotas', 'receipts', 'checkpoints'])
      expect(result.tables.find(({ table }) => table === name)?.target.rows, name).toBeGreaterThan(0);

    const world = await onPostgres();
    script(world);
    const { app } = world.engine;
    const client = createClient(world);
    const half = (text: string) => text.replaceAll('\\u0000', '\ufffd').replaceAll('\u0000', '\ufffd');
    expect((await seen(app, [big, archived])).map((each) => JSON.stringify(each.events))).toEqual(
      [before.seen[0], before.seen[2]].map((each) => JSON.stringify(each?.events)),
    );
    expect(half(JSON.stringify(await seen(app, shown)))).toBe(half(JSON.stringify(before.seen)));
    expect(half(JSON.stringify((await lists(app)).map(({ items }) => items.filter(({ id }) => id !== broken))))).toBe(
      half(JSON.stringify(before.lists.map(({ items }) => items.filter(({ id }) => id !== broken)))),
    );
    expect(await world.store.quota(application.owner)).toEqual(before.quota);
    await expect(readSnapshot(app, ann, gone, 1)).rejects.toMatchObject({ code: 'not_found' });
    // Cursors, keys and tokens that clients hold.
    const [first, ...rest] = before.seen[0]?.events.data ?? [];
    expect((await readEvents(app, ann, big, undefined, { after: first?.cursor ?? '', limit: 200 })).data).toEqual(rest);
    expect(await submitTurn(app, ann, waiting, { message: 'echo' }, 'key-next')).toMatchObject({ replayed: true, answer: { id: next } });
    await expect(submitTurn(app, ann, waiting, { message: 'other' }, 'key-next')).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect((await createSession(app, ann, { target: { type: 'agent', id: life.agent } }, 'key-create')).answer.id).toBe(life.made);
    expect(await createIdentity(app).authenticate(hashToken(life.token))).toMatchObject({ type: 'user', id: 'ann' });
    // What waited is answered and goes on; the turn behind it follows.
    const [action] = await client.actions(waiting, turn);
    await client.answer(waiting, turn, action?.request_id ?? '', { allow: true });
    expect(await client.until(waiting, turn)).toMatchObject({ status: 'completed' });
    expect(await client.until(waiting, next)).toMatchObject({ status: 'completed' });
    const [payment] = await createClient(world, application.key).actions(theirs);
    expect(payment?.kind).toBe('external_execution');
    // A tool was under way when the store stopped: it is not known how that ended, and it is not run again.
    expect(await createClient(world, single.key).until(broken, torn, 'interrupted')).toBeDefined();
    expect(world.tools.count('slow')).toBe(0);
    // A new session gets a number of its own.
    const fresh = await client.session(life.agent);
    await client.until(fresh, await client.submit(fresh, 'hi'));
    for (const id of [...shown, fresh]) expect((await checkSession(world.store, id, { app, caller: ann })).faults, id).toEqual([]);
    expect((await checkSession(world.store, broken)).faults).toEqual([]);
  });
});
