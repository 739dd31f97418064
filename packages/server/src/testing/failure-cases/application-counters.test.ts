/**
 * Whatever happens to an application's sessions, its counters are what their states say after each commit, and never
 * more run at once than its limit: through refused and lost writes, deaths, cancels and deletes, and over two nodes.
 */

import type { SessionId } from '@turnkeeper/core/session/ids';
import type { SessionState } from '@turnkeeper/core/session/state';
import { expect, test } from 'vitest';
import type { ApplicationCaller } from '../../app/caller.ts';
import { deleteSession } from '../../app/manage-session.ts';
import type { Bus } from '../../ports/bus.ts';
import { ModelError } from '../../ports/model.ts';
import { addApplication, countersOf } from '../harness/application.ts';
import { builtin, type Client, createClient, external } from '../harness/client.ts';
import { settle } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';
import { seeded } from '../store-contract/random-walk.ts';

const limit = 2;

type Walk = {
  readonly world: World;
  readonly client: Client;
  readonly owner: string;
  readonly key: ApplicationCaller;
  readonly sessions: readonly string[];
  readonly deleted: Set<string>;
  readonly submitted: { readonly session: string; readonly turn: string }[];
};

const beginWalk = async (check: { now: () => void }): Promise<Walk> => {
  // Told of each commit, before anything else can be committed.
  const bus: Bus = { shared: false, publish: () => check.now(), subscribe: () => () => {} };
  const world = await openWorld({ bus, slots: 3, expectsReports: true });
  world.model.when('tool', [{ call: 'look' }], [{ text: 'done' }]);
  world.model.when('effect', [{ call: 'effect' }], [{ text: 'done' }]);
  world.model.when('ask', [{ call: 'ask' }], [{ text: 'done' }]);
  world.model.when('busy', [{ fails: () => new ModelError('busy', { retryable: true }), times: 1 }, { text: 'done' }]);
  world.model.when('bad', [{ fails: () => new ModelError('bad', { retryable: false }) }]);
  const app = await addApplication(world, { maxConcurrent: limit, maxUnfinished: 9 });
  const client = createClient(world, app.key);
  const agent = await client.agent({ tools: [builtin('look'), builtin('effect'), external('ask')] });
  const sessions: string[] = [];
  for (let n = 0; n < 4; n += 1) sessions.push(await client.session(agent));
  return { world, client, owner: app.owner, key: app.key, sessions, deleted: new Set(), submitted: [] };
};

const answerOne = async ({ client }: Walk, { session, turn }: Walk['submitted'][number]): Promise<void> => {
  const [action] = await client.actions(session, turn);
  if (!action) return;
  const payload = action.kind === 'reconciliation' ? { outcome: 'succeeded', reason: 'looked' } : { output: 'yes' };
  await client.answer(session, turn, action.request_id, payload);
};

const faults = ['refused', 'lost_before', 'lost_after'] as const;

/** One thing that people, the store or death may do; refusals and injected faults are all right. */
const step = async (walk: Walk, pick: (below: number) => number): Promise<void> => {
  const { world, client, sessions, submitted, deleted } = walk;
  const session = sessions[pick(sessions.length)] as string;
  const chosen = submitted[pick(Math.max(submitted.length, 1))];
  switch (pick(11)) {
    case 0:
      if (chosen) await client.cancel(chosen.session, chosen.turn);
      return;
    case 1:
    case 2:
      if (chosen) await answerOne(walk, chosen);
      return;
    case 3:
      if (chosen) await client.resume(chosen.session, chosen.turn);
      return;
    case 4:
      await world.clock.advance(1_000 * (1 + pick(3)));
      return;
    case 5:
      if (pick(3) === 0) await world.restart();
      return;
    case 6:
      world.faulty.inject({ method: 'write', call: 1 + pick(3), effect: { kind: faults[pick(3)] as (typeof faults)[number] } });
      return;
    case 7:
      if (pick(6) > 0 || deleted.size >= 2) return;
      await deleteSession(world.engine.app, walk.key, session);
      deleted.add(session);
      return;
    default: {
      const text = ['plain', 'tool', 'effect', 'ask', 'busy', 'bad'][pick(6)] as string;
      submitted.push({ session, turn: await client.submit(session, text) });
    }
  }
};

/** Turns that are not over, also those whose submission got no answer. */
const unfinished = async ({ world, sessions }: Walk): Promise<Walk['submitted']> => {
  const loaded = await Promise.all(sessions.map((id) => world.store.load(id as SessionId)));
  return loaded.flatMap((session) => {
    const { live, queue, terminated } = JSON.parse(session?.state ?? '{}') as SessionState;
    return terminated || !session ? [] : [...(live ? [live] : []), ...queue].map(({ id }) => ({ session: session.row.id, turn: id }));
  });
};

/** Settles all that is left: answers what is asked, until nothing of the application is unfinished. */
const drain = async (walk: Walk): Promise<void> => {
  const { world, owner } = walk;
  world.faulty.release();
  for (let round = 0; round < 400; round += 1) {
    if ((await world.store.quota(owner)).unfinished === 0) return;
    for (const turn of await unfinished(walk)) {
      await answerOne(walk, turn).catch(() => {});
      if (round % 20 === 19) await walk.client.cancel(turn.session, turn.turn).catch(() => {});
    }
    await world.clock.advance(1_000);
    await settle(10);
  }
  throw new Error(`still unfinished: ${JSON.stringify(await world.store.quota(owner))}`);
};

test.each(Array.from({ length: 12 }, (_, n) => 7_000 + n))('walk %i', { timeout: 120_000 }, async (seed) => {
  const wrong: string[] = [];
  const pending: Promise<void>[] = [];
  const check = { now: (): void => {} };
  const walk = await beginWalk(check);
  const { world, owner, sessions } = walk;
  const sids = await Promise.all(sessions.map(async (id) => (await world.store.load(id as SessionId))?.head.sid ?? 0));
  const look = async (): Promise<void> => {
    const { counted, is } = await countersOf(world.store, owner, sids);
    if (JSON.stringify(counted) !== JSON.stringify(is)) wrong.push(`counted ${JSON.stringify(counted)}, the sessions say ${JSON.stringify(is)}`);
    if (is.running > limit) wrong.push(`${is.running} run`);
  };
  check.now = () => void pending.push(look());
  try {
    const pick = seeded(seed);
    for (let n = 0; n < 60; n += 1) {
      await step(walk, pick).catch((error: unknown) => {
        if (typeof (error as { code?: unknown }).code !== 'string') throw error;
      });
      await settle(pick(12));
      await look();
    }
    await drain(walk);
    await Promise.all(pending);
    expect(wrong).toEqual([]);
    expect(pending.length).toBeGreaterThan(20);
    expect(await world.store.quota(owner)).toMatchObject({ unfinished: 0, running: 0 });
  } finally {
    world.faulty.release();
    await world.close();
  }
});

test('two nodes keep one limit, and both get their turns done', { timeout: 60_000 }, async () => {
  const quiet: Bus = { shared: true, publish: () => {}, subscribe: () => () => {} };
  const here = await openWorld({ bus: quiet });
  const there = await openWorld({ bus: quiet, store: { ...here.stores, close: async () => {} } });
  try {
    const app = await addApplication(here, { maxConcurrent: 1 });
    const clients = [createClient(here, app.key), createClient(there, app.key)];
    const agent = await (clients[0] as Client).agent();
    const made = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const client = clients[n % 2] as Client;
        const session = await client.session(agent);
        return { client, session, turns: [await client.submit(session, 'x'), await client.submit(session, 'y')] };
      }),
    );
    const sids = await Promise.all(made.map(async ({ session }) => (await here.store.load(session as SessionId))?.head.sid ?? 0));
    for (let round = 0; round < 400; round += 1) {
      const { counted, is } = await countersOf(here.store, app.owner, sids);
      expect(counted).toEqual(is);
      expect(is.running).toBeLessThanOrEqual(1);
      if (is.unfinished === 0) break;
      await Promise.all([here.clock.advance(250), there.clock.advance(250)]);
    }
    expect(await here.store.quota(app.owner)).toEqual({ unfinished: 0, running: 0, tokens: 24 * 5 });
  } finally {
    await there.close();
    await here.close();
  }
});
