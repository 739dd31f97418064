/** Judges whose turn is over: none is left to itself (OC3). */
import { childSessionId, type SessionId, type TurnId } from '@turnkeeper/core/session/ids';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { submitTurn } from '../../app/submit-turn.ts';
import { checkSession } from '../harness/check-session.ts';
import { ann, type Client, createClient, fresh } from '../harness/client.ts';
import { eventually } from '../harness/settle.ts';
import { openWorld, type World } from '../harness/world.ts';

let world: World;
let client: Client;
beforeEach(async () => {
  world = await openWorld();
  client = createClient(world, ann);
});
afterEach(() => world.close());

const judgedTurn = async (): Promise<{ readonly session: string; readonly turn: string; readonly judge: SessionId }> => {
  const { app } = world.engine;
  world.model.when('write', [{ text: 'a letter' }]);
  const session = await client.session(await client.agent(), { timeoutSeconds: 60 });
  const outcome = { rubric: { agentId: await client.agent(), criteria: 'It is finished.' }, maxTries: 1 };
  // The next session that is made is the judge's: whoever makes it hangs.
  world.faulty.inject({ method: 'create', call: 1, effect: { kind: 'held_before' } });
  const turn = (await submitTurn(app, ann, session, { message: 'write', outcome }, fresh('submit'))).answer.id;
  return { session, turn, judge: childSessionId(turn as TurnId, 1) };
};

it('OC3 a judge that may have been made when its turn ended is made closed: who makes it late sets nothing going', async () => {
  const { session, turn, judge } = await judgedTurn();
  expect(await client.until(session, turn)).toMatchObject({ status: 'timed_out' });
  const head = async () => (await world.store.load(session as SessionId))?.head;
  await eventually('nothing is owed', async () => (await head())?.due === null, { clock: world.clock });
  expect(await client.turn(judge, judge.replace('ses_', 'turn_'))).toMatchObject({ status: 'cancelled' });
  world.faulty.release();
  await world.clock.advance(60_000);
  expect(world.model.calls).toHaveLength(1);
  for (const id of [session, judge]) expect((await checkSession(world.store, id)).faults).toEqual([]);
});
