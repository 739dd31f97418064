/** Checkpoints, going on from one, and beginning another session with one (semantics, section 8; cases 18, 27, 34, 36). */
import type { ForkRequest } from '@turnkeeper/core/protocol/wire/context';
import { afterEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../app/caller.ts';
import { listCheckpoints, restoreContext } from '../../app/checkpoints.ts';
import { forkSession } from '../../app/fork-session.ts';
import { archiveSession, deleteSession } from '../../app/manage-session.ts';
import { readSession } from '../../app/read-sessions.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, bob, builtin, createClient, fresh } from '../harness/client.ts';
import { eventually } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
const open = async () => {
  world = await openWorld();
  return createClient(world);
};
afterEach(() => world.close());
const check = async (session: string) => {
  const { faults, log } = await checkSession(world.store, session, { app: world.engine.app, caller: ann });
  expect([...faults, ...world.model.faults()]).toEqual([]);
  return log.map(({ event }) => event);
};
const app = () => world.engine.app;
const checkpoints = async (session: string) => (await listCheckpoints(app(), ann, session, { limit: 50 })).data;
const restore = (session: string, checkpoint_id: string, key = fresh('restore')) =>
  restoreContext(app(), ann, session, { checkpoint_id, reason: 'again' }, key);
const fork = (session: string, body: Partial<ForkRequest> = {}, key = fresh('fork'), caller: Caller = ann) =>
  forkSession(app(), caller, session, { reason: 'a trial', ...body }, key);
/** What the model was shown last, as texts. */
const shown = (): readonly string[] =>
  (world.model.calls.at(-1)?.request.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? ['result'] : message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [part.type])),
  );
const talk = async (client: ReturnType<typeof createClient>, session: string, ...said: readonly string[]): Promise<readonly string[]> => {
  const turns: string[] = [];
  for (const text of said) turns.push(await client.submit(session, text));
  for (const turn of turns) await client.until(session, turn);
  return turns;
};

describe('checkpoints', () => {
  test('are taken after every turn that ran, each of exactly that turn, also when the next begins in the same commit', async () => {
    const client = await open();
    const session = await client.session(await client.agent());
    const turns = await talk(client, session, 'a', 'b', 'c');
    const found = await checkpoints(session);
    expect(found.map(({ turn_id, reason }) => [turn_id, reason])).toEqual(turns.toReversed().map((turn) => [turn, 'turn.completed']));
    const { answer } = await fork(session, { at: turns[0] ?? '' });
    await talk(client, answer.id, 'd');
    expect(shown()).toEqual(['a', 'echo: a', 'd']);
  });

  test('are none of a turn that never ran; one that is resumed leaves another', async () => {
    const client = await open();
    world.model.when('x', [{ hang: true }]);
    const session = await client.session(await client.agent());
    const running = await client.submit(session, 'x');
    const queued = await client.submit(session, 'y');
    await client.cancel(session, queued);
    expect(await checkpoints(session)).toEqual([]);
    await client.cancel(session, running);
    await client.until(session, running);
    expect((await checkpoints(session)).map(({ reason }) => reason)).toEqual(['turn.cancelled']);
  });

  test('come in pages', async () => {
    const client = await open();
    const session = await client.session(await client.agent());
    await talk(client, session, 'a', 'b', 'c');
    const first = await listCheckpoints(app(), ann, session, { limit: 2 });
    expect(first).toMatchObject({ has_more: true });
    const second = await listCheckpoints(app(), ann, session, { limit: 2, after: first.next_cursor ?? '' });
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect([...first.data, ...second.data]).toEqual(await checkpoints(session));
    await expect(listCheckpoints(app(), ann, session, { limit: 2, after: 'x' })).rejects.toMatchObject({ code: 'invalid_cursor' });
  });
});

describe('a restore', () => {
  test('lets the context go on from there; the history stays, and what was left can be gone back to', async () => {
    const client = await open();
    const session = await client.session(await client.agent());
    await talk(client, session, 'a', 'b');
    const [b, a] = await checkpoints(session);
    await restore(session, a?.checkpoint_id ?? '');
    const [now] = await checkpoints(session);
    expect(now).toMatchObject({ reason: 'session.restored', turn_id: a?.turn_id });
    await talk(client, session, 'c');
    expect(shown()).toEqual(['a', 'echo: a', 'c']);
    await restore(session, b?.checkpoint_id ?? '');
    await talk(client, session, 'd');
    expect(shown()).toEqual(['a', 'echo: a', 'b', 'echo: b', 'd']);
    const log = await check(session);
    expect(log.filter(({ type }) => type === 'session.restored').map(({ data }) => data)).toMatchObject([
      { from_turn_id: a?.turn_id },
      { from_turn_id: b?.turn_id },
    ]);
    expect(log.filter(({ type }) => type === 'turn.completed')).toHaveLength(4);
  });

  test('wants a session at rest, and names what is in the way', async () => {
    const client = await open();
    const session = await client.session(await client.agent({ tools: [builtin('look', { permission: 'always_ask' })] }));
    await talk(client, session, 'a');
    const id = (await checkpoints(session))[0]?.checkpoint_id ?? '';
    world.model.when('ask', [{ call: 'look' }]);
    const turn = await client.submit(session, 'ask');
    await client.until(session, turn, 'requires_action');
    await client.submit(session, 'later');
    await expect(restore(session, id)).rejects.toMatchObject({
      code: 'session_busy',
      details: { in_the_way: ['waiting_turn', 'queued_turns', 'open_actions'] },
    });
    await expect(fork(session)).rejects.toMatchObject({ code: 'session_busy' });
    await expect(restore(session, 'ckpt_none')).rejects.toMatchObject({ code: 'not_found' });
    await client.cancel(session, turn);
    await eventually('it is at rest', async () => (await readSession(app(), ann, session)).status === 'idle', { clock: world.clock });
    await client.inject(session, 'by the way');
    await expect(restore(session, id)).rejects.toMatchObject({ details: { in_the_way: ['unapplied_inputs'] } });
  });

  test('is done once for a key, and a tool that asks asks again after it (case 27)', async () => {
    const client = await open();
    const session = await client.session(await client.agent({ tools: [builtin('look', { permission: 'always_ask' })] }));
    await talk(client, session, 'a');
    const id = (await checkpoints(session))[0]?.checkpoint_id ?? '';
    const key = fresh('restore');
    const both = await Promise.all([restore(session, id, key), restore(session, id, key)]);
    expect(both.map(({ replayed }) => replayed).toSorted()).toEqual([false, true]);
    expect((await check(session)).filter(({ type }) => type === 'session.restored')).toHaveLength(1);
    await expect(restore(session, 'ckpt_other', key)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    world.model.when('ask', [{ call: 'look' }]);
    await client.until(session, await client.submit(session, 'ask'), 'requires_action');
    expect(world.tools.count('look')).toBe(0);
  });
});

describe('a fork', () => {
  test('goes on from the context, in a session of its own: nothing of the source is needed any more', async () => {
    const client = await open();
    const source = await client.session(await client.agent());
    const [, last] = await talk(client, source, 'a', 'b');
    const { answer } = await fork(source, { title: 'A trial' });
    expect(answer).toMatchObject({ title: 'A trial', status: 'idle', forked_from: { session_id: source, turn_id: last } });
    await deleteSession(app(), ann, source);
    await world.restart();
    await talk(client, answer.id, 'c');
    expect(shown()).toEqual(['a', 'echo: a', 'b', 'echo: b', 'c']);
    const log = await check(answer.id);
    expect(log.filter(({ type }) => type === 'item.completed')).toHaveLength(2);
    // Where it came from stands on the session only.
    expect(JSON.stringify(log)).not.toContain(source);
    expect((await readSession(app(), ann, answer.id)).forked_from).toEqual(answer.forked_from);
    // A fork of the fork, and its beginning gone back to.
    const beginning = (await checkpoints(answer.id)).at(-1);
    expect(beginning).toMatchObject({ reason: 'session.context_initialized', turn_id: null });
    const again = await fork(answer.id, { checkpoint_id: beginning?.checkpoint_id ?? '' });
    await talk(client, again.answer.id, 'd');
    expect(shown()).toEqual(['a', 'echo: a', 'b', 'echo: b', 'd']);
  });

  test('is made once for a key: together, repeated, and when the store’s answer was lost (case 18)', async () => {
    const client = await open();
    const source = await client.session(await client.agent());
    await talk(client, source, 'a');
    const key = fresh('fork');
    const all = await Promise.all([fork(source, {}, key), fork(source, {}, key), fork(source, {}, key)]);
    expect(new Set(all.map(({ answer }) => answer.id)).size).toBe(1);
    await talk(client, source, 'b');
    expect(await fork(source, {}, key)).toEqual({ answer: all[0]?.answer, replayed: true });
    await expect(fork(source, { title: 'x' }, key)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    const agent = (await readSession(app(), ann, source)).target.id;
    for (const effect of ['lost_after', 'lost_before'] as const) {
      const target_session_id = await client.session(agent);
      for (const [method, into] of [
        ['create', {}],
        ['write', { target_session_id }],
      ] as const) {
        const again = fresh('fork');
        world.faulty.inject({ method, call: 1, effect: { kind: effect } });
        await expect(fork(source, into, again)).rejects.toMatchObject({ code: 'storage_unavailable' });
        const { answer, replayed } = await fork(source, into, again);
        expect([replayed, answer.forked_from?.session_id]).toEqual([effect === 'lost_after', source]);
        expect((await check(answer.id)).filter(({ type }) => type === 'session.context_initialized')).toHaveLength(1);
      }
    }
  });

  test('into a session takes an empty one of the same agent, and only once', async () => {
    const client = await open();
    const agent = await client.agent();
    const source = await client.session(agent);
    const target = await client.session(agent);
    await talk(client, source, 'a');
    const into = (target_session_id: string, key?: string) => fork(source, { target_session_id }, key);
    const key = fresh('fork');
    const { answer } = await into(target, key);
    expect(answer).toMatchObject({ id: target, forked_from: { session_id: source } });
    expect(await into(target, key)).toEqual({ answer, replayed: true });
    await expect(into(target)).rejects.toMatchObject({ code: 'fork_target_unfit', details: { why: 'not_empty' } });
    await expect(into(source)).rejects.toMatchObject({ details: { why: 'same_session' } });
    await expect(into(await client.session(await client.agent()))).rejects.toMatchObject({ details: { why: 'other_target' } });
    const archived = await client.session(agent);
    await archiveSession(app(), ann, archived, true);
    await expect(into(archived)).rejects.toMatchObject({ code: 'session_archived' });
    await talk(client, target, 'b');
    expect(shown()).toEqual(['a', 'echo: a', 'b']);
    await check(target);
  });

  test('two forks into one session at the same moment: one of them is taken', async () => {
    const client = await open();
    const agent = await client.agent();
    const [one, two, target] = [await client.session(agent), await client.session(agent), await client.session(agent)];
    await talk(client, one, 'a');
    await talk(client, two, 'b');
    const results = await Promise.allSettled([one, two].map((source) => fork(source, { target_session_id: target })));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const from = (await readSession(app(), ann, target)).forked_from?.session_id;
    await talk(client, target, 'c');
    expect(shown()[0]).toBe(from === one ? 'a' : 'b');
  });

  test('of a session that is not the caller’s, or into one, is not there (case 36)', async () => {
    const client = await open();
    const agent = await client.agent();
    const source = await client.session(agent);
    await talk(client, source, 'a');
    await expect(fork(source, {}, fresh('fork'), bob)).rejects.toMatchObject({ code: 'not_found' });
    const others = createClient(world, bob);
    const theirs = await others.session(agent);
    await expect(fork(source, { target_session_id: theirs })).rejects.toMatchObject({ code: 'not_found' });
    await expect(fork(await client.session(agent))).rejects.toMatchObject({ code: 'not_found' });
  });
});
