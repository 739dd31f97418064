/**
 * A client that outlives the engine: what it asked of a dead one it asks again, under the same key, of the next.
 */
import type { TurnResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { Caller } from '../../app/caller.ts';
import { isSettled } from '../../app/read-turn.ts';
import { ann, type Client, createClient, fresh } from './client.ts';
import { eventually, settle } from './settle.ts';
import type { World } from './world.ts';

/** What a client that outlives it needs of it. */
export type MortalWorld = Pick<World, 'engine' | 'life' | 'restart'> & { readonly clock: Pick<World['clock'], 'advanceToNext'> };

const dead = Symbol('dead');

/** Waits for a call while time goes on: what it waits for may be a timer. */
const answered = async <Value>(world: MortalWorld, call: Promise<Value>): Promise<Value> => {
  let over = false;
  const end = (): void => {
    over = true;
  };
  void call.then(end, end);
  for (let round = 0; !over; round += 1) {
    await settle(1);
    if (round % 16 === 15) await world.clock.advanceToNext(3_000);
  }
  return call;
};

/** Makes a call until an engine answers it; failures for want of storage are no answers. */
export const persist = async <Value>(world: MortalWorld, call: () => Promise<Value>): Promise<Value> => {
  for (let tries = 0; tries < 10_000; tries += 1) {
    const { life } = world;
    try {
      const result = await answered(world, Promise.race([call(), life.ended.then(() => dead)]));
      if (result !== dead) return result as Value;
    } catch (error) {
      if ((error as { code?: string }).code !== 'storage_unavailable') throw error;
    }
    await settle(2);
    await world.clock.advanceToNext(3_000);
  }
  throw new Error('no engine answered');
};

/** How open actions are answered: by the name of their tool, or by their kind. */
export type Answers = { readonly [nameOrKind: string]: Record<string, unknown> };

export const reconciled = { outcome: 'succeeded', output: 'looked up', reason: 'the test looked' };

const payloadFor = (
  action: { readonly kind: string; readonly tool_call?: { readonly name: string } },
  answers: Answers,
): Record<string, unknown> | undefined => (action.kind === 'reconciliation' ? reconciled : (answers[action.tool_call?.name ?? ''] ?? answers[action.kind]));

const unlessResolved = (error: { readonly code?: string }): void => {
  if (error.code !== 'action_resolved') throw error;
};

export type SurvivingClient = Client & {
  /** Answers what the turn asks, until it has an outcome. */
  readonly seeThrough: (sessionId: string, turnId: string, answers?: Answers) => Promise<TurnResource>;
};

export const createSurvivingClient = (world: MortalWorld, caller: Caller = ann): SurvivingClient => {
  const client = createClient(world, caller);
  const turn: Client['turn'] = (sessionId, turnId) => persist(world, () => client.turn(sessionId, turnId));
  const actions: Client['actions'] = (sessionId, turnId) => persist(world, () => client.actions(sessionId, turnId));

  /** An answer that came too late because it had been taken: its own key says so on the next try. */
  const answer: Client['answer'] = (sessionId, turnId, requestId, payload, key = fresh('answer')) =>
    persist(world, () => client.answer(sessionId, turnId, requestId, payload, key));

  return {
    ...client,
    turn,
    actions,
    answer,
    session: (agentId, more) => persist(world, () => client.session(agentId, more)),
    submit: (sessionId, text, key = fresh('submit')) => persist(world, () => client.submit(sessionId, text, key)),
    cancel: (sessionId, turnId, key = fresh('cancel')) => persist(world, () => client.cancel(sessionId, turnId, key)),
    steer: (sessionId, turnId, text, key = fresh('steer')) => persist(world, () => client.steer(sessionId, turnId, text, key)),
    inject: (sessionId, text, key = fresh('inject')) => persist(world, () => client.inject(sessionId, text, key)),
    resume: (sessionId, turnId, key = fresh('resume')) => persist(world, () => client.resume(sessionId, turnId, key)),
    until: (sessionId, turnId, status) =>
      eventually(
        `turn ${turnId} ${status ?? 'settled'}`,
        async () => {
          const now = await turn(sessionId, turnId);
          return (status === undefined ? isSettled(now.status) : now.status === status) ? now : undefined;
        },
        { clock: world.clock },
      ),
    seeThrough: (sessionId, turnId, answers = {}) =>
      eventually(
        `turn ${turnId} seen through`,
        async () => {
          const now = await turn(sessionId, turnId);
          if (isSettled(now.status)) return now;
          for (const action of await actions(sessionId, turnId)) {
            const payload = payloadFor(action, answers);
            // It may be closed by then: by a cancel, or by its expiry.
            if (payload) await answer(sessionId, turnId, action.request_id, payload).catch(unlessResolved);
          }
          return undefined;
        },
        { clock: world.clock },
      ),
  };
};

/** Opens the next engine whenever one dies, until the world is closed. `next` says where that one ends. */
export const keepAlive = (world: MortalWorld, next: () => Parameters<World['open']>[0] = () => undefined): void => {
  void world.life.ended.then(async () => {
    await world.restart(next());
    keepAlive(world, next);
  });
};
