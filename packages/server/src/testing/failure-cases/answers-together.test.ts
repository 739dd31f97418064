/** One request that answers what a turn asks and what its children ask: looked at as a whole, written session by session (A15). */
import { childSessionId, childTurnId, type SessionId, type TurnId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerActions } from '../../app/answer-actions.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, type Client, createClient, external, fresh } from '../harness/client.ts';
import { eventually } from '../harness/settle.ts';
import { openWorld, type World, type WorldOptions } from '../harness/world.ts';

let world: World;
let client: Client;
beforeEach(async () => {
  world = await openWorld();
  client = createClient(world, ann);
});
afterEach(() => world.close());

type Shown = Awaited<ReturnType<Client['actions']>>[number];
type Waiting = {
  readonly session: string;
  readonly turn: string;
  readonly own: Shown;
  readonly one: Shown;
  readonly deep: Shown;
  readonly ids: readonly SessionId[];
};

/** A turn that asks for itself, while its child and that one's own child ask, too. */
const threeOpen = async (): Promise<Waiting> => {
  const ask = { call: 'pay' } as const;
  const delegate = (message: string) => ({ call: 'delegate', input: { name: 'helper', message } }) as const;
  world.model.when('plan', [ask, delegate('buy')], [{ text: 'planned' }]);
  world.model.when('buy', [ask, delegate('dig')], [{ text: 'bought' }]);
  world.model.when('dig', [ask], [{ text: 'dug' }]);
  const helper = (agentId: string) => [{ agentId, name: 'helper', description: 'helps' }];
  const leaf = await client.agent({ tools: [external('pay')] });
  const middle = await client.agent({ tools: [external('pay')], subagents: helper(leaf) });
  const session = await client.session(await client.agent({ tools: [external('pay')], subagents: helper(middle) }));
  const turn = await client.submit(session, 'plan');
  const child = childSessionId(turn as TurnId, 1);
  const grandchild = childSessionId(childTurnId(child), 1);
  const open = await eventually('three actions', async () => {
    const actions = await client.actions(session, turn);
    return actions.length === 3 ? actions : undefined;
  });
  await client.until(session, turn, 'requires_action');
  const of = (id: string | undefined): Shown => open.find((action) => action.child_session_id === id) as Shown;
  return { session, turn, own: of(undefined), one: of(child), deep: of(grandchild), ids: [grandchild, child, session as SessionId] };
};

const output = (text: string) => ({ payload: { output: text } });
const answers = ({ own, one, deep }: Waiting) => [own, one, deep].map(({ request_id }, n) => ({ request_id, ...output(`result ${n}`) }));
const send = ({ session, turn }: Waiting, all: readonly object[], key = fresh('together')) =>
  answerActions(world.engine.app, ann, session, turn, { answers: all } as never, key);
/** How often each session took an answer, the deepest first. */
const taken = async ({ ids }: Waiting): Promise<readonly number[]> =>
  Promise.all(ids.map(async (id) => (await checkSession(world.store, id)).log.filter(({ event }) => event.type === 'required_action.accepted').length));
const sound = async ({ ids }: Waiting): Promise<void> => {
  for (const id of ids) expect((await checkSession(world.store, id, { app: world.engine.app, caller: ann })).faults).toEqual([]);
};

test('is taken by each session, the deepest first, and a repeat gets the same receipts', async () => {
  const waiting = await threeOpen();
  const first = await send(waiting, answers(waiting), 'same');
  expect(first.replayed).toBe(false);
  expect(first.answer.parts?.map(({ session_id }) => session_id)).toEqual(waiting.ids);
  expect(first.answer.command).toEqual(first.answer.parts?.at(-1)?.command);
  expect(first.answer.command.turn_id).toBe(waiting.turn);
  expect(await send(waiting, answers(waiting), 'same')).toEqual({ answer: first.answer, replayed: true });
  expect(await client.until(waiting.session, waiting.turn)).toMatchObject({ status: 'completed', outputText: 'planned' });
  expect(await send(waiting, answers(waiting), 'same')).toEqual({ answer: first.answer, replayed: true });
  await expect(send(waiting, answers(waiting).slice(1), 'same')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  expect(await taken(waiting)).toEqual([1, 1, 1]);
  await sound(waiting);
});

test('of which one would be refused leaves nothing, and its key unused (A15)', async () => {
  const waiting = await threeOpen();
  const good = answers(waiting);
  const wrong: readonly (readonly [object, string])[] = [
    [{ ...good[0], payload: {} }, 'validation_failed'],
    [{ ...good[0], expected_version: 7 }, 'action_version_conflict'],
    [{ ...good[0], request_id: 'act_none' }, 'not_found'],
  ];
  for (const [own, code] of wrong) {
    const refused = await send(waiting, [own, ...good.slice(1)], 'same').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code });
    expect((refused as { details: object }).details).not.toHaveProperty('answered');
  }
  await expect(send(waiting, [...good, good[1] as object], 'same')).rejects.toMatchObject({ code: 'validation_failed' });
  // Every fault, wherever its action is open, by its place in the request.
  await expect(send(waiting, [{ ...good[0], payload: {} }, { ...good[1], payload: {} }, good[2] as object], 'same')).rejects.toMatchObject({
    details: { errors: [{ pointer: '/answers/1/payload/output' }, { pointer: '/answers/0/payload/output' }] },
  });
  expect(await taken(waiting)).toEqual([0, 0, 0]);
  await send(waiting, good, 'same');
  expect(await client.until(waiting.session, waiting.turn)).toMatchObject({ status: 'completed' });
});

const again = async (options: WorldOptions = {}): Promise<void> => {
  await world.close();
  world = await openWorld(options);
  client = createClient(world, ann);
};
/** Whatever came of the first try: its repeat, to the end. */
const completes = async (waiting: Waiting): Promise<void> => {
  expect((await send(waiting, answers(waiting), 'same')).answer.parts).toHaveLength(3);
  expect(await client.until(waiting.session, waiting.turn)).toMatchObject({ status: 'completed' });
  expect(await taken(waiting)).toEqual([1, 1, 1]);
  await sound(waiting);
};

test('that the store cut off is completed by its repeat, nothing of it twice (A15)', async () => {
  const told: number[] = [];
  // A child's word to its parent may be struck, too.
  const expecting = { expectsReports: true } as const;
  await again(expecting);
  for (const kind of ['refused', 'lost_before', 'lost_after'] as const) {
    for (const call of [1, 2, 3, 4, 5, 6]) {
      const waiting = await threeOpen();
      world.faulty.inject({ method: 'write', call, effect: { kind } });
      await send(waiting, answers(waiting), 'same').catch((error: { readonly code: string; readonly details: { readonly answered?: readonly string[] } }) => {
        expect(error.code).toBe('storage_unavailable');
        told.push(error.details.answered?.length ?? 0);
      });
      await completes(waiting);
      await again(expecting);
    }
  }
  // Cut off before the first and after it: else this shows nothing.
  expect(new Set(told).size).toBeGreaterThan(1);
});

test('whose process dies between two sessions keeps what was taken; the same key does what is missing (A15)', async () => {
  const left: number[] = [];
  for (const when of ['before', 'after'] as const) {
    for (const nth of [1, 2, 3, 4, 5, 6]) {
      const waiting = await threeOpen();
      await world.restart({ call: 'write', nth, when });
      client = createClient(world, ann);
      void send(waiting, answers(waiting), 'same').catch(() => {});
      await eventually('the process is dead', () => !world.life.alive(), { clock: world.clock });
      left.push((await taken(waiting)).reduce((sum, n) => sum + n));
      await world.restart();
      client = createClient(world, ann);
      await completes(waiting);
      await again();
    }
  }
  expect(left.some((n) => n > 0 && n < 3)).toBe(true);
});

test('one of which somebody else answered in between says what was taken, also when it is repeated', async () => {
  const waiting = await threeOpen();
  world.faulty.inject({ method: 'write', call: 2, effect: { kind: 'held_before' } });
  const sent = send(waiting, answers(waiting), 'same').catch((error: unknown) => error);
  await eventually('the deepest is taken', async () => (await taken(waiting))[0] === 1);
  await client.cancel(waiting.session, waiting.turn);
  world.faulty.release();
  expect(await sent).toMatchObject({ code: 'action_resolved', details: { answered: expect.arrayContaining([waiting.deep.request_id]) } });
  await expect(send(waiting, answers(waiting), 'same')).rejects.toMatchObject({
    code: 'action_resolved',
    details: { answered: expect.arrayContaining([waiting.deep.request_id]) },
  });
  await client.until(waiting.session, waiting.turn);
  await sound(waiting);
});
