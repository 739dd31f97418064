/** PR1, HB1, W8, N12 and N19 when the network, not the database, is what fails: connections that are cut, or that nobody answers on. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createEngine } from '../../engine.ts';
import { systemClock } from '../../ports/clock.ts';
import { openPostgresStore, type PostgresStore } from '../../store/postgres/open-postgres-store.ts';
import { type Client, createClient } from '../harness/client.ts';
import { type CuttingProxy, startCuttingProxy } from '../harness/cutting-proxy.ts';
import { createScriptedModel } from '../harness/scripted-model.ts';
import { eventually, settle } from '../harness/settle.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../private-postgres.ts';
import { command, createdSession, headOf, logOf, taken } from '../store-contract/samples.ts';
import { moves } from './nodes.ts';

let server: PrivatePostgres;
let proxy: CuttingProxy;
let store: PostgresStore;
/** The same database, past the proxy. */
let direct: PostgresStore;

beforeAll(async () => {
  server = await startPrivatePostgres();
  proxy = await startCuttingProxy(server.port);
});
afterAll(async () => {
  await proxy?.close();
  await server?.stop();
});
beforeEach(async () => {
  const url = await server.freshDatabase();
  const through = url.replace(`:${server.port}/`, `:${new URL(proxy.url).port}/`);
  direct = await openPostgresStore({ url, clock: systemClock, writeConnections: 1, poolSize: 2 });
  store = await openPostgresStore({ url: through, clock: systemClock, writeConnections: 2, poolSize: 3 });
});
afterEach(async () => {
  proxy.weather({});
  await Promise.all([store?.close(), direct?.close()]);
});

const outcomeOf = (error: unknown): unknown => (error instanceof TurnkeeperError ? (error.details['outcome'] ?? error.code) : error);

it('W8 connections that are cut while idle are replaced; no read, and no write of a session, fails for it', async () => {
  const { head, id } = await createdSession(store.sessions);
  await Promise.all(Array.from({ length: 3 }, () => store.sessions.load(id)));
  proxy.cutAll();
  const loaded = await Promise.all(Array.from({ length: 3 }, () => store.sessions.load(id)));
  expect(loaded.map((found) => found?.head)).toEqual([head, head, head]);
  taken(await store.sessions.write(command(head)));
});

it('W8 a change that could not be sent says that it was certainly not made', async () => {
  await store.catalog.setSetting('a', '1');
  // New connections break as soon as the server answers: nothing was sent yet, so nothing can have been changed.
  proxy.weather({ cutAfter: 1 });
  proxy.cutAll();
  await expect(store.sessions.quota('x')).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(await store.catalog.setSetting('a', '2').catch(outcomeOf)).toBe('storage_unavailable');
  proxy.weather({});
  expect(await store.catalog.setting('a')).toBe('1');
  await store.catalog.setSetting('a', '3');
  expect(await direct.catalog.setting('a')).toBe('3');
});

it('HB1 a heartbeat on connections that nobody answers on fails in time, and the next one finds a new connection', async () => {
  // It is answered within a third of its lease.
  const leaseMs = 9_000;
  expect(await store.sessions.heartbeat('a', leaseMs)).toBe(true);
  // All of the pool's connections are there, and idle.
  await Promise.all(Array.from({ length: 9 }, () => store.sessions.quota('x')));
  proxy.swallowAll();
  expect(await store.sessions.heartbeat('a', leaseMs).catch(outcomeOf)).toBe('unknown');
  expect(await store.sessions.heartbeat('a', leaseMs).catch(outcomeOf)).toBe(true);
});

it('W8 PR1 nobody answers on any connection: writes and reads end by themselves, none is lost or made twice, and all goes on', async () => {
  const { head, id } = await createdSession(store.sessions);
  proxy.swallowAll();
  const [written, read] = await Promise.allSettled([store.sessions.write(command(head)), store.sessions.load(id)]);
  expect(written).toMatchObject({ status: 'rejected', reason: { code: 'storage_unavailable', details: { outcome: 'unknown' } } });
  // Read again on a new connection.
  expect(read).toMatchObject({ status: 'fulfilled', value: { head } });
  expect(await logOf(direct.sessions, head.sid)).toHaveLength(1);
  taken(await store.sessions.write(command(await headOf(store.sessions, head.sid))));
  expect(await logOf(direct.sessions, head.sid)).toHaveLength(2);
});

it('N12 a claim whose answer is lost says so: what it took is known to be held by somebody', async () => {
  await store.sessions.heartbeat('a', 60_000);
  await createdSession(direct.sessions, { due: 0 });
  await Promise.all(Array.from({ length: 3 }, () => store.sessions.quota('x')));
  let lost = 0;
  // Cut at a moment when it is sent and not yet answered: soon after it, sometimes later.
  for (let tries = 0; tries < 2_000 && lost === 0; tries += 1) {
    const claiming = store.sessions.claim({ node: 'a', now: 1, limit: 1 }).then(
      () => 'answered',
      (error: unknown) => outcomeOf(error),
    );
    await settle(tries % 8);
    proxy.cutAll();
    if ((await claiming) === 'unknown') lost += 1;
  }
  expect(lost).toBe(1);
});

it('N19 a node that the network cut off stops what it runs; another one finishes it, and the first comes back', { timeout: 120_000 }, async () => {
  const model = createScriptedModel();
  const reports: unknown[] = [];
  const open = (on: PostgresStore) =>
    createEngine({ store: on, clock: on.clock, models: model, slots: 4, report: (error) => reports.push(error), sweepMs: 200, leaseMs: 6_000 });
  const [cutOff, other] = [open(store), open(direct)];
  await cutOff.start();
  const [here, there] = [cutOff, other].map((engine) => createClient({ engine, clock: moves } as never)) as [Client, Client];
  model.when('x', [{ text: 'a' }, { hang: true }]);
  const session = await here.session(await here.agent());
  const turn = await here.submit(session, 'x');
  await eventually('the model is asked', () => model.calls.length === 1, { clock: moves });
  await other.start();
  model.when('x', [{ text: 'b' }]);
  proxy.weather({ swallows: true });
  proxy.swallowAll();
  expect(await there.until(session, turn)).toMatchObject({ status: 'completed', runs: 2, outputText: 'b' });
  expect(model.calls).toHaveLength(2);
  expect(model.calls[0]?.ended()).toBe('aborted');
  expect(cutOff.runner.held).toBe(0);
  proxy.weather({});
  await eventually('it is announced again', () => cutOff.runner.mayStart(), { clock: moves, rounds: 20_000 });
  expect(await here.until(session, await here.submit(session, 'y'))).toMatchObject({ status: 'completed' });
  await Promise.all([cutOff.runner.stop(0), other.runner.stop(0)]);
});
